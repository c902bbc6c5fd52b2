"""ASGI middleware around all operations."""
