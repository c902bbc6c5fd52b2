"""Ready-made people, rulesets and histories, so that a test says only what it is about."""

from collections.abc import Sequence
from typing import TypedDict, Unpack

from domain.cards import Card, Suit, Trim
from domain.pocha.model.commands import CreateGame
from domain.pocha.model.events import BidMade, CardPlayed, Event, GameCreated, GameStarted, HandDealt, SeatTaken
from domain.pocha.model.state import Deal, Dealing, Playing, Progress, Trick
from domain.pocha.rules import ruleset as rules
from domain.pocha.rules.bidding import Hook
from domain.pocha.rules.presets import FOURNIER
from domain.pocha.rules.ruleset import (
    AuctionRules,
    BiddingRules,
    DealerRules,
    DeckRules,
    PlayersRules,
    RenuncioRules,
    Ruleset,
    ScheduleRules,
    SeatingRules,
    TrumpRules,
)
from domain.pocha.rules.schedule import Block, HandKind, HandPlan
from domain.pocha.rules.scoring import ScoringRules
from domain.pocha.rules.standings import TiebreakRules, TiebreakStep, ranks
from domain.table.table import Player, Seat, Table, Visibility
from domain.tricks import PlayRules

ANA = Player("ana")
BEA = Player("bea")
CARLA = Player("carla")
DANI = Player("dani")
EVA = Player("eva")
PEOPLE = (ANA, BEA, CARLA, DANI, EVA, *(Player(f"p{number}") for number in range(6, 11)))

SEED = bytes(range(200, 232))
COMMITMENT = "c0" * 32
INVITE = "q7x-invite"


def cards(written: str) -> tuple[Card, ...]:
    """Read cards from their written form: `cards("oros-1 copas-12")`."""
    return tuple(Card(word) for word in written.split())


class Parts(TypedDict, total=False):
    """The parts of a ruleset that a test may name."""

    deck: DeckRules
    seating: SeatingRules
    dealer: DealerRules
    trump: TrumpRules
    auction: AuctionRules
    play: PlayRules
    scoring: ScoringRules
    renuncio: RenuncioRules
    tiebreak: TiebreakRules


_HOOK = Hook()
_TRIM = DeckRules(trim=Trim.ALL_TWOS_IF_INEXACT)


def house(
    *blocks: Block, players: tuple[int, ...] = (2, 3, 4, 5), hook: Hook = _HOOK, **parts: Unpack[Parts]
) -> Ruleset:
    """Return a ruleset of the house: one hand of three cards, unless `blocks` say otherwise."""
    parts.setdefault("deck", _TRIM)
    return Ruleset(
        id="casa",
        version=1,
        title="Reglas de la casa",
        source="tests",
        players=PlayersRules(players),
        schedule=ScheduleRules(blocks or (Block(HandKind.NORMAL, "3", "3"),)),
        bidding=BiddingRules(hook),
        **parts,
    )


HOUSE = house()
ONE_CARD = house(Block(HandKind.NORMAL, "1", "1"), tiebreak=TiebreakRules((TiebreakStep.ONE_CARD_HANDS,)))


def create(
    players: int = 3,
    ruleset: Ruleset = HOUSE,
    visibility: Visibility = Visibility.PUBLIC,
    invite_code: str | None = None,
) -> CreateGame:
    """Return Ana's wish for a table without robots."""
    return CreateGame(ruleset, players, ANA, (), visibility, SEED, COMMITMENT, invite_code)


def created(
    players: int = 3,
    ruleset: Ruleset = HOUSE,
    visibility: Visibility = Visibility.PUBLIC,
    invite_code: str | None = None,
) -> GameCreated:
    """Return the making of Ana's table."""
    return GameCreated(ruleset, players, ANA, visibility, SEED, COMMITMENT, invite_code)


def waiting(taken: int = 1, players: int = 3, ruleset: Ruleset = HOUSE) -> tuple[Event, ...]:
    """Return the history of Ana's public table where the first `taken` people sit, in the order of `PEOPLE`."""
    return created(players, ruleset), *(SeatTaken(seat, PEOPLE[seat]) for seat in range(taken))


def private(taken: int = 1, players: int = 3) -> tuple[Event, ...]:
    """Return the same for a private table."""
    made = created(players, visibility=Visibility.PRIVATE, invite_code=INVITE)
    return made, *(SeatTaken(seat, PEOPLE[seat]) for seat in range(taken))


def started(players: int = 3, ruleset: Ruleset = HOUSE, dealer: int = 0) -> tuple[Event, ...]:
    """Return the history of a table that is about to deal its first hand."""
    schedule = rules.hand_schedule(ruleset, players)
    return *waiting(players, players, ruleset), GameStarted(PEOPLE[:players], dealer, schedule)


def dealt(
    *hands: str, turn_up: str | None, dealer: int = 0, number: int = 1, kind: HandKind = HandKind.NORMAL
) -> HandDealt:
    """Return the deal of `hands`, by seat, with a card turned up or none."""
    marks = None if turn_up is None else Card(turn_up)
    held = tuple(cards(hand) for hand in hands)
    trump = marks.suit if marks else Suit.OROS if kind is HandKind.OROS else None
    return HandDealt(number, kind, len(held[0]), dealer, held, (), 1, trump, marks)


def bids(*made: int, mano: int = 1) -> tuple[BidMade, ...]:
    """Return bids in the order in which they are made, from the mano."""
    return tuple(BidMade((mano + place) % len(made), bid) for place, bid in enumerate(made))


def plays(written: str, players: int = 3, leader: int = 1) -> tuple[CardPlayed, ...]:
    """Return the cards of one trick, or of its beginning, in play order."""
    return tuple(CardPlayed((leader + place) % players, card) for place, card in enumerate(cards(written)))


def progress(
    ruleset: Ruleset = FOURNIER,
    players: int = 4,
    schedule: tuple[HandPlan, ...] = (),
    dealer: int = 0,
    totals: Sequence[int] | None = None,
    missed: Sequence[int] | None = None,
) -> Progress:
    """Return a started game with these totals and hands missed, none of its `schedule` played."""
    table = Table(ANA, tuple(Seat(person) for person in PEOPLE[:players]), Visibility.PUBLIC, SEED, COMMITMENT)
    won, lost = tuple(totals or (0,) * players), tuple(missed or (0,) * players)
    return Progress(
        table=table,
        ruleset=ruleset,
        schedule=schedule,
        first_dealer=dealer,
        order=tuple(range(players)),
        results=(),
        claims=(),
        totals=won,
        missed=lost,
        ranks=ranks(won, lost, ruleset.tiebreak),
    )


def before_the_last_trick(
    of: Progress, plan: HandPlan, trump: Suit | None, multiplier: int, said: Sequence[int], tricks: Sequence[int]
) -> tuple[Playing, tuple[CardPlayed, ...]]:
    """Return a hand with one trick to go, and the plays after which the seats will have taken `tricks`.

    The taker of the last trick leads the highest card of the deck, the ace of oros or of trump; nobody has another one of that suit.
    """
    taker = next(seat for seat, taken in enumerate(tricks) if taken)
    suit = trump or Suit.OROS
    low = [card for card in Card if card.suit is not suit]
    hands = tuple((Card(f"{suit}-1"),) if seat == taker else (low[seat],) for seat in range(of.players))
    won = tuple(taken - (seat == taker) for seat, taken in enumerate(tricks))
    deal = Deal(len(of.results) + 1, plan, of.first_dealer, trump, None, multiplier, hands, ())
    order = ((taker + place) % of.players for place in range(of.players))
    return (
        Playing(
            progress=of,
            deal=deal,
            turn=taker,
            hands=hands,
            bids=tuple(said),
            tricks_won=won,
            trick=Trick(taker),
        ),
        tuple(CardPlayed(seat, hands[seat][0]) for seat in order),
    )


def away(table: Table) -> tuple[Player | None, ...]:
    """Return the absent players of a table, by seat."""
    return tuple(seat.away for seat in table.seats)


def expired(table: Table) -> tuple[int, ...]:
    """Return the turns in a row that have expired, by seat."""
    return tuple(seat.expired_turns for seat in table.seats)


def dealing(*plans: HandPlan, ruleset: Ruleset = FOURNIER, players: int = 4, dealer: int = 0) -> Dealing:
    """Return a game that is about to deal the first of `plans`."""
    return Dealing(progress(ruleset, players, plans, dealer))
