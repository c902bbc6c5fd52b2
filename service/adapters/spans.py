"""What is asked of a log, as spans of OpenTelemetry. Imported only where traces are wanted."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from uuid import UUID

from opentelemetry.semconv.attributes.db_attributes import DB_COLLECTION_NAME, DB_OPERATION_NAME, DB_SYSTEM_NAME
from opentelemetry.trace import Span, SpanKind, Tracer, get_current_span

from service.application.ports import Commit, GameStore, ListedGame, NewCommit, Outcome, Overdue


class TracedStore:
    """Adapter of `service.application.ports.GameStore` to another one, which makes spans of what it is asked for within a span.

    What nobody traces, such as looking for deadlines all the time, makes none.
    """

    def __init__(self, log: GameStore, tracer: Tracer) -> None:
        self._log = log
        self._tracer = tracer

    async def append(self, commit: NewCommit) -> Outcome:
        """See `GameStore.append`. The span says what came of it."""
        with self._span("INSERT", "game_commit", commit.game_id) as span:
            outcome = await self._log.append(commit)
            if span is not None:
                span.set_attribute("pocha.outcome", type(outcome).__name__)
            return outcome

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[Commit]:
        """See `GameStore.read`."""
        with self._span("SELECT", "game_commit", game_id):
            return await self._log.read(game_id, after, limit)

    async def listed(
        self,
        *,
        visibility: str | None,
        status: str | None,
        ruleset_id: str | None,
        before: UUID | None,
        limit: int,
        tenant: str = "",
    ) -> Sequence[ListedGame]:
        """See `GameStore.listed`."""
        with self._span("SELECT", "game"):
            return await self._log.listed(
                visibility=visibility, status=status, ruleset_id=ruleset_id, before=before, limit=limit, tenant=tenant
            )

    async def find(self, game_id: UUID, command_id: UUID) -> Commit | None:
        """See `GameStore.find`."""
        with self._span("SELECT", "game_commit", game_id):
            return await self._log.find(game_id, command_id)

    async def heads(self, game_ids: Sequence[UUID]) -> Mapping[UUID, int]:
        """See `GameStore.heads`."""
        with self._span("SELECT", "game_commit"):
            return await self._log.heads(game_ids)

    async def seated(self, player_id: str, limit: int, tenant: str = "") -> Sequence[UUID]:
        """See `GameStore.seated`."""
        with self._span("SELECT", "game"):
            return await self._log.seated(player_id, limit, tenant)

    async def reserve(self, key: UUID, game_id: UUID) -> UUID:
        """See `GameStore.reserve`."""
        with self._span("INSERT", "reservation", game_id):
            return await self._log.reserve(key, game_id)

    async def claim_overdue(self, now: datetime, until: datetime, limit: int) -> Sequence[Overdue]:
        """See `GameStore.claim_overdue`."""
        with self._span("UPDATE", "game"):
            return await self._log.claim_overdue(now, until, limit)

    async def overdue_since(self, now: datetime, limit: int) -> Sequence[datetime]:
        """See `GameStore.overdue_since`."""
        with self._span("SELECT", "game"):
            return await self._log.overdue_since(now, limit)

    async def put_off(self, overdue: Overdue, deadline: datetime | None) -> None:
        """See `GameStore.put_off`."""
        with self._span("UPDATE", "game", overdue.game_id):
            await self._log.put_off(overdue, deadline)

    async def under_way(self) -> Mapping[str, int]:
        """See `GameStore.under_way`."""
        with self._span("SELECT", "game"):
            return await self._log.under_way()

    async def check(self) -> None:
        """See `GameStore.check`."""
        await self._log.check()

    def is_at_work(self) -> bool:
        """See `GameStore.is_at_work`."""
        return self._log.is_at_work()

    async def close(self) -> None:
        """See `GameStore.close`."""
        await self._log.close()

    def _span(self, operation: str, table: str, game_id: UUID | None = None) -> AbstractContextManager[Span | None]:
        if not get_current_span().is_recording():
            return nullcontext()
        attributes = {DB_SYSTEM_NAME: "postgresql", DB_OPERATION_NAME: operation, DB_COLLECTION_NAME: table}
        if game_id is not None:
            attributes["pocha.game_id"] = str(game_id)
        # What an error says may be a secret.
        return self._tracer.start_as_current_span(
            f"{operation} {table}",
            kind=SpanKind.CLIENT,
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        )
