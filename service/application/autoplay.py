"""Autoplay: the draw of seats and dealer, the deal, robots' moves, and the moves without a choice of players who ask for that.

They join the commit of the command that led to them. A stored game therefore waits for a player or for a robot that takes its time, is
over, or rests: where no player sits, robots make no move until one comes back. So no request makes more moves than there are between two
choices of players.
"""

import asyncio
from uuid import UUID

from domain.pocha import Command, Decision, State, decide
from domain.pocha.behaviour import legal
from domain.pocha.behaviour.phases import require_turn, wrong_phase
from domain.pocha.model.commands import ClaimRenuncio, DealHand, StartGame
from domain.pocha.model.events import Event
from domain.pocha.model.state import Dealing, HandState, InHand, Progress, Waiting
from domain.pocha.rules import ruleset
from domain.pocha.rules.ruleset import SeatingOrder
from domain.robots import observe
from domain.table.table import Level, Table
from service.application.deadlines import is_resting
from service.application.ports import Robots, Seeds, Shuffler
from service.application.robots import INLINE

_STEPS_BEFORE_YIELD = 32


async def advance(decision: Decision, shuffler: Shuffler, robots: Robots = INLINE) -> Decision:
    """Continue `decision` until a player must choose, a robot takes its time, or the game is over; return it with the events that follow.

    Long chains of robots' moves yield to other tasks of the event loop every few steps.
    """
    state, events = decision.state, [*decision.events]
    steps = 0
    while (command := await _next_command(state, shuffler, robots)) is not None:
        following = decide(state, command)
        state = following.state
        events.extend(following.events)
        steps += 1
        if steps % _STEPS_BEFORE_YIELD == 0:
            await asyncio.sleep(0)
    return Decision(tuple(events), state)


async def move_for(state: State, seat: int, level: Level, shuffler: Shuffler, robots: Robots) -> Decision:
    """Return the move that a robot of `level` makes for `seat`, after the claims that it can prove.

    Raises:
        Refused: it is not the turn of `seat`.
    """
    events: list[Event] = []
    while True:
        if not isinstance(state, InHand):
            raise wrong_phase(state)
        require_turn(state, seat)
        choice = await robots.choose(level, observe(state, seat), state.progress.ruleset, shuffler.luck())
        decision = decide(state, choice)
        state = decision.state
        events.extend(decision.events)
        if not isinstance(choice, ClaimRenuncio):
            return Decision(tuple(events), state)


async def _next_command(state: State, shuffler: Shuffler, robots: Robots) -> Command | None:
    match state:
        case Waiting() if not state.table.free_seats:
            return start_command(state, shuffler)
        case Dealing():
            return deal_command(state.progress, shuffler)
        case InHand():
            return await _automatic_move(state, shuffler, robots)
        case _:
            return None


def start_command(waiting: Waiting, shuffler: Shuffler) -> StartGame:
    """Return the start of a game: the first dealer and, if the ruleset has them drawn, the seats follow from the seeds."""
    table, rules = waiting.table, waiting.ruleset
    players = len(table.seats)
    drawn = rules.seating.order is SeatingOrder.RANDOM
    seeds = _seeds(table)
    order = shuffler.seating(seeds, players) if drawn else tuple(range(players))
    first = rules.dealer.first
    return StartGame(order, shuffler.first_dealer(seeds, players) if first == "random" else int(first))


def deal_command(progress: Progress, shuffler: Shuffler) -> DealHand:
    """Return the deal of the next hand: the deck follows from the seeds."""
    cards = ruleset.deck(progress.ruleset, progress.players)
    return DealHand(shuffler.deck(_seeds(progress.table), progress.next_number, cards))


def _seeds(table: Table) -> Seeds:
    game_id = None if table.game_id is None else UUID(table.game_id)
    return Seeds(table.seed, table.client_seeds, game_id)


async def _automatic_move(state: HandState, shuffler: Shuffler, robots: Robots) -> Command | None:
    table = state.progress.table
    level = table.robot_at(state.turn)
    if level is None:
        return legal.forced_move(state) if table.plays_forced_moves(state.turn) else None
    if table.is_paced(state.turn) or is_resting(state):
        return None
    return await robots.choose(level, observe(state, state.turn), state.progress.ruleset, shuffler.luck())
