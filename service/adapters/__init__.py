"""The adapters of `service.ports.GameLog` (memory and Postgres), the schema's migrations, and the embedded Postgres server."""
