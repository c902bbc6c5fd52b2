"""The core alone: hands of 9 cards played out by 4 at random, three ways.

`rules` asks only what may be played and who takes the trick, on plain lists that it changes; it is the limit of the other two.
`decider` goes the way of the service: a command, events, the next state. `views` makes each move from what the seat sees, as a robot.
"""

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from domain import tricks
from domain.cards import Card
from domain.pocha import decide
from domain.pocha.behaviour import legal
from domain.pocha.model.commands import Command, CreateGame, DealHand, MakeBid, PlayCard, StartGame, TakeSeat
from domain.pocha.model.state import Bidding, Dealing, HandState, InHand, NotCreated, Playing, State
from domain.pocha.rules import presets
from domain.pocha.rules import ruleset as rulesets
from domain.pocha.rules.schedule import HandKind, HandPlan
from domain.robots import easy, observe
from domain.table.table import Player, Visibility

PLAYERS = 4
CARDS = 9
_RULESET = presets.PRESETS["ludoteka-express-4"]
_DECK = rulesets.deck(_RULESET, PLAYERS)
_STRENGTH = tricks.strengths(_RULESET.deck.rank_order)

T = TypeVar("T")
Way = Callable[[Dealing, random.Random], int]
Choose = Callable[[HandState, random.Random], Command]


def dealing() -> Dealing:
    """Return a game of four that is about to deal its first hand."""
    players = [Player(str(seat)) for seat in range(PLAYERS)]
    create = CreateGame(_RULESET, PLAYERS, players[0], (), Visibility.PUBLIC, bytes(32), "0" * 64)
    commands = [create, *map(TakeSeat, players[1:]), StartGame(tuple(range(PLAYERS)), 0)]
    state: State = NotCreated()
    for command in commands:
        state = decide(state, command).state
    assert isinstance(state, Dealing)
    return replace(state, progress=replace(state.progress, schedule=(HandPlan(HandKind.NORMAL, CARDS),)))


def decider(start: Dealing, chance: random.Random) -> int:
    """Play a hand, any legal move; return how many moves."""
    return _played(start, chance, _any)


def views(start: Dealing, chance: random.Random) -> int:
    """Play a hand as robots do; return how many moves."""
    return _played(start, chance, _as_robot)


def rules(_start: Dealing, chance: random.Random) -> int:
    """Play a hand by the rules of tricks alone; return how many moves, as if bids had been made."""
    deck = _shuffled(chance)
    hands = [deck[seat * CARDS : (seat + 1) * CARDS] for seat in range(PLAYERS)]
    leader, trump = 1, deck[-1].suit
    for _ in range(CARDS):
        trick: list[Card] = []
        for place in range(PLAYERS):
            hand = hands[(leader + place) % PLAYERS]
            card = chance.choice(tricks.legal_plays(tuple(hand), trick, trump, _STRENGTH, _RULESET.play))
            hand.remove(card)
            trick.append(card)
        leader = (leader + tricks.winner(trick, trump, _STRENGTH)) % PLAYERS
    return PLAYERS * (CARDS + 1)


def _shuffled(chance: random.Random) -> list[Card]:
    deck = list(_DECK)
    chance.shuffle(deck)
    return deck


def _played(start: Dealing, chance: random.Random, choose: Choose) -> int:
    state: State = start
    command: Command = DealHand(tuple(_shuffled(chance)))
    state, moves = decide(state, command).state, 0
    while isinstance(state, InHand):
        state = decide(state, choose(state, chance)).state
        moves += 1
    return moves


def _any(state: HandState, chance: random.Random) -> Command:
    if isinstance(state, Bidding):
        return MakeBid(state.turn, _one_of(legal.legal_bids(state), chance))
    assert isinstance(state, Playing)
    return PlayCard(state.turn, _one_of(legal.legal_cards(state), chance))


def _one_of(items: Sequence[T], chance: random.Random) -> T:
    """`choice` takes as long as the rules do."""
    return items[int(chance.random() * len(items))]


def _as_robot(state: HandState, chance: random.Random) -> Command:
    return easy.choose(observe(state, state.turn), _RULESET, chance.getrandbits(32))


WAYS: tuple[Way, ...] = (rules, decider, views)
