"""The contract of `ChosenNames`. Each adapter's test class inherits it and provides the fixture `store`."""

import asyncio
from uuid import uuid4

from service.application.ids import new_player_id, uuid_of
from service.application.ports import ChosenNames


class ChosenNamesContract:
    async def test_the_last_name_that_a_player_chose_is_kept(self, store: ChosenNames) -> None:
        ana, user = new_player_id(), str(uuid_of("player", "app:shop", "7"))
        assert await store.chosen_name(ana) is None
        for name in ("Ana", "Ana 🂡 de Oros", "A'na\\"):
            await store.choose_name(ana, name)
            assert await store.chosen_name(ana) == name
        assert await store.chosen_name(user) is None

    async def test_a_forgotten_name_is_gone_and_forgetting_none_is_fine(self, store: ChosenNames) -> None:
        ana, blas = new_player_id(), new_player_id()
        await store.choose_name(ana, "Ana")
        await store.choose_name(blas, "Blas")
        await store.forget_name(ana)
        await store.forget_name(ana)
        assert await store.chosen_name(ana) is None
        assert await store.chosen_name(blas) == "Blas"

    async def test_of_names_chosen_at_once_one_is_kept(self, store: ChosenNames) -> None:
        ana, names = new_player_id(), [uuid4().hex for _ in range(20)]
        await asyncio.gather(*(store.choose_name(ana, name) for name in names))
        assert await store.chosen_name(ana) in names
