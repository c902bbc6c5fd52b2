"""The command `pocha ratings`: makes the statistics and ratings of players anew from the log."""

import argparse
import sys

from service.adapters.clock import SystemClock
from service.adapters.memory.notifier import MemoryNotifier
from service.adapters.postgres import layout
from service.adapters.postgres.store import open_store
from service.application.deadlines import AbandonAfter
from service.application.names import Names
from service.application.repository import GameRepository
from service.application.statistics import StatisticsKeeper
from service.bootstrap.settings import Settings
from service.cli import databases
from service.cli.process import run_with_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the commands."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser(
        "rebuild",
        help="count finished games that were not counted, then make all records anew; services may go on meanwhile",
    )


def run(_: argparse.Namespace) -> None:
    """Rebuild, and print how many games count."""
    run_with_settings(_rebuild)


async def _rebuild(settings: Settings) -> None:
    with databases.open_or_find(settings) as dsn:
        await layout.check(dsn)
        store = await open_store(dsn)
        try:
            async with databases.open_side_stores(dsn) as side_stores:
                games = GameRepository(store, SystemClock(), AbandonAfter(), Names(store, MemoryNotifier()))
                counted = await StatisticsKeeper(side_stores.statistics, games).rebuild(store)
        finally:
            await store.close()
        print(f"games counted: {counted}")
    print(f"pocha: changed {databases.described(settings)}", file=sys.stderr)
