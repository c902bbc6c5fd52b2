"""Web hooks: what they are told, their management, and the courier that delivers."""
