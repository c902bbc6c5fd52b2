"""Server-sent events and long polling."""
