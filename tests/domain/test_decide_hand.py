"""A hand from its deal to its score, and a game to its end."""

import pytest
from msgspec.structs import replace

from domain.cards import Card, Suit, pack
from domain.pocha import decide
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.commands import (
    ChooseTrump,
    ClaimRenuncio,
    Command,
    DealHand,
    LeaveSeat,
    MakeAuctionBid,
    MakeBid,
    PassAuction,
    PickBlind,
    PlayCard,
    SeatRobot,
    StartGame,
)
from domain.pocha.model.events import (
    AuctionBidMade,
    AuctionWon,
    BidMade,
    CardPlayed,
    Event,
    GameOver,
    HandDealt,
    HandScored,
    TrickTaken,
)
from domain.pocha.model.refusals import Facts, Reason
from domain.pocha.model.state import Dealing, Finished
from domain.pocha.rules import ruleset as rules
from domain.pocha.rules.bidding import Hook
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.rules.schedule import Block, HandKind, HandPlan
from domain.pocha.rules.scoring import MultiplierAppliesTo, ScoringRules, SlamBonus
from domain.pocha.rules.standings import TiebreakRules, TiebreakStep
from domain.table.table import Level
from domain.tricks import MustBeat, PlayRules, Undertrump
from tests.domain import tables
from tests.domain.playout import game
from tests.domain.spec import Given, given
from tests.domain.tables import HOUSE, ONE_CARD, bids, cards, dealt, house, plays, started

TOP = Block(HandKind.NORMAL, "max", "max")
NORMAL, OROS, CIEGA = HandKind.NORMAL, HandKind.OROS, HandKind.CIEGA


def the_deal(state: Given, deck: tuple[Card, ...]) -> HandDealt:
    (event,) = state.when(DealHand(deck)).happened()
    assert isinstance(event, HandDealt)
    return event


# The deal.


def test_cards_go_round_one_by_one_from_the_mano_and_the_next_one_marks_trump() -> None:
    deck = cards(
        "oros-1 oros-2 oros-3 copas-1 copas-2 copas-3 bastos-1 bastos-2 bastos-3 espadas-12 espadas-10 espadas-11"
    )
    given(*started(dealer=1)).when(DealHand(deck)).then(
        HandDealt(
            number=1,
            kind=NORMAL,
            cards=3,
            dealer=1,
            hands=(
                cards("oros-2 copas-2 bastos-2"),
                cards("oros-3 copas-3 bastos-3"),
                cards("oros-1 copas-1 bastos-1"),
            ),
            stock=cards("espadas-10 espadas-11"),
            multiplier=1,
            trump=Suit.ESPADAS,
            turn_up=Card.ESPADAS_12,
        )
    )


def test_where_all_is_dealt_the_dealers_last_card_marks_trump_and_stays_in_hand() -> None:
    at = house(TOP, players=(4,))
    event = the_deal(given(*started(4, at, dealer=2)), pack(40))
    assert event.turn_up is Card.BASTOS_12
    assert event.hands[2][-1] is Card.BASTOS_12
    assert event.stock == ()


@pytest.mark.parametrize(("kind", "trump"), [(OROS, Suit.OROS), (CIEGA, None)])
@pytest.mark.parametrize("size", ["1", "max"])
def test_oros_and_ciega_hands_turn_nothing_up(kind: HandKind, trump: Suit | None, size: str) -> None:
    at = house(Block(kind, size, size), players=(4,))
    event = the_deal(given(*started(4, at)), pack(40))
    assert (event.trump, event.turn_up) == (trump, None)
    assert len(event.stock) == 40 - 4 * event.cards


def test_the_factor_of_a_hand_is_told_with_its_deal() -> None:
    scoring = ScoringRules(suit_multiplier={Suit.OROS: 3}, turn_up_multiplier={Card.OROS_4: 4})
    at = house(Block(NORMAL, "1", "1"), Block(OROS, "1", "1"), players=(2,), scoring=scoring)
    factors = {"oros-4": 4, "oros-5": 3, "bastos-4": 1}
    for turn_up, factor in factors.items():
        assert the_deal(given(*started(2, at)), cards(f"copas-1 copas-2 {turn_up}")).multiplier == factor


def test_the_deal_passes_to_the_right_hand_by_hand_extra_hands_too() -> None:
    at = house(
        Block(NORMAL, "1", "1", "2"),
        scoring=ScoringRules(0, 0, 0),
        tiebreak=TiebreakRules((TiebreakStep.ONE_CARD_HANDS,), 3),
    )
    deals = [event for step in game(at, 3, seed=1) for event in step.events if isinstance(event, HandDealt)]
    first = deals[0].dealer
    assert [deal.dealer for deal in deals] == [(first + hand) % 3 for hand in range(5)]
    assert [deal.number for deal in deals] == [1, 2, 3, 4, 5]
    assert [deal.kind for deal in deals] == [NORMAL, NORMAL, *[HandKind.TIE_BREAK] * 3]


def test_a_hand_is_dealt_between_hands_only() -> None:
    given(*tables.waiting(3)).when(DealHand(pack(40))).refused(Reason.WRONG_PHASE, Facts(phase="waiting"))


def test_a_game_whose_hands_are_played_deals_no_more() -> None:
    given(*started(), *ONE_HAND_SCORED).when(DealHand(pack(40))).refused(Reason.WRONG_PHASE)


# Bids.

THREE = dealt("oros-1 oros-2 oros-3", "copas-1 copas-2 copas-3", "bastos-1 bastos-2 bastos-3", turn_up="espadas-4")
BIDDING = (*started(), THREE)
FACE_DOWN = (*started(), replace(THREE, trump=None, turn_up=None, face_down=True))
SUBASTADO = (*started(), replace(THREE, trump=None, turn_up=None, kind=HandKind.SUBASTADO))


def test_the_mano_bids_first_then_the_right_hand_neighbours() -> None:
    given(*BIDDING).when(MakeBid(1, 2)).then(BidMade(1, 2))
    given(*BIDDING, *bids(2, 0, 0)[:1]).when(MakeBid(2, 0)).then(BidMade(2, 0))
    given(*BIDDING, *bids(2, 0, 0)[:2]).when(MakeBid(0, 0)).then(BidMade(0, 0))


@pytest.mark.parametrize("seat", [0, 2, -1, 3])
def test_a_bid_out_of_turn_is_refused_whatever_it_says(seat: int) -> None:
    for bid in (1, 99):
        given(*BIDDING).when(MakeBid(seat, bid)).refused(Reason.NOT_YOUR_TURN, Facts(seat_on_turn=1))


@pytest.mark.parametrize("bid", [-1, 4, 99])
def test_a_bid_is_none_to_all_the_tricks(bid: int) -> None:
    given(*BIDDING).when(MakeBid(1, bid)).refused(Reason.OUT_OF_RANGE, Facts(legal_bids=(0, 1, 2, 3)))


def test_the_dealer_must_not_make_the_bids_add_up() -> None:
    facts = Facts(legal_bids=(0, 2, 3), forbidden_bid=1)
    given(*BIDDING, *bids(2, 0, 1)[:2]).when(MakeBid(0, 1)).refused(Reason.HOOK, facts)
    given(*BIDDING, *bids(2, 0, 1)[:2]).when(MakeBid(0, 4)).refused(Reason.OUT_OF_RANGE, facts)


def test_who_bids_before_the_dealer_may_make_the_bids_add_up() -> None:
    given(*BIDDING, *bids(2, 1, 0)[:1]).when(MakeBid(2, 1)).then(BidMade(2, 1))


@pytest.mark.parametrize("hook", [Hook(enabled=False), Hook(exempt_cards=(3,)), Hook(exempt_kinds=(NORMAL,))])
def test_without_the_hook_the_bids_may_add_up(hook: Hook) -> None:
    history = (*started(ruleset=house(hook=hook)), THREE, *bids(2, 0, 1)[:2])
    given(*history).when(MakeBid(0, 1)).then(BidMade(0, 1))


def test_an_exemption_is_for_its_own_size_and_kind_only() -> None:
    hook = Hook(exempt_cards=(1, 2), exempt_kinds=(CIEGA,))
    given(*started(ruleset=house(hook=hook)), THREE, *bids(2, 0, 1)[:2]).when(MakeBid(0, 1)).refused(
        Reason.HOOK, Facts(legal_bids=(0, 2, 3), forbidden_bid=1)
    )


# The order of the checks: phase, then turn, then rules.


@pytest.mark.parametrize(
    ("history", "command", "phase"),
    [
        (tables.waiting(2), MakeBid(7, 99), "waiting"),
        (tables.waiting(3), PlayCard(7, Card.OROS_9), "waiting"),
        (started(), MakeBid(7, 99), "dealing"),
        (started(), LeaveSeat("ana", 0), "dealing"),
        (BIDDING, PlayCard(7, Card.OROS_9), "bidding"),
        (BIDDING, DealHand(()), "bidding"),
        ((*BIDDING, *bids(0, 0, 0)), MakeBid(7, 99), "playing"),
        ((*BIDDING, *bids(0, 0, 0)), StartGame((), 9), "playing"),
        (BIDDING, SeatRobot("nobody", 99, Level.EASY), "bidding"),
        (BIDDING, PickBlind(7, 99), "bidding"),
        (BIDDING, MakeAuctionBid(7, 99), "bidding"),
        ((*BIDDING, *bids(0, 0, 0)), ChooseTrump(7, Suit.OROS), "playing"),
        ((*BIDDING, *bids(0, 0, 0)), PassAuction(7), "playing"),
        (started(), ClaimRenuncio(7, 7, 99), "dealing"),
        (FACE_DOWN, MakeBid(7, 99), "picking-blind"),
        (FACE_DOWN, PlayCard(7, Card.OROS_9), "picking-blind"),
        (SUBASTADO, MakeBid(7, 99), "auctioning"),
        ((*SUBASTADO, AuctionBidMade(1, 3), AuctionWon(1, 3)), MakeBid(7, 99), "choosing-trump"),
    ],
)
def test_the_wrong_moment_is_told_before_anything_else(
    history: tuple[Event, ...], command: Command, phase: str
) -> None:
    given(*history).when(command).refused(Reason.WRONG_PHASE, Facts(phase=phase))


def test_the_turn_is_told_before_the_rules() -> None:
    playing = given(*BIDDING, *bids(0, 0, 0))
    for card in (Card.OROS_1, Card.COPAS_1, Card.ESPADAS_9):
        playing.when(PlayCard(0, card)).refused(Reason.NOT_YOUR_TURN, Facts(seat_on_turn=1))


# Plays.


def test_the_mano_leads_any_card() -> None:
    for card in cards("copas-1 copas-2 copas-3"):
        given(*BIDDING, *bids(0, 0, 0)).when(PlayCard(1, card)).then(CardPlayed(1, card))


@pytest.mark.parametrize("card", ["bastos-1", "espadas-4", "oros-8"])
def test_a_card_that_is_not_in_the_hand_is_refused_without_a_word_on_where_it_is(card: str) -> None:
    """Another's card, the turn-up, and one that is in no pack of 40: all the same."""
    facts = Facts(legal_cards=cards("copas-1 copas-2 copas-3"))
    given(*BIDDING, *bids(0, 0, 0)).when(PlayCard(1, Card(card))).refused(Reason.NOT_IN_HAND, facts)


CLASSIC = PlayRules()


def third(hand: str, trick: str, play: PlayRules = CLASSIC, trump: str = "espadas-10") -> Given:
    """Return a game where seat 0, holding `hand`, plays last to `trick`."""
    first, second = (f"{card} copas-12 copas-11" for card in trick.split())
    history = (*started(ruleset=house(play=play)), dealt(hand, first, second, turn_up=trump), *bids(0, 0, 0))
    return given(*history, *plays(trick))


DUTIES = {
    "follow": (Reason.MUST_FOLLOW, "oros-5 copas-1 espadas-1", "copas-1", "espadas-1", "copas-4 copas-7"),
    "beat": (Reason.MUST_BEAT, "copas-3 copas-2 oros-1", "copas-3", "copas-2", "copas-4 copas-7"),
    "trump": (Reason.MUST_TRUMP, "espadas-2 oros-1 oros-2", "espadas-2", "oros-1", "copas-4 copas-7"),
    "overtrump": (Reason.MUST_OVERTRUMP, "espadas-2 espadas-3 oros-1", "espadas-3", "espadas-2", "copas-4 espadas-7"),
    "trump, not overtrump, with a plain card": (
        Reason.MUST_TRUMP,
        "espadas-2 espadas-3 oros-1",
        "espadas-3",
        "oros-1",
        "copas-4 espadas-7",
    ),
    "follow before beating": (Reason.MUST_FOLLOW, "copas-3 copas-2 oros-1", "copas-3", "oros-1", "copas-4 copas-7"),
    "beat a led trump": (
        Reason.MUST_BEAT,
        "espadas-12 espadas-2 oros-1",
        "espadas-12",
        "espadas-2",
        "espadas-4 espadas-7",
    ),
}


@pytest.mark.parametrize(("reason", "hand", "legal", "illegal", "trick"), DUTIES.values(), ids=DUTIES)
def test_a_broken_duty_is_named_with_the_legal_cards(
    reason: Reason, hand: str, legal: str, illegal: str, trick: str
) -> None:
    third(hand, trick).when(PlayCard(0, Card(illegal))).refused(reason, Facts(legal_cards=cards(legal)))


def test_a_forced_undertrump_is_a_duty_to_trump() -> None:
    play = PlayRules(undertrump_when_cannot_overtrump=Undertrump.FORCED)
    third("espadas-2 espadas-4 oros-1", "copas-4 espadas-7", play).when(PlayCard(0, Card.OROS_1)).refused(
        Reason.MUST_TRUMP, Facts(legal_cards=cards("espadas-2 espadas-4"))
    )


FREEDOMS = {
    "no duty to beat": ("copas-3 copas-2", "copas-4 copas-7", "copas-2", PlayRules(must_beat=MustBeat.NEVER)),
    "the duty to beat ends with a ruff": ("copas-3 copas-2", "copas-4 espadas-7", "copas-2", PlayRules()),
    "no duty to trump": (
        "oros-1 espadas-1",
        "copas-4 copas-7",
        "oros-1",
        PlayRules(must_trump=False, must_overtrump=False),
    ),
    "a lower trump where over-trumping is no duty": (
        "espadas-2 espadas-1",
        "copas-4 espadas-7",
        "espadas-2",
        PlayRules(must_overtrump=False),
    ),
    "any card where no trump is high enough": ("espadas-2 oros-1", "copas-4 espadas-7", "oros-1", PlayRules()),
}


@pytest.mark.parametrize(("hand", "trick", "card", "play"), FREEDOMS.values(), ids=FREEDOMS)
def test_a_card_against_which_no_duty_speaks_is_played(hand: str, trick: str, card: str, play: PlayRules) -> None:
    # One card more for everybody, so that the hand goes on.
    assert third(f"{hand} bastos-2", trick, play).when(PlayCard(0, Card(card))).happened()[0] == CardPlayed(
        0, Card(card)
    )


# Tricks, hands, games.


def test_a_complete_trick_is_taken_by_its_highest_card() -> None:
    third("copas-3 oros-1 oros-2", "copas-4 copas-1").when(PlayCard(0, Card.COPAS_3)).then(
        CardPlayed(0, Card.COPAS_3), TrickTaken(2, Card.COPAS_1)
    )


def test_the_highest_trump_takes_a_trick() -> None:
    third("espadas-3 oros-1 oros-2", "copas-1 espadas-2").when(PlayCard(0, Card.ESPADAS_3)).then(
        CardPlayed(0, Card.ESPADAS_3), TrickTaken(0, Card.ESPADAS_3)
    )


def test_who_takes_a_trick_leads_the_next_one() -> None:
    taken = (*plays("copas-1 bastos-1 oros-1"), TrickTaken(1, Card.COPAS_1))
    table = given(*BIDDING, *bids(0, 0, 0), *taken)
    table.when(PlayCard(1, Card.COPAS_3)).then(CardPlayed(1, Card.COPAS_3))
    table.when(PlayCard(2, Card.BASTOS_3)).refused(Reason.NOT_YOUR_TURN, Facts(seat_on_turn=1))


ONE_TRICK = (dealt("oros-2", "copas-5", "copas-1", turn_up="espadas-4"), *bids(0, 1, 1), *plays("copas-5 copas-1"))
ONE_HAND_SCORED = (
    dealt("oros-2", "copas-5", "copas-1", turn_up="espadas-4"),
    *bids(0, 1, 1),
    *plays("copas-5 copas-1 oros-2"),
    TrickTaken(2, Card.COPAS_1),
    HandScored(1, (1, 0, 1), (0, 0, 1), (-5, 10, 15), (-5, 10, 15), (1, 0, 0), (3, 2, 1)),
)


def test_the_last_card_of_a_game_brings_trick_hand_and_winner() -> None:
    at = house(Block(NORMAL, "1", "1"))
    given(*started(ruleset=at), *ONE_TRICK).when(PlayCard(0, Card.OROS_2)).then(*ONE_HAND_SCORED[-3:], GameOver((2,)))


def test_after_a_hand_that_is_not_the_last_the_next_one_is_dealt() -> None:
    at = house(Block(NORMAL, "1", "1"), Block(NORMAL, "2", "2"))
    given(*started(ruleset=at), *ONE_TRICK).when(PlayCard(0, Card.OROS_2)).then(*ONE_HAND_SCORED[-3:])
    event = the_deal(given(*started(ruleset=at), *ONE_HAND_SCORED), pack(40))
    assert (event.number, event.cards, event.dealer) == (2, 2, 1)


def test_points_and_missed_hands_add_up_over_the_hands() -> None:
    at = house(Block(NORMAL, "1", "1", "2"))
    second = dealt("copas-1", "oros-2", "copas-5", turn_up="espadas-4", dealer=1, number=2)
    history = (
        *started(ruleset=at),
        *ONE_HAND_SCORED,
        second,
        *bids(1, 1, 0, mano=2),
        *plays("copas-5 copas-1", leader=2),
    )
    given(*history).when(PlayCard(1, Card.OROS_2)).then(
        CardPlayed(1, Card.OROS_2),
        TrickTaken(0, Card.COPAS_1),
        HandScored(2, (1, 0, 1), (1, 0, 0), (15, 10, -5), (10, 20, 10), (1, 0, 1), (2, 1, 2)),
        GameOver((1,)),
    )


def test_a_multiplied_hand_multiplies_hits_and_misses() -> None:
    assert the_points_of(ScoringRules(suit_multiplier={Suit.OROS: 3})) == (-15, 30, 45)


def test_a_multiplier_of_hits_only_leaves_the_misses() -> None:
    only = ScoringRules(suit_multiplier={Suit.OROS: 3}, multiplier_applies_to=MultiplierAppliesTo.HITS_ONLY)
    assert the_points_of(only) == (-5, 30, 45)


@pytest.mark.parametrize(("min_cards", "expected"), [(1, (-5, 10, 30)), (2, (-5, 10, 15))])
def test_a_slam_is_doubled_from_its_least_number_of_cards_on(min_cards: int, expected: tuple[int, ...]) -> None:
    assert the_points_of(ScoringRules(slam_bonus=SlamBonus(min_cards, 2))) == expected


def the_points_of(scoring: ScoringRules) -> tuple[int, ...]:
    """Return the points of a one-card hand in oros that seat 2 wins, as bid; seat 1 bids none, seat 0 misses by one."""
    at = house(Block(OROS, "1", "1"), scoring=scoring)
    deal = the_deal(given(*started(ruleset=at)), cards("copas-5 copas-1 bastos-2 oros-1"))
    history = (*started(ruleset=at), deal, *bids(0, 1, 1), *plays("copas-5 copas-1"))
    scored = given(*history).when(PlayCard(0, Card.BASTOS_2)).happened()[2]
    assert isinstance(scored, HandScored)
    return scored.points


# Ties.

TIED = (
    *started(ruleset=ONE_CARD),
    dealt("oros-2", "copas-1", "copas-5", turn_up="espadas-4"),
    *bids(0, 0, 0),
    *plays("copas-1 copas-5 oros-2"),
    TrickTaken(1, Card.COPAS_1),
    HandScored(1, (0, 0, 0), (0, 1, 0), (10, -5, 10), (10, -5, 10), (0, 1, 0), (1, 3, 1)),
)


def test_a_tie_for_the_win_is_played_off_by_all() -> None:
    given(*TIED[:-3]).when(PlayCard(0, Card.OROS_2)).then(CardPlayed(0, Card.OROS_2), *TIED[-2:])
    event = the_deal(given(*TIED), pack(40))
    assert (event.number, event.kind, event.cards, event.dealer) == (2, HandKind.TIE_BREAK, 1, 1)
    assert len(event.hands) == 3


EXTRA = (
    *TIED,
    dealt("oros-2", "copas-1", "copas-5", turn_up="espadas-4", number=2, dealer=1, kind=HandKind.TIE_BREAK),
)


def test_an_extra_hand_that_breaks_the_tie_ends_the_game_and_anybody_may_win_it() -> None:
    history = (*EXTRA, *bids(1, 1, 1, mano=2), *plays("copas-5 oros-2", leader=2))
    given(*history).when(PlayCard(1, Card.COPAS_1)).then(
        CardPlayed(1, Card.COPAS_1),
        TrickTaken(1, Card.COPAS_1),
        HandScored(2, (1, 1, 1), (0, 1, 0), (-5, 15, -5), (5, 10, 5), (1, 1, 1), (2, 1, 2)),
        GameOver((1,)),
    )


def test_an_extra_hand_that_leaves_the_tie_calls_for_another_one() -> None:
    history = (*EXTRA, *bids(0, 0, 0, mano=2), *plays("copas-5 oros-2", leader=2))
    events = given(*history).when(PlayCard(1, Card.COPAS_1)).happened()
    assert isinstance(events[-1], HandScored)
    after = fold(given(*history).state, events)
    assert isinstance(after, Dealing)
    assert after.progress.next_hand == HandPlan(HandKind.TIE_BREAK, 1)


def test_below_the_win_a_tie_needs_no_extra_hand() -> None:
    assert tables.progress(ONE_CARD, 4, totals=(50, 20, 20, 0)).next_hand is None


@pytest.mark.parametrize("step", [TiebreakStep.OROS_HANDS, TiebreakStep.ONE_CARD_HANDS])
def test_a_tie_that_fifty_extra_hands_do_not_break_is_a_shared_win(step: TiebreakStep) -> None:
    at = house(Block(NORMAL, "1", "1"), players=(10,), scoring=ScoringRules(0, 0, 0), tiebreak=TiebreakRules((step,)))
    steps = list(game(at, 10, seed=3))
    deals = [event for step in steps for event in step.events if isinstance(event, HandDealt)]
    assert len(deals) == 1 + 50
    assert steps[-1].events[-1] == GameOver(tuple(range(10)))
    assert isinstance(steps[-1].after, Finished)


@pytest.mark.parametrize("steps", [(), (TiebreakStep.FEWEST_MISTAKEN_BIDS,)])
def test_a_tie_without_extra_hands_is_a_shared_win(steps: tuple[TiebreakStep, ...]) -> None:
    at = house(Block(NORMAL, "1", "1"), tiebreak=TiebreakRules(steps))
    given(*started(ruleset=at), *TIED[len(started()) : -3]).when(PlayCard(0, Card.OROS_2)).then(
        CardPlayed(0, Card.OROS_2), *TIED[-2:], GameOver((0, 2))
    )


def test_fewer_hands_missed_win_a_tie_where_the_rules_say_so() -> None:
    at = house(tiebreak=TiebreakRules((TiebreakStep.FEWEST_MISTAKEN_BIDS,)))
    assert tables.progress(at, 4, totals=(20, 20, 0, 20), missed=(3, 2, 0, 3)).ranks == (2, 1, 4, 2)


def test_an_extra_oros_hand_is_dealt_with_all_cards_and_scores_as_oros() -> None:
    scoring = ScoringRules(suit_multiplier={Suit.OROS: 3})
    at = house(tiebreak=TiebreakRules((TiebreakStep.OROS_HANDS,)), scoring=scoring, players=(3,))
    state = Dealing(tables.progress(at, 3, totals=(5, 5, 0)))
    (event,) = decide(state, DealHand(rules.deck(at, 3))).events
    assert isinstance(event, HandDealt)
    assert (event.kind, event.cards, event.multiplier, event.trump) == (OROS, 12, 3, Suit.OROS)


def test_the_house_ruleset_of_these_tests_has_one_hand_of_three_cards() -> None:
    def plan(at: Ruleset) -> tuple[HandPlan, ...]:
        return rules.hand_schedule(at, 3)

    assert plan(HOUSE) == (HandPlan(NORMAL, 3),)
    assert plan(ONE_CARD) == (HandPlan(NORMAL, 1),)
