"""API keys: good as long as their app has them, and what they open."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from service.adapters.memory.apps import MemoryApps
from service.application.caller import InvalidCredential
from service.application.ports import ApiKey, StoreUnavailable
from service.rest.auth import api_keys
from service.rest.auth.api_keys import ApiKeyCache
from tests.auth.test_jwks import Watch
from tests.security.world import SHOP, World, assert_refused


async def rotated(world: World, **overlap: float) -> str:
    written, key = api_keys.new_key(SHOP, world.clock.now())
    assert await world.apps.rotate(key, world.clock.now() + timedelta(**overlap))
    return written


async def test_a_key_opens_the_service_and_a_key_like_it_does_not(world: World, shop: str) -> None:
    assert await world.is_let_in(shop)
    prefix, key_id, secret = shop.split("_")
    for wrong in (
        shop[:-1],
        f"{shop}0",
        shop.upper(),
        f"{prefix}_{key_id}_{secret[::-1]}",
        f"{prefix}_{key_id}_{'0' * 64}",
        f"{prefix}_{'0' * 16}_{secret}",
        f"{prefix}_{key_id}_",
        f"{prefix}__{secret}",
        f"{prefix}_{key_id}",
        f"{prefix}_",
        secret,
        key_id,
        f"{prefix}_{key_id}_{secret}_{secret}",
        f"{shop}\u00e9",
    ):
        assert not await world.is_let_in(wrong)


async def test_of_a_key_only_its_hash_is_kept(world: World, shop: str) -> None:
    kept = repr(await world.apps.listed())
    assert shop not in kept
    assert shop.split("_")[2] not in kept


async def test_no_two_keys_are_alike(world: World) -> None:
    assert len({api_keys.new_key(SHOP, world.clock.now())[0] for _ in range(100)}) == 100


async def test_a_revoked_key_is_refused_and_so_is_what_it_could_still_make(world: World, shop: str) -> None:
    player = await world.player(shop)
    assert await world.apps.revoke(SHOP, world.clock.now())
    assert not await world.is_let_in(shop)
    body = {"display_name": "Ana", "external_id": "user-1"}
    assert_refused(await world.ask(shop, "POST", "/v1/players", body))
    assert_refused(await world.ask(player["token"], "POST", "/v1/me/token"))
    assert await world.is_let_in(player["token"])


async def test_during_a_rotation_both_keys_are_good_and_speak_for_the_same_app(world: World, shop: str) -> None:
    before = await world.player(shop)
    new = await rotated(world, hours=24)
    assert await world.is_let_in(shop)
    assert await world.is_let_in(new)
    assert (await world.player(new))["player_id"] == before["player_id"]
    world.clock.pass_by(hours=24, seconds=-1)
    assert await world.is_let_in(shop)
    world.clock.pass_by(seconds=1)
    assert not await world.is_let_in(shop)
    assert await world.is_let_in(new)


async def test_a_token_made_with_an_old_key_is_renewed_while_that_is_good(world: World, shop: str) -> None:
    old = await world.player(shop)
    new = await rotated(world, hours=24)
    assert (await world.ask(old["token"], "POST", "/v1/me/token")).status_code == 200
    world.clock.pass_by(hours=24)
    assert_refused(await world.ask(old["token"], "POST", "/v1/me/token"))
    again = await world.player(new)
    assert again["player_id"] == old["player_id"]
    assert (await world.ask(again["token"], "POST", "/v1/me/token")).status_code == 200


async def test_a_key_gets_no_token_by_renewing(world: World, shop: str) -> None:
    assert_refused(await world.ask(shop, "POST", "/v1/me/token"))


async def test_a_wrong_key_makes_no_guest(world: World, shop: str) -> None:
    for wrong in (f"{shop[:-1]}x", "pocha_"):
        assert_refused(await world.ask(wrong, "POST", "/v1/players", {"display_name": "Ana"}))


@pytest.mark.parametrize("external_id", [None, "", "x" * 129, "a\nb", "a\x00b", 7])
async def test_an_app_says_well_formed_which_of_its_users_it_means(
    world: World, shop: str, external_id: object
) -> None:
    body = {"display_name": "Ana"} if external_id is None else {"display_name": "Ana", "external_id": external_id}
    answer = await world.ask(shop, "POST", "/v1/players", body)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/external_id")


async def test_only_apps_say_so(world: World, shop: str) -> None:
    body = {"display_name": "Ana", "external_id": "user-1"}
    for credential in (
        None,
        (await world.player())["token"],
        (await world.player(shop))["token"],
        world.issuer.token(),
    ):
        answer = await world.ask(credential, "POST", "/v1/players", body)
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/external_id")


async def test_users_are_the_same_players_each_time_and_of_no_two_are_the_same(
    world: World, shop: str, mall: str
) -> None:
    users = ["user-1", "user-2", "USER-1", " user-1", "user-1 ", "\u00e9", "e\u0301", "app:shop", "x" * 128]
    ids = {
        (key, user): (await world.player(key, user, name))["player_id"]
        for key in (shop, mall)
        for user in users
        for name in ("Ana", "Beto")
    }
    again = {(key, user): (await world.player(key, user))["player_id"] for key in (shop, mall) for user in users}
    guests = {(await world.player())["player_id"] for _ in range(20)}
    assert ids == again
    assert len(set(ids.values())) == len(ids)
    assert not guests & set(ids.values())
    # A guest's is of version 4, a user's of version 8: they can never meet.
    assert {each[14] for each in guests} == {"4"}
    assert {each[14] for each in ids.values()} == {"8"}


class CountingApps(MemoryApps):
    """Counts how often the keys are read; fails when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0
        self.is_out = False

    async def keys(self, now: datetime) -> Sequence[ApiKey]:
        self.reads += 1
        await asyncio.sleep(0.01)
        if self.is_out:
            raise StoreUnavailable("out")
        return await super().keys(now)


async def refused(known: ApiKeyCache, written: str) -> bool:
    try:
        await known.verify(written)
    except InvalidCredential:
        return True
    return False


async def test_a_flood_of_wrong_keys_reads_the_keys_once(world: World) -> None:
    apps = CountingApps()
    written, key = api_keys.new_key(SHOP, world.clock.now())
    await apps.create(key)
    known = ApiKeyCache(apps, world.clock)
    wrong = [api_keys.new_key(SHOP, world.clock.now())[0] for _ in range(200)]
    assert all(await asyncio.gather(*(refused(known, each) for each in wrong)))
    assert (await known.verify(written)).app == SHOP
    assert apps.reads == 1


async def test_a_new_key_is_known_within_a_second_and_a_revoked_one_forgotten_within_seconds(world: World) -> None:
    apps, watch = CountingApps(), Watch()
    known = ApiKeyCache(apps, world.clock, now=watch.now)
    written, key = api_keys.new_key(SHOP, world.clock.now())
    assert await refused(known, written)
    await apps.create(key)
    watch.seconds += 1
    assert not await refused(known, written)
    await apps.revoke(SHOP, world.clock.now())
    watch.seconds += 4.9
    assert not await refused(known, written)
    watch.seconds += 0.1
    assert await refused(known, written)
    assert apps.reads == 3


async def test_while_the_keys_cannot_be_read_nobody_is_told_that_theirs_is_wrong(world: World) -> None:
    apps = CountingApps()
    written, key = api_keys.new_key(SHOP, world.clock.now())
    await apps.create(key)
    known = ApiKeyCache(apps, world.clock)
    apps.is_out = True
    outcomes = await asyncio.gather(*(known.verify(written) for _ in range(50)), return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {StoreUnavailable}
    assert apps.reads == 1
    apps.is_out = False
    assert (await known.verify(written)).key_id == key.key_id


async def test_a_caller_that_goes_away_while_the_keys_are_read_disturbs_nobody(world: World) -> None:
    apps = CountingApps()
    written, key = api_keys.new_key(SHOP, world.clock.now())
    await apps.create(key)
    known = ApiKeyCache(apps, world.clock)
    impatient, patient = (asyncio.ensure_future(known.verify(written)) for _ in range(2))
    await asyncio.sleep(0)
    impatient.cancel()
    assert (await patient).key_id == key.key_id
