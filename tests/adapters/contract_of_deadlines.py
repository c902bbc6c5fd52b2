"""The part of the contract of `GameStore` that is about games where somebody has to look although nobody moves."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from service.application.ports import Appended, GameStore, Overdue
from tests.adapters.samples import WHEN, commit, listing

SECOND = timedelta(seconds=1)
LEASE = timedelta(seconds=5)


async def make(log: GameStore, deadline: datetime | None) -> UUID:
    """Make a game with that deadline."""
    game = uuid4()
    assert await log.append(commit(game, listing=listing(deadline=deadline))) == Appended(1)
    return game


async def claim(log: GameStore, now: datetime, limit: int = 99) -> Sequence[Overdue]:
    return await log.claim_overdue(now, now + LEASE, limit)


class DeadlinesContract:
    async def test_a_game_is_claimed_from_its_deadline_on(self, log: GameStore) -> None:
        game = await make(log, WHEN)
        assert list(await claim(log, WHEN - timedelta(microseconds=1))) == []
        assert list(await claim(log, WHEN)) == [Overdue(game, 1)]

    async def test_a_game_without_a_deadline_or_a_listing_is_never_claimed(self, log: GameStore) -> None:
        await make(log, None)
        await log.append(commit(uuid4()))
        assert list(await claim(log, WHEN + 9999 * SECOND)) == []

    async def test_the_earliest_deadlines_are_claimed_first_and_no_more_than_asked_for(self, log: GameStore) -> None:
        places = [3, 0, 6, 2, 5, 1, 4]
        games = {place: await make(log, WHEN + place * SECOND) for place in places}
        now = WHEN + 5 * SECOND
        claimed = [[overdue.game_id for overdue in await claim(log, now, limit=4)] for _ in range(3)]
        assert claimed == [[games[place] for place in range(4)], [games[4], games[5]], []]
        assert list(await claim(log, now + LEASE, limit=0)) == []

    async def test_deadlines_that_are_over_are_told_the_earliest_first_and_no_more_than_asked_for(
        self, log: GameStore
    ) -> None:
        for place in (3, 0, 6, 2, 5, 1, 4):
            await make(log, WHEN + place * SECOND)
        await make(log, None)
        now = WHEN + 5 * SECOND
        assert list(await log.overdue_since(now, 4)) == [WHEN + place * SECOND for place in range(4)]
        assert list(await log.overdue_since(now, 99)) == [WHEN + place * SECOND for place in range(6)]
        assert list(await log.overdue_since(now, 0)) == []
        assert list(await log.overdue_since(WHEN - SECOND, 99)) == []

    async def test_to_ask_for_deadlines_claims_nothing_and_what_is_claimed_is_not_told(self, log: GameStore) -> None:
        game = await make(log, WHEN)
        for _ in range(2):
            assert list(await log.overdue_since(WHEN, 9)) == [WHEN]
        assert list(await claim(log, WHEN)) == [Overdue(game, 1)]
        assert list(await log.overdue_since(WHEN, 9)) == []
        assert list(await log.overdue_since(WHEN + LEASE, 9)) == [WHEN + LEASE]

    async def test_a_claimed_game_is_overdue_again_when_the_lease_ends(self, log: GameStore) -> None:
        game = await make(log, WHEN)
        assert list(await claim(log, WHEN)) == [Overdue(game, 1)]
        assert list(await claim(log, WHEN)) == []
        assert list(await claim(log, WHEN + LEASE - timedelta(microseconds=1))) == []
        assert list(await claim(log, WHEN + LEASE)) == [Overdue(game, 1)]

    async def test_a_claim_changes_nothing_of_a_game_but_its_deadline(self, log: GameStore) -> None:
        game = uuid4()
        await log.append(commit(game, listing=listing(deadline=WHEN, persons=("ana",))))
        await claim(log, WHEN)
        [row] = await log.listed(visibility="public", status=None, ruleset_id=None, before=None, limit=9)
        assert row.listing == listing(deadline=WHEN + LEASE, persons=("ana",))
        assert (row.version, row.created_at) == (1, WHEN)
        assert list(await log.seated("ana", 9)) == [game]

    async def test_a_claim_names_the_version_of_the_listing_also_when_the_game_went_on(self, log: GameStore) -> None:
        game = uuid4()
        await log.append(commit(game, 0, listing=listing()))
        await log.append(commit(game, 1, listing=listing(status="playing", deadline=WHEN)))
        await log.append(commit(game, 2))
        assert list(await claim(log, WHEN)) == [Overdue(game, 2)]

    async def test_a_new_listing_brings_its_own_deadline(self, log: GameStore) -> None:
        game = await make(log, WHEN)
        await log.append(commit(game, 1, listing=listing(deadline=WHEN + 9 * SECOND)))
        assert list(await claim(log, WHEN + 8 * SECOND)) == []
        await log.append(commit(game, 2, listing=listing(status="finished")))
        assert list(await claim(log, WHEN + 9999 * SECOND)) == []

    async def test_of_many_who_claim_at_once_each_game_goes_to_one(self, log: GameStore) -> None:
        games = [await make(log, WHEN) for _ in range(60)]

        async def claim_all() -> list[UUID]:
            mine: list[UUID] = []
            while claimed := await claim(log, WHEN, limit=3):
                mine += [overdue.game_id for overdue in claimed]
            return mine

        shares = await asyncio.gather(*(claim_all() for _ in range(12)))
        assert sorted(game for share in shares for game in share) == sorted(games)

    async def test_a_claimed_game_is_put_off_to_the_time_given(self, log: GameStore) -> None:
        game = await make(log, WHEN)
        [overdue] = await claim(log, WHEN)
        await log.put_off(overdue, WHEN + 60 * SECOND)
        assert list(await claim(log, WHEN + 59 * SECOND)) == []
        assert list(await claim(log, WHEN + 60 * SECOND)) == [Overdue(game, 1)]

    async def test_a_game_may_be_put_off_to_an_earlier_time_than_the_leases_end(self, log: GameStore) -> None:
        game = await make(log, WHEN)
        [overdue] = await claim(log, WHEN)
        await log.put_off(overdue, WHEN + SECOND)
        assert list(await claim(log, WHEN + SECOND)) == [Overdue(game, 1)]

    async def test_a_game_put_off_for_ever_is_not_claimed_again(self, log: GameStore) -> None:
        await make(log, WHEN)
        [overdue] = await claim(log, WHEN)
        await log.put_off(overdue, None)
        assert list(await claim(log, WHEN + 9999 * SECOND)) == []

    async def test_putting_off_does_nothing_once_a_commit_has_written_the_listing(self, log: GameStore) -> None:
        game = await make(log, WHEN)
        [overdue] = await claim(log, WHEN)
        await log.append(commit(game, 1, listing=listing(deadline=WHEN + SECOND)))
        for deadline in (WHEN + 60 * SECOND, WHEN - SECOND, None):
            await log.put_off(overdue, deadline)
            assert list(await claim(log, WHEN)) == []
        assert list(await claim(log, WHEN + SECOND)) == [Overdue(game, 2)]

    async def test_a_commit_that_leaves_the_listing_alone_does_not_hinder_putting_off(self, log: GameStore) -> None:
        game = await make(log, WHEN)
        [overdue] = await claim(log, WHEN)
        await log.append(commit(game, 1))
        await log.put_off(overdue, WHEN + 60 * SECOND)
        assert list(await claim(log, WHEN + 59 * SECOND)) == []
        assert list(await claim(log, WHEN + 60 * SECOND)) == [Overdue(game, 1)]

    async def test_putting_off_a_game_that_does_not_exist_does_nothing(self, log: GameStore) -> None:
        await log.put_off(Overdue(game := uuid4(), 1), WHEN)
        assert list(await claim(log, WHEN)) == []
        assert dict(await log.heads([game])) == {}

    async def test_a_listing_written_while_its_game_is_put_off_keeps_its_deadline(self, log: GameStore) -> None:
        games = [await make(log, WHEN) for _ in range(40)]
        claimed = await claim(log, WHEN)
        later = WHEN + 60 * SECOND
        await asyncio.gather(
            *(log.append(commit(game, 1, listing=listing(deadline=later))) for game in games),
            *(log.put_off(overdue, WHEN) for overdue in claimed),
        )
        assert list(await claim(log, later - SECOND)) == []
        assert sorted(await claim(log, later), key=lambda each: each.game_id) == [
            Overdue(game, 2) for game in sorted(games)
        ]
