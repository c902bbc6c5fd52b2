"""Events build the state, decide nothing, and cannot happen at the wrong moment."""

import msgspec
import pytest
from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.pocha import ImpossibleEvent, fold
from domain.pocha.model.events import (
    AuctionBidMade,
    AuctionPassed,
    AuctionWon,
    BidMade,
    BlindPickMade,
    CardPlayed,
    Event,
    GameAbandoned,
    GameOver,
    GameStarted,
    HandScored,
    RenuncioClaimed,
    RobotSeated,
    SeatLeft,
    SeatTaken,
    TrickTaken,
    TrumpChosen,
    TurnExpired,
)
from domain.pocha.model.state import (
    Auction,
    Bidding,
    ChoosingTrump,
    Claim,
    Dealing,
    Finished,
    NotCreated,
    PlayedHand,
    Playing,
    TakenTrick,
    Trick,
    Waiting,
)
from domain.pocha.rules.schedule import HandKind
from domain.seats import from_seat, next_seat
from domain.table.table import Level, Robot
from tests.domain import tables
from tests.domain.tables import ANA, BEA, CARLA, bids, cards, dealt, plays, started

DEAL = dealt("oros-1 oros-2", "copas-1 copas-2", "bastos-1 bastos-2", turn_up="espadas-4")
SUBASTADO = replace(DEAL, kind=HandKind.SUBASTADO, trump=None, turn_up=None)
CLAIMED = RenuncioClaimed(0, 1, 1, 1, Card.COPAS_1, proven=True, penalty=100, totals=(0, -100, 0), ranks=(1, 3, 1))
SCORED = HandScored(1, (0, 0, 0), (0, 2, 0), (10, -10, 10), (10, -10, 10), (0, 1, 0), (1, 3, 1))

MOMENTS: dict[str, tuple[Event, ...]] = {
    "not created": (),
    "waiting": tables.waiting(),
    "dealing": started(),
    "picking": (*started(), replace(DEAL, face_down=True)),
    "auctioning": (*started(), SUBASTADO),
    "choosing": (*started(), SUBASTADO, AuctionBidMade(1, 2), AuctionWon(1, 2)),
    "bidding": (*started(), DEAL),
    "playing": (*started(), DEAL, *bids(0, 0, 0)),
    "finished": (*started(), GameOver((0,))),
    "abandoned": (*tables.waiting(), GameAbandoned()),
    "given up": (*started(), DEAL, GameAbandoned()),
}
IN_HAND = {"picking", "auctioning", "choosing", "bidding", "playing"}
SITTING = {"waiting", *IN_HAND}
AT_MOMENTS: list[tuple[Event, set[str]]] = [
    (tables.created(), {"not created"}),
    (SeatTaken(1, BEA), SITTING),
    (SeatLeft(0, ANA), SITTING),
    (RobotSeated(1, Level.EASY), SITTING),
    (GameStarted((ANA, BEA), 0, ()), {"waiting"}),
    (DEAL, {"dealing"}),
    (BlindPickMade(0, Card.OROS_1, 3, DEAL.hands, 0), {"picking"}),
    (AuctionBidMade(1, 2), {"auctioning"}),
    (AuctionPassed(1), {"auctioning"}),
    (AuctionWon(1, 2, locked=True), {"auctioning"}),
    (TrumpChosen(1, Suit.OROS, 3), {"choosing"}),
    (BidMade(1, 0), {"bidding"}),
    (CardPlayed(1, Card.COPAS_1), {"playing"}),
    (TrickTaken(1, Card.COPAS_1), {"playing"}),
    (SCORED, {"playing"}),
    (CLAIMED, IN_HAND),
    (GameOver((0,)), {"dealing"}),
    (GameAbandoned(), SITTING),
    (TurnExpired(1, 1), IN_HAND),
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


def test_a_card_that_its_seat_does_not_hold_cannot_have_been_played() -> None:
    with pytest.raises(ImpossibleEvent):
        fold(NotCreated(), (*MOMENTS["playing"], CardPlayed(1, Card.OROS_1)))


def test_who_took_the_trick_leads_the_next_one_and_the_trick_can_still_be_seen() -> None:
    trick = (*plays("copas-1 bastos-1 oros-1"), TrickTaken(2, Card.BASTOS_1))
    state = fold(NotCreated(), (*MOMENTS["playing"], *trick))
    assert isinstance(state, Playing)
    assert (state.trick, state.tricks_won) == (Trick(2), (0, 0, 1))
    assert state.taken == (TakenTrick(2, Trick(1, cards("copas-1 bastos-1 oros-1"))),)


def test_what_an_event_says_is_believed_even_where_today_the_rules_would_say_otherwise() -> None:
    """An old log reads the same under newer rules: conclusions are in the events."""
    odd = HandScored(1, (0, 0, 0), (9, 9, 9), (1, 2, 3), (4, 5, 6), (7, 8, 9), (3, 2, 1))
    state = fold(NotCreated(), (*MOMENTS["playing"], odd))
    assert isinstance(state, Dealing)
    assert (state.progress.totals, state.progress.missed, state.progress.ranks) == ((4, 5, 6), (7, 8, 9), (3, 2, 1))
    assert state.progress.results[0].plan.kind is HandKind.NORMAL
    over = fold(state, [GameOver((2,))])
    assert isinstance(over, Finished)
    assert over.winners == (2,)


def test_a_hand_that_was_scored_is_remembered_with_its_deal_and_its_tricks() -> None:
    trick = (*plays("copas-1 bastos-1 oros-1"), TrickTaken(1, Card.COPAS_1))
    state = fold(NotCreated(), (*MOMENTS["playing"], *trick, SCORED))
    assert isinstance(state, Dealing)
    last = state.progress.last_hand
    assert isinstance(last, PlayedHand)
    assert last.deal.hands == DEAL.hands
    assert last.tricks == (Trick(1, cards("copas-1 bastos-1 oros-1")),)


def test_the_calls_of_an_auction_are_kept_in_order_and_stay_with_the_hand() -> None:
    calls = (AuctionBidMade(1, 1), AuctionPassed(2), AuctionBidMade(0, 2), AuctionWon(0, 2, locked=True))
    choosing = fold(NotCreated(), (*started(), SUBASTADO, *calls))
    auction = Auction((1, None, 2), 0, 2, locked=True)
    assert isinstance(choosing, ChoosingTrump)
    assert choosing.auction == auction
    bidding = fold(choosing, [TrumpChosen(0, Suit.OROS, 3)])
    assert isinstance(bidding, Bidding)
    assert (bidding.deal.auction, bidding.deal.trump, bidding.deal.multiplier) == (auction, Suit.OROS, 3)
    playing = fold(bidding, [BidMade(1, 1), BidMade(2, 0)])
    assert isinstance(playing, Playing)
    assert (playing.bids, playing.trick) == ((2, 1, 0), Trick(1))


def test_a_claim_is_kept_and_its_totals_are_believed() -> None:
    state = fold(NotCreated(), (*MOMENTS["playing"], CLAIMED))
    assert isinstance(state, Playing)
    assert state.progress.claims == (Claim(0, 1, 1, 1, proven=True, penalty=100),)
    assert (state.progress.totals, state.progress.ranks) == ((0, -100, 0), (1, 3, 1))


def test_what_players_give_to_the_shuffle_goes_with_their_seat_until_the_start_and_stays_then() -> None:
    sat = (tables.created(), SeatTaken(0, ANA, "uno"), SeatTaken(1, BEA, "dos"), SeatTaken(2, CARLA, "tres"))
    left = fold(NotCreated(), (*sat, SeatLeft(1, BEA)))
    assert isinstance(left, Waiting)
    assert left.table.client_seeds == ("uno", None, "tres")
    begun = fold(left, [RobotSeated(1, Level.EASY), GameStarted((CARLA, ANA, Robot(Level.EASY)), 0, (), (2, 0, 1))])
    assert isinstance(begun, Dealing)
    assert (begun.progress.table.client_seeds, begun.progress.order) == (("tres", "uno", None), (2, 0, 1))
    later = fold(begun, [DEAL, SeatLeft(0, CARLA), RobotSeated(0, Level.EASY)])
    assert isinstance(later, Bidding)
    assert later.progress.table.client_seeds == ("tres", "uno", None)


def test_a_start_that_names_no_order_keeps_the_seats() -> None:
    begun = fold(NotCreated(), (*tables.waiting(3), GameStarted((ANA, BEA, CARLA), 0, ())))
    assert isinstance(begun, Dealing)
    assert begun.progress.order == (0, 1, 2)


@pytest.mark.parametrize("event", [event for event, _ in AT_MOMENTS], ids=[type(e).__name__ for e, _ in AT_MOMENTS])
def test_an_event_survives_json(event: Event) -> None:
    assert msgspec.json.decode(msgspec.json.encode(event), type=Event) == event


def test_seats_go_round_counter_clockwise() -> None:
    assert [next_seat(seat, 3) for seat in range(3)] == [1, 2, 0]
    assert from_seat(2, 4) == (2, 3, 0, 1)
