"""The command `pocha`: parses arguments, runs a command, reports expected errors in one line."""

import argparse
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import metadata

from service.adapters.embedded_postgres import ServerFailed
from service.adapters.postgres.migrate import SchemaMismatch
from service.application.ports import StoreUnavailable
from service.application.record.mismatch import InvalidRecord
from service.bootstrap.settings import InvalidSetting
from service.cli import apps, delete_games, duel, migrate, play, serve, settings_table, verify
from service.cli.apps import AppsError
from service.cli.databases import NoDatabase
from service.cli.process import SIGNAL_EXIT_CODE, exit_on_sigterm

_EXPECTED = (
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


_COMMANDS = {
    "serve": serve,
    "play": play,
    "migrate": migrate,
    "delete-games": delete_games,
    "apps": apps,
    "verify": verify,
    "duel": duel,
    "settings": settings_table,
}
"""The modules of the commands. Each has a text `HELP`, `add_arguments(parser)` and `run(args)`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code: 0, or another one after a line on standard error.

    It is 1; 75 where `pocha migrate` cannot reach its database; 128 and the number of the signal after a signal.
    """
    args = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], None] = args.run
    try:
        with exit_on_sigterm():
            run(args)
    except _EXPECTED as error:
        print(f"pocha: {error}", file=sys.stderr)
        return args.unreachable if isinstance(error, StoreUnavailable) else 1
    except KeyboardInterrupt:
        return SIGNAL_EXIT_CODE + signal.SIGINT
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "pocha", description="La Pocha, the Spanish card game of exact bids, as a REST service."
    )
    parser.add_argument("--version", action="version", version=metadata.version("pocha-service"))
    parser.set_defaults(unreachable=1)
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, command in _COMMANDS.items():
        subparser = subparsers.add_parser(name, help=command.HELP, description=command.HELP)
        subparser.set_defaults(run=command.run)
        command.add_arguments(subparser)
    return parser
