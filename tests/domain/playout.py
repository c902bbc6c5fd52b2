"""Whole games by the numbers: chance comes from a hash, so that a seed gives the same game on every machine and for ever."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from typing import assert_never

import msgspec
from msgspec import UNSET

from domain.cards import Card
from domain.pocha import decide
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.commands import (
    ChooseTrump,
    ClaimRenuncio,
    Command,
    DealHand,
    ExpireTurn,
    LeaveSeat,
    MakeAuctionBid,
    MakeBid,
    PassAuction,
    PickBlind,
    PlayCard,
    StartGame,
    TakeSeat,
)
from domain.pocha.model.events import Event
from domain.pocha.model.refusals import Refused
from domain.pocha.model.state import Dealing, Finished, HandState, InHand, NotCreated, State
from domain.pocha.rules import ruleset as rules
from domain.pocha.rules.ruleset import RenuncioMode, Ruleset
from domain.pocha.view.game_view import ViewContext, see
from domain.pocha.view.schema import (
    AuctionTurn,
    BidTurn,
    BlindPickTurn,
    ChooseTrumpTurn,
    GameView,
    PlayerRef,
    PlayTurn,
    WaitTurn,
)
from domain.robots import Robot, observe
from domain.table.table import Player
from tests.domain import tables


def named(player_id: str) -> PlayerRef:
    """Return a player as others see them: `ana` is called Ana."""
    return PlayerRef(player_id, player_id.title())


FRAME = ViewContext("game", 7, datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 2, tzinfo=UTC), shown=named)

Chooser = Callable[[HandState, Ruleset, int], Command]
"""Takes where the hand stands, the ruleset and a random number; returns what the seat on turn asks."""


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


def legal_commands(view: GameView) -> list[Command]:
    """Return all that the view of the seat on turn says it may ask, claims apart."""
    assert view.turn is not UNSET
    seat, turn = view.turn.seat, view.turn
    match turn:
        case BlindPickTurn():
            return [PickBlind(seat), *(PickBlind(seat, position) for position in turn.positions)]
        case AuctionTurn():
            passes = [PassAuction(seat)] if turn.may_pass else []
            return [*(MakeAuctionBid(seat, bid) for bid in turn.legal_bids), *passes]
        case ChooseTrumpTurn():
            return [ChooseTrump(seat, suit) for suit in turn.legal_suits]
        case BidTurn():
            return [MakeBid(seat, bid) for bid in turn.legal_bids]
        case PlayTurn():
            return [PlayCard(seat, card) for card in turn.legal_cards]
        case WaitTurn():
            raise AssertionError("that seat is not on turn")
        case _:
            assert_never(turn)


def anything_legal(state: HandState, _ruleset: Ruleset, luck: int) -> Command:
    """Choose any legal move: a player without any sense, so that games go everywhere."""
    choices = legal_commands(see(state, state.turn, FRAME))
    return choices[luck % len(choices)]


def anything(state: HandState, ruleset: Ruleset, luck: int) -> Command:
    """Choose any move, and where renuncios are punished any card at all, now and then."""
    view = see(state, state.turn, FRAME)
    hand, turn = view.hand, view.turn
    assert hand is not UNSET
    assert turn is not UNSET
    careless = ruleset.renuncio.mode is RenuncioMode.PENALISED and luck % 3 == 0
    if careless and isinstance(turn, PlayTurn) and hand.my_cards:
        return PlayCard(turn.seat, hand.my_cards[luck // 3 % len(hand.my_cards)])
    return anything_legal(state, ruleset, luck // 3)


def by_robot(robot: Robot) -> Chooser:
    """Let a robot choose, as the service lets it."""

    def choose(state: HandState, ruleset: Ruleset, luck: int) -> Command:
        return robot(observe(state, state.turn), ruleset, luck)

    return choose


def game(
    ruleset: Ruleset, players: int, seed: int, choose: Chooser = anything_legal, *, claims: bool = True
) -> Iterator[Step]:
    """Play a whole game, `choose` at every seat, from its first deal; yield it step by step.

    Where renuncios are punished, anybody claims anything now and then, unless without `claims`.
    """
    order = tuple(sorted(range(players), key=lambda seat: number(seed, "seat", seat)))
    dealer = number(seed, "dealer") % players
    begun = fold(NotCreated(), tables.waiting(players, players, ruleset))
    yield from play_on(begun, seed, choose, StartGame(order, dealer), claims=claims)


def play_on(
    state: State, seed: int, choose: Chooser = anything_legal, first: Command | None = None, *, claims: bool = True
) -> Iterator[Step]:
    """Play a started game to its end, beginning with the command `first`, if any."""
    asked = first or _next(state, seed, -1, choose, claims=claims)
    for turn in count():
        decision = decide(state, asked)
        yield Step(state, asked, decision.events, decision.state)
        if isinstance(decision.state, Finished):
            return
        state = decision.state
        asked = _next(state, seed, turn, choose, claims=claims)


def _next(state: State, seed: int, turn: int, choose: Chooser, *, claims: bool) -> Command:
    if isinstance(state, Dealing):
        progress = state.progress
        return DealHand(shuffled(rules.deck(progress.ruleset, progress.players), seed, len(progress.results)))
    assert isinstance(state, InHand)
    ruleset = state.progress.ruleset
    claim = a_claim(state, number(seed, turn, "claim"))
    if claims and ruleset.renuncio.mode is RenuncioMode.PENALISED and accepted(state, claim):
        return claim
    return choose(state, ruleset, number(seed, turn))


def a_claim(state: HandState, luck: int) -> ClaimRenuncio:
    """Return any claim; most of them concern nothing that was played."""
    players = state.progress.players
    return ClaimRenuncio(luck % players, luck // 10 % players, luck // 100 % 20)


def an_interruption(state: HandState, luck: int) -> Command | None:
    """Return now and then a turn whose time is over, a player who leaves, or one who comes back."""
    table, on_turn = state.progress.table, state.turn
    seat = luck // 10 % len(table.seats)
    player, away = table.seats[seat].occupant, table.seats[seat].away
    match luck % 10:
        case 0 | 1 | 2 if table.robot_at(on_turn) is None:
            return ExpireTurn(on_turn)
        case 3 if isinstance(player, Player):
            return LeaveSeat(player.player_id, seat)
        case 4 | 5 if away:
            return TakeSeat(away)
        case _:
            return None


def accepted(state: State, asked: Command) -> bool:
    """Tell whether a command is not refused."""
    try:
        return bool(decide(state, asked))
    except Refused:
        return False
