"""Fairness and records of games: what proves that a game was fair."""

import asyncio
from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import get
from litestar.params import QueryParameter
from msgspec import UNSET, UnsetType

from domain.pocha.model.state import Finished
from domain.pocha.view.parts import Shown
from service.application.games import Games
from service.application.ports import Commit
from service.application.record import build
from service.application.repository import Game
from service.rest.errors import ApiError, ErrorCode
from service.rest.i18n import Language
from service.rest.lru_cache import LruCache
from service.rest.parameters import GameId
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routing import Router
from service.rest.shown import shown_by

CACHED_BYTES = 4_000_000
CACHED_DIGESTS_BYTES = 1_000_000

PlayerNames = tuple[tuple[str, str | None], ...]

InviteCode = Annotated[str | None, QueryParameter(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+\Z")]

_encode = msgspec.json.Encoder().encode


def router(games: Games) -> Router:
    """Return the routes of fairness and record, under `/v1/games/{game_id}`."""
    records = RecordCache(games)

    @get("/fairness", opt=rate_limit(Policy.READS, cost=20))
    async def get_fairness(request: ApiRequest, game_id: GameId, invite_code: InviteCode = None) -> EncodedResponse:
        game = await games.get_game_invited(game_id, request.user, invite_code)
        fairness = build.fairness_of(game.game_id, game.state, await records.digest(game))
        return json_response(fairness, headers=PRIVATE)

    @get("/record", opt=rate_limit(Policy.READS, cost=20))
    async def get_record(request: ApiRequest, game_id: GameId) -> EncodedResponse:
        game = await games.get_game(game_id, request.user)
        return EncodedResponse(await records.get(game), headers=PRIVATE)

    return Router("/v1/games/{game_id:str}", route_handlers=[get_fairness, get_record])


class RecordCache:
    """Encoded records of finished games, which change only in names, and their digests. Least recently used ones are evicted.

    A record is the same for every reader, so what it says of deleted players is in the default language.
    """

    def __init__(self, games: Games) -> None:
        self._games = games
        self._records: LruCache[tuple[UUID, PlayerNames]] = LruCache(CACHED_BYTES, CACHED_BYTES // 4)
        self._digests: LruCache[tuple[UUID, PlayerNames]] = LruCache(CACHED_DIGESTS_BYTES, CACHED_DIGESTS_BYTES)
        self._building = asyncio.Lock()

    async def get(self, game: Game) -> bytes:
        """Return the record of a game.

        Raises:
            ApiError: it is not finished.
        """
        if not isinstance(game.state, Finished):
            raise ApiError(ErrorCode.GAME_NOT_OVER)
        return self._records.get((game.game_id, _names(game))) or (await self._build(game))[0]

    async def digest(self, game: Game) -> str | UnsetType:
        """Return the digest of a game's record; unset until it is finished."""
        if not isinstance(game.state, Finished):
            return UNSET
        return (self._digests.get((game.game_id, _names(game))) or (await self._build(game))[1]).decode()

    async def _build(self, game: Game) -> tuple[bytes, bytes]:
        """Return the record of a finished game, and its digest."""
        # One at a time: several busy threads would starve the event loop.
        async with self._building:
            key = game.game_id, _names(game)
            record, digest = self._records.get(key), self._digests.get(key)
            if record is None or digest is None:
                commits = await self._games.whole_log(game.game_id)
                # A long game takes tens of milliseconds.
                record, digest = await asyncio.to_thread(_encode_record, game.game_id, commits, _as_now(game))
                self._records.put(key, record)
                self._digests.put(key, digest)
            return record, digest


def _names(game: Game) -> PlayerNames:
    return tuple((player_id, name.text) for player_id, name in game.names.items())


def _as_now(game: Game) -> Shown:
    """Return how the players are shown now, whatever happens until the record is written."""
    shown = {player_id: shown_by(game.names, Language.EN)(player_id) for player_id in game.names}
    return shown.__getitem__


def _encode_record(game_id: UUID, commits: Sequence[Commit], shown: Shown) -> tuple[bytes, bytes]:
    record = build.record_of(game_id, commits, shown)
    return _encode(record), record.digest.encode()
