"""What a viewer may not know has no influence on anything that the viewer is told."""

import base64
import re
from datetime import UTC, datetime

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.pocha import decide
from domain.pocha.behaviour import legal
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.commands import (
    ChooseTrump,
    ClaimRenuncio,
    Command,
    DealHand,
    MakeAuctionBid,
    MakeBid,
    PassAuction,
    PickBlind,
    PlayCard,
    TakeSeat,
)
from domain.pocha.model.events import (
    BlindPickMade,
    CardPlayed,
    Event,
    HandDealt,
    RenuncioClaimed,
    RobotSeated,
    SeatLeft,
    SeatTaken,
    TurnExpired,
)
from domain.pocha.model.refusals import Refused
from domain.pocha.model.state import (
    Auctioning,
    Bidding,
    ChoosingTrump,
    Dealing,
    Finished,
    InHand,
    NotCreated,
    PickingBlind,
    Playing,
    State,
    table_of,
)
from domain.pocha.rules import ruleset as rules
from domain.pocha.rules.ruleset import Ruleset, TrumpRules, TrumpWhenAllDealt
from domain.pocha.rules.schedule import HandKind
from domain.pocha.view.event_view import differs_by_viewer, redact
from domain.pocha.view.game_view import see, turn_view
from domain.pocha.view.schema import WaitTurn
from domain.robots import observe
from domain.table.table import Level, Player
from tests.domain import tables
from tests.domain.playout import FRAME, an_interruption, anything, game, legal_commands, number, shuffled
from tests.domain.robots.robots import ROBOTS
from tests.domain.strategies import rulesets

AT = datetime(2024, 1, 1, tzinfo=UTC)
CARD = re.compile(rb"(?:oros|copas|espadas|bastos)-\d+")


def seen(state: State, viewer: int | None) -> bytes:
    return msgspec.json.encode(see(state, viewer, FRAME))


def told(events: tuple[Event, ...], viewer: int | None) -> bytes:
    return msgspec.json.encode([redact(event, viewer, 7, AT) for event in events])


def refusal(state: State, command: Command) -> tuple[str, bytes] | None:
    """Return all that a refusal says; none where the command is carried out."""
    try:
        decide(state, command)
    except Refused as refused:
        return refused.reason, msgspec.json.encode(refused.facts)
    return None


class Twins:
    """Two games that look alike to `viewer`: in every deal, cards that the viewer cannot see have changed places.

    A game ends where the viewer learns of a difference: an own card of an india hand is played, or a card picked blind is turned up.
    """

    def __init__(self, ruleset: Ruleset, viewer: int | None, seed: int, *, restless: bool = False) -> None:
        self.players = ruleset.players.allowed[0]
        self.ruleset, self.viewer, self.seed, self.restless = ruleset, viewer, seed, restless
        made, *rest = tables.started(self.players, ruleset, number(seed) % self.players)
        begun = fold(NotCreated(), (replace(made, turn_seconds=30) if restless else made, *rest))
        self.one: State = begun
        self.two: State = begun

    def run(self) -> int:
        """Play the same public moves in both as long as they are legal in both; return how many were made."""
        for count in range(1_000):
            self.look()
            commands = self.interruption(count) or self.next_commands(count)
            if commands is None or not self.make(*commands):
                return count
        raise AssertionError("a game without end")

    def interruption(self, count: int) -> tuple[Command, Command] | None:
        """Return now and then, in both games, a turn whose time is over, a player who leaves, or one who comes back."""
        if not self.restless or not isinstance(self.one, InHand):
            return None
        assert table_of(self.one) == table_of(self.two)
        asked = an_interruption(self.one, number(self.seed, count, "interruption"))
        return (asked, asked) if asked else None

    def look(self) -> None:
        for viewer in {self.viewer, None}:
            assert seen(self.one, viewer) == seen(self.two, viewer)
        if self.viewer is not None:
            self.try_everything(self.viewer)
        if isinstance(self.one, InHand) and self.viewer is not None and self.viewer == self.one.turn:
            one, two = observe(self.one, self.viewer), observe(self.two, self.viewer)
            assert one == two
            for robot in ROBOTS:
                assert robot(one, self.ruleset, self.seed) == robot(two, self.ruleset, self.seed)

    def try_everything(self, seat: int) -> None:
        """Whatever the viewer asks, both games answer alike."""
        asked: list[Command] = [MakeBid(seat, bid) for bid in (-1, 0, 1, 2, 99)]
        asked += [MakeAuctionBid(seat, bid) for bid in (-1, 0, 1, 99)]
        asked += [PassAuction(seat), ChooseTrump(seat, Suit.OROS), PickBlind(seat), PickBlind(seat, 99)]
        asked += [PlayCard(seat, card) for card in Card]
        # A legal card may end a trick or a hand, which is public; what it is worth is told alike as well.
        for command in asked:
            assert self.same_answer(command, seat)
        # Whether a claim is proven tells of hidden cards, to all; whether it may be made does not.
        claims = (ClaimRenuncio(seat, other, trick) for other in range(self.players) for trick in (0, 1, 2))
        for claim in claims:
            assert refusal(self.one, claim) == refusal(self.two, claim)

    def same_answer(self, command: Command, seat: int) -> bool:
        if refusal(self.one, command) or refusal(self.two, command):
            return refusal(self.one, command) == refusal(self.two, command)
        first, second = self.before_a_difference(command, command)
        return told(first, seat) == told(second, seat)

    def before_a_difference(self, one: Command, two: Command) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
        """Return what follows in both games, up to the event in which a card comes to light that differs."""
        first, second = decide(self.one, one).events, decide(self.two, two).events
        known = zip(first, second, strict=False)
        alike = next((place for place, pair in enumerate(known) if self.brings_to_light(*pair)), len(first))
        return (first, second) if alike == len(first) else (first[:alike], second[:alike])

    def brings_to_light(self, one: Event, two: Event) -> bool:
        match one, two:
            case BlindPickMade(), BlindPickMade():
                return one.card is not two.card or self.hand_of(one) != self.hand_of(two)
            case CardPlayed(), CardPlayed():
                return isinstance(self.one, Bidding) and one.card is not two.card
            case _:
                return False

    def hand_of(self, event: BlindPickMade) -> tuple[Card, ...]:
        return () if self.viewer is None else event.hands[self.viewer]

    def next_commands(self, count: int) -> tuple[Command, Command] | None:
        match self.one, self.two:
            case Dealing(), Dealing():
                return self.deals(self.one)
            case Playing(), Playing():
                return self.plays(self.one, self.two, count)
            case ((PickingBlind() | Auctioning() | ChoosingTrump() | Bidding()), _):
                asked = self.choices(self.one)
                assert asked == self.choices(self.two)
                command = asked[number(self.seed, count) % len(asked)]
                return command, command
            case _:
                assert isinstance(self.one, Finished)
                assert isinstance(self.two, Finished)
                return None

    def choices(self, state: State) -> list[Command]:
        assert isinstance(state, InHand)
        return legal_commands(see(state, state.turn, FRAME))

    def deals(self, state: Dealing) -> tuple[Command, Command]:
        hand = len(state.progress.results)
        deck = shuffled(rules.deck(self.ruleset, self.players), self.seed, hand)
        other = list(deck)
        hidden = self.hidden(state, deck)
        for swap in range(number(self.seed, hand, "swaps") % 4 + 1 if len(hidden) > 1 else 0):
            # The first one is, in an india hand, the own card.
            one = hidden[number(self.seed, hand, swap, "one") % len(hidden) if swap else 0]
            two = hidden[1 + number(self.seed, hand, swap, "two") % (len(hidden) - 1)]
            other[one], other[two] = other[two], other[one]
        return DealHand(deck), DealHand(tuple(other))

    def hidden(self, state: Dealing, deck: tuple[Card, ...]) -> list[int]:
        """Return the places of the cards in the deck that the viewer does not see when they are dealt."""
        (dealt,) = decide(state, DealHand(deck)).events
        assert isinstance(dealt, HandDealt)
        if dealt.face_down:
            return list(range(len(deck)))
        shown = {dealt.turn_up, *known_to(self.viewer, dealt)}
        return [place for place, card in enumerate(deck) if card not in shown]

    def plays(self, one: Playing, two: Playing, count: int) -> tuple[Command, Command] | None:
        seat = one.turn
        in_two = legal.legal_cards(two)
        both = [card for card in legal.legal_cards(one) if card in in_two]
        if seat == self.viewer:
            assert legal.legal_cards(one) == in_two
        if not both:
            return None
        card = PlayCard(seat, both[number(self.seed, count) % len(both)])
        return card, card

    def make(self, one: Command, two: Command) -> bool:
        """Let both happen, and tell whether the games still look alike afterwards."""
        first, second = self.before_a_difference(one, two)
        for viewer in {self.viewer, None}:
            assert told(first, viewer) == told(second, viewer)
        if len(first) < len(decide(self.one, one).events):
            return False
        self.one, self.two = fold(self.one, first), fold(self.two, second)
        return True


def known_to(viewer: int | None, dealt: HandDealt) -> set[Card]:
    """Return the cards in hands that `viewer` sees as they are dealt."""
    if viewer is None or dealt.face_down:
        return set()
    if dealt.kind is HandKind.INDIA:
        return {card for seat, hand in enumerate(dealt.hands) for card in hand if seat != viewer}
    return set(dealt.hands[viewer])


@given(rulesets(), st.integers(0, 2**32), st.integers(-1, 9))
@settings(max_examples=60, deadline=None)
def test_two_deals_that_look_alike_to_a_viewer_answer_alike_to_the_byte(
    ruleset: Ruleset, seed: int, viewer: int
) -> None:
    seat = None if viewer < 0 else viewer % ruleset.players.allowed[0]
    assert Twins(ruleset, seat, seed).run() > 0


@given(rulesets(), st.integers(0, 2**32), st.integers(-1, 9))
@settings(max_examples=30, deadline=None)
def test_they_answer_alike_as_well_where_time_runs_out_and_seats_change_hands(
    ruleset: Ruleset, seed: int, viewer: int
) -> None:
    seat = None if viewer < 0 else viewer % ruleset.players.allowed[0]
    assert Twins(ruleset, seat, seed, restless=True).run() > 0


def test_restless_twins_see_turns_expire_and_seats_change_hands() -> None:
    ruleset = tables.house(tables.Block(HandKind.NORMAL, "5", "5"), players=(4,))
    expired = away = 0
    for seed in range(20):
        twins = Twins(ruleset, 0, seed, restless=True)
        twins.run()
        expired += any(tables.expired(table_of(twins.one)))
        away += any(tables.away(table_of(twins.one)))
    assert min(expired, away) > 5


def test_twins_do_differ_and_play_on_into_the_tricks() -> None:
    """The test above is worth something: the hidden cards are different, and many moves are legal in both."""
    ruleset = tables.house(tables.Block(HandKind.NORMAL, "5", "5"), players=(4,))
    moves = [Twins(ruleset, 0, seed).run() for seed in range(30)]
    assert max(moves) > 4 + 4 * 4
    differing = 0
    for seed in range(30):
        twins = Twins(ruleset, 0, seed)
        commands = twins.next_commands(0)
        assert commands is not None
        twins.make(*commands)
        differing += twins.one != twins.two
    assert differing > 20


def test_india_twins_differ_in_the_own_card_and_stay_alike_until_it_is_played() -> None:
    ruleset = tables.house(tables.Block(HandKind.INDIA, "1", "1"), players=(4,))
    differing = 0
    for seed in range(30):
        twins = Twins(ruleset, 2, seed)
        moves = twins.run()
        if not isinstance(twins.one, Bidding):
            continue
        differing += 1
        assert isinstance(twins.two, Bidding)
        assert moves == 1 + 3
        assert twins.one.deal.hands[2] != twins.two.deal.hands[2]
        last = twins.next_commands(moves)
        assert last is not None
        first, second = twins.before_a_difference(*last)
        others = [event for event in first if isinstance(event, CardPlayed)]
        assert [event.seat for event in others] == [(twins.one.deal.mano + place) % 4 for place in range(len(others))]
        assert 2 not in {event.seat for event in others}
        assert first == second
    assert differing > 20


def test_twins_of_a_blind_pick_differ_in_everything_and_stay_alike_until_it_is_made() -> None:
    pick = TrumpRules(when_all_dealt=TrumpWhenAllDealt.DEALER_BLIND_PICK)
    ruleset = tables.house(tables.Block(HandKind.NORMAL, "max", "max"), players=(4,), trump=pick)
    for seed in range(10):
        twins = Twins(ruleset, 1, seed)
        twins.make(*(twins.next_commands(0) or ()))
        assert isinstance(twins.one, PickingBlind)
        assert twins.one != twins.two
        assert named(seen(twins.one, 1)) == set()
        twins.look()


@given(rulesets(), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_no_view_and_no_event_holds_a_card_that_the_viewer_may_not_know(ruleset: Ruleset, seed: int) -> None:
    viewers = [None, *range(ruleset.players.allowed[0])]
    public: set[Card] = set()
    own: dict[int | None, set[Card]] = {viewer: set() for viewer in viewers}
    for step in game(ruleset, ruleset.players.allowed[0], seed, anything):
        for event in step.events:
            match event:
                case HandDealt(turn_up=turn_up):
                    public = {turn_up} if turn_up else set()
                    own = {viewer: known_to(viewer, event) for viewer in viewers}
                case BlindPickMade(card=card, hands=hands):
                    public = {card}
                    own = {None: set(), **{seat: set(hand) for seat, hand in enumerate(hands)}}
                case CardPlayed(card=card):
                    public = public | {card}
                case _:
                    pass
            # A claim may concern the hand before, all of which lay on the table.
            claimed = {event.card} if isinstance(event, RenuncioClaimed) else set[Card]()
            for viewer in viewers:
                assert named(told((event,), viewer)) <= public | own[viewer] | claimed
        for viewer in viewers:
            shown = seen(step.after, viewer)
            assert named(shown) <= public | own[viewer]
            in_hand = viewer is not None and isinstance(step.after, InHand)
            india = isinstance(step.after, InHand) and step.after.deal.plan.kind is HandKind.INDIA
            looked = in_hand and not isinstance(step.after, PickingBlind)
            assert (b"my_cards" in shown) == (looked and not india)
            assert (b"seen_cards" in shown) == (looked and india)


@given(rulesets(), st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_what_does_not_differ_by_viewer_is_told_to_all_as_to_a_spectator(ruleset: Ruleset, seed: int) -> None:
    viewers = (None, *range(ruleset.players.allowed[0]))
    for step in game(ruleset, ruleset.players.allowed[0], seed, anything):
        for event in step.events:
            if not differs_by_viewer(event):
                assert len({told((event,), viewer) for viewer in viewers}) == 1
        if isinstance(step.after, InHand):
            waiting = [viewer for viewer in viewers if viewer != step.after.turn]
            assert len({msgspec.json.encode(turn_view(step.after, viewer, None)) for viewer in waiting}) == 1


@given(rulesets(), st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_a_claim_is_told_alike_to_all(ruleset: Ruleset, seed: int) -> None:
    for step in game(ruleset, ruleset.players.allowed[0], seed, anything):
        if isinstance(step.command, ClaimRenuncio):
            assert len({told(step.events, viewer) for viewer in (None, *range(ruleset.players.allowed[0]))}) == 1


@given(rulesets(), st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_what_does_not_apply_is_absent_and_never_null(ruleset: Ruleset, seed: int) -> None:
    for step in game(ruleset, ruleset.players.allowed[0], seed, anything):
        for viewer in (None, 0):
            assert b"null" not in seen(step.after, viewer) + told(step.events, viewer)


def named(text: bytes) -> set[Card]:
    return {Card(card.decode()) for card in CARD.findall(text)}


def spellings(secret: bytes) -> tuple[bytes, ...]:
    return (
        secret,
        secret.hex().encode(),
        base64.b64encode(secret).rstrip(b"="),
        base64.urlsafe_b64encode(secret).rstrip(b"="),
    )


@given(rulesets(), st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_the_seed_is_in_no_view_and_in_no_event(ruleset: Ruleset, seed: int) -> None:
    players = ruleset.players.allowed[0]
    history = tables.waiting(players, players, ruleset)
    assert any(spelling in msgspec.json.encode(history[0]) for spelling in spellings(tables.SEED))
    said = [told(history, viewer) for viewer in (None, 0)]
    for step in game(ruleset, players, seed):
        said += [told(step.events, viewer) + seen(step.after, viewer) for viewer in (None, 0)]
    assert not [text for text in said if any(spelling in text for spelling in spellings(tables.SEED))]


def test_a_spectator_is_told_of_no_legal_move_and_no_invite_code() -> None:
    history = (
        *tables.private(3),
        *tables.started()[-1:],
        tables.dealt("oros-1", "copas-1", "bastos-1", turn_up="espadas-1"),
    )
    shown = see(fold(NotCreated(), history), None, FRAME)
    assert isinstance(shown.turn, WaitTurn)
    assert shown.invite_code is msgspec.UNSET
    assert tables.INVITE.encode() not in msgspec.json.encode(shown) + told(history, None)


@given(rulesets(), st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_who_is_away_sees_and_is_told_what_a_spectator_is_and_who_is_back_what_a_seat_is(
    ruleset: Ruleset, seed: int
) -> None:
    players = ruleset.players.allowed[0]
    seat = number(seed, "seat") % players
    who = f"who/{seed}"
    for step in game(ruleset, players, seed, anything):
        if not isinstance(step.before, InHand):
            continue
        player = Player(who)
        gone = fold(step.before, (SeatTaken(seat, player), SeatLeft(seat, player), RobotSeated(seat, Level.EASY)))
        viewer = table_of(gone).seat_of(who)
        assert (viewer, table_of(gone).away_seat_of(who)) == (None, seat)
        shown = seen(gone, viewer)
        assert not [word for word in (b"my_", b"seen_cards", b"legal_", b"positions", b"invite_code") if word in shown]
        assert b"my_cards" not in told(step.events, viewer)
        back = decide(gone, TakeSeat(player)).state
        assert table_of(back).seat_of(who) == seat
        assert seen(back, seat) == seen(fold(step.before, (SeatTaken(seat, player),)), seat)


def test_at_a_private_table_too_who_is_away_sees_no_card_and_no_invite_code() -> None:
    history = (
        *tables.private(3),
        *tables.started()[-1:],
        tables.dealt("oros-1", "copas-1", "bastos-1", turn_up="espadas-1"),
        SeatLeft(1, tables.BEA),
        RobotSeated(1, Level.EASY),
    )
    state = fold(NotCreated(), history)
    shown = seen(state, table_of(state).seat_of("bea"))
    assert table_of(state).admits("bea")
    assert named(shown) == {Card.ESPADAS_1}
    assert tables.INVITE.encode() not in shown


def test_what_is_told_of_an_expired_turn_is_the_same_for_all() -> None:
    assert len({told((TurnExpired(1, 2),), viewer) for viewer in (None, 0, 1, 2)}) == 1


def test_a_deadline_is_the_same_for_all_and_tells_of_no_legal_move() -> None:
    history = (*tables.started(), tables.dealt("oros-1", "copas-1", "bastos-1", turn_up="espadas-1"))
    state = fold(NotCreated(), history)
    assert turn_view(state, None, AT) == turn_view(state, 0, AT) == turn_view(state, 2, AT)
    assert b"legal" not in msgspec.json.encode(turn_view(state, None, AT))


def test_a_refusal_tells_who_is_on_turn_and_nothing_about_their_cards() -> None:
    history = (*tables.started(), tables.dealt("oros-1", "copas-1", "bastos-1", turn_up="espadas-1"))
    state = fold(NotCreated(), history)
    for seat in (0, 2):
        given_back = refusal(state, MakeBid(seat, 0))
        assert given_back is not None
        assert given_back[0] == "not-your-turn"
        facts = msgspec.json.decode(given_back[1])
        assert {name: fact for name, fact in facts.items() if fact is not None} == {"seat_on_turn": 1}
