"""The HTTP adapter."""
