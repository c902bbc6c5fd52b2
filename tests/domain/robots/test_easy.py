"""The easy robot: always legal, sane in its bids, and with no more knowledge than its view."""

import pytest
from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.commands import ChooseTrump, MakeAuctionBid, MakeBid, PassAuction, PickBlind, PlayCard
from domain.pocha.model.events import AuctionBidMade, AuctionPassed, AuctionWon, Event, GameOver
from domain.pocha.model.state import Finished, NotCreated
from domain.pocha.rules.presets import FOURNIER, LUDOTEKA_EXPRESS_4
from domain.pocha.rules.ruleset import AuctionProtocol, AuctionRules, Ruleset, WinnerSecondBid
from domain.pocha.rules.schedule import HandKind
from domain.robots import Choice, NotOnTurn, Observation, easy, observe
from tests.domain import tables
from tests.domain.playout import by_robot, game
from tests.domain.tables import bids, dealt, started


def seen(*history: Event, seat: int) -> Observation:
    return observe(fold(NotCreated(), history), seat)


def bid_for(hand: str, rules: Ruleset = LUDOTEKA_EXPRESS_4, trump: str = "espadas-4") -> int:
    """Return what the mano bids on `hand`."""
    other = "oros-4 oros-5 oros-6 oros-7 copas-4 copas-5 copas-6 copas-7"
    rest = " ".join(other.split()[: len(hand.split())])
    move = easy.choose(seen(*started(), dealt(rest, hand, rest, turn_up=trump), seat=1), rules, 0)
    assert isinstance(move, MakeBid)
    return move.bid


@pytest.mark.parametrize(
    ("hand", "bid"),
    [
        ("copas-2 copas-4 oros-5 bastos-6 bastos-7", 0),
        ("copas-12 oros-12 bastos-12", 0),
        ("copas-1 copas-3 oros-5", 2),
        ("espadas-1 espadas-3 espadas-12 espadas-11 espadas-10", 5),
        ("espadas-7 espadas-2", 0),
        ("espadas-1 oros-1 copas-1 bastos-1", 4),
    ],
)
def test_bids_are_none_for_an_empty_looking_hand_and_high_for_top_trumps(hand: str, bid: int) -> None:
    assert bid_for(hand) == bid


def test_what_is_high_depends_on_the_rank_order() -> None:
    assert (bid_for("copas-3"), bid_for("copas-12")) == (1, 0)
    assert (bid_for("copas-3", FOURNIER), bid_for("copas-12", FOURNIER)) == (0, 1)


def test_without_a_trump_only_the_highest_of_each_suit_look_good() -> None:
    deal = dealt("oros-4 oros-5", "espadas-12 espadas-3", "copas-4 copas-5", turn_up=None, kind=HandKind.CIEGA)
    assert easy.choose(seen(*started(), deal, seat=1), LUDOTEKA_EXPRESS_4, 0) == MakeBid(1, 1)


def test_a_forbidden_bid_is_avoided_for_the_nearest_legal_one() -> None:
    deal = dealt("copas-1 oros-2", "bastos-4 bastos-5", "oros-4 oros-5", turn_up="espadas-4")
    assert easy.choose(seen(*started(), deal, *bids(1, 0, 0)[:2], seat=0), LUDOTEKA_EXPRESS_4, 0) == MakeBid(0, 0)


def india(mine: str, *others: str, trump: str = "espadas-4") -> int:
    """Return what the mano bids in an india hand where it cannot see `mine`."""
    before, after = others
    shown = seen(*started(), dealt(before, mine, after, turn_up=trump, kind=HandKind.INDIA), seat=1)
    move = easy.choose(shown, LUDOTEKA_EXPRESS_4, 0)
    assert isinstance(move, MakeBid)
    return move.bid


def test_who_cannot_see_the_own_card_bids_by_those_of_the_others() -> None:
    for mine in ("copas-1", "bastos-2"):
        assert india(mine, "oros-4", "copas-5") == 1
        assert india(mine, "oros-1", "copas-5") == 0
        assert india(mine, "oros-4", "espadas-10") == 0


SUBASTADO = dealt(
    "oros-1 oros-3 oros-12",
    "copas-1 copas-12 bastos-4",
    "bastos-5 bastos-6 oros-2",
    turn_up=None,
    kind=HandKind.SUBASTADO,
)


def at_auction(auction: AuctionRules, *calls: Event) -> Choice:
    """Return what the seat on turn does in the auction of `SUBASTADO`."""
    history = (*started(ruleset=tables.house(auction=auction)), SUBASTADO, *calls)
    seat = (1 + len([call for call in calls if not isinstance(call, AuctionWon)])) % 3
    seat = next((call.seat for call in calls if isinstance(call, AuctionWon)), seat)
    return easy.choose(seen(*history, seat=seat), LUDOTEKA_EXPRESS_4, 0)


DOUBLE = AuctionRules(AuctionProtocol.DOUBLE_BID)
ASCENDING = AuctionRules(AuctionProtocol.ASCENDING_ONCE, WinnerSecondBid.LOCKED)


def test_an_auction_bid_is_what_the_hand_is_worth_in_its_best_suit() -> None:
    assert at_auction(DOUBLE) == MakeAuctionBid(1, 2)
    assert at_auction(DOUBLE, AuctionBidMade(1, 3)) == MakeAuctionBid(2, 0)
    assert at_auction(DOUBLE, AuctionBidMade(1, 0), AuctionBidMade(2, 0)) == MakeAuctionBid(0, 3)


def test_who_may_pass_does_where_others_bid_more_than_the_hand_is_worth() -> None:
    assert at_auction(ASCENDING) == MakeAuctionBid(1, 2)
    assert at_auction(ASCENDING, AuctionBidMade(1, 2)) == PassAuction(2)
    assert at_auction(ASCENDING, AuctionBidMade(1, 2), AuctionPassed(2)) == MakeAuctionBid(0, 3)
    assert at_auction(ASCENDING, AuctionBidMade(1, 3), AuctionPassed(2)) == PassAuction(0)


def test_the_winner_of_an_auction_names_its_best_suit() -> None:
    assert at_auction(DOUBLE, AuctionBidMade(1, 2), AuctionWon(0, 2)) == ChooseTrump(0, Suit.OROS)
    assert at_auction(DOUBLE, AuctionBidMade(1, 2), AuctionWon(1, 2)) == ChooseTrump(1, Suit.COPAS)


def test_a_robot_points_at_no_card_of_its_own() -> None:
    deal = replace(dealt("oros-1", "copas-1", "bastos-1", turn_up=None), face_down=True)
    assert easy.choose(seen(*started(), deal, seat=0), LUDOTEKA_EXPRESS_4, 0) == PickBlind(0)


def test_it_plays_high_while_it_wants_tricks_and_low_when_it_does_not() -> None:
    deal = dealt("oros-1 oros-2", "copas-1 copas-2", "bastos-1 bastos-2", turn_up="espadas-4")
    for bid, card in ((0, "copas-2"), (1, "copas-1")):
        shown = seen(*started(), deal, *bids(bid, 0, 0), seat=1)
        assert easy.choose(shown, LUDOTEKA_EXPRESS_4, 1) == PlayCard(1, Card(card))


def test_now_and_then_luck_picks_the_card() -> None:
    deal = dealt("oros-1 oros-2", "copas-1 copas-2", "bastos-1 bastos-2", turn_up="espadas-4")
    shown = seen(*started(), deal, *bids(0, 0, 0), seat=1)
    chosen = [easy.choose(shown, LUDOTEKA_EXPRESS_4, luck) for luck in range(80)]
    assert 0 < chosen.count(PlayCard(1, Card("copas-1"))) < 10


DEALT = (*started(), dealt("oros-1", "copas-1", "bastos-1", turn_up="espadas-4"))


@pytest.mark.parametrize(
    ("history", "seat"),
    [
        (tables.waiting(), 0),
        (started(), 0),
        (DEALT, 0),
        ((*DEALT, *bids(0, 0, 0)), 2),
        ((*started(), GameOver((0,))), 0),
    ],
    ids=["waiting", "dealing", "another's bid", "another's play", "over"],
)
def test_a_robot_that_is_not_on_turn_says_so(history: tuple[Event, ...], seat: int) -> None:
    with pytest.raises(NotOnTurn):
        easy.choose(seen(*history, seat=seat), LUDOTEKA_EXPRESS_4, 0)


def test_games_of_robots_differ_from_seed_to_seed() -> None:
    ends = [list(game(FOURNIER, 3, seed, by_robot(easy.choose)))[-1].after for seed in range(3)]
    assert len({end.progress.results for end in ends if isinstance(end, Finished)}) == 3
