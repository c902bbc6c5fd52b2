"""The table in the browser: static files that use nothing but the public contract. Their sources are in `clients/`."""
