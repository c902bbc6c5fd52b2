"""One game by two rulesets: the same cards and the same moves, until something differs that somebody can see."""

from collections.abc import Iterator
from enum import Enum, auto
from random import Random
from typing import assert_never

from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.pocha import decide
from domain.pocha.behaviour.decision import Decision
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model import commands as cmd
from domain.pocha.model.commands import Command, DealHand, StartGame
from domain.pocha.model.refusals import Refused
from domain.pocha.model.state import (
    Auctioning,
    Bidding,
    ChoosingTrump,
    Dealing,
    Finished,
    HandState,
    InHand,
    NotCreated,
    PickingBlind,
    Playing,
    State,
    Waiting,
)
from domain.pocha.rules import ruleset as rules
from domain.pocha.rules.ruleset import RenuncioMode, Ruleset
from domain.pocha.view.game_view import see
from domain.tricks import Strengths
from service.application import autoplay
from service.application.shuffle import SeededShuffler
from tests.domain import tables
from tests.domain.playout import FRAME

Both = tuple[State, State]
"""How the same game stands by either ruleset."""


class Mood(Enum):
    """How a hand is bid: anyhow, as low as may be, or so that the mano, who has the highest cards of a suit, takes all tricks."""

    ANY = auto()
    LOW = auto()
    SLAM = auto()


class Differs(Exception):
    """The games differ, in what the message says."""


def difference(one: Ruleset, other: Ruleset, players: int, luck: Random) -> str | None:
    """Play a game by both rulesets; return what differs first, if anything."""
    try:
        _play(one, other, players, luck)
    except Differs as found:
        return str(found)
    return None


def _play(one: Ruleset, other: Ruleset, players: int, luck: Random) -> None:
    _same(rules.hand_schedule(one, players), rules.hand_schedule(other, players), "schedule")
    _same(rules.deck(one, players), rules.deck(other, players), "deck")
    a, b = (fold(NotCreated(), tables.waiting(players, players, each)) for each in (one, other))
    a, b = _asked(a, b, _start(a, b, luck))
    mood = Mood.ANY
    while not isinstance(a, Finished):
        _same_views(a, b)
        if isinstance(a, Dealing):
            mood = luck.choice([*Mood])
            a, b = _asked(a, b, DealHand(_deck(one, other, a, luck, mood)))
            continue
        assert isinstance(a, InHand)
        wishes = (*_claims(a, b, luck), *_moves(a, luck, mood))
        a, b = next(after for command in wishes if (after := _outcome(a, b, command)))
    _same_views(a, b)


def _start(a: State, b: State, luck: Random) -> StartGame:
    assert isinstance(a, Waiting)
    assert isinstance(b, Waiting)
    seed = luck.randbytes(32)
    seeded = [replace(each, table=replace(each.table, seed=seed)) for each in (a, b)]
    start, other = (autoplay.start_command(each, SeededShuffler()) for each in seeded)
    _same(start, other, "start")
    return start


def _deck(one: Ruleset, other: Ruleset, state: Dealing, luck: Random, mood: Mood) -> tuple[Card, ...]:
    """Return a shuffled pack. Now and then a card that multiplies lies where one is turned up."""
    players, plan = state.progress.players, state.progress.next_hand
    assert plan is not None
    cards = [*rules.deck(one, players)]
    luck.shuffle(cards)
    dealt = plan.cards * players
    turn_up = min(dealt, len(cards) - 1)
    if mood is Mood.SLAM:
        suit = luck.choice([*Suit])
        cards = _to_the_mano(cards, suit, one.deck.strengths, range(0, dealt, players), turn_up)
    special = [card for each in (one, other) for card in each.scoring.turn_up_multiplier if card in cards]
    if special and luck.random() < 1 / 2:
        at = cards.index(luck.choice(special))
        cards[at], cards[turn_up] = cards[turn_up], cards[at]
    return tuple(cards)


def _to_the_mano(cards: list[Card], suit: Suit, strength: Strengths, places: range, turn_up: int) -> list[Card]:
    """Return the pack with the lowest card of the suit turned up, and the highest ones at the places of the mano."""
    ordered = sorted(cards, key=lambda card: (card.suit is suit, strength[card.number]), reverse=True)
    lowest = [card for card in ordered if card.suit is suit][-1]
    chosen = [card for card in ordered if card is not lowest][: len(places)]
    others = iter([card for card in cards if card is not lowest and card not in chosen])
    of_mano = dict(zip(places, chosen, strict=True))
    return [of_mano[at] if at in of_mano else lowest if at == turn_up else next(others) for at in range(len(cards))]


def _moves(state: HandState, luck: Random, mood: Mood) -> list[Command]:
    """Return what the seat on turn may ask, legal or not, in the order in which it would like to."""
    moves = _ascending(state)
    if mood is Mood.ANY or (isinstance(state, Playing) and state.turn != state.deal.mano):
        luck.shuffle(moves)
    elif mood is Mood.SLAM and state.turn == state.deal.mano and isinstance(state, (Auctioning, Bidding)):
        moves.reverse()
    return moves


def _ascending(state: HandState) -> list[Command]:
    """Return the moves from the lowest bid to the highest, in the order of the hand, and the suit of its first card first."""
    seat, numbers = state.turn, range(state.deal.plan.cards + 1)
    match state:
        case PickingBlind():
            return [cmd.PickBlind(seat, position) for position in (None, *numbers)]
        case Auctioning():
            return [cmd.PassAuction(seat), *(cmd.MakeAuctionBid(seat, bid) for bid in numbers)]
        case ChoosingTrump():
            first = state.deal.hands[seat][0].suit
            return [cmd.ChooseTrump(seat, suit) for suit in sorted(Suit, key=lambda suit: suit is not first)]
        case Bidding():
            return [cmd.MakeBid(seat, bid) for bid in numbers]
        case Playing():
            return [cmd.PlayCard(seat, card) for card in state.hands[seat]]
        case _:
            assert_never(state)


def _claims(a: HandState, b: State, luck: Random) -> Iterator[Command]:
    """Yield some claim now and then, if one of the rulesets punishes renuncios."""
    assert isinstance(b, InHand)
    modes = {each.progress.ruleset.renuncio.mode for each in (a, b)}
    if modes != {RenuncioMode.ENFORCED} and luck.random() < 1 / 3:
        players = a.progress.players
        yield cmd.ClaimRenuncio(luck.randrange(players), luck.randrange(players), luck.randint(1, a.deal.plan.cards))


def _outcome(a: State, b: State, command: Command) -> Both | None:
    """Return both games after a command; None where both refuse it."""
    one, other = _answer(a, command), _answer(b, command)
    if isinstance(one, Refused) and isinstance(other, Refused):
        _same((one.reason, one.facts), (other.reason, other.facts), f"refusal of {command}")
        return None
    if isinstance(one, Refused) or isinstance(other, Refused):
        raise Differs(f"refusal of {command}")
    _same(one.events, other.events, f"events of {command}")
    return one.state, other.state


def _answer(state: State, command: Command) -> Decision | Refused:
    try:
        return decide(state, command)
    except Refused as refused:
        return refused


def _asked(a: State, b: State, command: Command) -> Both:
    after = _outcome(a, b, command)
    assert after is not None
    return after


def _same_views(a: State, b: State) -> None:
    _same(type(a), type(b), "phase")
    if isinstance(a, Dealing) and isinstance(b, Dealing):
        _same(a.progress.next_hand, b.progress.next_hand, "next hand")
        return
    viewer = a.turn if isinstance(a, InHand) else 0
    _same(see(a, viewer, FRAME), see(b, viewer, FRAME), "view")


def _same(one: object, other: object, what: str) -> None:
    if one != other:
        raise Differs(what)
