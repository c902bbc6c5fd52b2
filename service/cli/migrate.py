"""The command `pocha migrate`."""

import argparse
import sys

from service.adapters.postgres import shards
from service.bootstrap.settings import Settings
from service.cli import databases
from service.cli.process import run_with_settings

HELP = "update the schema of POCHA_DATABASE_URL, or of the embedded database"


_UNREACHABLE = 75
"""Exit code where the database cannot be reached (EX_TEMPFAIL): the same command may be retried."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Set the exit code; there are no arguments: settings come from the environment."""
    parser.set_defaults(unreachable=_UNREACHABLE)


def run(_: argparse.Namespace) -> None:
    """Migrate every database, and print the applied migrations."""
    run_with_settings(_migrate)


async def _migrate(settings: Settings) -> None:
    with databases.open_databases(settings) as (_, direct):
        applied = await shards.migrate(direct)
        print(f"pocha: migrated {databases.described(settings)}", file=sys.stderr)
    print("\n".join(f"applied {name}" for name in applied) or "the schema is up to date")
