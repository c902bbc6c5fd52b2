"""Names of players, in two processes over one store."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest
from typing_extensions import override

from service.adapters.memory.notifier import MemoryBus, MemoryNotifier
from service.adapters.memory.store import MemoryStore
from service.application.caller import InvalidCredential
from service.application.names import Names
from service.application.ports import Hint, PlayerHint, Profile
from tests.application.world import WHEN


class CountingStore(MemoryStore):
    """Counts the reads of profiles."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    @override
    async def profiles(self, player_ids: Sequence[str]) -> Sequence[Profile]:
        self.reads += 1
        return await super().profiles(player_ids)


@pytest.fixture
def store() -> CountingStore:
    return CountingStore()


def profile(name: str, *, is_chosen: bool = False) -> Profile:
    return Profile(player_id="ana", tenant="", display_name=name, is_chosen=is_chosen, named_at=WHEN)


async def test_a_name_is_read_once_and_known_while_it_is_held(store: CountingStore) -> None:
    await store.keep_profile(profile("Ana"))
    names = Names(store, MemoryNotifier())
    held = [await names.of(["ana"]) for _ in range(3)]
    assert [each["ana"].text for each in held] == ["Ana"] * 3
    assert store.reads == 1


async def test_a_name_kept_again_writes_nothing(store: CountingStore) -> None:
    names = Names(store, MemoryNotifier())
    await names.keep(profile("Eva", is_chosen=True))
    await store.close()
    for known in (profile("Eva", is_chosen=True), profile("Ana")):
        assert (await names.keep(known)).text == "Eva"


async def test_a_name_changed_by_another_process_changes_where_it_is_held(store: CountingStore) -> None:
    bus, heard = MemoryBus(), asyncio.Event()
    here, there = (Names(store, notifier) for notifier in (MemoryNotifier(bus), MemoryNotifier(bus)))
    await there.keep(profile("Ana"))
    held = (await here.of(["ana"]))["ana"]

    def hear(hint: Hint) -> None:
        assert hint == PlayerHint("ana")
        heard.set()

    bus.subscribe(here, hear)
    await here.follow()
    await there.keep(profile("Eva", is_chosen=True))
    await heard.wait()
    await here.follow()
    assert held.text == "Eva"


async def test_a_change_from_before_the_first_look_is_not_missed(store: CountingStore) -> None:
    await store.keep_profile(profile("Ana"))
    names = Names(store, MemoryNotifier())
    held = (await names.of(["ana"]))["ana"]
    await store.keep_profile(profile("Eva"))
    await names.follow()
    assert held.text == "Eva"


async def test_a_deletion_by_another_process_is_known_by_its_notification(store: CountingStore) -> None:
    bus = MemoryBus()
    here, there = (Names(store, notifier) for notifier in (MemoryNotifier(bus), MemoryNotifier(bus)))
    await there.keep(profile("Ana"))
    held = (await here.of(["ana"]))["ana"]
    assert await here.deleted_at("ana") is None
    await there.delete("ana", "", WHEN, WHEN)
    await here.follow()
    assert await here.deleted_at("ana") == WHEN
    assert (held.text, held.is_deleted) == (None, True)
    assert (await here.keep(profile("Ana"))).text is None


async def test_who_comes_back_has_another_id_and_credentials_of_before_are_void(store: CountingStore) -> None:
    names = Names(store, MemoryNotifier())
    assert await names.living_id("ana", WHEN) == "ana"
    await names.delete("ana", "", WHEN, WHEN)
    with pytest.raises(InvalidCredential):
        await names.living_id("ana", WHEN)
    again = await names.living_id("ana", WHEN + timedelta(seconds=1))
    assert again == await names.living_id("ana") != "ana"
    await names.delete(again, "", WHEN, WHEN)
    assert await names.living_id("ana") not in {"ana", again}
