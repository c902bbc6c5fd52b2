"""What proves that a game was fair: its rules, where its chance came from, and once it is over everything that happened."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

import msgspec
from litestar import get

from domain.pocha.model.state import Finished, State, progress_of, ruleset_of, table_of
from domain.pocha.rules import ruleset
from domain.pocha.view.schema import MAX_VERSION
from service.application.caller import Caller
from service.application.games import Games
from service.application.ports import Commit
from service.application.record import build
from service.rest.auth.authenticate import Authenticator
from service.rest.errors import ApiError, ErrorCode
from service.rest.lru_cache import LruCache
from service.rest.requests import AnyRequest, game_id_of, query_of
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routing import Handlers
from service.rest.schemas import GameRuleset, ScheduleFor

MOST_KEPT_BYTES = 4_000_000

_encode = msgspec.json.Encoder().encode


class Records:
    """The records of finished games, encoded. The last ones are kept: such a game never changes."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._kept: LruCache[UUID] = LruCache(MOST_KEPT_BYTES, MOST_KEPT_BYTES // 4)
        self._making = asyncio.Lock()

    async def of(self, game_id: UUID, caller: Caller) -> bytes:
        """Return the record of a game.

        Raises:
            NoSuchGame: there is none that the caller may know of.
            ApiError: it is not finished.
        """
        snapshot = await self._games.get_game(game_id, caller)
        if not isinstance(snapshot.state, Finished):
            raise ApiError(ErrorCode.GAME_NOT_OVER)
        return self._kept.get(game_id) or await self._made(game_id, caller)

    async def _made(self, game_id: UUID, caller: Caller) -> bytes:
        # One at a time: several threads at work would leave the loop hardly any turn.
        async with self._making:
            record = self._kept.get(game_id)
            if record is None:
                _, commits = await self._games.read_history(game_id, caller, 0, MAX_VERSION)
                # A long game takes some tens of milliseconds, in which nobody else would be answered.
                record = await asyncio.to_thread(_record, game_id, commits)
                self._kept.put(game_id, record)
            return record


def handlers(games: Games, auth: Authenticator) -> Handlers:
    """Return the handlers of `ruleset`, `fairness` and `record`."""
    records = Records(games)

    @get("/v1/games/{game_id:str}/ruleset")
    async def get_game_ruleset(request: AnyRequest) -> EncodedResponse:
        caller = await auth.caller_of(request)
        query_of(request, {})
        snapshot = await games.get_game(game_id_of(request), caller)
        return json_response(_rules(snapshot.state), headers=PRIVATE)

    @get("/v1/games/{game_id:str}/fairness")
    async def get_fairness(request: AnyRequest) -> EncodedResponse:
        caller = await auth.caller_of(request)
        query_of(request, {})
        snapshot = await games.get_game(game_id_of(request), caller)
        return json_response(build.fairness_of(snapshot.game_id, snapshot.state), headers=PRIVATE)

    @get("/v1/games/{game_id:str}/record")
    async def get_record(request: AnyRequest) -> EncodedResponse:
        caller = await auth.caller_of(request)
        query_of(request, {})
        return EncodedResponse(await records.of(game_id_of(request), caller), headers=PRIVATE)

    return [get_game_ruleset, get_fairness, get_record]


def _record(game_id: UUID, commits: Sequence[Commit]) -> bytes:
    return _encode(build.record_of(game_id, commits))


def _rules(state: State) -> GameRuleset:
    """A started game keeps the schedule that it began with."""
    rules, progress = ruleset_of(state), progress_of(state)
    players = len(table_of(state).seats)
    hands = progress.schedule if progress else ruleset.hand_schedule(rules, players)
    return GameRuleset(rules, ScheduleFor(players, ruleset.removed(rules, players), hands))
