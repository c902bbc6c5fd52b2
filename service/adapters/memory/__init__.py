"""In-memory adapters, for tests and temporary tables."""
