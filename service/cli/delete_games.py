"""The command `pocha delete-games`: deletes old finished games, as `pocha serve` does in the background."""

import argparse
import sys
from datetime import timedelta

from service.adapters.clock import SystemClock
from service.adapters.postgres import layout, retention
from service.bootstrap.settings import InvalidSetting, Settings
from service.cli import databases
from service.cli.process import run_with_settings

_MOST_DAYS = 36_500


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--older-than-days",
        metavar="N",
        type=_days,
        help="how many days ago a game must have ended (POCHA_DELETE_AFTER_DAYS)",
    )


def run(args: argparse.Namespace) -> None:
    """Delete games, and print how many."""
    run_with_settings(lambda settings: _delete(args, settings))


def retention_time(settings: Settings) -> timedelta | None:
    """Return how long finished games are kept; None: forever."""
    return None if settings.delete_after_days is None else timedelta(days=settings.delete_after_days)


async def _delete(args: argparse.Namespace, settings: Settings) -> None:
    keep_for = retention_time(settings) if args.older_than_days is None else timedelta(days=args.older_than_days)
    if keep_for is None:
        raise InvalidSetting("POCHA_DELETE_AFTER_DAYS: Expected a number of days, here or as --older-than-days")
    before = SystemClock().now() - keep_for
    with databases.open_or_find(settings) as dsn:
        await layout.check(dsn)
        print(await retention.delete_old(dsn, before))
    print(f"pocha: changed {databases.described(settings)}", file=sys.stderr)


def _days(written: str) -> float:
    try:
        days = float(written)
    except ValueError:
        days = 0.0
    if not 1 <= days <= _MOST_DAYS:
        raise argparse.ArgumentTypeError(f"expected a number of days from 1 to {_MOST_DAYS}")
    return days
