"""OpenTelemetry spans around a store. Imported only where traces are enabled."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from uuid import UUID

from opentelemetry.semconv.attributes.db_attributes import DB_COLLECTION_NAME, DB_OPERATION_NAME, DB_SYSTEM_NAME
from opentelemetry.trace import Span, SpanKind, Tracer, get_current_span
from typing_extensions import override

from service.application.ports import (
    BehindHook,
    Commit,
    Follower,
    GameStore,
    HookPosition,
    ListedGame,
    ListingQuery,
    NewCommit,
    Outcome,
    OverdueGame,
    PlayerQuery,
    Profile,
)


class TracedStore(GameStore):
    """Wraps a store and records a span for each call inside a recording span; background calls, such as `claim`, record none."""

    def __init__(self, store: GameStore, tracer: Tracer) -> None:
        self._store = store
        self._tracer = tracer

    @override
    async def append(self, commit: NewCommit) -> Outcome:
        """Append; the span carries the outcome's name."""
        with self._span("INSERT", "game_commit", commit.game_id) as span:
            outcome = await self._store.append(commit)
            if span is not None:
                span.set_attribute("pocha.outcome", type(outcome).__name__)
            return outcome

    @override
    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[Commit]:
        with self._span("SELECT", "game_commit", game_id):
            return await self._store.read(game_id, after, limit)

    @override
    async def find(self, game_id: UUID, command_id: UUID) -> Commit | None:
        with self._span("SELECT", "game_commit", game_id):
            return await self._store.find(game_id, command_id)

    @override
    async def heads(self, game_ids: Sequence[UUID]) -> Mapping[UUID, int]:
        with self._span("SELECT", "game_commit"):
            return await self._store.heads(game_ids)

    @override
    async def listed(self, query: ListingQuery) -> Sequence[ListedGame]:
        with self._span("SELECT", "game"):
            return await self._store.listed(query)

    @override
    async def seated(self, player_id: str, limit: int, tenant: str = "") -> Sequence[UUID]:
        with self._span("SELECT", "game"):
            return await self._store.seated(player_id, limit, tenant)

    @override
    async def of_player(self, query: PlayerQuery) -> Sequence[UUID]:
        with self._span("SELECT", "game"):
            return await self._store.of_player(query)

    @override
    async def finished(self, after: UUID | None, limit: int) -> Sequence[UUID]:
        with self._span("SELECT", "game"):
            return await self._store.finished(after, limit)

    @override
    async def under_way(self) -> Mapping[str, int]:
        with self._span("SELECT", "game"):
            return await self._store.under_way()

    @override
    async def reserve(self, key: UUID, game_id: UUID) -> UUID:
        with self._span("INSERT", "reservation", game_id):
            return await self._store.reserve(key, game_id)

    @override
    async def reserved(self, key: UUID) -> UUID | None:
        with self._span("SELECT", "reservation"):
            return await self._store.reserved(key)

    @override
    async def profiles(self, player_ids: Sequence[str]) -> Sequence[Profile]:
        with self._span("SELECT", "player"):
            return await self._store.profiles(player_ids)

    @override
    async def keep_profile(self, profile: Profile) -> Profile:
        with self._span("INSERT", "player"):
            return await self._store.keep_profile(profile)

    @override
    async def changed_profiles(self, after: datetime | None) -> tuple[Sequence[Profile], datetime]:
        with self._span("SELECT", "player"):
            return await self._store.changed_profiles(after)

    @override
    async def delete_profile(self, player_id: str, tenant: str, now: datetime, erase_at: datetime) -> Profile:
        with self._span("UPDATE", "player"):
            return await self._store.delete_profile(player_id, tenant, now, erase_at)

    @override
    async def deleted_players(self) -> Mapping[str, datetime]:
        with self._span("SELECT", "player"):
            return await self._store.deleted_players()

    @override
    async def claim_erasures(self, now: datetime, until: datetime, limit: int) -> Sequence[Profile]:
        with self._span("UPDATE", "player"):
            return await self._store.claim_erasures(now, until, limit)

    @override
    async def put_erasure_off(self, player_id: str, erase_at: datetime | None) -> None:
        with self._span("UPDATE", "player"):
            await self._store.put_erasure_off(player_id, erase_at)

    @override
    async def claim(self, now: datetime, until: datetime, limit: int) -> Sequence[OverdueGame]:
        with self._span("UPDATE", "game"):
            return await self._store.claim(now, until, limit)

    @override
    async def overdue(self, now: datetime, limit: int) -> Sequence[datetime]:
        with self._span("SELECT", "game"):
            return await self._store.overdue(now, limit)

    @override
    async def reschedule(self, game: OverdueGame, deadline: datetime | None) -> None:
        with self._span("UPDATE", "game", game.game_id):
            await self._store.reschedule(game, deadline)

    @override
    async def hooks_behind(self, followers: Sequence[Follower], now: datetime, limit: int) -> Sequence[BehindHook]:
        with self._span("SELECT", "hook_position"):
            return await self._store.hooks_behind(followers, now, limit)

    @override
    async def hooks_due(self, now: datetime, limit: int) -> Sequence[tuple[UUID, UUID]]:
        with self._span("SELECT", "hook_position"):
            return await self._store.hooks_due(now, limit)

    @override
    async def take_hook(
        self, game_id: UUID, webhook_id: UUID, owner: UUID, now: datetime, until: datetime
    ) -> HookPosition | None:
        with self._span("UPDATE", "hook_position", game_id):
            return await self._store.take_hook(game_id, webhook_id, owner, now, until)

    @override
    async def move_hook(self, position: HookPosition, until: datetime | None) -> bool:
        with self._span("UPDATE", "hook_position", position.game_id):
            return await self._store.move_hook(position, until)

    @override
    async def forget_hook(self, webhook_id: UUID) -> None:
        with self._span("DELETE", "hook_position"):
            await self._store.forget_hook(webhook_id)

    @override
    async def settle_hooks(self, followers: Sequence[Follower], before: datetime, limit: int) -> None:
        with self._span("UPDATE", "hook_position"):
            await self._store.settle_hooks(followers, before, limit)

    @override
    async def check(self) -> None:
        await self._store.check()

    @override
    def is_working(self) -> bool:
        return self._store.is_working()

    @override
    async def close(self) -> None:
        await self._store.close()

    def _span(self, operation: str, table: str, game_id: UUID | None = None) -> AbstractContextManager[Span | None]:
        if not get_current_span().is_recording():
            return nullcontext()
        attributes = {DB_SYSTEM_NAME: "postgresql", DB_OPERATION_NAME: operation, DB_COLLECTION_NAME: table}
        if game_id is not None:
            attributes["pocha.game_id"] = str(game_id)
        # An error's message may hold a secret.
        return self._tracer.start_as_current_span(
            f"{operation} {table}",
            kind=SpanKind.CLIENT,
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        )
