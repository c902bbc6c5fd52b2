"""Subastado hands: the auction of trump by both protocols, and the bids that follow it (rulebook R-AUC-1 to R-AUC-7)."""

import pytest
from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.pocha.model.commands import ChooseTrump, DealHand, MakeAuctionBid, MakeBid, PassAuction, PlayCard
from domain.pocha.model.events import (
    AuctionBidMade,
    AuctionPassed,
    AuctionWon,
    BidMade,
    CardPlayed,
    Event,
    HandDealt,
    HandScored,
    TrickTaken,
    TrumpChosen,
)
from domain.pocha.model.refusals import Facts, Reason
from domain.pocha.model.state import Auctioning, ChoosingTrump, Playing
from domain.pocha.rules.bidding import Hook
from domain.pocha.rules.ruleset import AuctionProtocol, AuctionRules, Ruleset, WinnerSecondBid
from domain.pocha.rules.schedule import Block, HandKind
from domain.pocha.rules.scoring import ScoringRules
from tests.domain.spec import Given, given
from tests.domain.tables import bids, cards, dealt, house, plays, started

HANDS = ("oros-1 oros-2 oros-3", "copas-1 copas-2 copas-3", "bastos-1 bastos-2 bastos-3")
DEAL = dealt(*HANDS, turn_up=None, kind=HandKind.SUBASTADO)
_HOOK = Hook()
FREE, AT_LEAST, LOCKED = WinnerSecondBid.FREE, WinnerSecondBid.AT_LEAST, WinnerSecondBid.LOCKED
DOUBLE = AuctionRules(AuctionProtocol.DOUBLE_BID)
ASCENDING = AuctionRules(AuctionProtocol.ASCENDING_ONCE, LOCKED)


def subastado(auction: AuctionRules, hook: Hook = _HOOK) -> Ruleset:
    scoring = ScoringRules(suit_multiplier={Suit.COPAS: 2, Suit.OROS: 3})
    return house(Block(HandKind.SUBASTADO, "3", "3"), hook=hook, auction=auction, scoring=scoring)


def calls(*said: int | None, mano: int = 1) -> tuple[AuctionBidMade | AuctionPassed, ...]:
    """Return what is said in turn, from the mano; none is a pass."""
    seats = [(mano + place) % 3 for place in range(len(said))]
    return tuple(
        AuctionPassed(seat) if call is None else AuctionBidMade(seat, call)
        for seat, call in zip(seats, said, strict=True)
    )


def auctioned(auction: AuctionRules, *said: int | None, hook: Hook = _HOOK) -> Given:
    """Return a game of three, seat 0 the dealer, where so much was said in the auction."""
    return given(*started(ruleset=subastado(auction, hook)), DEAL, *calls(*said))


def named(auction: AuctionRules, *said: int | None, suit: Suit = Suit.OROS, hook: Hook = _HOOK) -> tuple[Event, ...]:
    """Return the history of a game whose auction is over, and trump named."""
    history = (*started(ruleset=subastado(auction, hook)), DEAL, *calls(*said[:-1]))
    last = MakeAuctionBid(0, said[-1]) if said[-1] is not None else PassAuction(0)
    history = (*history, *given(*history).when(last).happened())
    state = given(*history).state
    assert isinstance(state, ChoosingTrump)
    return (*history, *given(*history).when(ChooseTrump(state.auction.winner, suit)).happened())


def test_a_subastado_turns_nothing_up_and_begins_with_its_auction() -> None:
    deck = cards("oros-1 oros-2 oros-3 copas-1 copas-2 copas-3 bastos-1 bastos-2 bastos-3 espadas-12")
    table = given(*started(ruleset=subastado(DOUBLE)))
    (event,) = table.when(DealHand(deck)).happened()
    assert isinstance(event, HandDealt)
    assert (event.trump, event.turn_up, event.multiplier, event.stock) == (None, None, 1, cards("espadas-12"))
    assert isinstance(given(*started(ruleset=subastado(DOUBLE)), event).state, Auctioning)


# The double bid.


def test_the_mano_speaks_first_then_the_right_hand_neighbours() -> None:
    auctioned(DOUBLE).when(MakeAuctionBid(1, 2)).then(AuctionBidMade(1, 2))
    auctioned(DOUBLE, 2).when(MakeAuctionBid(2, 0)).then(AuctionBidMade(2, 0))
    for seat in (0, 2, -1, 3):
        auctioned(DOUBLE).when(MakeAuctionBid(seat, 1)).refused(Reason.NOT_YOUR_TURN, Facts(seat_on_turn=1))
        auctioned(DOUBLE).when(PassAuction(seat)).refused(Reason.NOT_YOUR_TURN, Facts(seat_on_turn=1))


@pytest.mark.parametrize("bid", [-1, 4, 99])
@pytest.mark.parametrize("auction", [DOUBLE, ASCENDING], ids=["double", "ascending"])
def test_an_auction_bid_is_none_to_all_the_tricks(auction: AuctionRules, bid: int) -> None:
    facts = Facts(legal_bids=(0, 1, 2, 3), may_pass=False)
    auctioned(auction).when(MakeAuctionBid(1, bid)).refused(Reason.OUT_OF_RANGE, facts)


def test_in_a_double_bid_equal_and_lower_bids_are_made_and_nobody_passes() -> None:
    for bid in range(4):
        auctioned(DOUBLE, 2).when(MakeAuctionBid(2, bid)).then(AuctionBidMade(2, bid))
    facts = Facts(legal_bids=(0, 1, 2, 3), may_pass=False)
    auctioned(DOUBLE, 2).when(PassAuction(2)).refused(Reason.MUST_BID, facts)


@pytest.mark.parametrize(
    ("said", "winner", "bid"),
    [((1, 3, 2), 2, 3), ((1, 0, 2), 0, 2), ((3, 1, 2), 1, 3), ((2, 2, 1), 1, 2), ((1, 2, 2), 2, 2), ((0, 0, 0), 1, 0)],
)
def test_the_highest_bid_wins_and_of_equal_ones_the_earliest(said: tuple[int, ...], winner: int, bid: int) -> None:
    auctioned(DOUBLE, *said[:2]).when(MakeAuctionBid(0, said[2])).then(
        AuctionBidMade(0, said[2]), AuctionWon(winner, bid)
    )


def test_the_first_round_may_add_up() -> None:
    auctioned(DOUBLE, 2, 1).when(MakeAuctionBid(0, 0)).then(AuctionBidMade(0, 0), AuctionWon(1, 2))


def test_where_the_rules_say_so_the_hook_binds_the_first_round_too() -> None:
    hooked = replace(DOUBLE, hook_in_first_round=True)
    facts = Facts(legal_bids=(1, 2, 3), may_pass=False, forbidden_bid=0)
    auctioned(hooked, 2, 1).when(MakeAuctionBid(0, 0)).refused(Reason.HOOK, facts)
    auctioned(hooked, 2, 1).when(MakeAuctionBid(0, 1)).then(AuctionBidMade(0, 1), AuctionWon(1, 2))
    auctioned(hooked, 2).when(MakeAuctionBid(2, 1)).then(AuctionBidMade(2, 1))
    for bid in range(4):
        assert auctioned(hooked, 3, 3).when(MakeAuctionBid(0, bid)).happened()[0] == AuctionBidMade(0, bid)


def test_only_the_winner_names_trump_and_the_factor_follows_the_suit() -> None:
    table = given(*started(ruleset=subastado(DOUBLE)), DEAL, *calls(1, 3, 2), AuctionWon(2, 3))
    for suit, factor in ((Suit.OROS, 3), (Suit.COPAS, 2), (Suit.ESPADAS, 1), (Suit.BASTOS, 1)):
        table.when(ChooseTrump(2, suit)).then(TrumpChosen(2, suit, factor))
    for seat in (0, 1, -1, 5):
        table.when(ChooseTrump(seat, Suit.OROS)).refused(Reason.NOT_YOUR_TURN, Facts(seat_on_turn=2))


def test_all_bid_again_the_winner_too_and_freely() -> None:
    history = named(DOUBLE, 1, 3, 2)
    given(*history).when(MakeBid(1, 0)).then(BidMade(1, 0))
    for bid in range(4):
        given(*history, BidMade(1, 0)).when(MakeBid(2, bid)).then(BidMade(2, bid))


def test_a_winner_bound_by_its_bid_bids_at_least_as_much() -> None:
    history = (*named(replace(DOUBLE, winner_second_bid=AT_LEAST), 1, 2, 0), BidMade(1, 0))
    given(*history).when(MakeBid(2, 2)).then(BidMade(2, 2))
    given(*history).when(MakeBid(2, 1)).refused(Reason.BELOW_AUCTION_BID, Facts(legal_bids=(2, 3)))
    for bid in (-1, 4):
        given(*history).when(MakeBid(2, bid)).refused(Reason.OUT_OF_RANGE, Facts(legal_bids=(2, 3)))
    given(*history, BidMade(2, 2)).when(MakeBid(0, 0)).then(BidMade(0, 0))


def test_a_bound_winner_who_bids_last_is_hooked_above_the_bound() -> None:
    history = (*named(replace(DOUBLE, winner_second_bid=AT_LEAST), 0, 0, 1), BidMade(1, 1), BidMade(2, 0))
    facts = Facts(legal_bids=(1, 3), forbidden_bid=2)
    given(*history).when(MakeBid(0, 2)).refused(Reason.HOOK, facts)
    given(*history).when(MakeBid(0, 0)).refused(Reason.BELOW_AUCTION_BID, facts)


def test_a_bound_winner_whose_only_bid_would_be_hooked_makes_it() -> None:
    history = (*named(replace(DOUBLE, winner_second_bid=AT_LEAST), 0, 0, 3), BidMade(1, 0), BidMade(2, 0))
    given(*history).when(MakeBid(0, 3)).then(BidMade(0, 3))
    given(*history).when(MakeBid(0, 2)).refused(Reason.BELOW_AUCTION_BID, Facts(legal_bids=(3,)))


def test_a_locked_winner_is_not_asked_again() -> None:
    history = named(replace(DOUBLE, winner_second_bid=LOCKED), 1, 3, 2)
    assert history[-2] == AuctionWon(2, 3, locked=True)
    given(*history).when(MakeBid(1, 0)).then(BidMade(1, 0))
    given(*history, BidMade(1, 0)).when(MakeBid(2, 3)).refused(Reason.NOT_YOUR_TURN, Facts(seat_on_turn=0))
    given(*history, BidMade(1, 1)).when(MakeBid(0, 0)).then(BidMade(0, 0))


@pytest.mark.parametrize("said", [(1, 3, 2), (1, 2, 3)], ids=["another won", "the dealer won"])
def test_the_hook_binds_the_dealer_in_the_second_round_also_where_the_dealer_won(said: tuple[int, ...]) -> None:
    history = (*named(DOUBLE, *said), BidMade(1, 1), BidMade(2, 1))
    given(*history).when(MakeBid(0, 1)).refused(Reason.HOOK, Facts(legal_bids=(0, 2, 3), forbidden_bid=1))


def test_a_hand_that_is_exempt_from_the_hook_may_add_up() -> None:
    exempt = Hook(exempt_kinds=(HandKind.SUBASTADO,))
    history = (*named(DOUBLE, 1, 3, 2, hook=exempt), BidMade(1, 1), BidMade(2, 1))
    given(*history).when(MakeBid(0, 1)).then(BidMade(0, 1))


# The ascending auction.


def test_in_an_ascending_auction_the_mano_must_bid() -> None:
    facts = Facts(legal_bids=(0, 1, 2, 3), may_pass=False)
    auctioned(ASCENDING).when(PassAuction(1)).refused(Reason.MUST_BID, facts)
    auctioned(ASCENDING).when(MakeAuctionBid(1, 0)).then(AuctionBidMade(1, 0))


def test_in_an_ascending_auction_the_others_bid_more_or_pass() -> None:
    table = auctioned(ASCENDING, 1)
    table.when(MakeAuctionBid(2, 2)).then(AuctionBidMade(2, 2))
    table.when(PassAuction(2)).then(AuctionPassed(2))
    facts = Facts(legal_bids=(2, 3), may_pass=True)
    for bid in (0, 1):
        table.when(MakeAuctionBid(2, bid)).refused(Reason.NOT_HIGHER, facts)
    for bid in (-1, 4):
        table.when(MakeAuctionBid(2, bid)).refused(Reason.OUT_OF_RANGE, facts)


def test_after_a_bid_of_all_the_tricks_the_others_can_only_pass() -> None:
    facts = Facts(legal_bids=(), may_pass=True)
    auctioned(ASCENDING, 3).when(MakeAuctionBid(2, 3)).refused(Reason.NOT_HIGHER, facts)
    auctioned(ASCENDING, 3, None).when(PassAuction(0)).then(AuctionPassed(0), AuctionWon(1, 3, locked=True))


def test_who_passed_does_not_speak_again() -> None:
    table = auctioned(ASCENDING, 0, None)
    table.when(MakeAuctionBid(0, 1)).then(AuctionBidMade(0, 1), AuctionWon(0, 1, locked=True))


def test_a_mano_that_need_not_bid_may_pass_and_then_the_last_must_bid() -> None:
    free = replace(ASCENDING, mano_must_bid=False)
    auctioned(free).when(PassAuction(1)).then(AuctionPassed(1))
    auctioned(free, None).when(PassAuction(2)).then(AuctionPassed(2))
    facts = Facts(legal_bids=(0, 1, 2, 3), may_pass=False)
    auctioned(free, None, None).when(PassAuction(0)).refused(Reason.MUST_BID, facts)
    auctioned(free, None, None).when(MakeAuctionBid(0, 0)).then(AuctionBidMade(0, 0), AuctionWon(0, 0, locked=True))
    auctioned(free, None, 0).when(PassAuction(0)).then(AuctionPassed(0), AuctionWon(2, 0, locked=True))


def test_the_winners_bid_stands_and_the_others_predict_from_the_mano() -> None:
    history = named(ASCENDING, 0, 2, None)
    given(*history).when(MakeBid(2, 2)).refused(Reason.NOT_YOUR_TURN, Facts(seat_on_turn=1))
    given(*history).when(MakeBid(1, 1)).then(BidMade(1, 1))
    table = given(*history, BidMade(1, 1), BidMade(0, 1))
    assert isinstance(table.state, Playing)
    assert table.state.bids == (1, 1, 2)
    table.when(PlayCard(1, Card.COPAS_1)).then(CardPlayed(1, Card.COPAS_1))


def test_the_hook_binds_the_last_who_predicts() -> None:
    history = (*named(ASCENDING, 0, 2, None), BidMade(1, 1))
    given(*history).when(MakeBid(0, 0)).refused(Reason.HOOK, Facts(legal_bids=(1, 2, 3), forbidden_bid=0))


def test_where_the_dealer_won_the_hook_binds_the_seat_before() -> None:
    history = (*named(ASCENDING, 0, None, 2), BidMade(1, 0))
    given(*history).when(MakeBid(2, 1)).refused(Reason.HOOK, Facts(legal_bids=(0, 2, 3), forbidden_bid=1))


def test_a_hook_that_does_not_bind_predictors_leaves_the_auction_alone() -> None:
    loose = replace(ASCENDING, hook_on_last_predictor=False)
    history = (*named(loose, 0, 2, None), BidMade(1, 1))
    given(*history).when(MakeBid(0, 0)).then(BidMade(0, 0))
    # Hands of other kinds are hooked as ever.
    normal = (*started(ruleset=house(auction=loose)), dealt(*HANDS, turn_up="espadas-4"), *bids(2, 0, 1)[:2])
    given(*normal).when(MakeBid(0, 1)).refused(Reason.HOOK, Facts(legal_bids=(0, 2, 3), forbidden_bid=1))
    double = (*named(replace(DOUBLE, hook_on_last_predictor=False), 1, 3, 2), BidMade(1, 1), BidMade(2, 1))
    given(*double).when(MakeBid(0, 1)).then(BidMade(0, 1))


def test_a_table_of_two_predicts_once_and_is_hooked() -> None:
    two = (*started(2, subastado(ASCENDING)), dealt(*HANDS[:2], turn_up=None, kind=HandKind.SUBASTADO))
    history = (
        *two,
        AuctionBidMade(1, 2),
        AuctionPassed(0),
        AuctionWon(1, 2, locked=True),
        TrumpChosen(1, Suit.OROS, 3),
    )
    given(*history).when(MakeBid(0, 1)).refused(Reason.HOOK, Facts(legal_bids=(0, 2, 3), forbidden_bid=1))


# The play.


def test_the_named_suit_is_trump_and_the_mano_leads() -> None:
    history = (*named(DOUBLE, 1, 3, 2, suit=Suit.BASTOS), *bids(0, 3, 1))
    given(*history, *plays("copas-1 bastos-3")).when(PlayCard(0, Card.OROS_1)).then(
        CardPlayed(0, Card.OROS_1), TrickTaken(2, Card.BASTOS_3)
    )


def test_the_hand_is_scored_with_the_factor_of_the_named_suit() -> None:
    taken = (TrickTaken(0, Card.OROS_1), TrickTaken(0, Card.OROS_2), TrickTaken(0, Card.OROS_3))
    tricks = ("copas-1 bastos-1 oros-1", "oros-2 copas-2 bastos-2", "oros-3 copas-3 bastos-3")
    first, second, third = (plays(tricks[0]), plays(tricks[1], leader=0), plays(tricks[2], leader=0))
    history = (*named(DOUBLE, 0, 0, 3), *bids(1, 0, 3), *first, taken[0], *second, taken[1], *third[:2])
    scored = given(*history).when(PlayCard(2, Card.BASTOS_3)).happened()[2]
    assert isinstance(scored, HandScored)
    assert scored.points == (3 * (10 + 15), -15, 30)
