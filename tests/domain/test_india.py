"""India hands: one card, which everybody but its owner sees; they play themselves once all have bid (rulebook R-IND-1 to R-IND-3)."""

from domain.cards import Card, Suit
from domain.pocha.behaviour.evolve import evolve, fold
from domain.pocha.model.commands import MakeBid, PlayCard
from domain.pocha.model.events import BidMade, CardPlayed, GameOver, HandDealt, HandScored, TrickTaken
from domain.pocha.model.refusals import Facts, Reason
from domain.pocha.model.state import Dealing, Playing
from domain.pocha.rules.schedule import Block, HandKind
from domain.pocha.rules.scoring import ScoringRules
from domain.pocha.view.game_view import see
from tests.domain.playout import FRAME
from tests.domain.spec import given
from tests.domain.tables import bids, dealt, house, started

ONE_INDIA = house(Block(HandKind.INDIA, "1", "1"), scoring=ScoringRules(suit_multiplier={Suit.ESPADAS: 2}))
TWO_INDIAS = house(Block(HandKind.INDIA, "1", "1", "2"))


def india(*hands: str, dealer: int = 0) -> HandDealt:
    return dealt(*hands, turn_up="espadas-4", kind=HandKind.INDIA, dealer=dealer)


DEAL = india("oros-2", "copas-5", "espadas-7")
HISTORY = (*started(ruleset=TWO_INDIAS), DEAL)


def test_the_bids_come_in_order_and_are_none_or_one() -> None:
    given(*HISTORY).when(MakeBid(1, 1)).then(BidMade(1, 1))
    given(*HISTORY).when(MakeBid(1, 2)).refused(Reason.OUT_OF_RANGE, Facts(legal_bids=(0, 1)))
    given(*HISTORY).when(MakeBid(2, 1)).refused(Reason.NOT_YOUR_TURN, Facts(seat_on_turn=1))


def test_the_last_bid_is_hooked_as_ever() -> None:
    for before, forbidden, legal in ((0, 1, (0,)), (1, 0, (1,))):
        table = given(*HISTORY, *bids(0, before, 0)[:2])
        table.when(MakeBid(0, forbidden)).refused(Reason.HOOK, Facts(legal_bids=legal, forbidden_bid=forbidden))


def test_nobody_plays_a_card_by_hand() -> None:
    given(*HISTORY).when(PlayCard(1, Card.COPAS_5)).refused(Reason.WRONG_PHASE, Facts(phase="bidding"))


def test_with_the_last_bid_the_cards_appear_one_by_one_from_the_mano_and_the_hand_is_scored() -> None:
    given(*HISTORY, *bids(1, 1, 0)[:2]).when(MakeBid(0, 0)).then(
        BidMade(0, 0),
        CardPlayed(1, Card.COPAS_5),
        CardPlayed(2, Card.ESPADAS_7),
        CardPlayed(0, Card.OROS_2),
        TrickTaken(2, Card.ESPADAS_7),
        HandScored(1, (0, 1, 1), (0, 0, 1), (10, -5, 15), (10, -5, 15), (0, 1, 0), (2, 3, 1)),
    )


def test_the_last_hand_of_a_game_ends_it_and_the_trump_multiplies() -> None:
    events = given(*started(ruleset=ONE_INDIA), DEAL, *bids(1, 1, 0)[:2]).when(MakeBid(0, 0)).happened()
    # The factor is told with the deal; the one of this history is 1.
    assert events[-1] == GameOver((2,))
    assert len(events) == 7


def test_between_the_cards_each_owner_still_sees_all_but_the_own_one() -> None:
    """These moments are never at rest, yet nothing would come to light in them."""
    state = fold(given(*HISTORY).state, bids(1, 1, 0))
    for played in (CardPlayed(1, Card.COPAS_5), CardPlayed(2, Card.ESPADAS_7)):
        assert isinstance(state, Playing)
        hand = see(state, 0, FRAME).hand
        assert hand
        assert not hand.my_cards
        assert [seen.seat for seen in hand.seen_cards or ()] == [1, 2]
        state = evolve(state, played)


def test_whoever_deals_the_mano_begins() -> None:
    history = (*started(ruleset=TWO_INDIAS, dealer=1), india("oros-2", "copas-5", "espadas-7", dealer=1))
    events = given(*history, BidMade(2, 0), BidMade(0, 0)).when(MakeBid(1, 0)).happened()
    assert [event.seat for event in events if isinstance(event, CardPlayed)] == [2, 0, 1]


def test_the_next_hand_is_dealt_after_it() -> None:
    history = (*HISTORY, *bids(1, 1, 0)[:2])
    table = given(*history)
    assert isinstance(fold(table.state, table.when(MakeBid(0, 0)).happened()), Dealing)
