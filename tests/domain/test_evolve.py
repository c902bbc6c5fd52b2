"""Events build the state, decide nothing, and cannot happen at the wrong moment."""

import msgspec
import pytest

from domain.cards import Card
from domain.pocha.events import (
    BidMade,
    CardPlayed,
    Event,
    GameAbandoned,
    GameOver,
    GameStarted,
    HandScored,
    RobotSeated,
    SeatLeft,
    SeatTaken,
    TrickTaken,
)
from domain.pocha.evolve import ImpossibleEvent, fold
from domain.pocha.schedule import HandKind
from domain.pocha.state import Bidding, Dealing, Finished, NotCreated, Playing, TakenTrick, Trick
from domain.pocha.table import Level
from domain.seats import from_seat, next_seat
from tests.domain import tables
from tests.domain.tables import ANA, BEA, bids, cards, dealt, plays, started

DEAL = dealt("oros-1 oros-2", "copas-1 copas-2", "bastos-1 bastos-2", turn_up="espadas-4")
SCORED = HandScored(1, (0, 0, 0), (0, 2, 0), (10, -10, 10), (10, -10, 10), (0, 1, 0), (1, 3, 1))

MOMENTS: dict[str, tuple[Event, ...]] = {
    "not created": (),
    "waiting": tables.waiting(),
    "dealing": started(),
    "bidding": (*started(), DEAL),
    "playing": (*started(), DEAL, *bids(0, 0, 0)),
    "finished": (*started(), GameOver((0,))),
    "abandoned": (*tables.waiting(), GameAbandoned()),
}
SITTING = {"waiting", "dealing", "bidding", "playing"}
AT_MOMENTS: list[tuple[Event, set[str]]] = [
    (tables.created(), {"not created"}),
    (SeatTaken(1, BEA), SITTING),
    (SeatLeft(0, ANA), SITTING),
    (RobotSeated(1, Level.EASY), SITTING),
    (GameStarted((ANA, BEA), 0, ()), {"waiting"}),
    (DEAL, {"dealing"}),
    (BidMade(1, 0), {"bidding"}),
    (CardPlayed(1, Card.COPAS_1), {"playing"}),
    (TrickTaken(1, Card.COPAS_1), {"playing"}),
    (SCORED, {"playing"}),
    (GameOver((0,)), {"dealing"}),
    (GameAbandoned(), {"waiting"}),
]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize(("event", "possible"), AT_MOMENTS, ids=[type(event).__name__ for event, _ in AT_MOMENTS])
def test_an_event_happens_at_its_moments_and_at_no_other(moment: str, event: Event, possible: set[str]) -> None:
    state = fold(NotCreated(), MOMENTS[moment])
    if moment in possible:
        fold(state, [event])
    else:
        with pytest.raises(ImpossibleEvent):
            fold(state, [event])


def test_bids_come_in_order_and_are_kept_by_seat_once_all_are_made() -> None:
    bidding = fold(NotCreated(), (*started(dealer=1), DEAL, *bids(2, 1, mano=2)))
    assert isinstance(bidding, Bidding)
    playing = fold(NotCreated(), (*started(), DEAL, *bids(2, 1, 0)))
    assert isinstance(playing, Playing)
    assert playing.bids == (0, 2, 1)
    assert playing.trick == Trick(1)


def test_a_played_card_leaves_its_hand_and_lies_on_the_table() -> None:
    state = fold(NotCreated(), (*MOMENTS["playing"], *plays("copas-2")))
    assert isinstance(state, Playing)
    assert state.hands == (cards("oros-1 oros-2"), cards("copas-1"), cards("bastos-1 bastos-2"))
    assert state.trick == Trick(1, cards("copas-2"))


def test_who_took_the_trick_leads_the_next_one_and_the_trick_can_still_be_seen() -> None:
    trick = (*plays("copas-1 bastos-1 oros-1"), TrickTaken(2, Card.BASTOS_1))
    state = fold(NotCreated(), (*MOMENTS["playing"], *trick))
    assert isinstance(state, Playing)
    assert (state.trick, state.tricks_won) == (Trick(2), (0, 0, 1))
    assert state.last_trick == TakenTrick(2, Trick(1, cards("copas-1 bastos-1 oros-1")))


def test_what_an_event_says_is_believed_even_where_today_the_rules_would_say_otherwise() -> None:
    """An old log reads the same under newer rules: conclusions are in the events."""
    odd = HandScored(1, (0, 0, 0), (9, 9, 9), (1, 2, 3), (4, 5, 6), (7, 8, 9), (3, 2, 1))
    state = fold(NotCreated(), (*MOMENTS["playing"], odd))
    assert isinstance(state, Dealing)
    assert (state.match.totals, state.match.missed, state.match.ranks) == ((4, 5, 6), (7, 8, 9), (3, 2, 1))
    assert state.match.results[0].plan.kind is HandKind.NORMAL
    over = fold(state, [GameOver((2,))])
    assert isinstance(over, Finished)
    assert over.winners == (2,)


@pytest.mark.parametrize("event", [event for event, _ in AT_MOMENTS], ids=[type(e).__name__ for e, _ in AT_MOMENTS])
def test_an_event_survives_json(event: Event) -> None:
    assert msgspec.json.decode(msgspec.json.encode(event), type=Event) == event


def test_seats_go_round_counter_clockwise() -> None:
    assert [next_seat(seat, 3) for seat in range(3)] == [1, 2, 0]
    assert from_seat(2, 4) == (2, 3, 0, 1)
