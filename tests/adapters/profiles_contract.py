"""The contract of `Profiles`. Each adapter's test class inherits it and provides the fixture `store`."""

import asyncio
from datetime import datetime, timedelta
from uuid import uuid4

from msgspec.structs import replace

from service.application.ids import new_player_id, uuid_of
from service.application.ports import Profile, Profiles
from tests.adapters.samples import WHEN

MINUTE = timedelta(minutes=1)


def profile(name: str = "Ana", *, is_chosen: bool = False) -> Profile:
    return Profile(player_id=new_player_id(), tenant="app:shop", display_name=name, is_chosen=is_chosen, named_at=WHEN)


class ProfilesContract:
    async def test_profiles_are_read_as_they_were_kept(self, store: Profiles) -> None:
        ana, blas = (
            profile("Ana 🂡 de Oros"),
            replace(profile("A'na\\"), player_id=str(uuid_of("player", "app:shop", "7"))),
        )
        assert await store.profiles([ana.player_id]) == []
        for each in (ana, blas):
            assert await store.keep_profile(each) == each
        found = await store.profiles([blas.player_id, new_player_id(), ana.player_id])
        assert {each.player_id: each for each in found} == {ana.player_id: ana, blas.player_id: blas}

    async def test_a_chosen_name_is_replaced_by_chosen_ones_only(self, store: Profiles) -> None:
        ana = profile()
        later = replace(ana, display_name="Anna", named_at=WHEN)
        chosen = replace(ana, display_name="Eva", is_chosen=True)
        for kept, after in ((ana, ana), (later, later), (chosen, chosen), (ana, chosen), (later, chosen)):
            assert await store.keep_profile(kept) == after
        another = replace(chosen, display_name="Iva")
        assert await store.keep_profile(another) == another

    async def test_of_names_chosen_at_once_one_is_kept(self, store: Profiles) -> None:
        ana, names = profile(is_chosen=True), [uuid4().hex for _ in range(20)]
        await asyncio.gather(*(store.keep_profile(replace(ana, display_name=name)) for name in names))
        [kept] = await store.profiles([ana.player_id])
        assert kept.display_name in names

    async def test_replaced_names_are_told_and_new_ones_are_not(self, store: Profiles) -> None:
        _, began = await store.changed_profiles(None)
        ana, blas = profile(), profile("Blas")
        await store.keep_profile(ana)
        await store.keep_profile(blas)
        await store.keep_profile(replace(ana, display_name="Eva"))
        changed, until = await store.changed_profiles(began)
        told = {each.player_id: each.display_name for each in changed}
        assert told.get(ana.player_id) == "Eva"
        assert blas.player_id not in told
        assert until >= began

    async def test_a_deleted_player_has_no_name_and_never_gets_one_again(self, store: Profiles) -> None:
        ana, unknown = profile(is_chosen=True), new_player_id()
        await store.keep_profile(ana)
        _, began = await store.changed_profiles(None)
        for player_id in (ana.player_id, unknown):
            deleted = await store.delete_profile(player_id, "app:shop", WHEN, WHEN)
            assert (deleted.display_name, deleted.deleted_at, deleted.tenant) == ("", WHEN, "app:shop")
            assert await store.delete_profile(player_id, "app:shop", WHEN + MINUTE, WHEN) == deleted
            assert await store.profiles([player_id]) == [deleted]
            assert deleted in (await store.changed_profiles(began))[0]
            assert (await store.deleted_players())[player_id] == WHEN
        assert (await store.keep_profile(ana)).deleted_at == WHEN
        assert [each.display_name for each in await store.profiles([ana.player_id])] == [""]

    async def test_a_deletion_is_claimed_when_it_is_due_until_nothing_is_left(self, store: Profiles) -> None:
        ana = new_player_id()
        await store.delete_profile(ana, "", WHEN, WHEN + MINUTE)

        async def claimed(at: datetime) -> list[str]:
            found = [each.player_id for each in await store.claim_erasures(at, at + MINUTE, 99)]
            return [player_id for player_id in found if player_id == ana]

        assert await claimed(WHEN) == []
        assert await claimed(WHEN + MINUTE) == [ana]
        assert await claimed(WHEN + MINUTE) == []
        assert await claimed(WHEN + 2 * MINUTE) == [ana]
        await store.put_erasure_off(ana, None)
        assert await claimed(WHEN + 9 * MINUTE) == []
