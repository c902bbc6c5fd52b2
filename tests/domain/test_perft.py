"""Pocha-perft: every complete course of a hand on a tiny pack, counted, and the same one by one as the second engine's (`naive.py`)."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from domain.cards import Card
from domain.pocha import decide
from domain.pocha.model.commands import DealHand
from domain.pocha.model.events import (
    AuctionBidMade,
    AuctionPassed,
    BidMade,
    BlindPickMade,
    CardPlayed,
    Event,
    HandScored,
    TrumpChosen,
)
from domain.pocha.model.state import InHand, PickingBlind, State
from domain.pocha.rules.presets import PRESETS
from domain.pocha.rules.ruleset import PlayersRules
from domain.pocha.rules.schedule import HandKind, HandPlan
from domain.pocha.view.game_view import see
from tests.domain import naive, tables
from tests.domain.playout import FRAME, legal_commands, shuffled

TWELVE = tables.cards(
    "oros-1 oros-3 oros-12 copas-1 copas-3 copas-12 bastos-1 bastos-3 bastos-12 espadas-1 espadas-3 espadas-12"
)
"""Of a smaller pack there are the first cards. Where all are dealt, the last one, or the one picked blind, marks trump."""

NORMAL, INDIA, SUBASTADO, OROS, CIEGA = (
    HandKind.NORMAL,
    HandKind.INDIA,
    HandKind.SUBASTADO,
    HandKind.OROS,
    HandKind.CIEGA,
)

COUNTS: dict[tuple[str, HandKind, int, int, int], int] = {
    ("clasica", NORMAL, 3, 1, 12): 15,
    ("clasica", NORMAL, 3, 2, 12): 147,
    ("clasica", NORMAL, 3, 2, 6): 252,
    ("clasica", NORMAL, 3, 3, 9): 648,
    ("clasica", NORMAL, 3, 3, 12): 1_512,
    ("clasica", NORMAL, 4, 2, 12): 1_917,
    ("clasica", INDIA, 3, 1, 12): 15,
    ("clasica", SUBASTADO, 3, 1, 12): 480,
    ("clasica", SUBASTADO, 2, 2, 12): 1_728,
    ("clasica", OROS, 3, 2, 12): 252,
    ("antigua", NORMAL, 3, 1, 12): 15,
    ("antigua", NORMAL, 3, 2, 12): 294,
    ("antigua", NORMAL, 3, 2, 6): 630,
    ("antigua", INDIA, 3, 1, 12): 15,
    ("antigua", SUBASTADO, 3, 1, 12): 480,
    ("antigua", SUBASTADO, 2, 2, 12): 1_620,
    ("antigua", OROS, 3, 2, 12): 336,
    ("ludoteka-express-3", NORMAL, 3, 1, 12): 15,
    ("ludoteka-express-3", NORMAL, 3, 2, 12): 231,
    ("ludoteka-express-3", NORMAL, 3, 2, 6): 252,
    ("ludoteka-express-3", NORMAL, 3, 3, 9): 1_404,
    ("ludoteka-express-4", NORMAL, 3, 1, 12): 15,
    ("ludoteka-express-4", NORMAL, 3, 2, 12): 315,
    ("ludoteka-express-4", NORMAL, 3, 2, 6): 210,
    ("ludoteka-express-4", NORMAL, 3, 3, 9): 864,
    ("ludoteka-subebaja", NORMAL, 3, 1, 12): 15,
    ("ludoteka-subebaja", NORMAL, 3, 2, 12): 189,
    ("ludoteka-subebaja", NORMAL, 3, 2, 6): 210,
    ("ludoteka-subebaja", NORMAL, 3, 3, 9): 3_024,
    ("ludoteka-loca", NORMAL, 3, 1, 12): 15,
    ("ludoteka-loca", NORMAL, 3, 2, 12): 273,
    ("ludoteka-loca", NORMAL, 3, 2, 6): 252,
    ("ludoteka-loca", NORMAL, 3, 3, 9): 432,
    ("ludoteka-loca", INDIA, 3, 1, 12): 15,
    ("ludoteka-loca", SUBASTADO, 3, 1, 12): 132,
    ("ludoteka-loca", SUBASTADO, 2, 2, 12): 408,
    ("ludoteka-loca", SUBASTADO, 3, 2, 12): 3_525,
    ("ludoteka-loca", CIEGA, 3, 2, 12): 378,
    ("ludoteka-loca", CIEGA, 3, 3, 9): 324,
    ("fournier", NORMAL, 3, 1, 12): 15,
    ("fournier", NORMAL, 3, 2, 12): 252,
    ("fournier", NORMAL, 3, 2, 6): 336,
    ("fournier", NORMAL, 3, 3, 9): 324,
    ("fournier", NORMAL, 3, 3, 12): 2_700,
    ("fournier", NORMAL, 4, 2, 12): 781,
    ("torofun", NORMAL, 3, 1, 12): 24,
    ("torofun", NORMAL, 3, 2, 12): 273,
    ("torofun", NORMAL, 3, 2, 6): 210,
    ("torofun", NORMAL, 3, 3, 9): 2_592,
    ("torofun", NORMAL, 3, 3, 12): 918,
}
"""By preset, kind of hand, players, cards each, and size of the pack: the courses of three deals, or of one where they are many."""


def dealt(name: str, kind: HandKind, players: int, size: int, pack: int, number: int) -> State:
    """Return the deal `number`, its dealer the seat of that number; the presets' own packs are too large."""
    rules = replace(PRESETS[name], players=PlayersRules((players,)))
    state = tables.dealing(HandPlan(kind, size), ruleset=rules, players=players, dealer=number % players)
    deck = shuffled(TWELVE[:pack], name, kind.value, size, number)
    return decide(state, DealHand(deck)).state


def lines(state: State, said: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield every complete course of the hand, by the moves that the view of the seat on turn names."""
    if not isinstance(state, InHand):
        yield said
        return
    for command in legal_commands(see(state, state.turn, FRAME)):
        decision = decide(state, command)
        yield from lines(decision.state, (*said, *words(decision.events)))


def words(events: tuple[Event, ...]) -> Iterator[str]:
    """Yield what happened in the words of the second engine."""
    for event in events:
        match event:
            case BlindPickMade(seat=seat, card=card, position=position):
                yield f"pick {seat}:{'last' if position is None else position} {card}"
            case AuctionBidMade(seat=seat, bid=bid):
                yield f"call {seat}:{bid}"
            case AuctionPassed(seat=seat):
                yield f"call {seat}:-"
            case TrumpChosen(seat=seat, suit=suit):
                yield f"trump {seat}:{suit}"
            case BidMade(seat=seat, bid=bid):
                yield f"bid {seat}:{bid}"
            case CardPlayed(seat=seat, card=card):
                yield f"play {seat}:{card}"
            case HandScored(tricks=tricks):
                yield f"won {' '.join(str(won) for won in tricks)}"
            case _:
                pass


def second_engine(name: str, state: State) -> Iterator[tuple[str, ...]]:
    assert isinstance(state, InHand)
    deal = state.deal
    turn_up: Card | None = deal.turn_up
    assert isinstance(state, PickingBlind) == (
        naive.HOUSES[name].picks and not deal.stock and deal.plan.kind is NORMAL and turn_up is None
    )
    return naive.hand_lines(naive.HOUSES[name], deal.plan.kind, deal.hands, deal.dealer, turn_up)


@pytest.mark.parametrize(
    ("case", "count"), COUNTS.items(), ids=["-".join(str(word) for word in case) for case in COUNTS]
)
def test_the_courses_of_a_hand_are_as_many_as_written_and_those_of_the_second_engine(
    case: tuple[str, HandKind, int, int, int], count: int
) -> None:
    name, kind, players, size, pack = case
    found = 0
    for number in deals(size):
        state = dealt(name, kind, players, size, pack, number)
        ours, theirs = sorted(lines(state)), sorted(second_engine(name, state))
        assert ours == theirs
        found += len(ours)
    assert found == count


def deals(size: int) -> range:
    return range(3 if size < 3 else 1)


def test_every_preset_is_counted_in_every_kind_of_hand_that_it_has() -> None:
    for name, rules in PRESETS.items():
        kinds = {block.kind for block in rules.schedule.blocks}
        assert {kind for preset, kind, *_ in COUNTS if preset == name} == kinds
