"""What holds at every moment of any game under any valid rules (rulebook section 3)."""

from collections import Counter

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.pocha import decide
from domain.pocha.behaviour import legal
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.commands import ChooseTrump, Command, MakeAuctionBid, MakeBid, PassAuction, PickBlind, PlayCard
from domain.pocha.model.events import (
    AuctionBidMade,
    AuctionPassed,
    AuctionWon,
    BlindPickMade,
    CardPlayed,
    Event,
    GameCreated,
    GameOver,
    HandDealt,
    HandScored,
    RenuncioClaimed,
    TrickTaken,
)
from domain.pocha.model.state import (
    Bidding,
    Dealing,
    Finished,
    HandResult,
    HandState,
    InHand,
    NotCreated,
    Playing,
    Progress,
    State,
    table_of,
)
from domain.pocha.rules import ruleset as rules
from domain.pocha.rules import standings
from domain.pocha.rules.ruleset import AuctionProtocol, RenuncioMode, Ruleset, TrumpWhenAllDealt, WinnerSecondBid
from domain.pocha.rules.schedule import HandKind
from domain.pocha.rules.scoring import MultiplierAppliesTo, ScoringRules
from domain.pocha.view.game_view import see
from domain.table.table import Level, Player, Robot
from tests.domain import tables
from tests.domain.playout import FRAME, Step, accepted, an_interruption, anything, game, legal_commands, number
from tests.domain.strategies import rulesets

games = settings(max_examples=50, deadline=None)
DECODER = msgspec.json.Decoder(Event)


def play(ruleset: Ruleset, seed: int) -> list[Step]:
    return list(game(ruleset, ruleset.players.allowed[0], seed, anything))


def all_events(steps: list[Step]) -> list[Event]:
    return [event for step in steps for event in step.events]


def final_progress(steps: list[Step]) -> Progress:
    final = steps[-1].after
    assert isinstance(final, Finished)
    return final.progress


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
            hands = step.after.hands if isinstance(step.after, Playing) else step.after.deal.hands
            held = Counter(card for hand in hands for card in hand)
            deal = step.after.deal
            turned = Counter([deal.turn_up] if deal.turn_up and not (held | played)[deal.turn_up] else [])
            assert held + played + Counter(deal.stock) + turned == deck


@given(rulesets(), st.integers(0, 2**32))
@games
def test_tricks_sum_to_cards_points_follow_the_formula_and_the_hook_makes_somebody_miss(
    ruleset: Ruleset, seed: int
) -> None:
    steps = play(ruleset, seed)
    totals = [0] * ruleset.players.allowed[0]
    missed = list(totals)
    results = iter(final_progress(steps).results)
    for event in all_events(steps):
        match event:
            case HandScored():
                result = next(results)
                for seat, (bid, won) in enumerate(zip(result.bids, result.tricks, strict=True)):
                    totals[seat] += result.points[seat]
                    missed[seat] += bid != won
                assert (list(event.totals), list(event.missed)) == (totals, missed)
                assert sum(result.tricks) == result.plan.cards
                the_points_are_right(result, ruleset.scoring)
                if the_hook_binds(result, ruleset):
                    assert sum(result.bids) != result.plan.cards
                    assert result.bids != result.tricks
            case RenuncioClaimed(claimant=claimant, seat=seat, proven=proven, penalty=penalty):
                totals[seat if proven else claimant] -= penalty
                assert list(event.totals) == totals
            case _:
                pass
    assert next(results, None) is None


def the_points_are_right(result: HandResult, scoring: ScoringRules) -> None:
    factor = scoring.suit_multiplier.get(result.trump, 1) if result.trump else 1
    assert result.multiplier == (scoring.turn_up_multiplier.get(result.turn_up, factor) if result.turn_up else factor)
    for bid, won, points in zip(result.bids, result.tricks, result.points, strict=True):
        slam = scoring.slam_bonus
        doubled = slam.factor if slam is not UNSET and bid == result.plan.cards >= slam.min_cards else 1
        hit = result.multiplier * doubled * (scoring.hit_base + scoring.hit_per_trick * won)
        hits_only = scoring.multiplier_applies_to is MultiplierAppliesTo.HITS_ONLY
        miss = (1 if hits_only else result.multiplier) * scoring.miss_per_trick * abs(bid - won)
        assert points == (hit if bid == won else -miss)


def the_hook_binds(result: HandResult, ruleset: Ruleset) -> bool:
    """Exempt are hands that the hook names, ascending auctions where the rules say so, and a winner who had no other bid left."""
    hook, auction, plan = ruleset.bidding.hook, ruleset.auction, result.plan
    exempt = not hook.enabled or plan.cards in hook.exempt_cards or plan.kind in hook.exempt_kinds
    if exempt or plan.kind is not HandKind.SUBASTADO:
        return not exempt
    if auction.protocol is AuctionProtocol.ASCENDING_ONCE or not auction.hook_on_last_predictor:
        return auction.hook_on_last_predictor
    return auction.winner_second_bid is not WinnerSecondBid.AT_LEAST or plan.cards not in result.bids


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
    extra = len(final_progress(steps).results) - len(schedule)
    assert 0 <= extra <= ruleset.tiebreak.max_extra_hands
    if len(over.winners) > 1 and ruleset.tiebreak.steps[-1:] not in ((), ("fewest-mistaken-bids",)):
        assert extra == ruleset.tiebreak.max_extra_hands


@given(rulesets(), st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_the_view_names_just_the_moves_that_are_accepted(ruleset: Ruleset, seed: int) -> None:
    for step in play(ruleset, seed):
        if isinstance(step.after, InHand):
            the_view_is_right(step.after)
        else:
            assert isinstance(step.after, (Dealing, Finished))


def the_view_is_right(state: HandState) -> None:
    seat = state.turn
    told = legal_commands(see(state, seat, FRAME))
    assert told
    if isinstance(state, Playing) and state.progress.ruleset.renuncio.mode is RenuncioMode.PENALISED:
        assert {asked.card for asked in told if isinstance(asked, PlayCard)} == {*legal.legal_cards(state)}
        told = [PlayCard(seat, card) for card in state.hands[seat]]
    assert [asked for asked in everything(seat) if accepted(state, asked)] == sorted(told, key=everything(seat).index)
    for other in range(-1, state.progress.players + 1):
        if other != seat:
            assert not any(accepted(state, asked) for asked in something(other))


def everything(seat: int) -> list[Command]:
    """Return all the moves that `seat` could ever think of."""
    numbers = range(-1, 27)
    return [
        *(MakeBid(seat, bid) for bid in numbers),
        *(MakeAuctionBid(seat, bid) for bid in numbers),
        PassAuction(seat),
        *(ChooseTrump(seat, suit) for suit in Suit),
        PickBlind(seat),
        *(PickBlind(seat, position) for position in numbers),
        *(PlayCard(seat, card) for card in Card),
    ]


def something(seat: int) -> list[Command]:
    """Return a move of each sort."""
    moves = (MakeBid(seat, 0), MakeAuctionBid(seat, 0), PassAuction(seat), ChooseTrump(seat, Suit.OROS))
    return [*moves, PickBlind(seat), *(PlayCard(seat, card) for card in (Card.OROS_1, Card.COPAS_3))]


@given(rulesets(), st.integers(0, 2**32))
@games
def test_legal_cards_are_some_of_the_hand_and_follow_suit(ruleset: Ruleset, seed: int) -> None:
    for step in play(ruleset, seed):
        match step.after:
            case Playing() as state:
                hand, found = state.hands[state.turn], legal.legal_cards(state)
                assert found
                assert set(found) <= set(hand)
                if state.trick.cards and any(card.suit is state.trick.cards[0].suit for card in hand):
                    assert {card.suit for card in found} == {state.trick.cards[0].suit}
            case Bidding(deal=deal) as state:
                floor = deal.auction.bid if deal.auction else 0
                assert len(legal.legal_bids(state)) >= max(1, deal.plan.cards - floor)
            case _:
                pass


@given(rulesets().filter(lambda ruleset: ruleset.renuncio.mode is RenuncioMode.PENALISED), st.integers(0, 2**32))
@games
def test_a_claim_is_proven_just_when_the_card_was_illegal_as_it_was_played(ruleset: Ruleset, seed: int) -> None:
    renuncios: set[tuple[int, int, int]] = set()
    claims: Counter[tuple[int, int, int]] = Counter()
    for step in play(ruleset, seed):
        if isinstance(step.before, Playing) and isinstance(step.command, PlayCard):
            state, asked = step.before, step.command
            if asked.card not in legal.legal_cards(state):
                renuncios.add((state.deal.number, len(state.taken) + 1, asked.seat))
        for event in step.events:
            if isinstance(event, RenuncioClaimed):
                play_claimed = (event.hand, event.trick, event.seat)
                assert event.proven == (play_claimed in renuncios)
                claims[play_claimed] += event.proven
    assert set(claims.values()) <= {0, 1}


@given(rulesets().filter(lambda ruleset: ruleset.renuncio.mode is RenuncioMode.ENFORCED), st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_where_renuncios_are_not_punished_there_are_none_to_claim(ruleset: Ruleset, seed: int) -> None:
    for step in play(ruleset, seed):
        if isinstance(step.before, Playing) and isinstance(step.command, PlayCard):
            assert step.command.card in legal.legal_cards(step.before)
        assert not any(isinstance(event, RenuncioClaimed) for event in step.events)


@given(rulesets(HandKind.SUBASTADO), st.integers(0, 2**32))
@games
def test_an_auction_is_won_by_the_highest_bid_and_the_earliest_of_equal_ones(ruleset: Ruleset, seed: int) -> None:
    calls: list[tuple[int, int | None]] = []
    auctions = 0
    for event in all_events(play(ruleset, seed)):
        match event:
            case HandDealt():
                calls = []
            case AuctionBidMade(seat=seat, bid=bid):
                calls.append((seat, bid))
            case AuctionPassed(seat=seat):
                calls.append((seat, None))
            case AuctionWon(seat=seat, bid=bid):
                auctions += 1
                said = [(who, call) for who, call in calls if call is not None]
                assert len(calls) == ruleset.players.allowed[0]
                assert bid == max(call for _, call in said)
                assert seat == next(who for who, call in said if call == bid)
                if ruleset.auction.protocol is AuctionProtocol.ASCENDING_ONCE:
                    assert [call for _, call in said] == sorted({call for _, call in said})
                    assert event.locked
            case _:
                pass
    assert auctions > 0


@given(rulesets(), st.integers(0, 2**32))
@games
def test_trump_is_picked_blind_just_where_a_turn_up_would_be_the_dealers_own(ruleset: Ruleset, seed: int) -> None:
    picking = ruleset.trump.when_all_dealt is TrumpWhenAllDealt.DEALER_BLIND_PICK
    dealt: HandDealt | None = None
    for event in all_events(play(ruleset, seed)):
        match event:
            case HandDealt(kind=kind, stock=stock, turn_up=turn_up):
                turned = kind not in (HandKind.OROS, HandKind.CIEGA, HandKind.SUBASTADO)
                all_dealt = turned and not stock and (turn_up is None or turn_up in event.hands[event.dealer])
                assert event.face_down == (picking and all_dealt)
                assert (turn_up is not None) == (turned and not event.face_down)
                dealt = event
            case BlindPickMade(seat=seat, card=card, position=position):
                assert dealt is not None
                assert dealt.face_down
                assert seat == dealt.dealer
                assert card is dealt.hands[seat][-1 if position is None else position]
                assert event.hands == dealt.hands
            case _:
                pass


@given(rulesets(HandKind.INDIA), st.integers(0, 2**32))
@games
def test_an_india_hand_plays_itself_in_the_commit_of_its_last_bid(ruleset: Ruleset, seed: int) -> None:
    hands = 0
    for step in play(ruleset, seed):
        if isinstance(step.before, Bidding) and step.before.deal.plan.kind is HandKind.INDIA:
            deal, players = step.before.deal, step.before.progress.players
            played = [event for event in step.events if isinstance(event, CardPlayed)]
            if len(step.before.bids) == players - 1 and isinstance(step.command, MakeBid):
                hands += 1
                order = [(deal.mano + place) % players for place in range(players)]
                assert played == [CardPlayed(seat, deal.hands[seat][0]) for seat in order]
                assert any(isinstance(event, HandScored) for event in step.events)
            else:
                assert played == []
        assert not (isinstance(step.after, Playing) and step.after.deal.plan.kind is HandKind.INDIA)
    assert hands > 0


@given(rulesets(), st.integers(0, 2**32))
@games
def test_who_is_there_changes_nothing_but_who_sits_where(ruleset: Ruleset, seed: int) -> None:
    """Turns expire, players leave and come back at any moment: the same moves have the same consequences."""
    players = ruleset.players.allowed[0]
    quiet, timed = play(ruleset, seed), tables.waiting(players, players, ruleset)
    assert isinstance(timed[0], GameCreated)
    state: State = fold(NotCreated(), (replace(timed[0], turn_seconds=30), *timed[1:]))
    for place, step in enumerate(quiet):
        for again in range(3):
            asked = an_interruption(state, number(seed, place, again)) if isinstance(state, InHand) else None
            if asked:
                state = decide(state, asked).state
                attendance_is_consistent(state)
        decision = decide(state, step.command)
        *others, last = step.events
        if isinstance(last, GameOver):
            last = GameOver(standings.winners(final_progress(quiet).ranks, table_of(state).away_seats))
        assert decision.events == (*others, last)
        assert decision.state == fold(state, decision.events)
        state = decision.state
        attendance_is_consistent(state)
    assert isinstance(state, Finished)
    without = replace(final_progress(quiet), table=state.progress.table)
    assert state.progress == without


def attendance_is_consistent(state: State) -> None:
    """Everybody who began sits at their seat or is away from it; only the seat on turn is covered, and no row is longer than it may be."""
    table = table_of(state)
    people = [table.seats[seat].away or occupant for seat, occupant in enumerate(table.occupants)]
    assert all(isinstance(person, Player) for person in people)
    assert len(set(people)) == len(table.seats)
    for seat, occupant in enumerate(table.occupants):
        assert isinstance(occupant, Robot) == (table.seats[seat].away is not None)
        assert table.robot_at(seat) == (Level.EASY if isinstance(occupant, Robot) or seat == table.covered else None)
    assert all(0 <= expired < table.on_timeout.takes_seat_after for expired in tables.expired(table))
    assert table.covered is None or (isinstance(state, InHand) and table.covered == state.turn)
