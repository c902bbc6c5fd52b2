"""Every worked case of the rulebook that concerns what exists."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, cast

import msgspec
import pytest

from domain import cards as pack
from domain import tricks
from domain.cards import Card, Suit
from domain.pocha import bidding, ending, ruleset, scoring
from domain.pocha.commands import DealHand, MakeBid, PlayCard
from domain.pocha.decide import decide
from domain.pocha.events import BidMade, GameOver, HandDealt
from domain.pocha.evolve import evolve, fold
from domain.pocha.presets import PRESETS
from domain.pocha.refusals import Facts, Reason, Refused
from domain.pocha.ruleset import Ruleset
from domain.pocha.schedule import HandKind, HandPlan
from domain.pocha.state import Dealing, Match, next_hand
from domain.pocha.view import Frame, see
from tests.domain import cases, tables
from tests.domain.cases import each, preset
from tests.domain.spec import given

FRAME = Frame("game", 1, datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 2, tzinfo=UTC))


def kind(written: str) -> HandKind:
    """Read a kind of hand; the cases call the extra one-card hand `tiebreak-one-card`."""
    return HandKind.TIE_BREAK if written == "tiebreak-one-card" else HandKind(written)


def test_every_case_is_tested_or_waits_for_a_named_reason() -> None:
    ids = cases.every_id()
    assert len(ids) == len(set(ids))
    assert set(ids) == cases.TESTED | set(cases.WAITING)
    assert not cases.TESTED & set(cases.WAITING)


class LegalPlays(msgspec.Struct):
    id: str
    trump: Suit | None
    trick: tuple[Card, ...]
    hand: tuple[Card, ...]
    legal: tuple[Card, ...]
    illegal: tuple[Card, ...]
    rulesets: tuple[str, ...]
    ruleset_override: dict[str, Any] = {}


@each("legal_plays", LegalPlays)
def test_legal_plays_are_those_of_the_case(case: LegalPlays) -> None:
    for name in case.rulesets:
        rules = preset(name, case.ruleset_override)
        strength = tricks.ranks(rules.deck.rank_order)
        legal = tricks.legal_plays(case.hand, case.trick, case.trump, strength, rules.play)
        assert set(legal) == set(case.legal)
        assert set(case.hand) - set(legal) == set(case.illegal)


class TrickWinner(msgspec.Struct):
    id: str
    trump: Suit | None
    trick: tuple[Card, ...]
    winner_index: int
    winning_card: Card
    rulesets: tuple[str, ...]


@each("trick_winner", TrickWinner)
def test_the_trick_goes_to_the_card_of_the_case(case: TrickWinner) -> None:
    for name in case.rulesets:
        strength = tricks.ranks(PRESETS[name].deck.rank_order)
        assert tricks.winner(case.trick, case.trump, strength) == case.winner_index
        assert tricks.winning_card(case.trick, case.trump, strength) is case.winning_card


class HookCase(msgspec.Struct):
    id: str
    players: int
    cards: int
    hand_kind: str
    previous_bids: tuple[int, ...]
    is_last_bidder: bool
    forbidden: int | None
    legal_bids: tuple[int, ...]
    rulesets: tuple[str, ...]


@each("hook", HookCase)
def test_the_hook_forbids_what_the_case_says(case: HookCase) -> None:
    assert case.is_last_bidder == (len(case.previous_bids) == case.players - 1)
    plan = HandPlan(kind(case.hand_kind), case.cards)
    for name in case.rulesets:
        hook = PRESETS[name].bidding.hook
        forbidden = bidding.forbidden_bid(plan, case.previous_bids, case.players, hook)
        assert forbidden == case.forbidden
        assert bidding.legal_bids(plan, forbidden) == case.legal_bids


class BidValidity(msgspec.Struct):
    id: str
    cards: int
    bid: int | float
    accepted: bool
    turn: str = "seat 1"
    bidder: str = "seat 1"


@each("bid_validity", BidValidity)
def test_bids_are_accepted_as_the_case_says(case: BidValidity) -> None:
    turn, bidder = int(case.turn[-1]), int(case.bidder[-1])
    state = tables.dealing(HandPlan(HandKind.NORMAL, case.cards), dealer=turn - 1)
    bidding_state = fold(state, decide(state, DealHand(pack.pack(40))))
    # The contract refuses what is no whole number (R-BID-1); the core would, too.
    command = MakeBid(bidder, cast("int", case.bid))
    if case.accepted:
        assert decide(bidding_state, command) == (BidMade(bidder, cast("int", case.bid)),)
    else:
        with pytest.raises(Refused) as refusal:
            decide(bidding_state, command)
        expected = Reason.OUT_OF_RANGE if turn == bidder else Reason.NOT_YOUR_TURN
        assert refusal.value.reason is expected


class Scoring(msgspec.Struct):
    id: str
    trump: Suit
    turn_up: Card | None
    bid: int
    tricks: int
    multiplier: int
    points: int
    rulesets: tuple[str, ...]
    ruleset_override: dict[str, Any] = {}


@each("scoring", Scoring)
def test_a_seat_scores_what_the_case_says(case: Scoring) -> None:
    for name in case.rulesets:
        rules = preset(name, case.ruleset_override).scoring
        assert scoring.multiplier(case.trump, case.turn_up, rules) == case.multiplier
        assert scoring.points(case.bid, case.tricks, 10, case.multiplier, rules) == case.points


class WholeHand(msgspec.Struct):
    id: str
    cards: int = 0
    trump: Suit = Suit.OROS
    bids: tuple[int, ...] = ()
    tricks: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    rulesets: tuple[str, ...] = ()
    hand_points: tuple[tuple[int, ...], ...] = ()
    cumulative: tuple[tuple[int, ...], ...] = ()


def play_out(
    of: Match, plan: HandPlan, trump: Suit, multiplier: int, said: Sequence[int], won: Sequence[int]
) -> Dealing:
    """Play the last trick of a hand through `decide`; return the game after it, before it is known to be over."""
    state, last_trick = tables.before_the_last_trick(of, plan, trump, multiplier, said, won)
    for played in last_trick[:-1]:
        state = evolve(state, played)
    final = decide(state, PlayCard(last_trick[-1].seat, last_trick[-1].card))
    after = fold(state, [event for event in final if not isinstance(event, GameOver)])
    assert isinstance(after, Dealing)
    return after


@each("scoring_whole_hand", WholeHand)
def test_a_whole_hand_scores_what_the_case_says(case: WholeHand) -> None:
    for name in case.rulesets:
        plan = HandPlan(HandKind.NORMAL, case.cards)
        after = play_out(tables.match(PRESETS[name]), plan, case.trump, 1, case.bids, case.tricks)
        assert after.match.results[-1].points == case.points
        assert sum(case.tricks) == case.cards != sum(case.bids)
        assert any(bid != won for bid, won in zip(case.bids, case.tricks, strict=True))
    if case.hand_points:
        assert_the_totals_add_up(case)


def assert_the_totals_add_up(case: WholeHand) -> None:
    """The two rows of SH-03 come from bids and tricks that give their points."""
    rows = ((5, (2, 1, 0, 3), (2, 0, 0, 3)), (1, (1, 1, 0, 0), (0, 1, 0, 0)))
    of = tables.match(PRESETS["fournier"])
    for (size, said, won), points, totals in zip(rows, case.hand_points, case.cumulative, strict=True):
        of = play_out(of, HandPlan(HandKind.NORMAL, size), Suit.ESPADAS, 1, said, won).match
        assert (of.results[-1].points, of.totals) == (points, totals)


class Renuncio(msgspec.Struct):
    id: str
    attempt: Card
    accepted: bool
    points_change: int


@each("renuncio", Renuncio)
def test_an_illegal_card_is_refused_and_nothing_happens(case: Renuncio) -> None:
    """RN-06 refers to a position LP-04 that the file does not hold; this is one where `copas-4` has to beat, as in LP-08."""
    assert (case.accepted, case.points_change) == (False, 0)
    for rules in PRESETS.values():
        at = tables.house(play=rules.play, players=(3,), deck=rules.deck)
        beating = rules.play.must_beat is tricks.MustBeat.LED_SUIT
        led = "copas-5" if beating else "espadas-5"
        table = given(
            *tables.started(3, at),
            tables.dealt(
                "oros-5 oros-6 oros-7", f"{led} oros-10 bastos-7", "copas-4 copas-12 espadas-6", turn_up="bastos-2"
            ),
            *tables.bids(0, 0, 0),
            *tables.plays(led),
        )
        legal = tables.cards("copas-12" if beating else "espadas-6")
        reason = Reason.MUST_BEAT if beating else Reason.MUST_FOLLOW
        table.when(PlayCard(2, case.attempt)).refused(reason, Facts(legal_cards=legal))
        table.when(PlayCard(2, legal[0])).then(*tables.plays(f"{led} {legal[0]}")[1:])


class Expected(msgspec.Struct):
    action: str
    winners: tuple[int, ...] = ()
    kind: str = ""
    cards: int = 0


class ExtraHand(msgspec.Struct):
    kind: str
    cards: int
    bids: tuple[int, ...]
    tricks: tuple[int, ...]
    multiplier: int
    points: tuple[int, ...]


class AfterExtraHands(msgspec.Struct):
    start_points: tuple[int, ...]
    hands: tuple[ExtraHand, ...]
    start_mistakes: tuple[int, ...] | None = None


class Tiebreak(msgspec.Struct):
    id: str
    ruleset: str
    players: int
    points: tuple[int, ...]
    expect: Expected
    mistaken_bids: tuple[int, ...] | None = None
    after_extra_hands: AfterExtraHands | None = None


def extra_kind(written: str) -> HandKind:
    """An extra hand of one card is `normal` in the cases and `tie_break` in the API."""
    return HandKind.TIE_BREAK if written == "normal" else HandKind(written)


@each("tiebreak", Tiebreak)
def test_a_game_ends_or_goes_on_as_the_case_says(case: Tiebreak) -> None:
    of = the_match_of(case)
    assert of.totals == case.points
    following = next_hand(of)
    if case.expect.action == "finish":
        assert following is None
        assert ending.winners(of.ranks) == case.expect.winners
    else:
        assert following == HandPlan(extra_kind(case.expect.kind), case.expect.cards)


def the_match_of(case: Tiebreak) -> Match:
    rules, extra = PRESETS[case.ruleset], case.after_extra_hands
    if extra is None:
        return tables.match(rules, case.players, totals=case.points, missed=case.mistaken_bids)
    of = tables.match(rules, case.players, totals=extra.start_points, missed=extra.start_mistakes)
    for hand in extra.hands:
        plan = HandPlan(extra_kind(hand.kind), hand.cards)
        assert next_hand(of) == plan
        of = play_out(of, plan, Suit.OROS, hand.multiplier, hand.bids, hand.tricks).match
        assert of.results[-1].points == hand.points
    assert case.mistaken_bids in (None, of.missed)
    return of


class DeckTrim(msgspec.Struct):
    id: str
    ruleset: str
    players: int
    removed: tuple[Card, ...]
    deck_size: int
    max_cards: int
    left_over_at_max: int


@each("deck_trim", DeckTrim)
def test_the_deck_is_trimmed_as_the_case_says(case: DeckTrim) -> None:
    rules = PRESETS[case.ruleset]
    deck = ruleset.deck(rules, case.players)
    assert ruleset.removed(rules, case.players) == case.removed
    assert len(deck) == case.deck_size
    assert not set(deck) & set(case.removed)
    assert ruleset.most_cards(rules, case.players) == case.max_cards
    assert case.deck_size - case.players * case.max_cards == case.left_over_at_max


class DealAndTrump(msgspec.Struct):
    id: str
    rulesets: tuple[str, ...]
    players: int
    cards: int
    trump: Suit | None
    turn_up: Card | None
    hand_kind: HandKind = HandKind.NORMAL
    dealer: int = 0
    deck_top: tuple[Card, ...] = ()
    last_card_dealt: Card | None = None
    hands: dict[str, tuple[Card, ...]] = {}
    turn_up_in_hand_of: int | None = None


@each("deal_and_trump", DealAndTrump)
def test_a_deal_gives_the_cards_and_the_trump_of_the_case(case: DealAndTrump) -> None:
    for name in case.rulesets:
        dealt = deal(case, PRESETS[name])
        assert (dealt.trump, dealt.turn_up) == (case.trump, case.turn_up)
        for seat, hand in case.hands.items():
            assert dealt.hands[int(seat)] == hand
        holders = [seat for seat, hand in enumerate(dealt.hands) if case.turn_up in hand]
        assert holders == ([] if case.turn_up_in_hand_of is None else [case.turn_up_in_hand_of])


def deal(case: DealAndTrump, rules: Ruleset) -> HandDealt:
    last = () if case.last_card_dealt is None else (case.last_card_dealt,)
    rest = pack.without(ruleset.deck(rules, case.players), {*case.deck_top, *last})
    plan = HandPlan(case.hand_kind, case.cards)
    state = tables.dealing(plan, ruleset=rules, players=case.players, dealer=case.dealer)
    (event,) = decide(state, DealHand((*case.deck_top, *rest, *last)))
    assert isinstance(event, HandDealt)
    return event


class Visible(msgspec.Struct):
    id: str
    players: int
    deal: dict[str, Card] = {}
    turn_up: Card = Card.COPAS_5
    expect_hands: dict[str, tuple[str, ...]] = {}
    rulesets: tuple[str, ...] = ()


@each("india_visibility", Visible)
def test_a_seat_sees_its_own_card_and_of_the_stock_only_the_number(case: Visible) -> None:
    names = [name for name in PRESETS if name in case.rulesets or "*" in case.rulesets]
    for name in names:
        rules = PRESETS[name]
        top = [*(case.deal[str(seat)] for seat in (1, 2, 3, 0) if case.deal), *([case.turn_up] if case.deal else [])]
        state = tables.dealing(HandPlan(HandKind.NORMAL, 1), ruleset=rules, players=case.players)
        # The count of the case, 35, is that of a pack of 40.
        deck = (*top, *pack.without(pack.pack(40), top))
        after = fold(state, decide(state, DealHand(deck)))
        for viewer in range(case.players):
            hand = see(after, viewer, FRAME).hand
            assert isinstance(hand, msgspec.Struct)
            assert hand.stock_count == 35
            assert [hand.my_cards] == [(deck[(viewer - 1) % case.players],)]
        if case.deal:
            own = see(after, 1, FRAME)
            shown = [card for card in case.deal.values() if card in msgspec.json.encode(own).decode()]
            assert shown == [Card(card) for (card,) in case.expect_hands.values() if card != "hidden"]


class ScheduledHand(msgspec.Struct):
    hand: int
    cards: int
    kind: HandKind


class Schedule(msgspec.Struct):
    id: str
    ruleset: str
    players: int
    total_hands: int
    hands: tuple[ScheduledHand, ...]


@each("schedule", Schedule)
def test_a_game_has_the_hands_of_the_case(case: Schedule) -> None:
    hands = ruleset.hand_schedule(PRESETS[case.ruleset], case.players)
    assert len(hands) == case.total_hands
    assert hands == tuple(HandPlan(hand.kind, hand.cards) for hand in case.hands)
    assert [hand.hand for hand in case.hands] == list(range(1, case.total_hands + 1))
