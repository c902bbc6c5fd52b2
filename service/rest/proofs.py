"""What proves that a game was fair: its rules, where its chance came from, and once it is over everything that happened."""

import asyncio

from litestar import get

from domain.pocha import ruleset
from domain.pocha.seen import MAX_VERSION
from domain.pocha.state import State, match_of, table_of
from service.games import Games
from service.record import writing
from service.rest.auth import Tokens
from service.rest.bodies import GameRuleset, ScheduleFor
from service.rest.problems import ApiError, Code
from service.rest.replies import PRIVATE, Reply, json_reply
from service.rest.requests import AnyRequest, game_id_of, query_of
from service.rest.routing import Handlers


def handlers(games: Games, tokens: Tokens) -> Handlers:
    """Return the handlers of `ruleset`, `fairness` and `record`."""

    @get("/v1/games/{game_id:str}/ruleset")
    async def get_game_ruleset(request: AnyRequest) -> Reply:
        player = tokens.player_of(request)
        query_of(request, {})
        snapshot = await games.look(game_id_of(request), player)
        return json_reply(_rules(snapshot.state), headers=PRIVATE)

    @get("/v1/games/{game_id:str}/fairness")
    async def get_fairness(request: AnyRequest) -> Reply:
        player = tokens.player_of(request)
        query_of(request, {})
        snapshot = await games.look(game_id_of(request), player)
        return json_reply(writing.fairness_of(snapshot.game_id, snapshot.state), headers=PRIVATE)

    @get("/v1/games/{game_id:str}/record")
    async def get_record(request: AnyRequest) -> Reply:
        player = tokens.player_of(request)
        query_of(request, {})
        snapshot, commits = await games.history(game_id_of(request), player, 0, MAX_VERSION)
        try:
            # A long game takes some tens of milliseconds, in which nobody else would be answered.
            record = await asyncio.to_thread(writing.record_of, snapshot.game_id, commits)
        except writing.NotFinished:
            raise ApiError(Code.GAME_NOT_OVER) from None
        return json_reply(record, headers=PRIVATE)

    return [get_game_ruleset, get_fairness, get_record]


def _rules(state: State) -> GameRuleset:
    """A started game keeps the schedule that it began with."""
    table, match = table_of(state), match_of(state)
    players = len(table.seats)
    hands = match.schedule if match else ruleset.hand_schedule(table.ruleset, players)
    return GameRuleset(table.ruleset, ScheduleFor(players, ruleset.removed(table.ruleset, players), hands))
