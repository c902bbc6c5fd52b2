"""Reactions: what players say to each other at a table, from a fixed list.

They are not stored: who is connected sees them, and nobody else. Other processes hear of them by hints, which may be lost.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from uuid import UUID

import msgspec
from cachetools import LRUCache

from domain.pocha.model.refusals import Reason, Refused
from domain.table.table import Reaction
from service.application import idempotency, permissions
from service.application.caller import Caller
from service.application.command_handler import KeyReused
from service.application.idempotency import RequestKey
from service.application.ports import Clock, Notifier, ReactionHint
from service.application.repository import GameRepository

Take = Callable[[ReactionHint], None]
"""Takes a reaction for somebody who sees the table. Never blocks."""

_MAX_REMEMBERED = 10_000


class Muted(msgspec.Struct, frozen=True):
    """Whose reactions a listener does not want: those of all, or of some players."""

    everybody: bool = False
    player_ids: frozenset[str] = frozenset()

    def covers(self, player_id: str) -> bool:
        """Tell whether the reactions of a player are not wanted."""
        return self.everybody or player_id in self.player_ids


class _Sent(msgspec.Struct, frozen=True):
    """A reaction that was sent, and the hash of its request."""

    reaction: ReactionHint
    fingerprint: bytes


class Reactions:
    """Sends reactions, and shows those of all processes to the listeners of this one."""

    def __init__(self, games: GameRepository, clock: Clock, notifier: Notifier) -> None:
        self._games = games
        self._clock = clock
        self._notifier = notifier
        self._listeners: dict[UUID, dict[Take, Muted]] = {}
        self._sent: LRUCache[UUID, _Sent] = LRUCache(_MAX_REMEMBERED)

    async def send(
        self, game_id: UUID, caller: Caller, reaction: Reaction, key: RequestKey | None = None
    ) -> tuple[ReactionHint, bool]:
        """Show the reaction of the caller, who sits there, to all who see the table; return it, and whether that was done before.

        A repetition is only known to the process that took the first request; the id of the reaction is the same in all.

        Raises:
            NoSuchGame, PlayerRequired, Refused, KeyReused: as the names say.
        """
        game = await self._games.latest(game_id)
        seat, player = permissions.require_seat(game, caller), caller.require_player()
        if game.is_over:
            raise Refused(Reason.GAME_OVER)
        key = key or idempotency.random_key()
        known = self._sent.get(key.command_id)
        if known is not None:
            if known.fingerprint != key.fingerprint:
                raise KeyReused
            return known.reaction, True
        hint = ReactionHint(game_id, key.command_id, seat, player.player_id, reaction, self._clock.now())
        self._sent[key.command_id] = _Sent(hint, key.fingerprint)
        self.receive(hint)
        self._notifier.publish(hint)
        return hint, False

    def receive(self, reaction: ReactionHint) -> None:
        """Show a reaction to those who see its table."""
        for take, muted in tuple(self._listeners.get(reaction.game_id, {}).items()):
            if not muted.covers(reaction.player_id):
                take(reaction)

    @contextmanager
    def listen(self, game_id: UUID, muted: Muted, take: Take) -> Generator[None]:
        """Let `take` have the reactions at a table, of those who are not muted, within the `with` block."""
        self._listeners.setdefault(game_id, {})[take] = muted
        try:
            yield
        finally:
            del self._listeners[game_id][take]
            if not self._listeners[game_id]:
                del self._listeners[game_id]
