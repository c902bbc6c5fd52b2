"""A run from its first guest to its judgement."""

import asyncio
import traceback
from collections.abc import Sequence
from typing import cast

import msgspec

from tests.chaos.deployment import Deployment
from tests.chaos.faults import Trouble
from tests.chaos.judge import judge
from tests.chaos.logbook import Logbook
from tests.chaos.plans import plan
from tests.chaos.run import Run
from tests.chaos.table import Table


class Size(msgspec.Struct, frozen=True):
    """How much there is: tables, seconds of trouble, buckets, and by its names in the tally what has to have happened before it ends."""

    tables: int = 64
    seconds: float = 120.0
    buckets: int = 1
    needed: tuple[str, ...] = ()


_STUCK_SECONDS = 60.0
"""How long nothing may happen at any table once there is peace."""


async def play(seed: str, size: Size) -> Run:
    """Play while everything is brought down again and again, then in peace to the end; judge, and return the run.

    Raises:
        ChaosFailed: something went wrong, or is wrong; the message says what, and how to begin again.
    """
    async with Deployment(size.buckets) as deployment:
        run = Run(seed, deployment.places)
        tables = [Table(run, number, plan(number)) for number in range(size.tables)]
        try:
            await _live_through_it(run, deployment, tables, size)
            ended = [game for table in tables for game in table.ended]
            await judge(run, await Logbook.read(deployment.dsn), ended)
            _require_quiet(deployment)
        except* Exception as errors:  # noqa: BLE001 - whatever it is, the seed must be told
            raise ChaosFailed(_report(run, deployment, errors)) from None
        finally:
            run.lines.close()
    return run


class ChaosFailed(Exception):
    """What went wrong, for a person to read."""


async def _live_through_it(run: Run, deployment: Deployment, tables: Sequence[Table], size: Size) -> None:
    async with asyncio.TaskGroup() as group:
        living = [group.create_task(table.live()) for table in tables]
        await Trouble(run, deployment).make(size.seconds, size.needed)
        run.calm = True
        playing, before = set(living), ""
        while playing:
            _, playing = await asyncio.wait(playing, timeout=_STUCK_SECONDS)
            now = "\n".join(str(follower) for table in tables for follower in table.now)
            assert not playing or now != before, f"tables are stuck:\n{now}"
            before = now


def _require_quiet(deployment: Deployment) -> None:
    """What the clients did not see, the service may have: an error that nobody expected."""
    said = deployment.said()
    assert not any("Traceback" in line for line in said), "".join(said[-400:])


def _report(run: Run, deployment: Deployment, errors: BaseExceptionGroup[BaseException]) -> str:
    told = ["".join(traceback.format_exception(error)[-3:]) for error in _leaves(errors)]
    return "\n".join(
        [*told, run.tally.summary(), "the service said:", "".join(deployment.said()[-40:]), f"seed: {run.seed}"]
    )


def _leaves(error: BaseException) -> list[BaseException]:
    if not isinstance(error, BaseExceptionGroup):
        return [error]
    inner = cast("BaseExceptionGroup[BaseException]", error).exceptions
    return [leaf for each in inner for leaf in _leaves(each)]
