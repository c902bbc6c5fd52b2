"""The contract of `Reservations`. Each adapter's test class inherits it and provides the fixture `store`."""

import asyncio
from uuid import uuid4

from service.application.ports import Reservations


class ReservationsContract:
    async def test_the_first_game_reserved_under_a_key_is_kept_for_ever(self, store: Reservations) -> None:
        key, game = uuid4(), uuid4()
        assert await store.reserved(key) is None
        assert await store.reserve(key, game) == game
        assert await store.reserved(key) == game
        assert await store.reserve(key, game) == game
        assert await store.reserve(key, uuid4()) == game
        assert await store.reserve(key, game) == game

    async def test_keys_are_reserved_apart(self, store: Reservations) -> None:
        keys, games = [uuid4() for _ in range(50)], [uuid4() for _ in range(50)]
        reserved = await asyncio.gather(*(store.reserve(key, game) for key, game in zip(keys, games, strict=True)))
        assert reserved == games

    async def test_of_forty_who_reserve_under_one_key_at_once_all_are_told_the_same(self, store: Reservations) -> None:
        for _ in range(5):
            key, games = uuid4(), [uuid4() for _ in range(40)]
            [kept] = set(await asyncio.gather(*(store.reserve(key, game) for game in games)))
            assert kept in games
            assert await store.reserve(key, uuid4()) == kept
