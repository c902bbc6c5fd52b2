"""What a viewer may not know has no influence on anything that the viewer is told."""

import base64
import re
from datetime import UTC, datetime

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.cards import Card
from domain.pocha import dealing, legal
from domain.pocha import ruleset as rules
from domain.pocha.commands import Command, DealHand, MakeBid, PlayCard
from domain.pocha.decide import decide
from domain.pocha.events import CardPlayed, Event, HandDealt
from domain.pocha.evolve import fold
from domain.pocha.refusals import Refused
from domain.pocha.ruleset import Ruleset
from domain.pocha.schedule import HandKind
from domain.pocha.state import Bidding, Dealing, Finished, InHand, NotCreated, Playing, State, next_hand, turn_of
from domain.pocha.view import redact, see
from domain.robots import easy
from tests.domain import tables
from tests.domain.playout import FRAME, game, number, shuffled
from tests.domain.strategies import rulesets

AT = datetime(2024, 1, 1, tzinfo=UTC)
CARD = re.compile(rb"(?:oros|copas|espadas|bastos)-\d+")


def seen(state: State, viewer: int | None) -> bytes:
    return msgspec.json.encode(see(state, viewer, FRAME))


def told(events: tuple[Event, ...], viewer: int | None) -> bytes:
    return msgspec.json.encode([redact(event, viewer, 7, AT) for event in events])


def answer(state: State, command: Command, viewer: int | None) -> object:
    """Return all that an answer says: the events as the viewer may see them, or the reason and facts of the refusal."""
    try:
        return told(decide(state, command), viewer)
    except Refused as refusal:
        return refusal.reason, msgspec.json.encode(refusal.facts)


class Twins:
    """Two games that look alike to `viewer`: in every deal, cards that the viewer cannot see have changed places."""

    def __init__(self, ruleset: Ruleset, viewer: int | None, seed: int) -> None:
        self.players = ruleset.players.allowed[0]
        self.ruleset, self.viewer, self.seed = ruleset, viewer, seed
        begun = fold(NotCreated(), tables.started(self.players, ruleset, number(seed) % self.players))
        self.one: State = begun
        self.two: State = begun

    def run(self) -> int:
        """Play the same public moves in both as long as they are legal in both; return how many were made."""
        for count in range(1_000):
            self.look()
            commands = self.next_commands(count)
            if commands is None:
                return count
            self.make(*commands)
        raise AssertionError("a game without end")

    def look(self) -> None:
        for viewer in {self.viewer, None}:
            assert seen(self.one, viewer) == seen(self.two, viewer)
        if self.viewer is not None:
            self.try_everything(self.viewer)
        if isinstance(self.one, InHand) and self.viewer == turn_of(self.one):
            views = (see(state, self.viewer, FRAME) for state in (self.one, self.two))
            first, second = (easy.choose(view, self.ruleset, self.seed) for view in views)
            assert first == second

    def try_everything(self, seat: int) -> None:
        """Whatever the viewer asks, both games answer alike."""
        asked = [MakeBid(seat, bid) for bid in (-1, 0, 1, 2, 99)] + [PlayCard(seat, card) for card in Card]
        # A legal card may end a trick or a hand, which is public; what it is worth is told alike as well.
        for command in asked:
            assert answer(self.one, command, seat) == answer(self.two, command, seat)

    def next_commands(self, count: int) -> tuple[Command, Command] | None:
        match self.one, self.two:
            case Dealing(), Dealing():
                return self.deals(self.one)
            case Bidding(), Bidding():
                bids = legal.legal_bids(self.one)
                assert bids == legal.legal_bids(self.two)
                bid = MakeBid(turn_of(self.one), bids[number(self.seed, count) % len(bids)])
                return bid, bid
            case Playing(), Playing():
                return self.plays(self.one, self.two, count)
            case _:
                assert isinstance(self.one, Finished)
                assert isinstance(self.two, Finished)
                return None

    def deals(self, state: Dealing) -> tuple[Command, Command]:
        hand = len(state.match.results)
        deck = shuffled(rules.deck(self.ruleset, self.players), self.seed, hand)
        plan = next_hand(state.match)
        assert plan is not None
        dealer = (state.match.first_dealer + hand) % self.players
        known = dealing.deal(deck, plan, dealer, self.players)
        seen_by_viewer = {known.turn_up, *(() if self.viewer is None else known.hands[self.viewer])}
        other = list(deck)
        hidden = [place for place, card in enumerate(deck) if card not in seen_by_viewer]
        for swap in range(number(self.seed, hand, "swaps") % 4 + 1 if len(hidden) > 1 else 0):
            one, two = (hidden[number(self.seed, hand, swap, end) % len(hidden)] for end in ("one", "two"))
            other[one], other[two] = other[two], other[one]
        return DealHand(deck), DealHand(tuple(other))

    def plays(self, one: Playing, two: Playing, count: int) -> tuple[Command, Command] | None:
        seat = turn_of(one)
        in_two = legal.legal_cards(two)
        both = [card for card in legal.legal_cards(one) if card in in_two]
        if seat == self.viewer:
            assert legal.legal_cards(one) == in_two
        if not both:
            return None
        card = PlayCard(seat, both[number(self.seed, count) % len(both)])
        return card, card

    def make(self, one: Command, two: Command) -> None:
        first, second = decide(self.one, one), decide(self.two, two)
        for viewer in {self.viewer, None}:
            assert told(first, viewer) == told(second, viewer)
        self.one, self.two = fold(self.one, first), fold(self.two, second)


@given(rulesets(), st.integers(0, 2**32), st.integers(-1, 9))
@settings(max_examples=80, deadline=None)
def test_two_deals_that_look_alike_to_a_viewer_answer_alike_to_the_byte(
    ruleset: Ruleset, seed: int, viewer: int
) -> None:
    seat = None if viewer < 0 else viewer % ruleset.players.allowed[0]
    assert Twins(ruleset, seat, seed).run() > ruleset.players.allowed[0]


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


@given(rulesets(), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_no_view_and_no_event_holds_a_card_that_the_viewer_may_not_know(ruleset: Ruleset, seed: int) -> None:
    viewers = [None, *range(ruleset.players.allowed[0])]
    public: set[Card] = set()
    own: dict[int | None, set[Card]] = {viewer: set() for viewer in viewers}
    for step in game(ruleset, ruleset.players.allowed[0], seed):
        for event in step.events:
            if isinstance(event, HandDealt):
                public = {event.turn_up} if event.turn_up else set()
                own = {None: set(), **{seat: set(hand) for seat, hand in enumerate(event.hands)}}
            if isinstance(event, CardPlayed):
                public = public | {event.card}
            for viewer in viewers:
                assert named(told((event,), viewer)) <= public | own[viewer]
        for viewer in viewers:
            shown = seen(step.after, viewer)
            assert named(shown) <= public | own[viewer]
            assert (b"my_cards" in shown) == (viewer is not None and isinstance(step.after, InHand))


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
    assert shown.turn is not msgspec.UNSET
    assert shown.turn.legal_bids is msgspec.UNSET
    assert shown.invite_code is msgspec.UNSET
    assert tables.INVITE.encode() not in msgspec.json.encode(shown) + told(history, None)


def test_a_refusal_tells_who_is_on_turn_and_nothing_about_their_cards() -> None:
    history = (*tables.started(), tables.dealt("oros-1", "copas-1", "bastos-1", turn_up="espadas-1"))
    state = fold(NotCreated(), history)
    for seat in (0, 2):
        assert answer(state, MakeBid(seat, 0), seat) == (
            "not-your-turn",
            b'{"phase":null,"seat_on_turn":1,"players_allowed":null,"legal_bids":null,"forbidden_bid":null,"legal_cards":null}',
        )
