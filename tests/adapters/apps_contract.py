"""What every `Apps` promises. Each adapter's test module inherits `AppsContract` and gives the fixture `apps`."""

import asyncio
from datetime import datetime, timedelta

import pytest

from service.application.ports import ApiKey, App, Apps, StoreUnavailable
from tests.adapters.samples import WHEN

HOUR = timedelta(hours=1)


def key(key_id: str, app: str = "shop", made: datetime = WHEN, until: datetime | None = None) -> ApiKey:
    return ApiKey(key_id, app, b"\x00\xff" + key_id.encode(), made, until)


async def good(apps: Apps, now: datetime = WHEN) -> dict[str, ApiKey]:
    return {each.key_id: each for each in await apps.keys(now)}


class AppsContract:
    async def test_there_are_no_apps_at_first(self, apps: Apps) -> None:
        assert list(await apps.listed()) == []
        assert list(await apps.keys(WHEN)) == []

    async def test_a_made_app_has_its_key(self, apps: Apps) -> None:
        assert await apps.create(key("a"))
        assert await good(apps) == {"a": key("a")}
        assert list(await apps.listed()) == [App("shop", WHEN, (key("a"),))]
        assert (await apps.listed())[0].created_at.utcoffset() == timedelta(0)

    async def test_an_app_is_made_once(self, apps: Apps) -> None:
        assert await apps.create(key("a"))
        assert not await apps.create(key("b"))
        assert set(await good(apps)) == {"a"}

    async def test_of_many_who_make_the_same_app_at_once_one_does(self, apps: Apps) -> None:
        made = await asyncio.gather(*(apps.create(key(f"key-{number}")) for number in range(20)))
        assert made.count(True) == 1
        assert set(await good(apps)) == {f"key-{made.index(True)}"}

    async def test_after_a_rotation_both_keys_are_good_until_the_overlap_ends(self, apps: Apps) -> None:
        await apps.create(key("a"))
        assert await apps.rotate(key("b", made=WHEN + HOUR), WHEN + 3 * HOUR)
        assert set(await good(apps, WHEN + 3 * HOUR - timedelta(microseconds=1))) == {"a", "b"}
        assert set(await good(apps, WHEN + 3 * HOUR)) == {"b"}
        [app] = await apps.listed()
        assert [each.key_id for each in app.keys] == ["b", "a"]

    async def test_a_rotation_prolongs_no_key(self, apps: Apps) -> None:
        await apps.create(key("a", until=WHEN + HOUR))
        await apps.rotate(key("b"), WHEN + 2 * HOUR)
        await apps.rotate(key("c"), WHEN + 3 * HOUR)
        assert set(await good(apps, WHEN + HOUR)) == {"b", "c"}
        assert set(await good(apps, WHEN + 3 * HOUR)) == {"c"}

    async def test_a_revoked_app_has_no_good_key_and_can_be_given_a_new_one(self, apps: Apps) -> None:
        await apps.create(key("a"))
        await apps.rotate(key("b"), WHEN + 9 * HOUR)
        assert await apps.revoke("shop", WHEN + HOUR)
        assert await good(apps, WHEN + HOUR) == {}
        assert await apps.rotate(key("c"), WHEN + HOUR)
        assert set(await good(apps, WHEN + HOUR)) == {"c"}

    async def test_what_is_done_to_an_app_concerns_no_other(self, apps: Apps) -> None:
        await apps.create(key("a"))
        await apps.create(key("b", "shop-2"))
        await apps.rotate(key("c"), WHEN)
        await apps.revoke("shop", WHEN)
        assert await good(apps) == {"b": key("b", "shop-2")}
        assert [app.name for app in await apps.listed()] == ["shop", "shop-2"]

    @pytest.mark.parametrize("name", ["", "shop ", "SHOP", "%", "shop-2"])
    async def test_an_app_that_is_not_there_is_neither_rotated_nor_revoked(self, apps: Apps, name: str) -> None:
        await apps.create(key("a"))
        assert not await apps.rotate(key("b", name), WHEN)
        assert not await apps.revoke(name, WHEN)
        assert await good(apps) == {"a": key("a")}

    async def test_closed_apps_refuse_everything_and_may_be_closed_again(self, apps: Apps) -> None:
        await apps.close()
        await apps.close()
        calls = (
            apps.create(key("a")),
            apps.rotate(key("a"), WHEN),
            apps.revoke("shop", WHEN),
            apps.keys(WHEN),
            apps.listed(),
        )
        for call in calls:
            with pytest.raises(StoreUnavailable, match="closed"):
                await call
