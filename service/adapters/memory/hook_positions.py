"""The positions of web hooks in this process's memory."""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from service.application.ports import BehindHook, Commit, Follower, HookPosition

_APPS = "app:"
_OVER = frozenset({"finished", "abandoned"})


@dataclass(slots=True, frozen=True)
class FollowedGame:
    """A listed game: its tenant, its status, and all its commits."""

    game_id: UUID
    tenant: str
    status: str
    commits: Sequence[Commit]


class MemoryHookPositions:
    """What `service.application.ports.HookPositions` promises, over games that each method is given. Settled games are known by id."""

    def __init__(self) -> None:
        self._positions: dict[tuple[UUID, UUID], HookPosition] = {}
        self._owned_until: dict[tuple[UUID, UUID], datetime] = {}
        self._settled: set[UUID] = set()

    def behind(
        self, games: Iterable[FollowedGame], followers: Sequence[Follower], now: datetime, limit: int
    ) -> Sequence[BehindHook]:
        """See `HookPositions.hooks_behind`."""
        found = (
            self._behind(game, follower, now)
            for game, follower in _followed(games, followers)
            if game.game_id not in self._settled and self._lacks(game, follower)
        )
        return heapq.nsmallest(limit, found, key=lambda row: (not row.is_free, row.lacks_since))

    def due(self, now: datetime, limit: int) -> Sequence[tuple[UUID, UUID]]:
        """See `HookPositions.hooks_due`."""
        dated = ((at, key) for key, position in self._positions.items() if (at := position.due_at) and at <= now)
        return [key for _, key in heapq.nsmallest(limit, dated)]

    def take(
        self, game: FollowedGame | None, webhook_id: UUID, owner: UUID, now: datetime, until: datetime
    ) -> HookPosition | None:
        """See `HookPositions.take_hook`."""
        if game is None or game.game_id in self._settled:
            return None
        key = game.game_id, webhook_id
        known = self._positions.get(key) or HookPosition(*key, owner)
        is_due = known.attempts == 0 or (known.due_at is not None and known.due_at <= now)
        if not is_due or (known.owner != owner and self._is_owned(key, now)):
            return None
        self._positions[key] = replace(known, owner=owner)
        self._owned_until[key] = until
        return self._positions[key]

    def move(self, position: HookPosition, until: datetime | None) -> bool:
        """See `HookPositions.move_hook`."""
        key = position.game_id, position.webhook_id
        if key not in self._positions or self._positions[key].owner != position.owner:
            return False
        self._positions[key] = position
        self._owned_until.pop(key, None)
        if until is not None:
            self._owned_until[key] = until
        return True

    def forget(self, webhook_id: UUID) -> None:
        """See `HookPositions.forget_hook`."""
        self._positions = {key: position for key, position in self._positions.items() if key[1] != webhook_id}

    def settle(
        self, games: Iterable[FollowedGame], followers: Sequence[Follower], before: datetime, limit: int
    ) -> None:
        """See `HookPositions.settle_hooks`."""
        over = [
            game
            for game in games
            if game.tenant.startswith(_APPS) and game.status in _OVER and game.game_id not in self._settled
        ]
        for game in [game for game in over if self._is_followed(game, followers, before)][:limit]:
            self._settled.add(game.game_id)
            self._positions = {key: known for key, known in self._positions.items() if key[0] != game.game_id}

    def _is_followed(self, game: FollowedGame, followers: Sequence[Follower], before: datetime) -> bool:
        is_old = game.commits[-1].recorded_at < before
        return is_old and not any(self._lacks(game, follower) for _, follower in _followed([game], followers))

    def _lacks(self, game: FollowedGame, follower: Follower) -> bool:
        is_younger = game.commits[-1].recorded_at < follower.since
        return not is_younger and self._version(game, follower) < len(game.commits)

    def _version(self, game: FollowedGame, follower: Follower) -> int:
        known = self._positions.get((game.game_id, follower.webhook_id))
        return 0 if known is None else known.version

    def _behind(self, game: FollowedGame, follower: Follower, now: datetime) -> BehindHook:
        key = game.game_id, follower.webhook_id
        known = self._positions.get(key)
        is_free = (known is None or known.attempts == 0) and not self._is_owned(key, now)
        lacking = game.commits[self._version(game, follower)]
        return BehindHook(*key, max(lacking.recorded_at, follower.since), is_free)

    def _is_owned(self, key: tuple[UUID, UUID], now: datetime) -> bool:
        until = self._owned_until.get(key)
        return until is not None and until > now


def _followed(games: Iterable[FollowedGame], followers: Sequence[Follower]) -> Iterator[tuple[FollowedGame, Follower]]:
    return ((game, follower) for game in games for follower in followers if follower.tenant == game.tenant)
