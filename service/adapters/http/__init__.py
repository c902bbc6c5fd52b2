"""Adapters that send HTTP requests."""
