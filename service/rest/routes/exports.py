"""Everything that is kept about the caller, as one document."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

import msgspec
from litestar import get
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import UNSET

from domain.pocha.view.event_view import redact
from service.application.caller import Caller
from service.application.exporting import Exporting, OwnGame
from service.rest import score_keeper_presenter
from service.rest.i18n import Language, language_of
from service.rest.my_games import my_game
from service.rest.presenter import GamePresenter
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE
from service.rest.routes.matches import match_view
from service.rest.routing import Router
from service.rest.schemas.exports import ExportedGame, ExportedPlayer, ExportedSheet
from service.rest.scope import HEAD_ONLY
from service.rest.shown import shown_by

_COST = 200
"""Every game has to be read from its log."""
_encode = msgspec.json.Encoder().encode


def router(exporting: Exporting, presenter: GamePresenter) -> Router:
    """Return the route of `/v1/me/export`."""

    @get("/export", opt=rate_limit(Policy.READS, cost=_COST))
    async def export_me(request: ApiRequest) -> ASGIApp:
        caller, language = request.user, language_of(request.scope)
        profile = await exporting.profile(caller)
        player = ExportedPlayer(
            player_id=caller.id,
            tenant=caller.tenant,
            display_name=profile.display_name if profile else caller.display_name,
            named_at=profile.named_at if profile else UNSET,
        )
        requests = tuple(match_view(each) for each in await exporting.matches(caller))
        head = {"exported_at": presenter.clock.now(), "player": player, "matches": requests}
        lists: Mapping[str, AsyncIterator[Any]] = {
            "score_keepers": (_sheet(kept, caller) async for kept in exporting.score_sheets(caller)),
            "games": (_game(own, caller, presenter, language) async for own in exporting.games(caller)),
        }
        return _Document(head, lists)

    return Router("/v1/me", route_handlers=[export_me])


def _sheet(kept: score_keeper_presenter.KeptSheet, caller: Caller) -> ExportedSheet:
    entries = score_keeper_presenter.entries(kept)
    own = tuple(entry for entry in reversed(entries) if entry.player_id == caller.id)
    return ExportedSheet(score_keeper_presenter.view(kept), own)


def _game(own: OwnGame, caller: Caller, presenter: GamePresenter, language: Language) -> ExportedGame:
    shown = shown_by(own.game.names, language)
    return ExportedGame(
        my_game(own.game, caller, presenter, language),
        tuple(
            redact(event, getattr(event, "seat", None), commit.version, commit.recorded_at, shown)
            for commit in own.own
            for event in commit.events
        ),
    )


class _Document:
    """The response: a JSON object with the members of `head`, and lists whose items are made while they are sent."""

    def __init__(self, head: dict[str, Any], lists: Mapping[str, AsyncIterator[Any]]) -> None:
        self._head = head
        self._lists = lists

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - the ASGI signature
        """Send the document. Where an item cannot be made any more, the connection ends before the document does."""
        headers = {**PRIVATE, "Content-Type": "application/json"}
        written = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": written})
        if not HEAD_ONLY.get(scope):
            async for part in self._parts():
                await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _parts(self) -> AsyncIterator[bytes]:
        yield _encode(self._head)[:-1]
        for name, items in self._lists.items():
            yield b',"%s":[' % name.encode()
            separator = b""
            async for item in items:
                yield separator + _encode(item)
                separator = b","
            yield b"]"
        yield b"}"
