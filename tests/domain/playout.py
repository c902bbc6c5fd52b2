"""Whole games by the numbers: chance comes from a hash, so that a seed gives the same game on every machine and for ever."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from hashlib import sha256

import msgspec
from msgspec import UNSET

from domain.cards import Card
from domain.pocha import ruleset as rules
from domain.pocha.commands import Command, DealHand, MakeBid, PlayCard, StartGame
from domain.pocha.decide import decide
from domain.pocha.events import Event
from domain.pocha.evolve import fold
from domain.pocha.ruleset import Ruleset
from domain.pocha.seen import GameView
from domain.pocha.state import Dealing, Finished, InHand, NotCreated, State, turn_of
from domain.pocha.view import Frame, see
from domain.robots.move import Bid, Play, Robot
from tests.domain import tables

FRAME = Frame("game", 7, datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 2, tzinfo=UTC))


class Step(msgspec.Struct, frozen=True):
    """What was asked, what followed, and how the game stood before and after."""

    before: State
    command: Command
    events: tuple[Event, ...]
    after: State


def number(*seed: object) -> int:
    """Return a large number that depends on nothing but `seed`."""
    return int.from_bytes(sha256(repr(seed).encode()).digest(), "big")


def shuffled(cards: tuple[Card, ...], *seed: object) -> tuple[Card, ...]:
    """Return `cards` in an order that depends on nothing but `seed`."""
    return tuple(sorted(cards, key=lambda card: number(*seed, str(card))))


def anything_legal(view: GameView, _ruleset: Ruleset, luck: int) -> Bid | Play:
    """Choose any legal move: a robot without any sense, so that games go everywhere."""
    assert view.turn is not UNSET
    if view.turn.legal_bids is not UNSET:
        return Bid(view.turn.legal_bids[luck % len(view.turn.legal_bids)])
    assert view.turn.legal_cards is not UNSET
    return Play(view.turn.legal_cards[luck % len(view.turn.legal_cards)])


def game(ruleset: Ruleset, players: int, seed: int, robot: Robot = anything_legal) -> Iterator[Step]:
    """Play a whole game, `robot` at every seat, from its first deal; yield it step by step."""
    order = tuple(sorted(range(players), key=lambda seat: number(seed, "seat", seat)))
    dealer = number(seed, "dealer") % players
    begun = fold(NotCreated(), tables.waiting(players, players, ruleset))
    yield from _on(begun, lambda state: _next(state, ruleset, players, seed, robot), StartGame(order, dealer))


def _on(state: State, choose: Callable[[State], Command], first: Command) -> Iterator[Step]:
    command = first
    while True:
        events = decide(state, command)
        after = fold(state, events)
        yield Step(state, command, events, after)
        if isinstance(after, Finished):
            return
        state, command = after, choose(after)


def _next(state: State, ruleset: Ruleset, players: int, seed: int, robot: Robot) -> Command:
    if isinstance(state, Dealing):
        return DealHand(shuffled(rules.deck(ruleset, players), seed, len(state.match.results)))
    assert isinstance(state, InHand)
    seat = turn_of(state)
    view = see(state, seat, FRAME)
    match robot(view, ruleset, number(seed, len(state.match.results), msgspec.json.encode(view))):
        case Bid(bid=bid):
            return MakeBid(seat, bid)
        case Play(card=card):
            return PlayCard(seat, card)
