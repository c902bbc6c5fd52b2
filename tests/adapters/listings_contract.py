"""The contract of `Listings`. Each adapter's test class inherits it and provides the fixture `store`."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from service.application.ports import Appended, GameStore, ListedGame, ListingQuery, PlayerQuery
from tests.adapters.samples import WHEN, ascending_ids, commit, listing

STATUSES = ("waiting", "playing", "finished", "abandoned")
TENANTS: tuple[str, ...] = ("", "app:shop", "app:shop-2", "issuer:https://login.example", "app:")


class ListingsContract:
    async def test_a_game_is_listed_as_its_last_listing_says(self, store: GameStore) -> None:
        game = uuid4()
        await store.append(commit(game, 0, listing=listing(free_seats=3)))
        now = listing(status="playing", free_seats=0, deadline=WHEN + timedelta(seconds=30), player_ids=("ana", "blas"))
        await store.append(commit(game, 1, listing=now))
        await store.append(commit(game, 2))
        assert list(await all_listed(store)) == [ListedGame(game, 2, WHEN, now)]

    async def test_a_losing_commit_leaves_the_listing_alone(self, store: GameStore) -> None:
        game, first = uuid4(), listing()
        await store.append(commit(game, 0, listing=first))
        await store.append(commit(game, 0, listing=listing(status="playing")))
        assert list(await all_listed(store)) == [ListedGame(game, 1, WHEN, first)]

    async def test_games_without_a_listing_are_not_listed(self, store: GameStore) -> None:
        await store.append(commit(uuid4()))
        assert list(await all_listed(store)) == []

    async def test_games_are_listed_newest_first_page_by_page(self, store: GameStore) -> None:
        games = ascending_ids(7)
        await asyncio.gather(*(store.append(commit(game, listing=listing())) for game in games))
        first = await all_listed(store, limit=3)
        second = await all_listed(store, limit=3, before=first[-1])
        third = await all_listed(store, limit=3, before=second[-1])
        assert [row.game_id for page in (first, second, third) for row in page] == games[::-1]
        assert len(third) == 1

    async def test_every_filter_of_the_list_holds(self, store: GameStore) -> None:
        kinds = [
            listing(status=status, visibility=visibility, ruleset_id=ruleset)
            for status in ("waiting", "playing")
            for visibility in ("public", "private")
            for ruleset in ("clasica", "antigua")
        ]
        await asyncio.gather(*(store.append(commit(uuid4(), listing=kind)) for kind in kinds))
        for visibility in (None, "public", "private"):
            for status in (None, "waiting", "playing", "finished"):
                for ruleset in (None, "clasica"):
                    query = ListingQuery(visibility=visibility, status=status, ruleset_id=ruleset, limit=99)
                    rows = await store.listed(query)
                    assert rows or status == "finished"
                    fitting = [
                        kind
                        for kind in kinds
                        if visibility in {None, kind.visibility}
                        and status in {None, kind.status}
                        and ruleset in {None, kind.ruleset_id}
                    ]
                    assert sorted(map(repr, fitting)) == sorted(repr(row.listing) for row in rows)

    async def test_a_players_games_are_found_the_newest_first(self, store: GameStore) -> None:
        games = ascending_ids(5)
        for game in (games[2], games[0], games[4], games[1], games[3]):
            await store.append(commit(game, listing=listing(player_ids=("ana", "blas"))))
        assert list(await store.seated("ana", 99)) == games[::-1]
        assert list(await store.seated("blas", 2)) == games[:2:-1]
        assert list(await store.seated("ana", 0)) == []

    async def test_only_games_with_the_player_at_a_seat_are_found_private_ones_too(self, store: GameStore) -> None:
        with_ana, with_both, alone = ascending_ids(3)
        await store.append(commit(with_ana, listing=listing(player_ids=("ana",), visibility="private")))
        await store.append(commit(with_both, listing=listing(player_ids=("blas", "ana"))))
        await store.append(commit(alone, listing=listing()))
        assert list(await store.seated("ana", 99)) == [with_both, with_ana]
        assert list(await store.seated("blas", 99)) == [with_both]
        for nobody in ("an", "ana\x1fblas", "{ana}", "%", ""):
            assert list(await store.seated(nobody, 99)) == []

    @pytest.mark.parametrize("status", ["finished", "abandoned"])
    async def test_a_game_that_is_over_is_not_found_any_more(self, store: GameStore, status: str) -> None:
        game = uuid4()
        for expected, now in enumerate(("waiting", "playing")):
            await store.append(commit(game, expected, listing=listing(status=now, player_ids=("ana",))))
            assert list(await store.seated("ana", 99)) == [game]
        await store.append(commit(game, 2, listing=listing(status=status, player_ids=("ana",))))
        assert list(await store.seated("ana", 99)) == []

    async def test_a_game_that_a_player_left_is_found_for_the_others_only(self, store: GameStore) -> None:
        game = uuid4()
        await store.append(commit(game, 0, listing=listing(player_ids=("ana", "blas"))))
        await store.append(commit(game, 1, listing=listing(player_ids=("blas",))))
        assert list(await store.seated("ana", 99)) == []
        assert list(await store.seated("blas", 99)) == [game]
        await store.append(commit(game, 2, listing=listing(player_ids=("blas", "ana"))))
        assert list(await store.seated("ana", 99)) == [game]

    async def test_all_games_of_a_player_are_found_page_by_page_those_that_are_over_too(self, store: GameStore) -> None:
        games = ascending_ids(8)
        for place, game in enumerate(games):
            status = STATUSES[place % 4]
            await store.append(commit(game, listing=listing(status=status, player_ids=("ana", f"other-{place}"))))
        await store.append(commit(uuid4(), listing=listing(player_ids=("blas",))))
        assert await of_player(store, "ana") == games[::-1]
        assert await of_player(store, "ana", limit=3) == games[:4:-1]
        assert await of_player(store, "ana", before=games[5], limit=3) == games[4:1:-1]
        assert await of_player(store, "ana", before=games[0]) == []
        for place, status in enumerate(STATUSES):
            assert await of_player(store, "ana", status=status) == [games[place + 4], games[place]]
        assert await of_player(store, "other-3") == [games[3]]
        assert await of_player(store, "other") == []

    @pytest.mark.parametrize("tenant", TENANTS)
    async def test_the_games_of_a_player_are_those_of_one_tenant(self, store: GameStore, tenant: str) -> None:
        games = dict(zip(TENANTS, ascending_ids(len(TENANTS)), strict=True))
        for each, game in games.items():
            await store.append(
                commit(game, listing=listing(player_ids=("ana",), tenant=each, status="finished", visibility="private"))
            )
        assert await of_player(store, "ana", tenant=tenant) == [games[tenant]]

    async def test_a_losing_commit_seats_nobody(self, store: GameStore) -> None:
        game = uuid4()
        await store.append(commit(game, listing=listing(player_ids=("ana",))))
        await store.append(commit(game, listing=listing(player_ids=("blas",))))
        assert list(await store.seated("blas", 99)) == []

    async def test_a_tenants_games_are_listed_for_it_alone_the_newest_first(self, store: GameStore) -> None:
        games = ascending_ids(20)
        for place, game in enumerate(games):
            await store.append(commit(game, listing=listing(tenant=TENANTS[place % 4])))
        for place, tenant in enumerate(TENANTS[:4]):
            assert await listed(store, tenant) == games[place::4][::-1]
        assert await listed(store, TENANTS[4]) == []

    async def test_without_a_tenant_the_open_services_games_are_found(self, store: GameStore) -> None:
        open_game, apps_game = ascending_ids(2)
        await store.append(commit(open_game, listing=listing(player_ids=("ana",))))
        await store.append(commit(apps_game, listing=listing(player_ids=("ana",), tenant="app:shop")))
        rows = await store.listed(ListingQuery(visibility="public", limit=9))
        assert [row.game_id for row in rows] == [open_game]
        assert list(await store.seated("ana", 9)) == [open_game]

    async def test_without_a_visibility_private_games_are_listed_among_the_public_ones(self, store: GameStore) -> None:
        games = ascending_ids(6)
        for place, game in enumerate(games):
            seen = "private" if place % 2 else "public"
            status = ("waiting", "playing", "finished", "abandoned")[place % 4]
            await store.append(commit(game, listing=listing(tenant="app:shop", visibility=seen, status=status)))
        assert await listed(store, "app:shop") == games[::-1]
        assert await listed(store, "app:shop", before=games[3]) == games[2::-1]
        assert await listed(store, "app:shop", visibility="private") == games[5::-2]

    @pytest.mark.parametrize("tenant", TENANTS)
    async def test_a_player_is_found_at_the_tables_of_one_tenant_only(self, store: GameStore, tenant: str) -> None:
        games = dict(zip(TENANTS, ascending_ids(len(TENANTS)), strict=True))
        for each, game in games.items():
            await store.append(commit(game, listing=listing(player_ids=("ana",), tenant=each)))
        assert list(await store.seated("ana", 9, tenant)) == [games[tenant]]

    async def test_a_game_stays_its_tenants_with_every_listing(self, store: GameStore) -> None:
        [game] = ascending_ids(1)
        for expected, status in enumerate(("waiting", "playing", "finished")):
            await store.append(commit(game, expected, listing=listing(status=status, tenant="app:shop")))
            assert await listed(store, "app:shop") == [game]
            assert await listed(store, "") == []

    async def test_finished_games_of_all_tenants_are_found_page_by_page(self, store: GameStore) -> None:
        games = ascending_ids(4)
        for game_id, status, tenant in zip(
            games, ("finished", "playing", "finished", "finished"), ("", "", "app:else", ""), strict=True
        ):
            await store.append(commit(game_id, listing=listing(status=status, tenant=tenant)))
        assert list(await store.finished(None, 2)) == [games[0], games[2]]
        assert list(await store.finished(games[2], 9)) == [games[3]]

    async def test_games_under_way_are_counted_by_status(self, store: GameStore) -> None:
        assert dict(await store.under_way()) == {}
        for number, status in enumerate(["waiting", "playing", "playing", "finished", "abandoned"]):
            deadline = WHEN + timedelta(seconds=number) if status in {"waiting", "playing"} else None
            for visibility in ("public", "private"):
                new = commit(uuid4(), listing=listing(status=status, visibility=visibility, deadline=deadline))
                assert await store.append(new) == Appended(1)
        assert dict(await store.under_way()) == {"waiting": 2, "playing": 4}


async def of_player(store: GameStore, player_id: str, *, limit: int = 99, **query: Any) -> list[UUID]:
    return list(await store.of_player(PlayerQuery(player_id=player_id, limit=limit, **query)))


async def all_listed(store: GameStore, *, limit: int = 99, before: ListedGame | None = None) -> list[ListedGame]:
    last = before.game_id if before else None
    return list(await store.listed(ListingQuery(visibility="public", before=last, limit=limit)))


async def listed(
    store: GameStore, tenant: str, *, visibility: str | None = None, before: UUID | None = None
) -> list[UUID]:
    rows = await store.listed(ListingQuery(tenant=tenant, visibility=visibility, before=before, limit=99))
    assert {row.listing.tenant for row in rows} <= {tenant}
    return [row.game_id for row in rows]
