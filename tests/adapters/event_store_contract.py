"""The contract of `EventStore`. Each adapter's test class inherits it and provides the fixture `store`."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest

from domain.cards import Card
from domain.pocha.model.events import BidMade, CardPlayed
from service.application.ports import AlreadyDone, Appended, CommandReused, EventStore, NewCommit, VersionConflict
from tests.adapters.samples import EVENTS, commit
from tests.kit.waiting import PATIENCE_SECONDS


class EventStoreContract:
    async def test_an_append_at_the_expected_version_is_the_next_version(self, store: EventStore) -> None:
        game = uuid4()
        assert [await store.append(commit(game, expected)) for expected in range(3)] == [
            Appended(1),
            Appended(2),
            Appended(3),
        ]

    async def test_what_was_appended_is_read_back_whole(self, store: EventStore) -> None:
        new = commit(uuid4(), fingerprint=b"\x00\xff", events=(BidMade(0, 0), CardPlayed(2, Card.BASTOS_12)))
        await store.append(new)
        [read] = await store.read(new.game_id)
        assert (read.game_id, read.version, read.command_id) == (new.game_id, 1, new.command_id)
        assert (read.fingerprint, read.recorded_at, read.events) == (new.fingerprint, new.recorded_at, new.events)
        assert read.recorded_at.utcoffset() == timedelta(0)

    async def test_a_game_nobody_made_reads_as_nothing(self, store: EventStore) -> None:
        assert list(await store.read(uuid4())) == []

    async def test_reading_starts_after_a_version_and_stops_at_the_limit(self, store: EventStore) -> None:
        game = uuid4()
        for expected in range(5):
            await store.append(commit(game, expected))
        assert [each.version for each in await store.read(game, after=1, limit=2)] == [2, 3]
        assert [each.version for each in await store.read(game, after=3)] == [4, 5]
        assert list(await store.read(game, after=5)) == []
        assert list(await store.read(game, limit=0)) == []

    @pytest.mark.parametrize("expected", [0, 1, 3, 7])
    async def test_an_append_at_another_version_is_told_the_current_one(self, store: EventStore, expected: int) -> None:
        game = uuid4()
        for version in range(2):
            await store.append(commit(game, version))
        new = commit(game, expected)
        assert await store.append(new) == VersionConflict(2)
        assert await versions(store, new) == [1, 2]

    async def test_a_first_commit_cannot_be_any_but_version_one(self, store: EventStore) -> None:
        assert await store.append(commit(uuid4(), 1)) == VersionConflict(0)

    async def test_exactly_one_of_forty_writers_wins_each_version(self, store: EventStore) -> None:
        game = uuid4()
        for version in range(5):
            outcomes = await asyncio.gather(*(store.append(commit(game, version)) for _ in range(40)))
            assert outcomes.count(Appended(version + 1)) == 1
            assert outcomes.count(VersionConflict(version + 1)) == 39

    async def test_versions_have_no_holes_under_contention(self, store: EventStore) -> None:
        game = uuid4()

        async def press_on() -> int:
            won = expected = 0
            while won < 4:
                match await store.append(commit(game, expected)):
                    case Appended(version):
                        won, expected = won + 1, version
                    case VersionConflict(current):
                        expected = current
                    case AlreadyDone() | CommandReused():
                        raise AssertionError
            return won

        assert sum(await asyncio.gather(*(press_on() for _ in range(10)))) == 40
        assert [each.version for each in await store.read(game)] == list(range(1, 41))

    async def test_a_commands_events_are_written_all_or_none(self, store: EventStore) -> None:
        game, loser = uuid4(), (BidMade(3, 3),) * 3
        await asyncio.gather(
            *(store.append(commit(game, events=events)) for events in (EVENTS, loser) for _ in range(5))
        )
        [read] = await store.read(game)
        assert read.events in (EVENTS, loser)

    async def test_a_conflict_concerns_its_own_game_only(self, store: EventStore) -> None:
        games = [uuid4() for _ in range(20)]
        stale = set(games[::3])
        outcomes = await asyncio.gather(*(store.append(commit(game, int(game in stale))) for game in games))
        assert outcomes == [VersionConflict(0) if game in stale else Appended(1) for game in games]

    async def test_many_games_in_opposite_orders_all_get_their_answer(self, store: EventStore) -> None:
        games = [uuid4() for _ in range(30)]
        for version in range(6):
            orders = [games, games[::-1], sorted(games, key=lambda game: game.bytes[version])]
            appends = (store.append(commit(game, version)) for order in orders for game in order)
            async with asyncio.timeout(PATIENCE_SECONDS):
                outcomes = await asyncio.gather(*appends)
            assert outcomes.count(Appended(version + 1)) == 30
            assert outcomes.count(VersionConflict(version + 1)) == 60

    async def test_a_repeated_command_is_already_done_whatever_version_it_expects(self, store: EventStore) -> None:
        game, command_id = uuid4(), uuid4()
        await store.append(commit(game, 0, command_id=command_id))
        await store.append(commit(game, 1))
        for expected in (0, 1, 2, 9):
            assert await store.append(commit(game, expected, command_id=command_id)) == AlreadyDone(1)
        assert [each.version for each in await store.read(game)] == [1, 2]

    async def test_a_command_id_used_for_something_else_is_refused(self, store: EventStore) -> None:
        game, command_id = uuid4(), uuid4()
        await store.append(commit(game, 0, command_id=command_id))
        assert await store.append(commit(game, 1, command_id=command_id, fingerprint=b"other")) == CommandReused(1)
        assert await store.append(commit(game, 0, command_id=command_id, fingerprint=b"other")) == CommandReused(1)

    async def test_the_same_command_id_in_two_games_is_two_commands(self, store: EventStore) -> None:
        command_id = uuid4()
        assert await store.append(commit(uuid4(), command_id=command_id)) == Appended(1)
        assert await store.append(commit(uuid4(), command_id=command_id)) == Appended(1)

    async def test_a_command_sent_forty_times_at_once_is_written_once(self, store: EventStore) -> None:
        new = commit(uuid4())
        outcomes = await asyncio.gather(*(store.append(new) for _ in range(40)))
        assert (outcomes.count(Appended(1)), outcomes.count(AlreadyDone(1))) == (1, 39)
        assert await versions(store, new) == [1]

    async def test_cancelled_callers_harm_nobody(self, store: EventStore) -> None:
        games = [uuid4() for _ in range(60)]
        calls = [asyncio.ensure_future(store.append(commit(game))) for game in games]
        for turns, call in enumerate(calls[::2]):
            await asyncio.sleep(0.002 if turns % 10 == 0 else 0)
            call.cancel()
        assert await asyncio.gather(*calls[1::2]) == [Appended(1)] * 30
        await asyncio.gather(*calls[::2], return_exceptions=True)
        for game in games[::2]:
            written = len(await store.read(game))
            assert await store.append(commit(game, written)) == Appended(written + 1)

    async def test_cancelled_readers_harm_nobody(self, store: EventStore) -> None:
        new = commit(uuid4())
        await store.append(new)
        reads = [asyncio.ensure_future(store.read(new.game_id)) for _ in range(20)]
        await asyncio.sleep(0)
        for read in reads[::2]:
            read.cancel()
        assert [len(commits) for commits in await asyncio.gather(*reads[1::2])] == [1] * 10
        await asyncio.gather(*reads[::2], return_exceptions=True)
        assert await versions(store, new) == [1]

    async def test_a_command_is_found_as_the_commit_that_carried_it_out(self, store: EventStore) -> None:
        game, command_id = uuid4(), uuid4()
        await store.append(commit(game, 0))
        await store.append(commit(game, 1, command_id=command_id, fingerprint=b"\x00\xff"))
        await store.append(commit(game, 2))
        found = await store.find(game, command_id)
        assert found == (await store.read(game, after=1))[0]
        assert found is not None
        assert (found.version, found.fingerprint, found.events) == (2, b"\x00\xff", EVENTS)

    async def test_a_command_of_another_game_is_not_found(self, store: EventStore) -> None:
        game, command_id = uuid4(), uuid4()
        await store.append(commit(game, 0, command_id=command_id))
        await store.append(commit(other := uuid4()))
        assert await store.find(other, command_id) is None
        assert await store.find(uuid4(), command_id) is None
        assert await store.find(game, uuid4()) is None

    async def test_a_command_that_came_too_late_is_not_found(self, store: EventStore) -> None:
        game, command_id = uuid4(), uuid4()
        await store.append(commit(game))
        assert await store.append(commit(game, command_id=command_id)) == VersionConflict(1)
        assert await store.find(game, command_id) is None

    async def test_a_command_is_found_as_soon_as_it_is_acknowledged(self, store: EventStore) -> None:
        async def append_and_find() -> None:
            new = commit(uuid4())
            assert await store.append(new) == Appended(1)
            found = await store.find(new.game_id, new.command_id)
            assert found is not None
            assert found.version == (await store.heads([new.game_id]))[new.game_id] == 1

        await asyncio.gather(*(append_and_find() for _ in range(50)))

    async def test_heads_are_the_newest_versions_without_games_that_do_not_exist(self, store: EventStore) -> None:
        short, long, unknown = (uuid4() for _ in range(3))
        await store.append(commit(short))
        for expected in range(3):
            await store.append(commit(long, expected))
        assert dict(await store.heads([unknown, long, short, long])) == {short: 1, long: 3}
        assert dict(await store.heads((unknown,))) == {}
        assert dict(await store.heads([])) == {}

    async def test_heads_of_thousands_of_games_are_found_in_one_call(self, store: EventStore) -> None:
        games = [uuid4() for _ in range(2500)]
        existing = games[::100] + games[999:1001] + games[-1:]
        await asyncio.gather(*(store.append(commit(game)) for game in existing))
        assert dict(await store.heads(games)) == dict.fromkeys(existing, 1)


async def versions(store: EventStore, new: NewCommit) -> list[int]:
    return [each.version for each in await store.read(new.game_id)]
