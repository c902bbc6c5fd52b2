"""The command `pocha`: `serve`, `migrate` and `verify`. The process's side of the composition root."""

import argparse
import asyncio
import logging
import signal
import sys
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import timedelta
from importlib import metadata
from pathlib import Path
from types import FrameType

from service import secret, settings
from service.app import Service
from service.clock import SystemClock
from service.draining import Draining
from service.ports import LogUnavailable
from service.record import verifying
from service.record.wrong import WrongRecord
from service.server import Server
from service.settings import Settings, WrongSetting
from service.shuffle import SeededShuffler
from service.store import migrate as schema
from service.store.embedded import EmbeddedPostgres, ServerFailed, default_data_dir
from service.store.hints import PostgresHints
from service.store.migrate import SchemaMismatch
from service.store.postgres import PostgresLog

try:
    from uvloop import new_event_loop
except ImportError:  # there is none for Windows
    from asyncio import new_event_loop

Run = Callable[[argparse.Namespace], None]
Serve = Callable[[Settings], Awaitable[None]]

_FORESEEN = (WrongSetting, ServerFailed, SchemaMismatch, LogUnavailable, WrongRecord, OSError)
_SIGNALLED = 128  # and the signal's number: how a shell tells of a process that a signal ended


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code: 0, or 1 with a line on standard error that says what is wrong."""
    asked = _parser().parse_args(arguments)
    run: Run = asked.run
    try:
        with _ended_by_sigterm():
            run(asked)
    except _FORESEEN as error:
        print(f"pocha: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return _SIGNALLED + signal.SIGINT
    return 0


def _with_settings(run: Serve) -> Run:
    """Return `run` as a command that takes its settings from the environment, and an event loop."""

    def command(_: argparse.Namespace) -> None:
        chosen = settings.read()
        _log_to_stderr(chosen.log_level)
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(_awaited(run, chosen))

    return command


def _log_to_stderr(level: str) -> None:
    logging.basicConfig(level=level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s")
    # uvicorn says in four lines what `_say_where` says in one.
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)


async def serve(chosen: Settings) -> None:
    """Serve until told to stop."""
    key = chosen.secret.encode() if chosen.secret else secret.kept_secret(chosen.data_dir or default_data_dir())
    life = _Life()
    with _database(chosen, life.end) as (dsn, direct):
        await (schema.check(dsn) if chosen.database_url else schema.migrate(dsn))
        async with _log(dsn) as log, _hints(direct) as hints:
            draining = Draining()
            service = Service(
                log,
                SystemClock(),
                SeededShuffler(),
                key,
                hints=hints,
                draining=draining,
                abandon_after=timedelta(days=chosen.abandon_after_days),
            )
            server = Server(service.app, chosen.host, chosen.port, _say_where, draining, chosen.drain_seconds)
            async with _beside(service.live()):
                await life.live(server)
    if life.end_reason:
        raise ServerFailed(life.end_reason)


class _Life:
    """The time that a server serves for; another thread may end it, with a reason."""

    def __init__(self) -> None:
        self.end_reason = ""
        self._server: Server | None = None

    async def live(self, server: Server) -> None:
        """Serve until told to stop. From then on SIGTERM has nothing more to tell: the end must not be broken off."""
        self._server = server
        server.should_exit = bool(self.end_reason)
        try:
            await server.serve()
        finally:
            _ignore_sigterm()

    def end(self, reason: str) -> None:
        """Make the server stop."""
        self.end_reason = reason
        if self._server is not None:
            self._server.should_exit = True


async def migrate(chosen: Settings) -> None:
    """Bring the database's schema up to date, and say what was done."""
    with _database(chosen) as (_, direct):
        applied = await schema.migrate(direct)
    print("\n".join(f"applied {name}" for name in applied) or "the schema is up to date")


def verify(asked: argparse.Namespace) -> None:
    """Say that a record is right.

    Raises:
        WrongRecord: it is not.
    """
    source: str = asked.record
    verdict = verifying.verify(sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes())
    print(f"the record is right: {verdict.hands} hands, {verdict.moves} moves")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "pocha", description="La Pocha, the Spanish card game of exact bids, as a REST service."
    )
    parser.add_argument("--version", action="version", version=metadata.version("pocha-service"))
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, run, what in (
        ("serve", serve, "serve the games over HTTP; settings come from the environment, see the README"),
        ("migrate", migrate, "bring the schema of POCHA_DATABASE_URL (or of the embedded database) up to date"),
    ):
        commands.add_parser(name, help=what, description=what).set_defaults(run=_with_settings(run))
    what = "deal and judge a finished game again, from its record; needs neither settings nor a database"
    verifier = commands.add_parser("verify", help=what, description=what)
    verifier.add_argument(
        "record", metavar="RECORD", help="the file, as GET /v1/games/{game_id}/record answered; - for standard input"
    )
    verifier.set_defaults(run=verify)
    return parser


@contextmanager
def _ended_by_sigterm() -> Generator[None]:
    """Make SIGTERM unwind what is open, as Ctrl-C does, so that no embedded Postgres stays; while uvicorn serves, it has its own way."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _exit)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _exit(number: int, _: FrameType | None) -> None:
    _ignore_sigterm()  # a second one must not break off the unwinding
    raise SystemExit(_SIGNALLED + number)


def _ignore_sigterm() -> None:
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


async def _awaited(run: Serve, chosen: Settings) -> None:
    await run(chosen)


@contextmanager
def _database(chosen: Settings, on_death: Callable[[str], None] | None = None) -> Generator[tuple[str, str]]:
    """Give the addresses of the database to use, for most and for what must reach it directly.

    It is the one that was named, or an embedded one of our own, whose death is told.
    """
    if chosen.database_url:
        yield chosen.database_url, chosen.database_direct_url or chosen.database_url
        return
    print("pocha: starting the embedded Postgres", flush=True)
    with EmbeddedPostgres(chosen.data_dir, chosen.pg_bin, on_death=on_death) as dsn:
        yield dsn, dsn


@asynccontextmanager
async def _log(dsn: str) -> AsyncGenerator[PostgresLog]:
    log = await PostgresLog.open(dsn)
    try:
        yield log
    finally:
        await log.close()


@asynccontextmanager
async def _hints(dsn: str) -> AsyncGenerator[PostgresHints]:
    hints = PostgresHints(dsn)
    await hints.open()
    try:
        yield hints
    finally:
        await hints.close()


@asynccontextmanager
async def _beside(work: Coroutine[None, None, None]) -> AsyncGenerator[None]:
    """Let `work` go on meanwhile."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def _say_where(address: str) -> None:
    print(f"pocha: serving at {address} - the API to read and try: {address}/docs - stop with Ctrl-C", flush=True)


if __name__ == "__main__":
    sys.exit(main())
