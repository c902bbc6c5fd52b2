"""The short form of `python -m tests.chaos`: nothing is lost, doubled, leaked or stuck while everything is brought down and up again."""

import secrets

import pytest
from msgspec.structs import replace

from tests.chaos.scenario import Size, play

SIZE = Size(
    tables=16,
    seconds=0,
    needed=(
        *("moves", "replays", "cuts", "resumes", "snapshots"),
        *("process kills", "process restarts", "listener kills", "fast restarts", "immediate restarts"),
    ),
)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("buckets", [1, 8])
async def test_no_table_loses_doubles_leaks_or_stalls_while_everything_is_brought_down(buckets: int) -> None:
    run = await play(secrets.token_hex(4), replace(SIZE, buckets=buckets))
    assert run.tally["games"] >= SIZE.tables
