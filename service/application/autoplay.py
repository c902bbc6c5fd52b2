"""What a table does by itself: the draw for seats and dealer, the deal, and the moves of robots.

All of it joins the commit of the command that led to it, so that a table never rests while it is nobody's turn but its own.
"""

import asyncio

from domain.pocha.behaviour.decide import decide
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.commands import Command, DealHand, StartGame
from domain.pocha.model.events import Event
from domain.pocha.model.state import (
    Auctioning,
    Bidding,
    ChoosingTrump,
    Dealing,
    InHand,
    PickingBlind,
    Playing,
    Progress,
    State,
    Waiting,
    turn_of,
)
from domain.pocha.rules import ruleset
from domain.pocha.rules.ruleset import SeatingOrder
from domain.robots import observe
from domain.table.table import Table
from service.application.ports import Robots, Seeds, Shuffler
from service.application.robots import INLINE

_STEPS_BEFORE_YIELD = 32


async def advance(state: State, shuffler: Shuffler, robots: Robots = INLINE) -> tuple[State, tuple[Event, ...]]:
    """Carry on from `state` until a person has to move, or nobody; return where that is and what happened.

    A table of robots runs to its end here, so others get their turn on the event loop in between.
    """
    happened: list[Event] = []
    steps = 0
    while (command := await _next_command(state, shuffler, robots)) is not None:
        events = decide(state, command)
        state = fold(state, events)
        happened.extend(events)
        steps += 1
        if steps % _STEPS_BEFORE_YIELD == 0:
            await asyncio.sleep(0)
    return state, tuple(happened)


async def _next_command(state: State, shuffler: Shuffler, robots: Robots) -> Command | None:
    match state:
        case Waiting(table=table) if not table.free_seats():
            return start_command(state, shuffler)
        case Dealing(progress=progress):
            return deal_command(progress, shuffler)
        case PickingBlind() | Auctioning() | ChoosingTrump() | Bidding() | Playing():
            return await _robot_move(state, shuffler, robots)
        case _:
            return None


def start_command(waiting: Waiting, shuffler: Shuffler) -> StartGame:
    """Draw the seats, where the rules have them drawn, and the first dealer."""
    table, rules = waiting.table, waiting.ruleset
    players = len(table.seats)
    drawn = rules.seating.order is SeatingOrder.RANDOM
    seeds = _seeds(table)
    order = shuffler.seating(seeds, players) if drawn else tuple(range(players))
    first = rules.dealer.first
    return StartGame(order, shuffler.first_dealer(seeds, players) if first == "random" else int(first))


def deal_command(progress: Progress, shuffler: Shuffler) -> DealHand:
    """Shuffle the pack for the next hand."""
    cards = ruleset.deck(progress.ruleset, progress.players)
    return DealHand(shuffler.deck(_seeds(progress.table), len(progress.results) + 1, cards))


def _seeds(table: Table) -> Seeds:
    return Seeds(table.seed, table.client_seeds)


async def _robot_move(state: InHand, shuffler: Shuffler, robots: Robots) -> Command | None:
    seat = turn_of(state)
    level = state.progress.table.robot_at(seat)
    if level is None:
        return None
    return await robots.choose(level, observe(state, seat), state.progress.ruleset, shuffler.luck())
