"""A run from its first guest to its judgement."""

import asyncio
import traceback
from collections.abc import Sequence
from typing import cast

import msgspec

from tests.chaos.deployment import House
from tests.chaos.faults import Trouble
from tests.chaos.judge import judge
from tests.chaos.logbook import Logbook
from tests.chaos.plans import plan
from tests.chaos.run import Run
from tests.chaos.table import Table


class Size(msgspec.Struct, frozen=True):
    """How much there is: tables, seconds of trouble, and what has to have happened before the trouble ends, by its names in the tally."""

    tables: int = 64
    seconds: float = 120.0
    needed: tuple[str, ...] = ()


_STUCK_SECONDS = 60.0
"""How long nothing may happen at any table once there is peace."""


async def play(seed: str, size: Size) -> Run:
    """Play while everything is brought down again and again, then in peace to the end; judge, and return the run.

    Raises:
        ChaosFailed: something went wrong, or is wrong; the message says what, and how to begin again.
    """
    async with House() as house:
        run = Run(seed, house.places)
        tables = [Table(run, number, plan(number)) for number in range(size.tables)]
        try:
            await _live_through_it(run, house, tables, size)
            ended = [game for table in tables for game in table.ended]
            await judge(run, await Logbook.read(house.dsn), ended)
            _require_quiet(house)
        except* Exception as errors:  # noqa: BLE001 - whatever it is, the seed must be told
            raise ChaosFailed(_report(run, house, errors)) from None
        finally:
            run.lines.close()
    return run


class ChaosFailed(Exception):
    """What went wrong, for a person to read."""


async def _live_through_it(run: Run, house: House, tables: Sequence[Table], size: Size) -> None:
    async with asyncio.TaskGroup() as group:
        living = [group.create_task(table.live()) for table in tables]
        await Trouble(run, house).make(size.seconds, size.needed)
        run.calm = True
        playing, before = set(living), ""
        while playing:
            _, playing = await asyncio.wait(playing, timeout=_STUCK_SECONDS)
            now = "\n".join(str(follower) for table in tables for follower in table.now)
            assert not playing or now != before, f"tables are stuck:\n{now}"
            before = now


def _require_quiet(house: House) -> None:
    """What the clients did not see, the service may have: an error that nobody expected."""
    said = house.said()
    assert not any("Traceback" in line for line in said), "".join(said[-400:])


def _report(run: Run, house: House, errors: BaseExceptionGroup[BaseException]) -> str:
    told = ["".join(traceback.format_exception(error)[-3:]) for error in _leaves(errors)]
    return "\n".join(
        [*told, run.tally.summary(), "the service said:", "".join(house.said()[-40:]), f"seed: {run.seed}"]
    )


def _leaves(error: BaseException) -> list[BaseException]:
    if not isinstance(error, BaseExceptionGroup):
        return [error]
    inner = cast("BaseExceptionGroup[BaseException]", error).exceptions
    return [leaf for each in inner for leaf in _leaves(each)]
