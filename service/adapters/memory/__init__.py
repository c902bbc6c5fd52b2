"""Adapters that keep everything in this process, for tests and throw-away tables."""
