"""Notifier between processes, by LISTEN and NOTIFY."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence

from typing_extensions import override

from service.adapters.postgres.connection import DATABASE_ERRORS, Connection, connect, reason
from service.adapters.postgres.notifier_peers import CHANNEL, NOTIFY, Peers
from service.adapters.postgres.notifier_queue import HintQueue, hints_of, payloads
from service.application.ports import Hint, Notifier, StoreUnavailable
from service.observability.metrics import Metrics

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
_GREETING_CHECK_SECONDS = 0.2
_GREETING_SECONDS = 5.0
"""How long the answers of the others are waited for."""


class PostgresNotifier(Notifier):
    """Adapter of `service.application.ports.Notifier` to LISTEN and NOTIFY, on a connection of its own that reconnects.

    `dsn` must lead to the server itself, not to a pooler that lends sessions by the transaction. A connection that says nothing for
    `check_seconds` is asked for a sign of life, and has `answer_seconds` for it. While no other process listens, nothing is sent.
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
        self._peers = Peers()
        self._look_at = self._give_up_at = 0.0
        self._own_pid = 0
        self._wake = asyncio.Event()
        self._closing = False
        self._subscribers: list[tuple[Callable[[Hint], None], Callable[[], None]]] = []
        self._running: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start to connect in the background; the database may still be down."""
        self._running = asyncio.create_task(self._run())

    @override
    def publish(self, hint: Hint) -> None:
        if self._peers.exist and not self._closing:
            self._queue.put(hint)
            self._wake.set()

    @override
    def subscribe(self, on_hint: Callable[[Hint], None], on_gap: Callable[[], None]) -> None:
        """Every new connection is a gap, the first one too: once all others send to it."""
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
            self._peers, self._look_at = Peers(), 0.0

    async def _listen(self, connection: Connection) -> None:
        self._own_pid = connection.get_server_pid()
        connection.add_termination_listener(self._on_termination)
        await connection.add_listener(CHANNEL, self._on_notification)
        if await self._peers.join(connection):
            self._on_gap()
        self._give_up_at = asyncio.get_running_loop().time() + _GREETING_SECONDS

    def _on_gap(self) -> None:
        for _, on_gap in self._subscribers:
            on_gap()

    async def _tell(self, connection: Connection) -> None:
        """Send what is published until the end; from time to time look whether the connection is alive, and who else listens."""
        while self._has_news() or not self._closing:
            self._wake.clear()
            await self._peers.answer(connection)
            if self._has_news():
                await self._send(connection, self._queue.waiting())
                await asyncio.sleep(_GATHER_SECONDS)
            if connection.is_closed() or asyncio.get_running_loop().time() >= self._look_at:
                await self._look(connection)
            await self._something_to_do()

    async def _look(self, connection: Connection) -> None:
        if await self._peers.look(connection):
            self._on_gap()
        now = asyncio.get_running_loop().time()
        if self._peers.are_unanswered and now >= self._give_up_at:
            self._peers.miss_answers()
            self._on_gap()
        self._look_at = now + (_GREETING_CHECK_SECONDS if self._peers.are_unanswered else self._check_seconds)

    def _has_news(self) -> bool:
        return bool(self._queue) and self._peers.exist

    async def _send(self, connection: Connection, hints: Sequence[Hint]) -> None:
        await connection.execute(NOTIFY, list(payloads(hints)))
        self._queue.sent(hints)
        self._metrics.hints_sent.inc(len(hints))

    async def _something_to_do(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(self._look_at):
                await self._wake.wait()

    def _on_termination(self, _connection: Connection) -> None:
        self._wake.set()

    def _on_notification(self, connection: Connection, pid: int, _channel: str, payload: object) -> None:
        own, text = self._own_pid, str(payload)
        if pid == own or connection.is_closed():  # the last ones may come after the end; the next connection is a gap
            return
        if self._peers.hear(pid, text, own):
            self._on_gap()
        if self._peers.are_greeting:
            self._wake.set()
        for hint in hints_of(text):
            self._metrics.hints_received.inc()
            for on_hint, _ in self._subscribers:
                on_hint(hint)
