"""The contract of `HookPositions`. Each adapter's test class inherits it and provides the fixture `store`."""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

from msgspec.structs import replace

from service.application.ports import (
    Appended,
    BehindHook,
    Follower,
    GameStore,
    HookPosition,
)
from tests.adapters.samples import WHEN, commit, listing

SECOND = timedelta(seconds=1)
LEASE = WHEN + timedelta(minutes=1)
LATER = WHEN + timedelta(hours=1)


def follower(tenant: str = "app:shop", *, since_seconds: int = -1) -> Follower:
    return Follower(uuid4(), tenant, WHEN + since_seconds * SECOND)


async def game(store: GameStore, tenant: str = "app:shop", *, commits: int = 1, status: str = "playing") -> UUID:
    game_id = uuid4()
    for version in range(commits):
        new = commit(game_id, version, listing=listing(tenant=tenant, status=status) if version == 0 else None)
        assert await store.append(new) == Appended(version + 1)
    return game_id


async def take(store: GameStore, game_id: UUID, hook: Follower, owner: UUID | None = None) -> HookPosition:
    taken = await store.take_hook(game_id, hook.webhook_id, owner or uuid4(), WHEN, LEASE)
    assert taken is not None
    return taken


async def follow(store: GameStore, game_id: UUID, hook: Follower, version: int) -> None:
    """Bring the hook to that version."""
    position = await take(store, game_id, hook)
    assert await store.move_hook(replace(position, version=version), None)


class HookPositionsContract:
    async def test_a_hook_is_behind_the_games_of_its_tenant_alone(self, store: GameStore) -> None:
        shop, mall = follower(), follower("app:mall")
        ours, _ = await game(store), await game(store, "")
        behind = await store.hooks_behind([shop, mall], WHEN, 9)
        assert list(behind) == [BehindHook(ours, shop.webhook_id, WHEN, is_free=True)]

    async def test_a_hook_is_behind_until_it_has_the_newest_version(self, store: GameStore) -> None:
        hook, game_id = follower(), await game(store, commits=2)
        for version, left in ((1, 1), (2, 0)):
            await follow(store, game_id, hook, version)
            assert len(await store.hooks_behind([hook], WHEN, 9)) == left
        assert await store.append(commit(game_id, 2)) == Appended(3)
        assert [row.game_id for row in await store.hooks_behind([hook], WHEN, 9)] == [game_id]

    async def test_a_younger_hook_lacks_nothing_of_games_of_before(self, store: GameStore) -> None:
        await game(store)
        assert list(await store.hooks_behind([follower(since_seconds=1)], WHEN, 9)) == []

    async def test_what_a_process_has_or_what_waits_for_its_next_attempt_is_not_free_and_comes_last(
        self, store: GameStore
    ) -> None:
        hook = follower()
        taken, failing, free = [await game(store) for _ in range(3)]
        await take(store, taken, hook)
        failed = replace(await take(store, failing, hook), attempts=1, due_at=LATER)
        assert await store.move_hook(failed, None)
        rows = await store.hooks_behind([hook], WHEN, 9)
        assert (rows[0].game_id, rows[0].is_free) == (free, True)
        assert {row.game_id: row.is_free for row in rows} == {free: True, taken: False, failing: False}
        assert len(await store.hooks_behind([hook], WHEN, 2)) == 2
        [abandoned] = [row for row in await store.hooks_behind([hook], LEASE, 9) if row.game_id == taken]
        assert abandoned.is_free

    async def test_of_many_at_once_one_takes_a_position_and_keeps_it_for_its_time(self, store: GameStore) -> None:
        hook, game_id = follower(), await game(store)
        for _ in range(2):  # a new position, and one that is there
            now = WHEN + (LEASE - WHEN) * _
            tries = [store.take_hook(game_id, hook.webhook_id, uuid4(), now, now + (LEASE - WHEN)) for _ in range(8)]
            taken = [position for position in await asyncio.gather(*tries) if position is not None]
            assert len(taken) == 1
            again = await store.take_hook(game_id, hook.webhook_id, taken[0].owner, now, now + (LEASE - WHEN))
            assert again == taken[0]

    async def test_who_lost_a_position_moves_it_no_more(self, store: GameStore) -> None:
        hook, game_id = follower(), await game(store)
        lost = await take(store, game_id, hook)
        found = await store.take_hook(game_id, hook.webhook_id, uuid4(), LEASE, LATER)
        assert found is not None
        assert not await store.move_hook(replace(lost, version=1), None)
        assert await store.move_hook(replace(found, version=1, place=2), None)
        assert await take(store, game_id, hook, lost.owner) == replace(found, owner=lost.owner, version=1, place=2)

    async def test_a_failed_attempt_is_due_at_its_time_and_not_before(self, store: GameStore) -> None:
        hook, game_id = follower(), await game(store)
        position = replace(await take(store, game_id, hook), attempts=1, due_at=WHEN + SECOND)
        assert await store.move_hook(position, None)
        assert await store.take_hook(game_id, hook.webhook_id, uuid4(), WHEN, LEASE) is None
        assert list(await store.hooks_due(WHEN, 9)) == []
        assert list(await store.hooks_due(WHEN + SECOND, 9)) == [(game_id, hook.webhook_id)]
        assert list(await store.hooks_due(WHEN + SECOND, 0)) == []
        taken = await store.take_hook(game_id, hook.webhook_id, uuid4(), WHEN + SECOND, LEASE)
        assert taken is not None
        assert (taken.attempts, taken.due_at) == (1, WHEN + SECOND)

    async def test_a_time_to_look_again_does_not_keep_new_commits_waiting(self, store: GameStore) -> None:
        hook, game_id = follower(), await game(store)
        assert await store.move_hook(replace(await take(store, game_id, hook), due_at=LATER), None)
        [row] = await store.hooks_behind([hook], WHEN, 9)
        assert row.is_free
        assert (await take(store, game_id, hook)).due_at == LATER

    async def test_a_game_that_is_not_there_has_no_positions(self, store: GameStore) -> None:
        assert await store.take_hook(uuid4(), uuid4(), uuid4(), WHEN, LEASE) is None

    async def test_a_settled_game_is_never_followed_from_its_beginning_again(self, store: GameStore) -> None:
        hook, game_id = follower(), await game(store, status="finished")
        await follow(store, game_id, hook, 1)
        await store.settle_hooks([hook], LATER, 9)
        assert await store.take_hook(game_id, hook.webhook_id, uuid4(), WHEN, LEASE) is None
        assert list(await store.hooks_behind([hook, follower()], WHEN, 9)) == []

    async def test_a_game_is_not_settled_before_all_hooks_have_its_end(self, store: GameStore) -> None:
        hooks, game_id = [follower(), follower()], await game(store, status="abandoned")
        playing = await game(store)
        for hook in hooks:
            await follow(store, playing, hook, 1)
            await store.settle_hooks(hooks, LATER, 9)
            assert await store.take_hook(game_id, hook.webhook_id, uuid4(), WHEN, WHEN) is not None
            await follow(store, game_id, hook, 1)
        await store.settle_hooks(hooks, WHEN, 9)  # it ended then, not before
        assert await store.take_hook(game_id, hooks[0].webhook_id, uuid4(), WHEN, WHEN) is not None
        await store.settle_hooks(hooks, LATER, 9)
        assert await store.take_hook(game_id, hooks[0].webhook_id, uuid4(), WHEN, WHEN) is None
        assert await store.take_hook(playing, hooks[0].webhook_id, uuid4(), WHEN, WHEN) is not None

    async def test_games_of_an_app_without_hooks_are_settled_too(self, store: GameStore) -> None:
        game_id, playing = await game(store, status="finished"), await game(store)
        await store.settle_hooks([follower("app:mall")], LATER, 9)
        assert await store.take_hook(game_id, uuid4(), uuid4(), WHEN, LEASE) is None
        assert await store.take_hook(playing, uuid4(), uuid4(), WHEN, LEASE) is not None

    async def test_a_younger_hook_keeps_no_game_from_being_settled(self, store: GameStore) -> None:
        game_id, young = await game(store, status="finished"), follower(since_seconds=1)
        await store.settle_hooks([young], LATER, 9)
        assert await store.take_hook(game_id, young.webhook_id, uuid4(), WHEN, LEASE) is None

    async def test_the_positions_of_a_deleted_hook_are_forgotten(self, store: GameStore) -> None:
        hook, other, game_id = follower(), follower(), await game(store)
        for each in (hook, other):
            await follow(store, game_id, each, 1)
        await store.forget_hook(hook.webhook_id)
        assert [row.webhook_id for row in await store.hooks_behind([hook, other], WHEN, 9)] == [hook.webhook_id]
