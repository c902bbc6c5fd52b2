"""The part of the contract of `GameStore` that those who watch the service ask for."""

from datetime import timedelta
from uuid import uuid4

import pytest

from service.application.ports import Appended, GameStore, StoreUnavailable
from tests.adapters.samples import WHEN, commit, listing


class WatchingContract:
    async def test_games_under_way_are_counted_by_status(self, log: GameStore) -> None:
        assert dict(await log.under_way()) == {}
        for number, status in enumerate(["waiting", "playing", "playing", "finished", "abandoned"]):
            deadline = WHEN + timedelta(seconds=number) if status in {"waiting", "playing"} else None
            for visibility in ("public", "private"):
                new = commit(uuid4(), listing=listing(status=status, visibility=visibility, deadline=deadline))
                assert await log.append(new) == Appended(1)
        assert dict(await log.under_way()) == {"waiting": 2, "playing": 4}

    async def test_a_log_is_at_work_also_when_it_was_closed_for_it_has_nothing_more_to_do(self, log: GameStore) -> None:
        assert log.is_at_work()
        await log.close()
        assert log.is_at_work()
        with pytest.raises(StoreUnavailable):
            await log.under_way()
