"""Typed facade of asyncpg, and the meaning of its errors.

asyncpg comes without annotations, so the part of it that is used here is written down as Protocols.
"""

import contextlib
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, cast

import asyncpg  # pyright: ignore[reportMissingTypeStubs] - there are none

from service.adapters.postgres import address, driver
from service.adapters.postgres.address import Address
from service.adapters.postgres.address_parameters import InvalidAddress
from service.application.ports import StoreUnavailable

CONNECT_SECONDS = 5.0
"""Time limit of one attempt to connect."""
STATEMENT_SECONDS = 10.0
"""Time limit of a statement of the store; after it the connection counts as lost."""

DATABASE_ERRORS = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""The exceptions of asyncpg calls, except for bugs and cancellation. `TimeoutError` is an `OSError`."""

# Citus plans by the values of a statement: with generic plans it refuses most.
_SET = """
    SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS asked (name, value)
    WHERE name <> 'plan_cache_mode' OR NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')
"""
_UNWRITABLE = (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError)
_ELSEWHERE = (OSError, asyncpg.CannotConnectNowError, asyncpg.TargetServerAttributeNotMatched)
"""Errors after which another host of the address is tried."""
_LOST = (OSError, asyncpg.PostgresConnectionError, asyncpg.OperatorInterventionError, asyncpg.InternalClientError)


class Row(Protocol):
    """A row of a result."""

    def __getitem__(self, column: str, /) -> Any:
        """Return the value of `column`."""
        ...


class Connection(Protocol):
    """A session with the database; one statement at a time."""

    async def fetch(self, query: str, *args: object) -> Sequence[Row]:
        """Run one statement and return its rows."""
        ...

    async def fetchval(self, query: str, *args: object) -> Any:
        """Run one statement and return the first value of its first row; none when there is no row."""
        ...

    async def execute(self, query: str, *args: object) -> str:
        """Run one statement, or without `args` several, and return the last one's command tag."""
        ...

    def is_closed(self) -> bool:
        """Tell whether the session has ended, as far as this side knows."""
        ...

    async def add_listener(self, channel: str, callback: "Callable[[Connection, int, str, object], None]") -> None:
        """Listen to `channel`: call `callback` with this session, the sender's process id, the channel and the payload."""
        ...

    def add_termination_listener(self, callback: "Callable[[Connection], None]") -> None:
        """Call `callback` when the session ends, for any reason."""
        ...

    def get_server_pid(self) -> int:
        """Return the id of the server process of this session, which identifies its notifications."""
        ...

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109 - asyncpg's own signature
        """Close the session within `timeout` seconds."""
        ...

    def terminate(self) -> None:
        """Terminate the session at once."""
        ...


_connect = cast("Callable[..., Awaitable[Connection]]", asyncpg.connect)


async def connect(
    dsn: str, settings: Mapping[str, str] | None = None, *, statement_seconds: float | None = None
) -> Connection:
    """Return a new session with the database at `dsn`, one that may write; `settings` hold for the session.

    Raises:
        StoreUnavailable: there is no such session to be had now.
    """
    try:
        parsed = address.parse(dsn)
        connection = await _connect_to_one_of(parsed, statement_seconds)
        await _set(connection, {**(settings or {}), **_chosen_name(parsed)})
    except InvalidAddress as error:
        raise StoreUnavailable(f"no connection to the database: its address cannot be used: {error}") from None
    except asyncpg.TargetServerAttributeNotMatched as error:
        raise StoreUnavailable("no connection to the database: it takes no writes (a standby, or read-only)") from error
    except DATABASE_ERRORS as error:
        raise StoreUnavailable(f"no connection to the database: {reason(error)}") from error
    except ValueError:
        # What the error says may quote the address, and that may hold a password.
        raise StoreUnavailable("no connection to the database: its address is malformed (POCHA_DATABASE_URL)") from None
    return connection


async def _connect_to_one_of(parsed: Address, statement_seconds: float | None) -> Connection:
    """Return a session with the first host that gives one; each has its own time. A host that answers but refuses ends the search."""
    *others, last = parsed.endpoints or [(None, None)]
    for host, port in others:
        with contextlib.suppress(*_ELSEWHERE):
            return await _connect_to(parsed, host, port, statement_seconds)
    return await _connect_to(parsed, *last, statement_seconds)


async def _connect_to(
    parsed: Address, host: str | None, port: int | None, statement_seconds: float | None
) -> Connection:
    ports = parsed.ports[0] if port is None and parsed.ports else port
    connection = await _connect(
        host=None if host is None else [host],
        port=ports,
        timeout=parsed.connect_seconds or CONNECT_SECONDS,
        command_timeout=statement_seconds,
        **driver.arguments(parsed),
    )
    opened = socket_of(connection)
    if opened is not None and opened.family != socket.AF_UNIX:
        driver.keep_alive(opened, parsed.keepalives)
    return connection


def socket_of(connection: Connection) -> socket.socket | None:
    """Return the socket of a session; asyncpg shows it in no other way than by its private transport."""
    return cast("Any", connection)._transport.get_extra_info("socket")  # noqa: SLF001


def _chosen_name(parsed: Address) -> Mapping[str, str]:
    """Return the `application_name` of the address, which takes precedence over the session's own."""
    return {"application_name": parsed.application_name} if parsed.application_name else {}


async def _set(connection: Connection, settings: Mapping[str, str]) -> None:
    """Apply `settings`. Not while connecting: PgBouncer refuses unknown startup parameters."""
    try:
        if settings:
            await connection.fetch(_SET, list(settings), list(settings.values()))
    except BaseException:
        connection.terminate()
        raise


def is_unwritable(error: BaseException) -> bool:
    """Tell whether the data caused the error: nothing was written, and a retry would fail again."""
    # asyncpg's errors about arguments that do not fit their column's type are ValueErrors.
    return isinstance(error, (*_UNWRITABLE, ValueError))


def is_lost(error: BaseException) -> bool:
    """Tell whether the session is unusable and the outcome of its statement unknown."""
    client_side = isinstance(error, asyncpg.InterfaceError) and not isinstance(error, ValueError)
    return client_side or (isinstance(error, _LOST) and not is_worker_lost(error))


def is_worker_lost(error: BaseException) -> bool:
    """Tell whether Citus has lost a worker: the outcome is unknown, and the session, which is with the coordinator, as good as before."""
    return isinstance(error, asyncpg.ConnectionFailureError)


def reason(error: BaseException) -> str:
    """Return the message of `error`, or its name without one."""
    return str(error) or type(error).__name__
