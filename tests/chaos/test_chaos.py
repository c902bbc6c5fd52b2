"""The short form of `python -m tests.chaos`: nothing is lost, doubled, leaked or stuck while everything is brought down and up again."""

import secrets

import pytest

from tests.chaos.scene import Size, play

SIZE = Size(tables=16, seconds=20, seconds_to_end=90)


@pytest.mark.timeout(240)
async def test_no_table_loses_doubles_leaks_or_stalls_while_everything_is_brought_down() -> None:
    run = await play(secrets.token_hex(4), SIZE)
    did_happen = ("moves", "replays", "cuts", "resumes", "snapshots", "process kills", "listener kills")
    assert all(run.tally[name] for name in did_happen), run.tally.summary()
    assert run.tally["fast restarts"] + run.tally["immediate restarts"] > 0
