"""What holds at every moment of any game under any valid rules (rulebook section 3)."""

from collections import Counter

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from domain.cards import Card
from domain.pocha import legal
from domain.pocha import ruleset as rules
from domain.pocha.commands import MakeBid, PlayCard
from domain.pocha.decide import decide
from domain.pocha.events import CardPlayed, Event, GameOver, HandDealt, HandScored, TrickTaken
from domain.pocha.evolve import fold
from domain.pocha.refusals import Refused
from domain.pocha.ruleset import Ruleset
from domain.pocha.scoring import MultiplierAppliesTo
from domain.pocha.state import (
    Bidding,
    Dealing,
    Finished,
    InHand,
    NotCreated,
    Playing,
    results_of,
    seat_on_turn,
    turn_of,
)
from domain.pocha.view import see
from tests.domain import tables
from tests.domain.playout import FRAME, Step, game
from tests.domain.strategies import rulesets

games = settings(max_examples=50, deadline=None)
DECODER = msgspec.json.Decoder(Event)


def play(ruleset: Ruleset, seed: int) -> list[Step]:
    return list(game(ruleset, ruleset.players.allowed[0], seed))


def all_events(steps: list[Step]) -> list[Event]:
    return [event for step in steps for event in step.events]


@given(rulesets(), st.integers(0, 2**32))
@games
def test_every_game_ends_and_its_events_alone_tell_how(ruleset: Ruleset, seed: int) -> None:
    steps = play(ruleset, seed)
    players = ruleset.players.allowed[0]
    history = [*tables.waiting(players, players, ruleset), *all_events(steps)]
    final = steps[-1].after
    assert isinstance(final, Finished)
    assert fold(NotCreated(), history) == final
    logged = [DECODER.decode(msgspec.json.encode(event)) for event in history]
    assert logged == history
    assert fold(NotCreated(), logged) == final


@given(rulesets(), st.integers(0, 2**32))
@games
def test_no_card_is_lost_or_doubled(ruleset: Ruleset, seed: int) -> None:
    deck = Counter(rules.deck(ruleset, ruleset.players.allowed[0]))
    played: Counter[Card] = Counter()
    for step in play(ruleset, seed):
        for event in step.events:
            if isinstance(event, HandDealt):
                played = Counter()
            if isinstance(event, CardPlayed):
                played[event.card] += 1
        if isinstance(step.after, InHand):
            held = Counter(card for hand in step.after.hands for card in hand)
            deal = step.after.deal
            turned = Counter([deal.turn_up] if deal.turn_up and not (held | played)[deal.turn_up] else [])
            assert held + played + Counter(deal.stock) + turned == deck


@given(rulesets(), st.integers(0, 2**32))
@games
def test_tricks_sum_to_cards_points_follow_the_formula_and_the_hook_makes_somebody_miss(
    ruleset: Ruleset, seed: int
) -> None:
    steps = play(ruleset, seed)
    scoring, hook = ruleset.scoring, ruleset.bidding.hook
    totals = [0] * ruleset.players.allowed[0]
    missed = list(totals)
    for result, event in zip(
        results_of(steps[-1].after), (e for e in all_events(steps) if isinstance(e, HandScored)), strict=True
    ):
        plan = result.plan
        assert sum(result.tricks) == plan.cards
        if hook.enabled and plan.cards not in hook.exempt_cards and plan.kind not in hook.exempt_kinds:
            assert sum(result.bids) != plan.cards
            assert result.bids != result.tricks
        for seat, (bid, won, points) in enumerate(zip(result.bids, result.tricks, result.points, strict=True)):
            slam = scoring.slam_bonus
            doubled = slam.factor if slam is not UNSET and bid == plan.cards >= slam.min_cards else 1
            hit = result.multiplier * doubled * (scoring.hit_base + scoring.hit_per_trick * won)
            hits_only = scoring.multiplier_applies_to is MultiplierAppliesTo.HITS_ONLY
            miss = (1 if hits_only else result.multiplier) * scoring.miss_per_trick * abs(bid - won)
            assert points == (hit if bid == won else -miss)
            totals[seat] += points
            missed[seat] += bid != won
        assert (list(event.totals), list(event.missed)) == (totals, missed)


@given(rulesets(), st.integers(0, 2**32))
@games
def test_tricks_follow_each_other_as_they_are_taken(ruleset: Ruleset, seed: int) -> None:
    players = ruleset.players.allowed[0]
    leader, on_table, tricks_won = 0, 0, [0] * players
    for event in all_events(play(ruleset, seed)):
        match event:
            case HandDealt(dealer=dealer):
                leader, on_table, tricks_won = (dealer + 1) % players, 0, [0] * players
            case CardPlayed(seat=seat):
                assert seat == (leader + on_table) % players
                on_table += 1
            case TrickTaken(seat=seat):
                assert on_table == players
                leader, on_table = seat, 0
                tricks_won[seat] += 1
            case HandScored(tricks=tricks):
                assert list(tricks) == tricks_won
            case _:
                pass


@given(rulesets(), st.integers(0, 2**32))
@games
def test_the_winners_have_the_highest_total_and_only_a_settled_tie_leaves_one(ruleset: Ruleset, seed: int) -> None:
    steps = play(ruleset, seed)
    over, scored = steps[-1].events[-1], steps[-1].events[-2]
    assert isinstance(over, GameOver)
    assert isinstance(scored, HandScored)
    best = max(scored.totals)
    assert over.winners
    assert {scored.totals[seat] for seat in over.winners} == {best}
    schedule = rules.hand_schedule(ruleset, len(scored.totals))
    extra = len(results_of(steps[-1].after)) - len(schedule)
    assert 0 <= extra <= ruleset.tiebreak.max_extra_hands
    if len(over.winners) > 1 and ruleset.tiebreak.steps[-1:] not in ((), ("fewest-mistaken-bids",)):
        assert extra == ruleset.tiebreak.max_extra_hands


@given(rulesets(), st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_the_view_names_just_the_moves_that_are_accepted(ruleset: Ruleset, seed: int) -> None:
    for step in play(ruleset, seed):
        if isinstance(step.after, InHand):
            the_view_is_right(step.after)
        else:
            assert seat_on_turn(step.after) is None
            assert isinstance(step.after, (Dealing, Finished))


def the_view_is_right(state: InHand) -> None:
    seat, seats = turn_of(state), range(-1, len(state.match.table.seats) + 1)
    turn = see(state, seat, FRAME).turn
    assert turn is not UNSET
    told_bids = () if turn.legal_bids is UNSET else turn.legal_bids
    told_cards = () if turn.legal_cards is UNSET else turn.legal_cards
    assert bool(told_bids) == isinstance(state, Bidding)
    assert bool(told_cards) == isinstance(state, Playing)
    assert tuple(bid for bid in range(-1, 27) if accepted(state, MakeBid(seat, bid))) == told_bids
    assert {card for card in Card if accepted(state, PlayCard(seat, card))} == {*told_cards}
    for other in seats:
        if other != seat:
            assert not accepted(state, MakeBid(other, 0))
            assert not accepted(state, PlayCard(other, Card.OROS_1))


def accepted(state: InHand, command: MakeBid | PlayCard) -> bool:
    try:
        return bool(decide(state, command))
    except Refused:
        return False


@given(rulesets(), st.integers(0, 2**32))
@games
def test_legal_cards_are_some_of_the_hand_and_follow_suit(ruleset: Ruleset, seed: int) -> None:
    for step in play(ruleset, seed):
        match step.after:
            case Playing() as state:
                hand, found = legal.hand_on_turn(state), legal.legal_cards(state)
                assert found
                assert set(found) <= set(hand)
                if state.trick.cards and any(card.suit is state.trick.cards[0].suit for card in hand):
                    assert {card.suit for card in found} == {state.trick.cards[0].suit}
            case Bidding() as state:
                assert len(legal.legal_bids(state)) >= state.deal.plan.cards
            case _:
                pass
