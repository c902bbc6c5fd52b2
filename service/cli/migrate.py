"""The command `pocha migrate`."""

import argparse
import sys

from service.adapters.postgres import layout
from service.bootstrap.settings import Settings
from service.cli import databases
from service.cli.process import run_with_settings

_UNREACHABLE = 75
"""Exit code where the database cannot be reached (EX_TEMPFAIL): the same command may be retried."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options, and set the exit code."""
    parser.set_defaults(unreachable=_UNREACHABLE)
    parser.add_argument(
        "--buckets",
        metavar="N",
        type=int,
        help="divide the games into N buckets, once and for all; for Citus (docs/scaling.md). A new database has one",
    )
    parser.add_argument(
        "--move-games",
        action="store_true",
        help="with --buckets: move the games that are there into the buckets; stop every service first",
    )


def run(args: argparse.Namespace) -> None:
    """Migrate the database, and print what was applied."""
    run_with_settings(lambda settings: _migrate(args, settings))


async def _migrate(args: argparse.Namespace, settings: Settings) -> None:
    with databases.open_database(settings) as (_, direct):
        applied = await layout.migrate(direct, args.buckets, move_games=args.move_games)
        print(f"pocha: migrated {databases.described(settings)}", file=sys.stderr)
    print("\n".join(f"applied {name}" for name in applied) or "the schema is up to date")
