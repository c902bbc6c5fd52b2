"""The use cases, and the ports they need. Knows neither HTTP nor Postgres."""
