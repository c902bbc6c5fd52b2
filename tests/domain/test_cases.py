"""Every worked case of the rulebook."""

from collections.abc import Sequence
from typing import Any, cast

import msgspec
import pytest

from domain import cards as pack
from domain import tricks
from domain.cards import Card, Suit
from domain.pocha import decide
from domain.pocha.behaviour import legal
from domain.pocha.behaviour.evolve import evolve, fold
from domain.pocha.model.commands import (
    ChooseTrump,
    ClaimRenuncio,
    DealHand,
    MakeAuctionBid,
    MakeBid,
    PassAuction,
    PickBlind,
    PlayCard,
)
from domain.pocha.model.events import (
    BidMade,
    BlindPickMade,
    CardPlayed,
    GameOver,
    HandDealt,
    RenuncioClaimed,
    TrickTaken,
)
from domain.pocha.model.refusals import Facts, Reason, Refused
from domain.pocha.model.state import (
    Bidding,
    ChoosingTrump,
    Dealing,
    PickingBlind,
    Playing,
    Progress,
    State,
)
from domain.pocha.rules import auction, bidding, ruleset, scoring, standings
from domain.pocha.rules.bidding import Hook
from domain.pocha.rules.presets import PRESETS
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.rules.schedule import HandKind, HandPlan
from domain.pocha.view.game_view import see
from domain.pocha.view.schema import HandView
from tests.domain import cases, tables
from tests.domain.cases import each, preset
from tests.domain.playout import FRAME, accepted
from tests.domain.spec import given


def kind(written: str) -> HandKind:
    """Read a kind of hand; the cases call the extra one-card hand `tiebreak-one-card`."""
    return HandKind.TIE_BREAK if written == "tiebreak-one-card" else HandKind(written)


def test_every_case_is_a_test() -> None:
    ids = cases.every_id()
    assert len(ids) == len(set(ids))
    assert set(ids) == cases.TESTED


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
        strength = tricks.strengths(rules.deck.rank_order)
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
        strength = tricks.strengths(PRESETS[name].deck.rank_order)
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


PREDICTIONS = [case["id"] for case in cases.raw()["hook"] if case["id"] != "HK-21"]


@each("hook", HookCase, *PREDICTIONS)
def test_the_hook_forbids_what_the_case_says(case: HookCase) -> None:
    assert case.is_last_bidder == (len(case.previous_bids) == case.players - 1)
    plan = HandPlan(kind(case.hand_kind), case.cards)
    for name in case.rulesets:
        hook = PRESETS[name].bidding.hook
        forbidden = bidding.forbidden_bid(plan, case.previous_bids, case.players, hook)
        assert forbidden == case.forbidden
        assert bidding.legal_bids(plan, forbidden) == case.legal_bids


@each("hook", HookCase, "HK-21")
def test_the_first_round_of_an_auction_knows_no_hook(case: HookCase) -> None:
    plan = HandPlan(HandKind.SUBASTADO, case.cards)
    for name in case.rulesets:
        rules = PRESETS[name].auction
        calls = auction.legal_calls(case.previous_bids, plan, case.players, rules, Hook())
        assert (calls.bids, calls.may_pass) == (case.legal_bids, False)
        hooked = msgspec.structs.replace(rules, hook_in_first_round=True)
        assert 0 not in auction.legal_calls(case.previous_bids, plan, case.players, hooked, Hook()).bids


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
    bidding_state = decide(state, DealHand(pack.pack(40))).state
    # The contract refuses what is no whole number (R-BID-1); the core would, too.
    command = MakeBid(bidder, cast("int", case.bid))
    if case.accepted:
        assert decide(bidding_state, command).events == (BidMade(bidder, cast("int", case.bid)),)
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
    of: Progress, plan: HandPlan, trump: Suit, multiplier: int, said: Sequence[int], won: Sequence[int]
) -> Dealing:
    """Play the last trick of a hand through `decide`; return the game after it, before it is known to be over."""
    state, last_trick = tables.before_the_last_trick(of, plan, trump, multiplier, said, won)
    for played in last_trick[:-1]:
        state = evolve(state, played)
    final = decide(state, PlayCard(last_trick[-1].seat, last_trick[-1].card)).events
    after = fold(state, [event for event in final if not isinstance(event, GameOver)])
    assert isinstance(after, Dealing)
    return after


@each("scoring_whole_hand", WholeHand)
def test_a_whole_hand_scores_what_the_case_says(case: WholeHand) -> None:
    for name in case.rulesets:
        plan = HandPlan(HandKind.NORMAL, case.cards)
        after = play_out(tables.progress(PRESETS[name]), plan, case.trump, 1, case.bids, case.tricks)
        assert after.progress.results[-1].points == case.points
        assert sum(case.tricks) == case.cards != sum(case.bids)
        assert any(bid != won for bid, won in zip(case.bids, case.tricks, strict=True))
    if case.hand_points:
        assert_the_totals_add_up(case)


def assert_the_totals_add_up(case: WholeHand) -> None:
    """The two rows of SH-03 come from bids and tricks that give their points."""
    rows = ((5, (2, 1, 0, 3), (2, 0, 0, 3)), (1, (1, 1, 0, 0), (0, 1, 0, 0)))
    of = tables.progress(PRESETS["fournier"])
    for (size, said, won), points, totals in zip(rows, case.hand_points, case.cumulative, strict=True):
        of = play_out(of, HandPlan(HandKind.NORMAL, size), Suit.ESPADAS, 1, said, won).progress
        assert (of.results[-1].points, of.totals) == (points, totals)


class Penalty(msgspec.Struct):
    id: str
    ruleset: str
    trump: Suit
    turn_up: Card
    penalty: int


@each("renuncio", Penalty, "RN-01", "RN-02", "RN-04")
def test_a_proven_renuncio_costs_what_the_case_says(case: Penalty) -> None:
    punished = preset(case.ruleset, {"renuncio.mode": "penalised"})
    # The mano leads a card of the third suit; seat 2 could follow, and does not.
    suit = next(suit for suit in Suit if suit not in (Suit.ESPADAS, case.trump))
    state = tables.dealing(HandPlan(HandKind.NORMAL, 2), ruleset=punished, players=3)
    top = tables.cards(f"{suit}-1 {suit}-5 espadas-11 {suit}-3 espadas-12 espadas-10")
    (deal,) = decide(state, DealHand((*top, case.turn_up))).events
    assert isinstance(deal, HandDealt)
    state = fold(state, (deal, *tables.bids(0, 0, 0), *tables.plays(f"{suit}-1 espadas-12")))
    (claimed,) = decide(state, ClaimRenuncio(claimant=0, seat=2, trick=1)).events
    assert isinstance(claimed, RenuncioClaimed)
    assert claimed.proven
    assert claimed.totals == (0, 0, case.penalty)


class Renuncio(msgspec.Struct):
    id: str
    attempt: Card
    accepted: bool
    points_change: int


@each("renuncio", Renuncio, "RN-06")
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
    of = progress_at(case)
    assert of.totals == case.points
    following = of.next_hand
    if case.expect.action == "finish":
        assert following is None
        assert standings.winners(of.ranks) == case.expect.winners
    else:
        assert following == HandPlan(extra_kind(case.expect.kind), case.expect.cards)


def progress_at(case: Tiebreak) -> Progress:
    rules, extra = PRESETS[case.ruleset], case.after_extra_hands
    if extra is None:
        return tables.progress(rules, case.players, totals=case.points, missed=case.mistaken_bids)
    of = tables.progress(rules, case.players, totals=extra.start_points, missed=extra.start_mistakes)
    for hand in extra.hands:
        plan = HandPlan(extra_kind(hand.kind), hand.cards)
        assert of.next_hand == plan
        of = play_out(of, plan, Suit.OROS, hand.multiplier, hand.bids, hand.tricks).progress
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


@each("deal_and_trump", DealAndTrump, "TM-01", "TM-02", "TM-04", "TM-06", "TM-07")
def test_a_deal_gives_the_cards_and_the_trump_of_the_case(case: DealAndTrump) -> None:
    for name in case.rulesets:
        dealt = deal(case, PRESETS[name])
        if dealt.face_down:
            assert case.id == "TM-04"
            picked = pick(case, PRESETS[name], None)
            dealt = msgspec.structs.replace(dealt, trump=picked.card.suit, turn_up=picked.card)
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
    (event,) = decide(state, DealHand((*case.deck_top, *rest, *last))).events
    assert isinstance(event, HandDealt)
    return event


class BlindPick(msgspec.Struct):
    id: str
    rulesets: tuple[str, ...]
    players: int
    cards: int
    dealer: int
    dealer_picks_index: int


@each("deal_and_trump", BlindPick, "TM-03")
def test_the_dealer_points_at_a_card_unseen_and_it_marks_trump_and_stays_in_hand(case: BlindPick) -> None:
    rules = PRESETS[case.rulesets[0]]
    deck = pack.pack(40)
    picked = pick(case, rules, case.dealer_picks_index)
    # The dealer's cards are the last ones of each round of the deal.
    assert picked.card is deck[4 * case.dealer_picks_index + 3]
    assert picked.hands[case.dealer][case.dealer_picks_index] is picked.card
    after = fold(face_down(case, rules), [picked])
    assert isinstance(after, Bidding)
    assert (after.deal.turn_up, after.deal.trump) == (picked.card, picked.card.suit)
    assert picked.card in after.deal.hands[case.dealer]


def face_down(case: BlindPick | DealAndTrump, rules: Ruleset) -> PickingBlind:
    plan = HandPlan(HandKind.NORMAL, case.cards)
    state = tables.dealing(plan, ruleset=rules, players=case.players, dealer=case.dealer)
    dealt = deal(case, rules) if isinstance(case, DealAndTrump) else decide(state, DealHand(pack.pack(40))).events[0]
    state = fold(state, [dealt])
    assert isinstance(state, PickingBlind)
    return state


def pick(case: BlindPick | DealAndTrump, rules: Ruleset, position: int | None) -> BlindPickMade:
    (event,) = decide(face_down(case, rules), PickBlind(case.dealer, position)).events
    assert isinstance(event, BlindPickMade)
    return event


class Visible(msgspec.Struct):
    id: str
    viewer: str
    expect_hands: dict[str, tuple[str, ...]]
    deal: dict[str, Card]
    hand_kind: HandKind = HandKind.INDIA
    rulesets: tuple[str, ...] = ()
    turn_up: Card = Card.COPAS_5


def one_card_each(rules: Ruleset, kind: HandKind, cards: dict[str, Card], turn_up: Card) -> Bidding:
    """Deal `cards`, by seat, in a hand of one card whose dealer is seat 0."""
    state = tables.dealing(HandPlan(kind, 1), ruleset=rules, players=len(cards))
    top = (*(cards[str(seat)] for seat in (1, 2, 3, 0)), turn_up)
    after = decide(state, DealHand((*top, *pack.without(ruleset.deck(rules, 4), top)))).state
    assert isinstance(after, Bidding)
    return after


@each("india_visibility", Visible, "IV-01", "IV-02", "IV-05", "IV-06", "IV-08")
def test_a_viewer_sees_just_the_cards_of_the_case(case: Visible) -> None:
    """A robot's seat (IV-08) gets its view from the same function, and has no other."""
    viewer = None if case.viewer == "spectator" else int(case.viewer[-1])
    for name in case.rulesets:
        state = one_card_each(PRESETS[name], case.hand_kind, case.deal, case.turn_up)
        hand = see(state, viewer, FRAME).hand
        assert isinstance(hand, HandView)
        shown = {str(seen.seat): tuple(seen.cards) for seen in hand.seen_cards or ()}
        if hand.my_cards is not msgspec.UNSET:
            shown[str(viewer)] = hand.my_cards
        hidden = {seat: ("hidden",) for seat in case.deal if seat not in shown}
        assert {**shown, **hidden} == case.expect_hands
        assert hand.turn_up is case.turn_up
        written = msgspec.json.encode(see(state, viewer, FRAME)).decode()
        assert {card for card in case.deal.values() if f'"{card}"' in written} == {card for (card,) in shown.values()}


class Counted(msgspec.Struct):
    id: str
    players: int
    expect: dict[str, int | None]


@each("india_visibility", Counted, "IV-10")
def test_of_the_stock_only_the_number_is_seen(case: Counted) -> None:
    for rules in PRESETS.values():
        state = tables.dealing(HandPlan(HandKind.NORMAL, 1), ruleset=rules, players=case.players)
        # The count of the case, 35, is that of a pack of 40.
        after = decide(state, DealHand(pack.pack(40))).state
        assert isinstance(after, Bidding)
        for viewer in (None, *range(case.players)):
            view = see(after, viewer, FRAME)
            assert isinstance(view.hand, HandView)
            assert view.hand.stock_count == case.expect["stock_count"] == len(after.deal.stock)
            written = msgspec.json.encode(view).decode()
            assert not [card for card in after.deal.stock if f'"{card}"' in written]


class IndiaTrick(msgspec.Struct):
    id: str
    rulesets: tuple[str, ...]
    deal: dict[str, Card]
    turn_up: Card
    expect_trick_order: tuple[Card, ...]
    winner: str


@each("india_visibility", IndiaTrick, "IV-11")
def test_an_india_hand_plays_itself_as_the_case_says(case: IndiaTrick) -> None:
    for name in case.rulesets:
        state = one_card_each(PRESETS[name], HandKind.INDIA, case.deal, case.turn_up)
        last = fold(state, tables.bids(0, 0, 0, 0)[:3])
        events = decide(last, MakeBid(0, 0)).events
        played = [event for event in events if isinstance(event, CardPlayed)]
        assert tuple(event.card for event in played) == case.expect_trick_order
        assert [event.seat for event in played] == [1, 2, 3, 0]
        assert [f"seat {event.seat}" for event in events if isinstance(event, TrickTaken)] == [case.winner]


# Auctions.


class DoubleBid(msgspec.Struct):
    id: str
    rulesets: tuple[str, ...]
    players: int
    cards: int
    dealer: int
    auction_winner: int
    first_round_bids: tuple[int, ...] = (3, 5, 4, 2)
    speaking_order: tuple[int, ...] = (1, 2, 3, 0)


def auctioning(rules: Ruleset, players: int, size: int, dealer: int) -> State:
    """Return a subastado hand where nobody has spoken."""
    plan = HandPlan(HandKind.SUBASTADO, size)
    state = tables.dealing(plan, ruleset=rules, players=players, dealer=dealer)
    return decide(state, DealHand(ruleset.deck(rules, players))).state


def after_auction(case: DoubleBid, rules: Ruleset) -> ChoosingTrump:
    state = auctioning(rules, case.players, case.cards, case.dealer)
    for seat, bid in zip(case.speaking_order, case.first_round_bids, strict=True):
        state = decide(state, MakeAuctionBid(seat, bid)).state
    assert isinstance(state, ChoosingTrump)
    assert state.auction.winner == case.auction_winner
    return state


@each("auction_double_bid", DoubleBid, "AD-01", "AD-02", "AD-04", "AD-05")
def test_a_double_bid_is_won_by_the_seat_of_the_case(case: DoubleBid) -> None:
    for name in case.rulesets:
        won = after_auction(case, PRESETS[name]).auction
        assert (won.bid, won.locked) == (max(case.first_round_bids), False)


class SecondRound(DoubleBid, kw_only=True):
    chosen_trump: Suit
    second_round: dict[str, tuple[int, ...]]
    final_bids: dict[str, int]


@each("auction_double_bid", SecondRound, "AD-07")
def test_all_bid_again_knowing_trump_as_the_case_says(case: SecondRound) -> None:
    order, said = case.second_round["order"], case.second_round["bids"]
    for name in case.rulesets:
        state = named(after_auction(case, PRESETS[name]), case.chosen_trump)
        for seat, bid in zip(order, said, strict=True):
            state = decide(state, MakeBid(seat, bid)).state
        assert isinstance(state, Playing)
        assert {str(seat): bid for seat, bid in enumerate(state.bids)} == case.final_bids
        bound = preset(name, {"auction.winnerSecondBid": "at-least"})
        second = fold(named(after_auction(case, bound), case.chosen_trump), [BidMade(1, 3)])
        assert not accepted(second, MakeBid(2, 4))
        assert [bid for bid in range(12) if accepted(second, MakeBid(2, bid))] == [5, 6, 7, 8, 9, 10]
        locked = preset(name, {"auction.winnerSecondBid": "locked"})
        assert named(after_auction(case, locked), case.chosen_trump).deal.bidders == (1, 3, 0)


def named(state: ChoosingTrump, suit: Suit) -> Bidding:
    """Let the winner name trump."""
    after = decide(state, ChooseTrump(state.auction.winner, suit)).state
    assert isinstance(after, Bidding)
    assert after.deal.trump is suit
    return after


class Naming(msgspec.Struct):
    seat: int
    suit: Suit | None
    accepted: bool


class NamingTrump(DoubleBid, kw_only=True):
    attempts: tuple[Naming, ...]


@each("auction_double_bid", NamingTrump, "AD-10")
def test_only_the_winner_names_trump_and_must_name_a_suit(case: NamingTrump) -> None:
    for name in case.rulesets:
        state = after_auction(case, PRESETS[name])
        for attempt in case.attempts:
            if attempt.suit is None:
                # No suit is nothing that can be asked: the winner's own bid is the next thing one might try.
                assert not accepted(state, MakeBid(attempt.seat, 3))
            else:
                assert accepted(state, ChooseTrump(attempt.seat, attempt.suit)) is attempt.accepted


class Ascending(msgspec.Struct):
    id: str
    rulesets: tuple[str, ...]
    players: int
    cards: int
    dealer: int
    speaking_order: tuple[int, ...]
    actions: tuple[int | str, ...]
    expect: dict[str, int]


@each("auction_ludoteka", Ascending, "AL-02", "AL-03", "AL-04", "AL-07", "AL-08")
def test_an_ascending_auction_goes_as_the_case_says(case: Ascending) -> None:
    (name,) = case.rulesets
    state = auctioning(PRESETS[name], case.players, case.cards, case.dealer)
    for place, action in enumerate(case.actions):
        seat = case.speaking_order[place]
        asked = MakeAuctionBid(seat, action) if isinstance(action, int) else PassAuction(seat)
        if place == case.expect.get("rejected_action_index"):
            assert not accepted(state, asked)
            return
        state = decide(state, asked).state
    assert isinstance(state, ChoosingTrump)
    assert state.auction.locked
    assert {"winner": state.auction.winner, "bid": state.auction.bid} == case.expect


class Predicting(msgspec.Struct):
    id: str
    rulesets: tuple[str, ...]
    players: int
    cards: int
    dealer: int
    auction_winner: int
    auction_bid: int
    chosen_trump: Suit = Suit.COPAS
    prediction_order: tuple[int, ...] = (1, 3, 0)
    fixed_bids: dict[str, int] = {}
    predictions_so_far: dict[str, int] = {}
    forbidden: int | None = None
    legal_bids: tuple[int, ...] = ()


@each("auction_ludoteka", Predicting, "AL-09", "AL-10")
def test_the_others_predict_after_an_ascending_auction_as_the_case_says(case: Predicting) -> None:
    state = named(ascended(case.auction_winner, case.auction_bid), case.chosen_trump)
    assert state.deal.bidders == case.prediction_order
    for seat, bid in case.predictions_so_far.items():
        state = decide(state, MakeBid(int(seat), bid)).state
    assert isinstance(state, Bidding)
    if case.legal_bids:
        assert (legal.forbidden_bid(state), legal.legal_bids(state)) == (case.forbidden, case.legal_bids)
        return
    for seat in case.prediction_order:
        state = decide(state, MakeBid(seat, 0)).state
    assert isinstance(state, Playing)
    assert {"2": state.bids[2]} == case.fixed_bids


def ascended(winner: int, bid: int) -> ChoosingTrump:
    """Return Loca's auction, seat 0 the dealer, that `winner` has won with `bid`; before, the mano said none."""
    state = auctioning(PRESETS["ludoteka-loca"], 4, 10, dealer=0)
    for seat in (1, 2, 3, 0):
        asked = (
            MakeAuctionBid(seat, bid) if seat == winner else MakeAuctionBid(1, 0) if seat == 1 else PassAuction(seat)
        )
        state = decide(state, asked).state
    assert isinstance(state, ChoosingTrump)
    return state


class Lead(msgspec.Struct):
    id: str
    rulesets: tuple[str, ...]
    auction_winner: int
    first_lead: int


@each("auction_double_bid", Lead, "AD-11")
def test_the_mano_leads_though_another_won_the_double_bid(case: Lead) -> None:
    for name in case.rulesets:
        won = DoubleBid(case.id, case.rulesets, 4, 10, 0, case.auction_winner)
        state = fold(named(after_auction(won, PRESETS[name]), Suit.OROS), tables.bids(0, 0, 0, 0))
        assert isinstance(state, Playing)
        assert state.turn == case.first_lead


@each("auction_ludoteka", Lead, "AL-12")
def test_the_mano_leads_though_another_won_the_ascending_auction(case: Lead) -> None:
    state = named(ascended(case.auction_winner, 4), Suit.OROS)
    after = fold(state, [BidMade(seat, 0) for seat in state.deal.bidders])
    assert isinstance(after, Playing)
    assert after.turn == case.first_lead


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
