"""Postgres: the event store, its schema, and the notifier."""
