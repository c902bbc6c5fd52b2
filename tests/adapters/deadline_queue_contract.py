"""The contract of `DeadlineQueue`. Each adapter's test class inherits it and provides the fixture `store`."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from service.application.ports import Appended, GameStore, ListingQuery, OverdueGame
from tests.adapters.samples import WHEN, commit, listing

SECOND = timedelta(seconds=1)
LEASE = timedelta(seconds=5)


async def make(store: GameStore, deadline: datetime | None) -> UUID:
    """Make a game with that deadline."""
    game = uuid4()
    assert await store.append(commit(game, listing=listing(deadline=deadline))) == Appended(1)
    return game


async def claim(store: GameStore, now: datetime, limit: int = 99) -> Sequence[OverdueGame]:
    return await store.claim(now, now + LEASE, limit)


class DeadlineQueueContract:
    async def test_a_game_is_claimed_from_its_deadline_on(self, store: GameStore) -> None:
        game = await make(store, WHEN)
        assert list(await claim(store, WHEN - timedelta(microseconds=1))) == []
        assert list(await claim(store, WHEN)) == [OverdueGame(game, 1)]

    async def test_a_game_without_a_deadline_or_a_listing_is_never_claimed(self, store: GameStore) -> None:
        await make(store, None)
        await store.append(commit(uuid4()))
        assert list(await claim(store, WHEN + 9999 * SECOND)) == []

    async def test_the_earliest_deadlines_are_claimed_first_and_no_more_than_asked_for(self, store: GameStore) -> None:
        places = [3, 0, 6, 2, 5, 1, 4]
        games = {place: await make(store, WHEN + place * SECOND) for place in places}
        now = WHEN + 5 * SECOND
        claimed = [[overdue.game_id for overdue in await claim(store, now, limit=4)] for _ in range(3)]
        assert claimed == [[games[place] for place in range(4)], [games[4], games[5]], []]
        assert list(await claim(store, now + LEASE, limit=0)) == []

    async def test_deadlines_that_are_over_are_told_the_earliest_first_and_no_more_than_asked_for(
        self, store: GameStore
    ) -> None:
        for place in (3, 0, 6, 2, 5, 1, 4):
            await make(store, WHEN + place * SECOND)
        await make(store, None)
        now = WHEN + 5 * SECOND
        assert list(await store.overdue(now, 4)) == [WHEN + place * SECOND for place in range(4)]
        assert list(await store.overdue(now, 99)) == [WHEN + place * SECOND for place in range(6)]
        assert list(await store.overdue(now, 0)) == []
        assert list(await store.overdue(WHEN - SECOND, 99)) == []

    async def test_to_ask_for_deadlines_claims_nothing_and_what_is_claimed_is_not_told(self, store: GameStore) -> None:
        game = await make(store, WHEN)
        for _ in range(2):
            assert list(await store.overdue(WHEN, 9)) == [WHEN]
        assert list(await claim(store, WHEN)) == [OverdueGame(game, 1)]
        assert list(await store.overdue(WHEN, 9)) == []
        assert list(await store.overdue(WHEN + LEASE, 9)) == [WHEN + LEASE]

    async def test_a_claimed_game_is_overdue_again_when_the_lease_ends(self, store: GameStore) -> None:
        game = await make(store, WHEN)
        assert list(await claim(store, WHEN)) == [OverdueGame(game, 1)]
        assert list(await claim(store, WHEN)) == []
        assert list(await claim(store, WHEN + LEASE - timedelta(microseconds=1))) == []
        assert list(await claim(store, WHEN + LEASE)) == [OverdueGame(game, 1)]

    async def test_a_claim_changes_nothing_of_a_game_but_its_deadline(self, store: GameStore) -> None:
        game = uuid4()
        await store.append(commit(game, listing=listing(deadline=WHEN, player_ids=("ana",))))
        await claim(store, WHEN)
        [row] = await store.listed(ListingQuery(visibility="public", limit=9))
        assert row.listing == listing(deadline=WHEN + LEASE, player_ids=("ana",))
        assert (row.version, row.created_at) == (1, WHEN)
        assert list(await store.seated("ana", 9)) == [game]

    async def test_a_claim_names_the_version_of_the_listing_also_when_the_game_went_on(self, store: GameStore) -> None:
        game = uuid4()
        await store.append(commit(game, 0, listing=listing()))
        await store.append(commit(game, 1, listing=listing(status="playing", deadline=WHEN)))
        await store.append(commit(game, 2))
        assert list(await claim(store, WHEN)) == [OverdueGame(game, 2)]

    async def test_a_new_listing_brings_its_own_deadline(self, store: GameStore) -> None:
        game = await make(store, WHEN)
        await store.append(commit(game, 1, listing=listing(deadline=WHEN + 9 * SECOND)))
        assert list(await claim(store, WHEN + 8 * SECOND)) == []
        await store.append(commit(game, 2, listing=listing(status="finished")))
        assert list(await claim(store, WHEN + 9999 * SECOND)) == []

    async def test_of_many_who_claim_at_once_each_game_goes_to_one(self, store: GameStore) -> None:
        games = [await make(store, WHEN) for _ in range(60)]

        async def claim_all() -> list[UUID]:
            mine: list[UUID] = []
            while claimed := await claim(store, WHEN, limit=3):
                mine += [overdue.game_id for overdue in claimed]
            return mine

        shares = await asyncio.gather(*(claim_all() for _ in range(12)))
        assert sorted(game for share in shares for game in share) == sorted(games)

    async def test_a_claimed_game_is_reschedule_to_the_time_given(self, store: GameStore) -> None:
        game = await make(store, WHEN)
        [overdue] = await claim(store, WHEN)
        await store.reschedule(overdue, WHEN + 60 * SECOND)
        assert list(await claim(store, WHEN + 59 * SECOND)) == []
        assert list(await claim(store, WHEN + 60 * SECOND)) == [OverdueGame(game, 1)]

    async def test_a_game_may_be_reschedule_to_an_earlier_time_than_the_leases_end(self, store: GameStore) -> None:
        game = await make(store, WHEN)
        [overdue] = await claim(store, WHEN)
        await store.reschedule(overdue, WHEN + SECOND)
        assert list(await claim(store, WHEN + SECOND)) == [OverdueGame(game, 1)]

    async def test_a_game_reschedule_for_ever_is_not_claimed_again(self, store: GameStore) -> None:
        await make(store, WHEN)
        [overdue] = await claim(store, WHEN)
        await store.reschedule(overdue, None)
        assert list(await claim(store, WHEN + 9999 * SECOND)) == []

    async def test_putting_off_does_nothing_once_a_commit_has_written_the_listing(self, store: GameStore) -> None:
        game = await make(store, WHEN)
        [overdue] = await claim(store, WHEN)
        await store.append(commit(game, 1, listing=listing(deadline=WHEN + SECOND)))
        for deadline in (WHEN + 60 * SECOND, WHEN - SECOND, None):
            await store.reschedule(overdue, deadline)
            assert list(await claim(store, WHEN)) == []
        assert list(await claim(store, WHEN + SECOND)) == [OverdueGame(game, 2)]

    async def test_a_commit_that_leaves_the_listing_alone_does_not_hinder_putting_off(self, store: GameStore) -> None:
        game = await make(store, WHEN)
        [overdue] = await claim(store, WHEN)
        await store.append(commit(game, 1))
        await store.reschedule(overdue, WHEN + 60 * SECOND)
        assert list(await claim(store, WHEN + 59 * SECOND)) == []
        assert list(await claim(store, WHEN + 60 * SECOND)) == [OverdueGame(game, 1)]

    async def test_putting_off_a_game_that_does_not_exist_does_nothing(self, store: GameStore) -> None:
        await store.reschedule(OverdueGame(game := uuid4(), 1), WHEN)
        assert list(await claim(store, WHEN)) == []
        assert dict(await store.heads([game])) == {}

    async def test_a_listing_written_while_its_game_is_reschedule_keeps_its_deadline(self, store: GameStore) -> None:
        games = [await make(store, WHEN) for _ in range(40)]
        claimed = await claim(store, WHEN)
        later = WHEN + 60 * SECOND
        await asyncio.gather(
            *(store.append(commit(game, 1, listing=listing(deadline=later))) for game in games),
            *(store.reschedule(overdue, WHEN) for overdue in claimed),
        )
        assert list(await claim(store, later - SECOND)) == []
        assert sorted(await claim(store, later), key=lambda each: each.game_id) == [
            OverdueGame(game, 2) for game in sorted(games)
        ]
