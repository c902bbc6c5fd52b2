"""Fairness and records of games: what proves that a game was fair."""

import asyncio
from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Router, get
from litestar.params import QueryParameter

from domain.pocha.model.state import Finished
from domain.pocha.view.schema import MAX_VERSION
from service.application.caller import Caller
from service.application.games import Games
from service.application.ports import Commit
from service.application.record import build
from service.rest.errors import ApiError, ErrorCode
from service.rest.lru_cache import LruCache
from service.rest.parameters import GameId
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response

CACHED_BYTES = 4_000_000

InviteCode = Annotated[str | None, QueryParameter(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+\Z")]

_encode = msgspec.json.Encoder().encode


def router(games: Games) -> Router:
    """Return the routes of fairness and record, under `/v1/games/{game_id}`."""
    records = RecordCache(games)

    @get("/fairness", opt=rate_limit(Policy.READS))
    async def get_fairness(request: ApiRequest, game_id: GameId, invite_code: InviteCode = None) -> EncodedResponse:
        game = await games.get_game_invited(game_id, request.user, invite_code)
        return json_response(build.fairness_of(game.game_id, game.state), headers=PRIVATE)

    @get("/record", opt=rate_limit(Policy.READS, cost=20))
    async def get_record(request: ApiRequest, game_id: GameId) -> EncodedResponse:
        return EncodedResponse(await records.get(game_id, request.user), headers=PRIVATE)

    return Router("/v1/games/{game_id:str}", route_handlers=[get_fairness, get_record])


class RecordCache:
    """Encoded records of finished games, which never change. Least recently used ones are evicted."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._cache: LruCache[UUID] = LruCache(CACHED_BYTES, CACHED_BYTES // 4)
        self._building = asyncio.Lock()

    async def get(self, game_id: UUID, caller: Caller) -> bytes:
        """Return the record of a game.

        Raises:
            NoSuchGame: there is no such game that the caller may know of.
            ApiError: it is not finished.
        """
        game = await self._games.get_game(game_id, caller)
        if not isinstance(game.state, Finished):
            raise ApiError(ErrorCode.GAME_NOT_OVER)
        return self._cache.get(game_id) or await self._build(game_id, caller)

    async def _build(self, game_id: UUID, caller: Caller) -> bytes:
        # One at a time: several busy threads would starve the event loop.
        async with self._building:
            record = self._cache.get(game_id)
            if record is None:
                _, commits = await self._games.read_history(game_id, caller, 0, MAX_VERSION)
                # A long game takes tens of milliseconds.
                record = await asyncio.to_thread(_encode_record, game_id, commits)
                self._cache.put(game_id, record)
            return record


def _encode_record(game_id: UUID, commits: Sequence[Commit]) -> bytes:
    return _encode(build.record_of(game_id, commits))
