"""Notifier between processes, by LISTEN and NOTIFY."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence

from typing_extensions import override

from service.adapters.postgres.connection import DATABASE_ERRORS, Connection, connect, reason
from service.adapters.postgres.notifier_queue import HintQueue, hints_of, payloads
from service.application.ports import Hint, Notifier, StoreUnavailable
from service.observability.metrics import Metrics

CHANNEL = "pocha"
"""The channel of the notifications."""

_LOGGER = logging.getLogger(__name__)
_SETTINGS = {
    "application_name": "pocha hints",
    "synchronous_commit": "off",  # a notification is not worth a wait for the disk
}
_GATHER_SECONDS = 0.005
_CHECK_SECONDS = 5.0
_ANSWER_SECONDS = 3.0
_FIRST_RETRY_SECONDS = 0.1
_LAST_RETRY_SECONDS = 1.0
_CLOSE_SECONDS = 0.5
_NOTIFY = f"SELECT pg_notify('{CHANNEL}', payload) FROM unnest($1::text[]) AS payload"  # noqa: S608 - the channel is ours


class PostgresNotifier(Notifier):
    """Adapter of `service.application.ports.Notifier` to LISTEN and NOTIFY, on a connection of its own that reconnects.

    `dsn` must lead to the server itself, not to a pooler that lends sessions by the transaction. A connection that says nothing for
    `check_seconds` is asked for a sign of life, and has `answer_seconds` for it.
    """

    def __init__(
        self,
        dsn: str,
        *,
        check_seconds: float = _CHECK_SECONDS,
        answer_seconds: float = _ANSWER_SECONDS,
        metrics: Metrics | None = None,
    ) -> None:
        self._metrics = metrics or Metrics()
        self._dsn = dsn
        self._check_seconds = check_seconds
        self._answer_seconds = answer_seconds
        self._queue = HintQueue()
        self._wake = asyncio.Event()
        self._closing = False
        self._subscribers: list[tuple[Callable[[Hint], None], Callable[[], None]]] = []
        self._running: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start to connect in the background; the database may still be down."""
        self._running = asyncio.create_task(self._run())

    @override
    def publish(self, hint: Hint) -> None:
        if not self._closing:
            self._queue.put(hint)
            self._wake.set()

    @override
    def subscribe(self, on_hint: Callable[[Hint], None], on_gap: Callable[[], None]) -> None:
        """Every new connection is a gap, the first one too."""
        self._subscribers.append((on_hint, on_gap))

    @override
    async def close(self) -> None:
        """Send what is queued, for at most half a second."""
        self._closing = True
        self._wake.set()
        if self._running is not None:
            await asyncio.wait([self._running], timeout=_CLOSE_SECONDS)
            self._running.cancel()
            await asyncio.wait([self._running])

    async def _run(self) -> None:
        pause = _FIRST_RETRY_SECONDS
        while True:
            try:
                connection = await connect(self._dsn, _SETTINGS, statement_seconds=self._answer_seconds)
            except StoreUnavailable:
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LAST_RETRY_SECONDS)
                continue
            await self._use(connection)
            if self._closing:
                return
            pause = _FIRST_RETRY_SECONDS
            await asyncio.sleep(pause)

    async def _use(self, connection: Connection) -> None:
        """Listen and send until closed, or until the connection is lost."""
        try:
            await self._listen(connection)
            await self._tell(connection)
            await connection.close(timeout=_CLOSE_SECONDS)
        except DATABASE_ERRORS as error:
            self._metrics.hint_connections_lost.inc()
            _LOGGER.warning("the connection for hints is lost: %s", reason(error))
        except Exception:
            self._metrics.hint_connections_lost.inc()
            _LOGGER.exception("the connection for hints is given up")
        finally:
            connection.terminate()

    async def _listen(self, connection: Connection) -> None:
        connection.add_termination_listener(self._on_termination)
        await connection.add_listener(CHANNEL, self._on_notification)
        for _, on_gap in self._subscribers:
            on_gap()

    async def _tell(self, connection: Connection) -> None:
        """Send what is published until closed; check the connection while there is nothing to send."""
        while self._queue or not self._closing:
            self._wake.clear()
            if self._queue:
                await self._send(connection, self._queue.waiting())
                await asyncio.sleep(_GATHER_SECONDS)
            else:
                await connection.fetchval("SELECT 1")
            await self._something_to_do()

    async def _send(self, connection: Connection, hints: Sequence[Hint]) -> None:
        await connection.execute(_NOTIFY, list(payloads(hints)))
        self._queue.sent(hints)
        self._metrics.hints_sent.inc(len(hints))

    async def _something_to_do(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._check_seconds):
                await self._wake.wait()

    def _on_termination(self, _connection: Connection) -> None:
        self._wake.set()

    def _on_notification(self, connection: Connection, pid: int, _channel: str, payload: object) -> None:
        if pid != connection.get_server_pid():
            for hint in hints_of(str(payload)):
                self._metrics.hints_received.inc()
                for on_hint, _ in self._subscribers:
                    on_hint(hint)
