"""The command `pocha archive`: games that are over are packed, and forgotten, as `pocha serve` does by itself in the background."""

import argparse
import sys
from collections.abc import Sequence
from datetime import timedelta

import msgspec

from service.adapters.clock import SystemClock
from service.adapters.postgres import retention, shards
from service.adapters.postgres.retention import Retention
from service.application.ports import Clock
from service.bootstrap.settings import InvalidSetting, Settings
from service.cli import databases
from service.cli.process import run_with_settings

_MOST_DAYS = 36_500
_MOST_DIGITS = 9
HELP = "pack the games that are over for long enough into a row each, and forget those of POCHA_DELETE_AFTER_DAYS"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--older-than-days",
        metavar="N",
        type=_days,
        help="how many days ago a game must have ended to be packed (POCHA_ARCHIVE_AFTER_DAYS)",
    )
    parser.add_argument(
        "--limit", metavar="N", type=_number, help="how many games to pack at most, in each database (all)"
    )


def run(args: argparse.Namespace) -> None:
    """Pack and delete games, and print how many."""
    run_with_settings(lambda settings: _archive(args, settings))


async def _archive(args: argparse.Namespace, settings: Settings) -> None:
    with databases.open_or_find(settings) as dsns:
        await shards.check(dsns)
        await carry_out(args, settings, dsns, SystemClock())
    print(f"pocha: changed {databases.described(settings)}", file=sys.stderr)


def retention_of(chosen: Settings) -> Retention:
    """Return how long games are kept, and in which form, by the settings."""
    return Retention(_time(chosen.archive_after_days), _time(chosen.delete_after_days))


async def carry_out(asked: argparse.Namespace, chosen: Settings, dsns: Sequence[str], clock: Clock) -> None:
    """Do what was asked for on the command line, in one database after the other, and say what was done.

    Raises:
        InvalidSetting: nobody said which games are to be packed.
        StoreUnavailable: a database cannot be reached.
    """
    kept = retention_of(chosen)
    if asked.older_than_days is not None:
        kept = msgspec.structs.replace(kept, pack_after=_time(asked.older_than_days))
    if kept == Retention():
        raise InvalidSetting("POCHA_ARCHIVE_AFTER_DAYS: Expected a number of days, here or as --older-than-days")
    for place, dsn in enumerate(dsns, start=1):
        done = await retention.tend(dsn, kept, clock.now(), asked.limit)
        print(f"database {place} of {len(dsns)}: {retention.told(done)}" if len(dsns) > 1 else retention.told(done))


def _time(days: float | None) -> timedelta | None:
    return None if days is None else timedelta(days=days)


def _days(written: str) -> float:
    try:
        days = float(written)
    except ValueError:
        days = -1.0
    if not 0 <= days <= _MOST_DAYS:
        raise argparse.ArgumentTypeError(f"expected a number of days from 0 to {_MOST_DAYS}")
    return days


def _number(written: str) -> int:
    if not written.isdecimal() or len(written) > _MOST_DIGITS:
        raise argparse.ArgumentTypeError("expected a number of games")
    return int(written)
