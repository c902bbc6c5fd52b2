"""The command `pocha`: `serve`, `migrate`, `archive`, `apps`, `verify` and `settings`. The process's side of the composition root."""

import argparse
import asyncio
import logging
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from types import FrameType

from service.adapters.clock import SystemClock
from service.adapters.embedded_postgres import ServerFailed
from service.adapters.postgres import shards
from service.adapters.postgres.migrate import SchemaMismatch
from service.application.ports import StoreUnavailable
from service.application.record import verify
from service.application.record.mismatch import InvalidRecord
from service.bootstrap import settings
from service.bootstrap.settings import InvalidSetting, Settings
from service.cli import apps, archive, databases, duel, settings_table
from service.cli.apps import AppsError
from service.cli.databases import NoDatabase
from service.cli.serve import ignore_sigterm, serve
from service.observability import log_format

try:
    from uvloop import new_event_loop
except ImportError:  # there is none for Windows
    from asyncio import new_event_loop

_LOGGER = logging.getLogger(__name__)

Run = Callable[[argparse.Namespace], None]
Serve = Callable[[Settings], Awaitable[None]]

_FORESEEN = (
    InvalidSetting,
    ServerFailed,
    SchemaMismatch,
    StoreUnavailable,
    InvalidRecord,
    AppsError,
    NoDatabase,
    duel.DuelRefused,
    OSError,
)
_UNREACHABLE = 75  # EX_TEMPFAIL: `pocha migrate` had no database, and may be tried again as it is
_SIGNALLED = 128  # and the signal's number: how a shell tells of a process that a signal ended


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code: 0, or 1 with a line on standard error that says what is wrong.

    `pocha migrate` returns 75 where it is only that the database cannot be reached.
    """
    asked = _parser().parse_args(arguments)
    run: Run = asked.run
    try:
        with _ended_by_sigterm():
            run(asked)
    except _FORESEEN as error:
        print(f"pocha: {error}", file=sys.stderr)
        return asked.unreachable if isinstance(error, StoreUnavailable) else 1
    except KeyboardInterrupt:
        return _SIGNALLED + signal.SIGINT
    return 0


def _with_settings(run: Serve) -> Run:
    """Return `run` as a command that takes its settings from the environment, and an event loop."""

    def command(_: argparse.Namespace) -> None:
        chosen = settings.from_environment()
        log_format.configure(chosen.log_level, log_format.choose_format(chosen.log_format), settings.secrets_of(chosen))
        for warning in settings.warnings_of(chosen):
            _LOGGER.warning(warning)
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(_awaited(run, chosen))

    return command


async def migrate(chosen: Settings) -> None:
    """Bring the schema of every database up to date, and say what was done."""
    with databases.open_databases(chosen) as (_, direct):
        applied = await shards.migrate(direct)
        print(f"pocha: migrated {databases.described(chosen)}", file=sys.stderr)
    print("\n".join(f"applied {name}" for name in applied) or "the schema is up to date")


def _apps(asked: argparse.Namespace) -> None:
    """Do what was asked about apps and their keys."""

    async def carry_out(chosen: Settings) -> None:
        with databases.open_or_find(chosen) as dsns:
            await shards.check(dsns)
            async with databases.open_apps(dsns[0]) as kept:
                await apps.run(asked, kept, SystemClock())
        if apps.changes(asked):
            print(f"pocha: changed {databases.described(chosen)}", file=sys.stderr)

    _with_settings(carry_out)(asked)


def _archive(asked: argparse.Namespace) -> None:
    """Pack and forget games that are over."""

    async def carry_out(chosen: Settings) -> None:
        with databases.open_or_find(chosen) as dsns:
            await shards.check(dsns)
            await archive.carry_out(asked, chosen, dsns, SystemClock())
        print(f"pocha: changed {databases.described(chosen)}", file=sys.stderr)

    _with_settings(carry_out)(asked)


def _verify(asked: argparse.Namespace) -> None:
    """Say that a record is right.

    Raises:
        InvalidRecord: it is not.
    """
    source: str = asked.record
    verdict = verify.verify(sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes())
    print(f"the record is right: {verdict.hands} hands, {verdict.moves} moves")


def _show_settings(_: argparse.Namespace) -> None:
    print(settings_table.markdown_table(), end="")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "pocha", description="La Pocha, the Spanish card game of exact bids, as a REST service."
    )
    parser.add_argument("--version", action="version", version=metadata.version("pocha-service"))
    parser.set_defaults(unreachable=1)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, run, what in (
        ("serve", serve, "serve the games over HTTP; settings come from the environment, see `pocha settings`"),
        ("migrate", migrate, "bring the schema of POCHA_DATABASE_URL (or of the embedded database) up to date"),
    ):
        unreachable = _UNREACHABLE if run is migrate else 1
        commands.add_parser(name, help=what, description=what).set_defaults(
            run=_with_settings(run), unreachable=unreachable
        )
    apps.add_arguments(commands.add_parser("apps", help=apps.HELP, description=apps.HELP), _apps)
    archive.add_arguments(commands.add_parser("archive", help=archive.HELP, description=archive.HELP), _archive)
    duel.add_arguments(commands.add_parser("duel", help=duel.HELP, description=duel.HELP), duel.carry_out)
    what = "deal and judge a finished game again, from its record; needs neither settings nor a database"
    verifier = commands.add_parser("verify", help=what, description=what)
    verifier.add_argument(
        "record", metavar="RECORD", help="the file, as GET /v1/games/{game_id}/record answered; - for standard input"
    )
    verifier.set_defaults(run=_verify)
    what = "print the table of all settings, in Markdown"
    commands.add_parser("settings", help=what, description=what).set_defaults(run=_show_settings)
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
    ignore_sigterm()  # a second one must not break off the unwinding
    raise SystemExit(_SIGNALLED + number)


async def _awaited(run: Serve, chosen: Settings) -> None:
    await run(chosen)


if __name__ == "__main__":
    sys.exit(main())
