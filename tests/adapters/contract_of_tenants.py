"""The part of the contract of `GameStore` that is about tenants: none finds what another one has."""

from uuid import UUID

import pytest

from service.application.ports import GameStore
from tests.adapters.samples import ascending_ids, commit, listing

TENANTS: tuple[str, ...] = ("", "app:shop", "app:shop-2", "issuer:https://login.example", "app:")


async def listed(
    log: GameStore, tenant: str, *, visibility: str | None = None, before: UUID | None = None
) -> list[UUID]:
    rows = await log.listed(visibility=visibility, status=None, ruleset_id=None, before=before, limit=99, tenant=tenant)
    assert {row.listing.tenant for row in rows} <= {tenant}
    return [row.game_id for row in rows]


class TenantsContract:
    async def test_a_tenants_games_are_listed_for_it_alone_the_newest_first(self, log: GameStore) -> None:
        games = ascending_ids(20)
        for place, game in enumerate(games):
            await log.append(commit(game, listing=listing(tenant=TENANTS[place % 4])))
        for place, tenant in enumerate(TENANTS[:4]):
            assert await listed(log, tenant) == games[place::4][::-1]
        assert await listed(log, TENANTS[4]) == []

    async def test_whoever_names_no_tenant_finds_the_open_services_games(self, log: GameStore) -> None:
        open_game, apps_game = ascending_ids(2)
        await log.append(commit(open_game, listing=listing(persons=("ana",))))
        await log.append(commit(apps_game, listing=listing(persons=("ana",), tenant="app:shop")))
        rows = await log.listed(visibility="public", status=None, ruleset_id=None, before=None, limit=9)
        assert [row.game_id for row in rows] == [open_game]
        assert list(await log.seated("ana", 9)) == [open_game]

    async def test_without_a_visibility_private_games_are_listed_among_the_public_ones(self, log: GameStore) -> None:
        games = ascending_ids(6)
        for place, game in enumerate(games):
            seen = "private" if place % 2 else "public"
            status = ("waiting", "playing", "finished", "abandoned")[place % 4]
            await log.append(commit(game, listing=listing(tenant="app:shop", visibility=seen, status=status)))
        assert await listed(log, "app:shop") == games[::-1]
        assert await listed(log, "app:shop", before=games[3]) == games[2::-1]
        assert await listed(log, "app:shop", visibility="private") == games[5::-2]

    @pytest.mark.parametrize("tenant", TENANTS)
    async def test_a_player_is_found_at_the_tables_of_one_tenant_only(self, log: GameStore, tenant: str) -> None:
        games = dict(zip(TENANTS, ascending_ids(len(TENANTS)), strict=True))
        for each, game in games.items():
            await log.append(commit(game, listing=listing(persons=("ana",), tenant=each)))
        assert list(await log.seated("ana", 9, tenant)) == [games[tenant]]

    async def test_a_game_stays_its_tenants_with_every_listing(self, log: GameStore) -> None:
        [game] = ascending_ids(1)
        for expected, status in enumerate(("waiting", "playing", "finished")):
            await log.append(commit(game, expected, listing=listing(status=status, tenant="app:shop")))
            assert await listed(log, "app:shop") == [game]
            assert await listed(log, "") == []
