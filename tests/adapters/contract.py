"""What every `GameStore` promises. Each adapter's test module inherits `GameLogContract` and gives the fixture `log`."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest

from domain.cards import Card
from domain.pocha.model.events import BidMade, CardPlayed
from service.application.ports import (
    AlreadyDone,
    Appended,
    CommandReused,
    GameStore,
    ListedGame,
    NewCommit,
    Overdue,
    StoreUnavailable,
    VersionConflict,
)
from tests.adapters.contract_of_deadlines import DeadlinesContract
from tests.adapters.contract_of_finding import FindingContract
from tests.adapters.contract_of_tenants import TenantsContract
from tests.adapters.contract_of_watching import WatchingContract
from tests.adapters.samples import EVENTS, WHEN, ascending_ids, commit, listing


async def versions(log: GameStore, new: NewCommit) -> list[int]:
    return [each.version for each in await log.read(new.game_id)]


class GameLogContract(FindingContract, DeadlinesContract, TenantsContract, WatchingContract):
    async def test_an_append_at_the_expected_version_is_the_next_version(self, log: GameStore) -> None:
        game = uuid4()
        assert [await log.append(commit(game, expected)) for expected in range(3)] == [
            Appended(1),
            Appended(2),
            Appended(3),
        ]

    async def test_what_was_appended_is_read_back_whole(self, log: GameStore) -> None:
        new = commit(uuid4(), fingerprint=b"\x00\xff", events=(BidMade(0, 0), CardPlayed(2, Card.BASTOS_12)))
        await log.append(new)
        [read] = await log.read(new.game_id)
        assert (read.game_id, read.version, read.command_id) == (new.game_id, 1, new.command_id)
        assert (read.fingerprint, read.recorded_at, read.events) == (new.fingerprint, new.recorded_at, new.events)
        assert read.recorded_at.utcoffset() == timedelta(0)

    async def test_a_game_nobody_made_reads_as_nothing(self, log: GameStore) -> None:
        assert list(await log.read(uuid4())) == []

    async def test_reading_starts_after_a_version_and_stops_at_the_limit(self, log: GameStore) -> None:
        game = uuid4()
        for expected in range(5):
            await log.append(commit(game, expected))
        assert [each.version for each in await log.read(game, after=1, limit=2)] == [2, 3]
        assert [each.version for each in await log.read(game, after=3)] == [4, 5]
        assert list(await log.read(game, after=5)) == []
        assert list(await log.read(game, limit=0)) == []

    @pytest.mark.parametrize("expected", [0, 1, 3, 7])
    async def test_an_append_at_another_version_is_told_the_current_one(self, log: GameStore, expected: int) -> None:
        game = uuid4()
        for version in range(2):
            await log.append(commit(game, version))
        new = commit(game, expected)
        assert await log.append(new) == VersionConflict(2)
        assert await versions(log, new) == [1, 2]

    async def test_a_first_commit_cannot_be_any_but_version_one(self, log: GameStore) -> None:
        assert await log.append(commit(uuid4(), 1)) == VersionConflict(0)

    async def test_exactly_one_of_forty_writers_wins_each_version(self, log: GameStore) -> None:
        game = uuid4()
        for version in range(5):
            outcomes = await asyncio.gather(*(log.append(commit(game, version)) for _ in range(40)))
            assert outcomes.count(Appended(version + 1)) == 1
            assert outcomes.count(VersionConflict(version + 1)) == 39

    async def test_versions_have_no_holes_under_contention(self, log: GameStore) -> None:
        game = uuid4()

        async def press_on() -> int:
            won = expected = 0
            while won < 4:
                match await log.append(commit(game, expected)):
                    case Appended(version):
                        won, expected = won + 1, version
                    case VersionConflict(current):
                        expected = current
                    case AlreadyDone() | CommandReused():
                        raise AssertionError
            return won

        assert sum(await asyncio.gather(*(press_on() for _ in range(10)))) == 40
        assert [each.version for each in await log.read(game)] == list(range(1, 41))

    async def test_a_commands_events_are_written_all_or_none(self, log: GameStore) -> None:
        game, loser = uuid4(), (BidMade(3, 3),) * 3
        await asyncio.gather(*(log.append(commit(game, events=events)) for events in (EVENTS, loser) for _ in range(5)))
        [read] = await log.read(game)
        assert read.events in (EVENTS, loser)

    async def test_a_conflict_concerns_its_own_game_only(self, log: GameStore) -> None:
        games = [uuid4() for _ in range(20)]
        stale = set(games[::3])
        outcomes = await asyncio.gather(*(log.append(commit(game, int(game in stale))) for game in games))
        assert outcomes == [VersionConflict(0) if game in stale else Appended(1) for game in games]

    async def test_many_games_in_opposite_orders_all_get_their_answer(self, log: GameStore) -> None:
        games = [uuid4() for _ in range(30)]
        for version in range(6):
            orders = [games, games[::-1], sorted(games, key=lambda game: game.bytes[version])]
            appends = (log.append(commit(game, version)) for order in orders for game in order)
            async with asyncio.timeout(20):
                outcomes = await asyncio.gather(*appends)
            assert outcomes.count(Appended(version + 1)) == 30
            assert outcomes.count(VersionConflict(version + 1)) == 60

    async def test_a_repeated_command_is_already_done_whatever_version_it_expects(self, log: GameStore) -> None:
        game, command_id = uuid4(), uuid4()
        await log.append(commit(game, 0, command_id=command_id))
        await log.append(commit(game, 1))
        for expected in (0, 1, 2, 9):
            assert await log.append(commit(game, expected, command_id=command_id)) == AlreadyDone(1)
        assert [each.version for each in await log.read(game)] == [1, 2]

    async def test_a_command_id_used_for_something_else_is_refused(self, log: GameStore) -> None:
        game, command_id = uuid4(), uuid4()
        await log.append(commit(game, 0, command_id=command_id))
        assert await log.append(commit(game, 1, command_id=command_id, fingerprint=b"other")) == CommandReused(1)
        assert await log.append(commit(game, 0, command_id=command_id, fingerprint=b"other")) == CommandReused(1)

    async def test_the_same_command_id_in_two_games_is_two_commands(self, log: GameStore) -> None:
        command_id = uuid4()
        assert await log.append(commit(uuid4(), command_id=command_id)) == Appended(1)
        assert await log.append(commit(uuid4(), command_id=command_id)) == Appended(1)

    async def test_a_command_sent_forty_times_at_once_is_written_once(self, log: GameStore) -> None:
        new = commit(uuid4())
        outcomes = await asyncio.gather(*(log.append(new) for _ in range(40)))
        assert (outcomes.count(Appended(1)), outcomes.count(AlreadyDone(1))) == (1, 39)
        assert await versions(log, new) == [1]

    async def test_cancelled_callers_harm_nobody(self, log: GameStore) -> None:
        games = [uuid4() for _ in range(60)]
        calls = [asyncio.ensure_future(log.append(commit(game))) for game in games]
        for turns, call in enumerate(calls[::2]):
            await asyncio.sleep(0.002 if turns % 10 == 0 else 0)
            call.cancel()
        assert await asyncio.gather(*calls[1::2]) == [Appended(1)] * 30
        await asyncio.gather(*calls[::2], return_exceptions=True)
        for game in games[::2]:
            written = len(await log.read(game))
            assert await log.append(commit(game, written)) == Appended(written + 1)

    async def test_cancelled_readers_harm_nobody(self, log: GameStore) -> None:
        new = commit(uuid4())
        await log.append(new)
        reads = [asyncio.ensure_future(log.read(new.game_id)) for _ in range(20)]
        await asyncio.sleep(0)
        for read in reads[::2]:
            read.cancel()
        assert [len(commits) for commits in await asyncio.gather(*reads[1::2])] == [1] * 10
        await asyncio.gather(*reads[::2], return_exceptions=True)
        assert await versions(log, new) == [1]

    async def test_a_game_is_listed_as_its_last_listing_says(self, log: GameStore) -> None:
        game = uuid4()
        await log.append(commit(game, 0, listing=listing(free_seats=3)))
        now = listing(status="playing", free_seats=0, deadline=WHEN + timedelta(seconds=30), persons=("ana", "blas"))
        await log.append(commit(game, 1, listing=now))
        await log.append(commit(game, 2))
        assert list(await all_listed(log)) == [ListedGame(game, 2, WHEN, now)]

    async def test_a_losing_commit_leaves_the_listing_alone(self, log: GameStore) -> None:
        game, first = uuid4(), listing()
        await log.append(commit(game, 0, listing=first))
        await log.append(commit(game, 0, listing=listing(status="playing")))
        assert list(await all_listed(log)) == [ListedGame(game, 1, WHEN, first)]

    async def test_games_without_a_listing_are_not_listed(self, log: GameStore) -> None:
        await log.append(commit(uuid4()))
        assert list(await all_listed(log)) == []

    async def test_games_are_listed_newest_first_page_by_page(self, log: GameStore) -> None:
        games = ascending_ids(7)
        await asyncio.gather(*(log.append(commit(game, listing=listing())) for game in games))
        first = await all_listed(log, limit=3)
        second = await all_listed(log, limit=3, before=first[-1])
        third = await all_listed(log, limit=3, before=second[-1])
        assert [row.game_id for page in (first, second, third) for row in page] == games[::-1]
        assert len(third) == 1

    async def test_every_filter_of_the_list_holds(self, log: GameStore) -> None:
        kinds = [
            listing(status=status, visibility=visibility, ruleset_id=ruleset)
            for status in ("waiting", "playing")
            for visibility in ("public", "private")
            for ruleset in ("clasica", "antigua")
        ]
        await asyncio.gather(*(log.append(commit(uuid4(), listing=kind)) for kind in kinds))
        for visibility in (None, "public", "private"):
            for status in (None, "waiting", "playing", "finished"):
                for ruleset in (None, "clasica"):
                    rows = await log.listed(
                        visibility=visibility, status=status, ruleset_id=ruleset, before=None, limit=99
                    )
                    fitting = [
                        kind
                        for kind in kinds
                        if visibility in {None, kind.visibility}
                        and status in {None, kind.status}
                        and ruleset in {None, kind.ruleset_id}
                    ]
                    assert sorted(map(repr, fitting)) == sorted(repr(row.listing) for row in rows)

    async def test_an_open_log_checks_out(self, log: GameStore) -> None:
        await log.check()

    async def test_closing_finishes_what_was_queued(self, log: GameStore) -> None:
        appends = [asyncio.ensure_future(log.append(commit(uuid4()))) for _ in range(50)]
        await asyncio.sleep(0)
        await log.close()
        assert await asyncio.gather(*appends) == [Appended(1)] * 50

    async def test_a_closed_log_refuses_everything_and_may_be_closed_again(self, log: GameStore) -> None:
        await log.close()
        await log.close()
        calls = (
            log.append(commit(uuid4())),
            log.read(uuid4()),
            all_listed(log),
            log.find(uuid4(), uuid4()),
            log.heads([uuid4()]),
            log.seated("ana", 1),
            log.reserve(uuid4(), uuid4()),
            log.claim_overdue(WHEN, WHEN, 1),
            log.overdue_since(WHEN, 1),
            log.put_off(Overdue(uuid4(), 1), WHEN),
            log.check(),
        )
        for call in calls:
            with pytest.raises(StoreUnavailable, match="closed"):
                await call


async def all_listed(log: GameStore, *, limit: int = 99, before: ListedGame | None = None) -> list[ListedGame]:
    last = before.game_id if before else None
    return list(await log.listed(visibility="public", status=None, ruleset_id=None, before=last, limit=limit))
