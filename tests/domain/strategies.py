"""Random rulesets of every kind, whose games are short enough for a test."""

from hypothesis import strategies as st

from domain.cards import Card, Suit, Trim, pack, trimmed
from domain.pocha.rules.bidding import Hook
from domain.pocha.rules.ruleset import (
    AuctionProtocol,
    AuctionRules,
    BiddingRules,
    DealerRules,
    DeckRules,
    PlayersRules,
    RenuncioMode,
    RenuncioRules,
    Ruleset,
    ScheduleRules,
    SeatingOrder,
    SeatingRules,
    TrumpRules,
    TrumpWhenAllDealt,
    WinnerSecondBid,
)
from domain.pocha.rules.schedule import Block, HandKind
from domain.pocha.rules.scoring import MultiplierAppliesTo, ScoringRules, SlamBonus
from domain.pocha.rules.standings import TiebreakRules, TiebreakStep
from domain.tricks import MustBeat, PlayRules, Undertrump

KINDS = (HandKind.NORMAL, HandKind.INDIA, HandKind.SUBASTADO, HandKind.OROS, HandKind.CIEGA)
_SIZES = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5}
_ORDERS = {40: (1, 3, 12, 11, 10, 7, 6, 5, 4, 2), 48: (1, 3, 12, 11, 10, 9, 8, 7, 6, 5, 4, 2)}
_MOST_PLAYS = 90
"""About how many cards are played in a game, extra hands apart."""


@st.composite
def rulesets(draw: st.DrawFn, kind: HandKind | None = None) -> Ruleset:
    """Return a ruleset for one number of players, 2 to 10; with `kind`, its first hand is of that kind."""
    players = draw(st.integers(2, 10))
    deck = draw(decks())
    most = (deck.size - len(trimmed(deck.trim, deck.size, players))) // players
    hook = draw(hooks())
    return Ruleset(
        id="azar",
        version=draw(st.integers(1, 9)),
        title="Reglas al azar",
        source="tests",
        players=PlayersRules((players,)),
        schedule=ScheduleRules(draw(blocks(players, most, kind))),
        deck=deck,
        seating=SeatingRules(order=draw(st.sampled_from(SeatingOrder))),
        dealer=DealerRules(draw(st.sampled_from(("random", "0", "1")))),
        bidding=BiddingRules(hook),
        trump=TrumpRules(when_all_dealt=draw(st.sampled_from(TrumpWhenAllDealt))),
        auction=draw(auctions(hooked=hook.enabled)),
        play=draw(play_rules()),
        scoring=draw(scorings(deck.size)),
        renuncio=draw(renuncios()),
        tiebreak=draw(tiebreaks()),
    )


@st.composite
def decks(draw: st.DrawFn) -> DeckRules:
    """Return either pack, with any order of its numbers and any trim."""
    trim = draw(st.sampled_from(Trim))
    if draw(st.booleans()):
        return DeckRules(40, tuple(draw(st.permutations(_ORDERS[40]))), trim)
    return DeckRules(48, tuple(draw(st.permutations(_ORDERS[48]))), trim)


@st.composite
def blocks(draw: st.DrawFn, players: int, most: int, kind_of_first: HandKind | None) -> tuple[Block, ...]:
    """Return one to three blocks, some of which may be too long for a test and are left out, after a hand of a kind if one is given."""
    sizes = [word for word, size in _SIZES.items() if size <= most] + ["max"]
    found: list[Block] = []
    budget = _MOST_PLAYS
    if kind_of_first is not None:
        size = (
            "1"
            if kind_of_first is HandKind.INDIA
            else draw(st.sampled_from([size for size in ("1", "2", "3") if size in sizes]))
        )
        found.append(Block(kind_of_first, size, size))
    for _ in range(draw(st.integers(1, 3))):
        first = draw(st.sampled_from(sizes))
        last = draw(st.sampled_from([*sizes, first]))
        kind, times = draw(st.sampled_from(KINDS)), draw(st.sampled_from(("1", "2", "n")))
        block = Block(kind, first, last, times) if kind is not HandKind.INDIA else Block(kind, "1", "1", times)
        cost = _plays(block, players, most)
        if 0 < cost <= budget:
            found.append(block)
            budget -= cost
    return tuple(found) or (Block(HandKind.NORMAL, "1", "1"),)


def _plays(block: Block, players: int, most: int) -> int:
    first, last = (_SIZES.get(size, most) for size in (block.first, block.last))
    times = players if block.times == "n" else int(block.times)
    # `5` to `max` has no hands where `max` is 4; such a block counts as too long, and is left out.
    goes_down = block.first == "max" and block.last != "max"
    span = range(last, first + 1) if goes_down or first > last else range(first, last + 1)
    return sum(span) * times * players


def hooks() -> st.SearchStrategy[Hook]:
    """Return the hook, on or off, with exemptions."""
    return st.builds(
        Hook,
        enabled=st.booleans(),
        exempt_cards=st.lists(st.integers(1, 5), max_size=2, unique=True).map(tuple),
        exempt_kinds=st.lists(st.sampled_from(HandKind), max_size=2, unique=True).map(tuple),
    )


@st.composite
def auctions(draw: st.DrawFn, *, hooked: bool) -> AuctionRules:
    """Return an auction by either protocol, with all combinations of its parameters that make sense."""
    protocol = draw(st.sampled_from((AuctionProtocol.DOUBLE_BID, AuctionProtocol.ASCENDING_ONCE)))
    double = protocol is AuctionProtocol.DOUBLE_BID
    return AuctionRules(
        protocol,
        draw(st.sampled_from(WinnerSecondBid)) if double else WinnerSecondBid.LOCKED,
        hook_in_first_round=hooked and double and draw(st.booleans()),
        mano_must_bid=draw(st.booleans()),
        hook_on_last_predictor=draw(st.booleans()),
    )


def renuncios() -> st.SearchStrategy[RenuncioRules]:
    """Return illegal cards refused, or punished in any way."""
    punished = st.builds(
        RenuncioRules,
        mode=st.just(RenuncioMode.PENALISED),
        penalty=st.sampled_from((1, 50, 100)),
        scales_with_multiplier=st.booleans(),
        wrong_claim_penalty=st.sampled_from((0, 10)),
    )
    return st.just(RenuncioRules()) | punished


@st.composite
def play_rules(draw: st.DrawFn) -> PlayRules:
    """Return all combinations of duties that do not contradict each other."""
    must_trump = draw(st.booleans())
    return PlayRules(
        must_beat=draw(st.sampled_from(MustBeat)),
        beat_waived_after_ruff=draw(st.booleans()),
        must_trump=must_trump,
        must_overtrump=must_trump and draw(st.booleans()),
        undertrump_when_cannot_overtrump=draw(st.sampled_from(Undertrump)) if must_trump else Undertrump.FREE,
    )


def scorings(size: int) -> st.SearchStrategy[ScoringRules]:
    """Return any points and multipliers."""
    return st.builds(
        ScoringRules,
        hit_base=st.sampled_from((0, 5, 10)),
        hit_per_trick=st.sampled_from((0, 3, 5)),
        miss_per_trick=st.sampled_from((0, 5)),
        suit_multiplier=st.dictionaries(st.sampled_from(Suit), st.integers(1, 4), max_size=4),
        turn_up_multiplier=st.dictionaries(st.sampled_from(pack(size)), st.integers(1, 5), max_size=3),
        multiplier_applies_to=st.sampled_from(MultiplierAppliesTo),
        slam_bonus=st.builds(SlamBonus, st.integers(1, 5), st.integers(1, 3)),
    ) | st.just(ScoringRules(suit_multiplier={Suit.COPAS: 2, Suit.OROS: 3}, turn_up_multiplier={Card.OROS_4: 4}))


def tiebreaks() -> st.SearchStrategy[TiebreakRules]:
    """Return every sequence of steps that makes sense, with few extra hands."""
    fewest = TiebreakStep.FEWEST_MISTAKEN_BIDS
    extra = (TiebreakStep.OROS_HANDS, TiebreakStep.ONE_CARD_HANDS)
    steps = [(), (fewest,), *((step,) for step in extra), *((fewest, step) for step in extra)]
    return st.builds(TiebreakRules, st.sampled_from(steps), st.integers(1, 2))
