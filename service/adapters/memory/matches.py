"""Requests for quick matches in this process's memory."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from service.application.ports import MatchRequest, MatchStatus


class MemoryMatches:
    """Adapter of `service.application.ports.Matches` that forgets everything when the process ends."""

    def __init__(self) -> None:
        self._requests: dict[UUID, MatchRequest] = {}
        self._due: dict[UUID, datetime] = {}

    async def enter(self, request: MatchRequest) -> MatchRequest:
        """See `Matches.enter`."""
        for known in self._requests.values():
            if known.command_id == request.command_id:
                return known
        for known in list(self._requests.values()):
            if (known.tenant, known.player.player_id) == (request.tenant, request.player.player_id):
                await self.end(known.match_id, MatchStatus.CANCELLED)
        self._requests[request.match_id] = request
        self._due[request.match_id] = request.expires_at
        return request

    async def read(self, match_id: UUID) -> MatchRequest | None:
        """See `Matches.read`."""
        return self._requests.get(match_id)

    async def form(self, request: MatchRequest, game_id: UUID, due_at: datetime) -> bool:
        """See `Matches.form`."""
        waiting = self._waiting(request)[: request.spec.players]
        if len(waiting) < request.spec.players or await self.group(game_id):
            return False
        self._match(waiting, game_id, due_at)
        return True

    async def fill_up(self, request: MatchRequest, game_id: UUID, due_at: datetime) -> bool:
        """See `Matches.fill_up`."""
        current = self._requests[request.match_id]
        if current.status is not MatchStatus.WAITING or await self.group(game_id):
            return False
        others = [each for each in self._waiting(request) if each.robots is not None and each != current]
        self._match([current, *others][: request.spec.players], game_id, due_at)
        return True

    async def group(self, game_id: UUID) -> Sequence[MatchRequest]:
        """See `Matches.group`."""
        found = (known for known in self._requests.values() if known.game_id == game_id)
        return sorted(found, key=_age)

    async def settle(self, game_id: UUID) -> None:
        """See `Matches.settle`."""
        for known in await self.group(game_id):
            self._requests[known.match_id] = replace(known, is_ready=True)
            self._due.pop(known.match_id, None)

    async def end(self, match_id: UUID, status: MatchStatus) -> None:
        """See `Matches.end`."""
        known = self._requests.get(match_id)
        if known is not None and known.status is MatchStatus.WAITING:
            self._requests[match_id] = replace(known, status=status)
            del self._due[match_id]

    async def claim_due(self, now: datetime, until: datetime, limit: int) -> Sequence[MatchRequest]:
        """See `Matches.claim_due`."""
        due = sorted((at, match_id) for match_id, at in self._due.items() if at <= now)[:limit]
        for _, match_id in due:
            self._due[match_id] = until
        return [self._requests[match_id] for _, match_id in due]

    async def delete_old(self, before: datetime) -> None:
        """See `Matches.delete_old`."""
        self._requests = {
            match_id: known
            for match_id, known in self._requests.items()
            if known.created_at >= before or match_id in self._due
        }

    async def of_player(self, tenant: str, player_id: str) -> Sequence[MatchRequest]:
        """See `Matches.of_player`."""
        own = (tenant, player_id)
        return sorted(
            (each for each in self._requests.values() if (each.tenant, each.player.player_id) == own), key=_age
        )

    async def forget(self, tenant: str, player_id: str) -> None:
        """See `Matches.forget`."""
        for each in await self.of_player(tenant, player_id):
            if each.status is not MatchStatus.MATCHED or each.is_ready:
                del self._requests[each.match_id]
                self._due.pop(each.match_id, None)

    def _waiting(self, request: MatchRequest) -> list[MatchRequest]:
        pool = (request.tenant, request.pool)
        same = (known for known in self._requests.values() if (known.tenant, known.pool) == pool)
        return sorted((known for known in same if known.status is MatchStatus.WAITING), key=_age)

    def _match(self, requests: Sequence[MatchRequest], game_id: UUID, due_at: datetime) -> None:
        for each in requests:
            self._requests[each.match_id] = replace(each, status=MatchStatus.MATCHED, game_id=game_id)
            self._due[each.match_id] = due_at


def _age(request: MatchRequest) -> tuple[datetime, UUID]:
    return request.created_at, request.match_id
