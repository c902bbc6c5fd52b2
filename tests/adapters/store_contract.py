"""The contracts of `StoreHealth` and of `GameStore`. Each adapter's test class inherits `GameStoreContract`, and provides `store`."""

import asyncio
from uuid import uuid4

import pytest

from service.application.ports import (
    Appended,
    GameStore,
    HookPosition,
    ListingQuery,
    OverdueGame,
    PlayerQuery,
    StoreUnavailable,
)
from tests.adapters.deadline_queue_contract import DeadlineQueueContract
from tests.adapters.event_store_contract import EventStoreContract
from tests.adapters.hook_positions_contract import HookPositionsContract
from tests.adapters.listings_contract import ListingsContract
from tests.adapters.profiles_contract import ProfilesContract, profile
from tests.adapters.reservations_contract import ReservationsContract
from tests.adapters.samples import WHEN, commit


class GameStoreContract(
    EventStoreContract,
    ListingsContract,
    ReservationsContract,
    ProfilesContract,
    DeadlineQueueContract,
    HookPositionsContract,
):
    async def test_an_open_store_passes_its_check(self, store: GameStore) -> None:
        await store.check()

    async def test_closing_finishes_what_was_queued(self, store: GameStore) -> None:
        appends = [asyncio.ensure_future(store.append(commit(uuid4()))) for _ in range(50)]
        await asyncio.sleep(0)
        await store.close()
        assert await asyncio.gather(*appends) == [Appended(1)] * 50

    async def test_a_closed_store_refuses_everything_and_may_be_closed_again(self, store: GameStore) -> None:
        await store.close()
        await store.close()
        calls = (
            store.append(commit(uuid4())),
            store.read(uuid4()),
            store.listed(ListingQuery(limit=1)),
            store.find(uuid4(), uuid4()),
            store.heads([uuid4()]),
            store.seated("ana", 1),
            store.of_player(PlayerQuery(player_id="ana", limit=1)),
            store.reserve(uuid4(), uuid4()),
            store.reserved(uuid4()),
            store.profiles([str(uuid4())]),
            store.keep_profile(profile()),
            store.changed_profiles(None),
            store.under_way(),
            store.claim(WHEN, WHEN, 1),
            store.overdue(WHEN, 1),
            store.reschedule(OverdueGame(uuid4(), 1), WHEN),
            store.hooks_behind([], WHEN, 1),
            store.hooks_due(WHEN, 1),
            store.take_hook(uuid4(), uuid4(), uuid4(), WHEN, WHEN),
            store.move_hook(HookPosition(uuid4(), uuid4(), uuid4()), None),
            store.forget_hook(uuid4()),
            store.settle_hooks([], WHEN, 1),
            store.check(),
        )
        for call in calls:
            with pytest.raises(StoreUnavailable, match="closed"):
                await call

    async def test_a_store_is_working_until_it_fails_and_a_closed_one_has_nothing_left_to_do(
        self, store: GameStore
    ) -> None:
        assert store.is_working()
        await store.close()
        assert store.is_working()
