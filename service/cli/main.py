"""The command `pocha`: parses arguments, runs a command, reports expected errors in one line."""

import argparse
import importlib
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import metadata

from service.adapters.embedded_postgres import ServerFailed
from service.adapters.postgres.migrate import SchemaMismatch
from service.application.ports import StoreUnavailable
from service.application.record.mismatch import InvalidRecord
from service.bootstrap.settings import InvalidSetting
from service.cli.process import SIGNAL_EXIT_CODE, CommandError, exit_on_sigterm

_EXPECTED = (
    InvalidSetting,
    ServerFailed,
    SchemaMismatch,
    StoreUnavailable,
    InvalidRecord,
    CommandError,
    OSError,
)

_COMMANDS = {
    "serve": "serve the API over HTTP; settings come from the environment, see `pocha settings`",
    "play": "play in the terminal: against robots, or with --url at a table of a service",
    "migrate": "update the schema of POCHA_DATABASE_URL, or of the embedded database",
    "delete-games": "delete the games that ended long enough ago: their commits, listings and reservations",
    "ratings": "make the statistics and ratings of players anew from the log",
    "apps": "create and manage apps, which call the service with API keys",
    "verify": "verify the record of a finished game: deal, play and score it again; needs neither settings nor a database",
    "duel": "let robots play each other on duplicate deals, and tell how many points the first makes more",
    "settings": "print the table of all settings, in Markdown",
}
"""What each command does. Its module, of the same name, has `add_arguments(parser)` and `run(args)`; only one is imported."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code: 0, or another one after a line on standard error.

    It is 1; 75 where `pocha migrate` cannot reach its database; 128 and the number of the signal after a signal.
    """
    args = _parser(sys.argv[1:] if arguments is None else arguments).parse_args(arguments)
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


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "pocha", description="La Pocha, the Spanish card game of exact bids, as a REST service."
    )
    parser.add_argument("--version", action="version", version=metadata.version("pocha-service"))
    parser.set_defaults(unreachable=1)
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, summary in _COMMANDS.items():
        subparser = subparsers.add_parser(name, help=summary, description=summary)
        if name in arguments:
            command = importlib.import_module(f"service.cli.{name.replace('-', '_')}")
            subparser.set_defaults(run=command.run)
            command.add_arguments(subparser)
    return parser
