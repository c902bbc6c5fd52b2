"""The part of the contract of `GameStore` that is about finding things again: commands, heads, a player's games, reserved ids."""

import asyncio
from uuid import uuid4

import pytest

from service.application.ports import Appended, GameStore, VersionConflict
from tests.adapters.samples import EVENTS, ascending_ids, commit, listing


class FindingContract:
    async def test_a_command_is_found_as_the_commit_that_carried_it_out(self, log: GameStore) -> None:
        game, command_id = uuid4(), uuid4()
        await log.append(commit(game, 0))
        await log.append(commit(game, 1, command_id=command_id, fingerprint=b"\x00\xff"))
        await log.append(commit(game, 2))
        found = await log.find(game, command_id)
        assert found == (await log.read(game, after=1))[0]
        assert found is not None
        assert (found.version, found.fingerprint, found.events) == (2, b"\x00\xff", EVENTS)

    async def test_a_command_of_another_game_is_not_found(self, log: GameStore) -> None:
        game, command_id = uuid4(), uuid4()
        await log.append(commit(game, 0, command_id=command_id))
        await log.append(commit(other := uuid4()))
        assert await log.find(other, command_id) is None
        assert await log.find(uuid4(), command_id) is None
        assert await log.find(game, uuid4()) is None

    async def test_a_command_that_came_too_late_is_not_found(self, log: GameStore) -> None:
        game, command_id = uuid4(), uuid4()
        await log.append(commit(game))
        assert await log.append(commit(game, command_id=command_id)) == VersionConflict(1)
        assert await log.find(game, command_id) is None

    async def test_a_command_is_found_as_soon_as_it_is_acknowledged(self, log: GameStore) -> None:
        async def append_and_find() -> None:
            new = commit(uuid4())
            assert await log.append(new) == Appended(1)
            found = await log.find(new.game_id, new.command_id)
            assert found is not None
            assert found.version == (await log.heads([new.game_id]))[new.game_id] == 1

        await asyncio.gather(*(append_and_find() for _ in range(50)))

    async def test_heads_are_the_newest_versions_without_games_that_do_not_exist(self, log: GameStore) -> None:
        short, long, unknown = (uuid4() for _ in range(3))
        await log.append(commit(short))
        for expected in range(3):
            await log.append(commit(long, expected))
        assert dict(await log.heads([unknown, long, short, long])) == {short: 1, long: 3}
        assert dict(await log.heads((unknown,))) == {}
        assert dict(await log.heads([])) == {}

    async def test_heads_of_thousands_of_games_are_found_in_one_call(self, log: GameStore) -> None:
        games = [uuid4() for _ in range(2500)]
        existing = games[::100] + games[999:1001] + games[-1:]
        await asyncio.gather(*(log.append(commit(game)) for game in existing))
        assert dict(await log.heads(games)) == dict.fromkeys(existing, 1)

    async def test_a_players_games_are_found_the_newest_first(self, log: GameStore) -> None:
        games = ascending_ids(5)
        for game in (games[2], games[0], games[4], games[1], games[3]):
            await log.append(commit(game, listing=listing(persons=("ana", "blas"))))
        assert list(await log.seated("ana", 99)) == games[::-1]
        assert list(await log.seated("blas", 2)) == games[:2:-1]
        assert list(await log.seated("ana", 0)) == []

    async def test_only_games_with_the_player_at_a_seat_are_found_private_ones_too(self, log: GameStore) -> None:
        with_ana, with_both, alone = ascending_ids(3)
        await log.append(commit(with_ana, listing=listing(persons=("ana",), visibility="private")))
        await log.append(commit(with_both, listing=listing(persons=("blas", "ana"))))
        await log.append(commit(alone, listing=listing()))
        assert list(await log.seated("ana", 99)) == [with_both, with_ana]
        assert list(await log.seated("blas", 99)) == [with_both]
        for nobody in ("an", "ana\x1fblas", "{ana}", "%", ""):
            assert list(await log.seated(nobody, 99)) == []

    @pytest.mark.parametrize("status", ["finished", "abandoned"])
    async def test_a_game_that_is_over_is_not_found_any_more(self, log: GameStore, status: str) -> None:
        game = uuid4()
        for expected, now in enumerate(("waiting", "playing")):
            await log.append(commit(game, expected, listing=listing(status=now, persons=("ana",))))
            assert list(await log.seated("ana", 99)) == [game]
        await log.append(commit(game, 2, listing=listing(status=status, persons=("ana",))))
        assert list(await log.seated("ana", 99)) == []

    async def test_a_game_that_a_player_left_is_found_for_the_others_only(self, log: GameStore) -> None:
        game = uuid4()
        await log.append(commit(game, 0, listing=listing(persons=("ana", "blas"))))
        await log.append(commit(game, 1, listing=listing(persons=("blas",))))
        assert list(await log.seated("ana", 99)) == []
        assert list(await log.seated("blas", 99)) == [game]
        await log.append(commit(game, 2, listing=listing(persons=("blas", "ana"))))
        assert list(await log.seated("ana", 99)) == [game]

    async def test_a_losing_commit_seats_nobody(self, log: GameStore) -> None:
        game = uuid4()
        await log.append(commit(game, listing=listing(persons=("ana",))))
        await log.append(commit(game, listing=listing(persons=("blas",))))
        assert list(await log.seated("blas", 99)) == []

    async def test_the_first_game_reserved_under_a_key_is_kept_for_ever(self, log: GameStore) -> None:
        key, game = uuid4(), uuid4()
        assert await log.reserve(key, game) == game
        assert await log.reserve(key, game) == game
        assert await log.reserve(key, uuid4()) == game
        assert await log.reserve(key, game) == game

    async def test_keys_are_reserved_apart(self, log: GameStore) -> None:
        keys, games = [uuid4() for _ in range(50)], [uuid4() for _ in range(50)]
        reserved = await asyncio.gather(*(log.reserve(key, game) for key, game in zip(keys, games, strict=True)))
        assert reserved == games

    async def test_of_forty_who_reserve_under_one_key_at_once_all_are_told_the_same(self, log: GameStore) -> None:
        for _ in range(5):
            key, games = uuid4(), [uuid4() for _ in range(40)]
            [kept] = set(await asyncio.gather(*(log.reserve(key, game) for game in games)))
            assert kept in games
            assert await log.reserve(key, uuid4()) == kept
