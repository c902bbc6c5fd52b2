"""The composition root: the only place where use cases, adapters and the HTTP layer are joined."""

import asyncio
from datetime import timedelta

from litestar import Litestar
from litestar.types import ASGIApp

from service import timing
from service.deadlines import Keeper
from service.draining import Draining
from service.games import Games
from service.live.hub import Hub
from service.live.presence import Presence
from service.ports import Clock, GameLog, Hint, Hints, NewVersion, Shuffler, Sighting
from service.rest import docs, games, glossary, health, moves, players, proofs, records, rulesets, sheet, turns
from service.rest.auth import Tokens
from service.rest.framework import allowed_in, direct, framework_app
from service.rest.places import Places
from service.rest.shell import Shell
from service.rest.showing import Showing
from service.rest.waiting import WaitingRoom
from service.store.hints_memory import MemoryHints


class Service:
    """The service, joined of its parts. `app` answers requests, in `framework` within; `live` does what nobody asks for.

    `hub` and `room` tell who watches games, and who waits; `keeper` keeps the deadlines.
    `secret` (32 bytes or more) signs the players' tokens. The service owns nothing: whoever made `log` and `hints` closes them.
    """

    def __init__(
        self,
        log: GameLog,
        clock: Clock,
        shuffler: Shuffler,
        secret: bytes,
        *,
        hints: Hints | None = None,
        draining: Draining | None = None,
        abandon_after: timedelta = timing.ABANDON_AFTER,
    ) -> None:
        hints, draining = hints or MemoryHints(), draining or Draining()
        use_cases = Games(log, clock, shuffler, hints, abandon_after)
        self.hub = use_cases.hub
        self._presence = Presence(clock, hints.publish)
        self.room = WaitingRoom(draining, self._presence)
        self.keeper = Keeper(use_cases, log, clock)
        hints.subscribe(_Ear(self.hub, self._presence).hear, self.hub.gap)
        tokens = Tokens(secret, self._presence.seen)
        showing = Showing(clock, self._presence)
        self.framework: Litestar = framework_app(
            [
                *players.handlers(tokens),
                *rulesets.handlers(),
                *glossary.handlers(),
                *games.handlers(use_cases, tokens, showing, self.room),
                *moves.handlers(use_cases, tokens, showing),
                *records.handlers(use_cases, tokens, showing, self.room),
                *turns.handlers(use_cases, tokens, showing, self.room),
                *sheet.handlers(use_cases, tokens),
                *proofs.handlers(use_cases, tokens),
                *health.handlers(use_cases, draining),
                *docs.handlers(),
            ]
        )
        self.app: ASGIApp = Shell(direct(self.framework), allowed_in(self.framework), draining, Places())

    async def live(self) -> None:
        """Look for missed news, keep deadlines, tell who is there, and send waiting callers away at the end; until cancelled."""
        async with asyncio.TaskGroup() as group:
            for part in (self.hub, self._presence, self.keeper, self.room):
                group.create_task(part.run())


class _Ear:
    """Takes other processes' hints to whom they concern."""

    def __init__(self, hub: Hub, presence: Presence) -> None:
        self._hub = hub
        self._presence = presence

    def hear(self, hint: Hint) -> None:
        match hint:
            case NewVersion(game_id=game_id, version=version):
                self._hub.hinted(game_id, version)
            case Sighting():
                self._presence.heard(hint)


def create_app(log: GameLog, clock: Clock, shuffler: Shuffler, secret: bytes) -> ASGIApp:
    """Return the app of a service on its own, which does nothing that it is not asked for."""
    return Service(log, clock, shuffler, secret).app
