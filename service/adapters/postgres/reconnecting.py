"""A connection that reconnects after a loss."""

import asyncio
import contextlib
import logging
from collections.abc import Sequence

from service.adapters.postgres.connection import (
    DATABASE_ERRORS,
    STATEMENT_SECONDS,
    Connection,
    Row,
    connect,
    is_lost,
    is_worker_lost,
    reason,
)
from service.application.ports import StoreUnavailable

PATIENCE_SECONDS = 5.0
"""Time after a loss during which callers wait for a new connection; after it calls fail at once."""

_LOGGER = logging.getLogger(__name__)
_RETRY_SECONDS = 0.1
_CLOSE_SECONDS = 2.0
SESSION = {
    "citus.override_table_visibility": "off",  # else asyncpg's introspection takes seconds on Citus; elsewhere it means nothing
    "default_transaction_isolation": "read committed",  # ON CONFLICT DO NOTHING must not fail to serialise
    "enable_seqscan": "off",  # every statement has its index; a plan made while the tables were small would forget that
    "jit": "off",
    "plan_cache_mode": "force_generic_plan",
    "synchronous_commit": "on",  # whatever the database's own setting: acknowledged means on disk
}
"""Settings of every session of the store."""


class ReconnectingConnection:
    """One connection, opened on first use and again after a loss. For one user at a time."""

    def __init__(self, dsn: str, patience: float = PATIENCE_SECONDS) -> None:
        self._dsn = dsn
        self._patience = patience
        self._connection: Connection | None = None
        self._failing_since: float | None = None

    async def get(self) -> Connection:
        """Return the connection, a new one if necessary; retries for `patience` seconds after a loss, later only once for each call.

        Raises:
            StoreUnavailable: the database cannot be reached.
        """
        if self._connection is None or self._connection.is_closed():
            self._connection = await self._connect_patiently()
        return self._connection

    async def fetch(self, query: str, *args: object) -> Sequence[Row]:
        """Return the rows of an idempotent statement; if the connection is lost, retry it on a new one.

        Raises:
            StoreUnavailable: the database cannot be reached, or cannot answer now.
        """
        try:
            return await self._fetch_once(query, *args)
        except DATABASE_ERRORS as error:
            if not is_lost(error):
                raise StoreUnavailable(reason(error)) from error
        try:
            return await self._fetch_once(query, *args)
        except DATABASE_ERRORS as error:
            raise StoreUnavailable(reason(error)) from error

    def drop(self) -> None:
        """Terminate the connection; the next `get` opens a new one."""
        if self._connection is not None:
            self._connection.terminate()
        self._connection = None

    async def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            with contextlib.suppress(*DATABASE_ERRORS):
                await self._connection.close(timeout=_CLOSE_SECONDS)
        self.drop()

    async def _fetch_once(self, query: str, *args: object) -> Sequence[Row]:
        connection = await self.get()
        try:
            return await connection.fetch(query, *args)
        except BaseException as error:
            # Cancelled or failed in the middle: not worth finding out what the session is still good for.
            if not is_worker_lost(error):
                self.drop()
            raise

    async def _connect_patiently(self) -> Connection:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection = await connect(self._dsn, SESSION, statement_seconds=STATEMENT_SECONDS)
            except StoreUnavailable as error:
                if self._failing_since is None:
                    self._failing_since = loop.time()
                    _LOGGER.warning("a connection is lost: %s", error)
                if loop.time() - self._failing_since >= self._patience:
                    raise
                await asyncio.sleep(_RETRY_SECONDS)
            else:
                if self._failing_since is not None:
                    _LOGGER.warning("a lost connection is back after %.1f s", loop.time() - self._failing_since)
                self._failing_since = None
                return connection
