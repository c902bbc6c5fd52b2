"""The service around the rules: use cases, and the adapters to HTTP, Postgres, clock and chance."""
