"""A private Postgres server for a service that was given no database: found, set up, started, stopped.

`EmbeddedPostgres` is the launcher; the other modules are its parts: the programs, the folder, the account that the server runs
under, and what a killed service left behind.
"""

from service.adapters.embedded_postgres.failure import ServerFailed
from service.adapters.embedded_postgres.folder import default_data_dir
from service.adapters.embedded_postgres.launcher import EmbeddedPostgres, temporary_server

__all__ = ["EmbeddedPostgres", "ServerFailed", "default_data_dir", "temporary_server"]
