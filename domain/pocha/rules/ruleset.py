"""The ruleset: every parameter by which the tables of La Pocha differ, in one frozen, validated record (rulebook section 4)."""

from collections.abc import Iterator
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Literal

import msgspec

from domain import cards, tricks
from domain.cards import Card, Trim
from domain.pocha.rules import schedule
from domain.pocha.rules.bidding import Hook
from domain.pocha.rules.schedule import Block, HandKind, HandPlan
from domain.pocha.rules.scoring import ScoringRules
from domain.pocha.rules.standings import TiebreakRules, TiebreakStep

MOST_HANDS = 200
"""Limit for a schedule; the longest preset has 50 hands."""

PlayerCount = Annotated[int, msgspec.Meta(ge=2, le=10)]
CardNumber = Annotated[int, msgspec.Meta(ge=1, le=12)]


class TrumpWhenAllDealt(StrEnum):
    """What marks trump when no stock is left: the last card dealt, or one of the own that the dealer points at unseen (R-TRU-2)."""

    LAST_DEALT = "last-dealt"
    DEALER_BLIND_PICK = "dealer-blind-pick"


class AuctionProtocol(StrEnum):
    """How a subastado hand finds who names trump (rulebook R-AUC-1 to R-AUC-7)."""

    NONE = "none"
    DOUBLE_BID = "double-bid"
    ASCENDING_ONCE = "ascending-once"


class WinnerSecondBid(StrEnum):
    """What the auction's winner may bid once trump is known (rulebook R-AUC-3)."""

    FREE = "free"
    AT_LEAST = "at-least"
    LOCKED = "locked"


class SeatingOrder(StrEnum):
    """Whether players keep the seats they took, or the seats are drawn when the game starts."""

    JOIN_ORDER = "join-order"
    RANDOM = "random"


class RenuncioMode(StrEnum):
    """Whether an illegal card is refused, or stands and may be punished (rulebook R-REN-1)."""

    ENFORCED = "enforced"
    PENALISED = "penalised"


class PlayersRules(msgspec.Struct, frozen=True):
    """For how many the ruleset is; `occasional` and `extrapolated` numbers are allowed too, and marked (rulebook R-PLY-1 to R-PLY-3)."""

    allowed: Annotated[tuple[PlayerCount, ...], msgspec.Meta(min_length=1, max_length=9)]
    occasional: tuple[PlayerCount, ...] = ()
    extrapolated: tuple[PlayerCount, ...] = ()


class DeckRules(msgspec.Struct, frozen=True, dict=True):
    """The pack, what is taken out of it, and its numbers from the highest to the lowest."""

    size: Literal[40, 48] = 40
    rank_order: Annotated[tuple[CardNumber, ...], msgspec.Meta(max_length=12)] = (1, 3, 12, 11, 10, 7, 6, 5, 4, 2)
    trim: Trim = Trim.NONE

    @cached_property
    def strengths(self) -> tricks.Strengths:
        """The strength of each number of the pack, for `domain.tricks`."""
        return tricks.strengths(self.rank_order)


class SeatingRules(msgspec.Struct, frozen=True):
    """How the ring of seats comes about. Seats are numbered counter-clockwise, the direction of deal, bids and play."""

    order: SeatingOrder = SeatingOrder.JOIN_ORDER


class DealerRules(msgspec.Struct, frozen=True):
    """Who deals first: `random`, or a seat's number (rulebook R-DEAL-1). The deal goes to the right (R-DEAL-3)."""

    first: Annotated[str, msgspec.Meta(pattern=r"^(random|[0-9])\Z")] = "random"


class TrumpRules(msgspec.Struct, frozen=True):
    """What marks trump in the hands where a card is turned up: the next card of the stock, or what is said here where none is left."""

    when_all_dealt: TrumpWhenAllDealt = TrumpWhenAllDealt.LAST_DEALT


class ScheduleRules(msgspec.Struct, frozen=True):
    """The hands of a game, block by block."""

    blocks: Annotated[tuple[Block, ...], msgspec.Meta(min_length=1, max_length=20)]


class BiddingRules(msgspec.Struct, frozen=True):
    """Bids are whole numbers from none to all the tricks, open, in order from the mano; the hook restricts the last one."""

    hook: Hook = Hook()


class AuctionRules(msgspec.Struct, frozen=True):
    """The auction of subastado hands. Ties go to the earliest speaker (rulebook R-AUC-2)."""

    protocol: AuctionProtocol = AuctionProtocol.NONE
    winner_second_bid: WinnerSecondBid = WinnerSecondBid.FREE
    hook_in_first_round: bool = False
    mano_must_bid: bool = True
    hook_on_last_predictor: bool = True


class RenuncioRules(msgspec.Struct, frozen=True):
    """What an illegal card leads to; penalties are in points (rulebook R-REN-1 to R-REN-3).

    `penalty` is for who played it, `wrong_claim_penalty` for who claims a renuncio that was none.
    """

    mode: RenuncioMode = RenuncioMode.ENFORCED
    penalty: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    scales_with_multiplier: bool = False
    wrong_claim_penalty: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0


class Contradiction(msgspec.Struct, frozen=True):
    """A contradiction in a ruleset: a JSON pointer into the ruleset, and a message."""

    pointer: str
    message: str


class ContradictoryRuleset(ValueError):
    """A ruleset that contradicts itself; `contradictions` holds everything found."""

    def __init__(self, contradictions: tuple[Contradiction, ...]) -> None:
        self.contradictions = contradictions
        super().__init__("; ".join(f"{found.pointer}: {found.message}" for found in contradictions))


RulesetId = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)]


class Ruleset(msgspec.Struct, frozen=True):
    """The rules of a game. Stored with each game for life; `version` tells apart the editions of one `id`.

    With `house_rules`, a table has changed that edition.

    Raises:
        ContradictoryRuleset: at construction, when parameters contradict each other. Decoding reports it as a validation error.
    """

    id: RulesetId
    version: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=120)]
    source: Annotated[str, msgspec.Meta(min_length=1, max_length=120)]
    players: PlayersRules
    schedule: ScheduleRules
    deck: DeckRules = DeckRules()
    seating: SeatingRules = SeatingRules()
    dealer: DealerRules = DealerRules()
    trump: TrumpRules = TrumpRules()
    bidding: BiddingRules = BiddingRules()
    auction: AuctionRules = AuctionRules()
    play: tricks.PlayRules = tricks.PlayRules()
    scoring: ScoringRules = ScoringRules()
    renuncio: RenuncioRules = RenuncioRules()
    tiebreak: TiebreakRules = TiebreakRules()
    house_rules: bool = False

    def __post_init__(self) -> None:
        found = tuple(contradictions(self))
        if found:
            raise ContradictoryRuleset(found)


def removed(ruleset: Ruleset, players: int) -> tuple[Card, ...]:
    """Return the cards left out for `players`, for the whole game (rulebook R-DECK-4)."""
    return cards.trimmed(ruleset.deck.trim, ruleset.deck.size, players)


def deck(ruleset: Ruleset, players: int) -> tuple[Card, ...]:
    """Return the cards that `players` play with, unshuffled."""
    return cards.without(cards.pack(ruleset.deck.size), removed(ruleset, players))


def most_cards(ruleset: Ruleset, players: int) -> int:
    """Return the cards each player gets when all that can be dealt is dealt."""
    return (ruleset.deck.size - len(removed(ruleset, players))) // players


def hand_schedule(ruleset: Ruleset, players: int) -> tuple[HandPlan, ...]:
    """Return the hands of a game for `players`, extra hands apart (rulebook section 5)."""
    return schedule.hands(ruleset.schedule.blocks, players, most_cards(ruleset, players))


def contradictions(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield the contradictions in `ruleset`."""
    yield from _in_players(ruleset)
    yield from _in_deck(ruleset)
    yield from _in_dealer(ruleset)
    yield from _in_schedule(ruleset)
    yield from _in_auction(ruleset)
    yield from _in_play(ruleset)
    yield from _in_scoring(ruleset)
    yield from _in_renuncio(ruleset)
    yield from _in_tiebreak(ruleset)


def _in_players(ruleset: Ruleset) -> Iterator[Contradiction]:
    rules = ruleset.players
    if not rules.allowed or list(rules.allowed) != sorted(set(rules.allowed)):
        yield Contradiction("/players/allowed", "must name at least one number of players, ascending, each once")
    for name, marked in (("occasional", rules.occasional), ("extrapolated", rules.extrapolated)):
        if not set(marked) <= set(rules.allowed):
            yield Contradiction(f"/players/{name}", "must be among the numbers allowed")


def _in_deck(ruleset: Ruleset) -> Iterator[Contradiction]:
    numbers = {card.number for card in cards.pack(ruleset.deck.size)}
    if sorted(ruleset.deck.rank_order) != sorted(numbers):
        yield Contradiction("/deck/rank_order", f"must name each number of the pack of {ruleset.deck.size} once")


def _in_dealer(ruleset: Ruleset) -> Iterator[Contradiction]:
    first = ruleset.dealer.first
    if first != "random" and int(first) >= min(ruleset.players.allowed, default=0):
        yield Contradiction("/dealer/first", "must be a seat that every table has")


def _in_schedule(ruleset: Ruleset) -> Iterator[Contradiction]:
    for index, block in enumerate(ruleset.schedule.blocks):
        yield from _in_block(ruleset, block, f"/schedule/blocks/{index}")
    for players in ruleset.players.allowed:
        if not 1 <= schedule.length(ruleset.schedule.blocks, players, most_cards(ruleset, players)) <= MOST_HANDS:
            yield Contradiction("/schedule/blocks", f"must give {players} players 1 to {MOST_HANDS} hands")


def _in_block(ruleset: Ruleset, block: Block, pointer: str) -> Iterator[Contradiction]:
    if block.kind is HandKind.TIE_BREAK:
        yield Contradiction(f"{pointer}/kind", "tie_break hands are not scheduled, they follow from a tie")
    if block.kind is HandKind.INDIA and {block.first, block.last} != {"1"}:
        yield Contradiction(pointer, "india hands have one card")
    for players in ruleset.players.allowed:
        most = most_cards(ruleset, players)
        if any(not 1 <= size <= most for size in schedule.sizes(block, most)):
            yield Contradiction(pointer, f"{players} players can get 1 to {most} cards each")


def _in_auction(ruleset: Ruleset) -> Iterator[Contradiction]:
    protocol = ruleset.auction.protocol
    subastado = any(block.kind is HandKind.SUBASTADO for block in ruleset.schedule.blocks)
    if subastado and protocol is AuctionProtocol.NONE:
        yield Contradiction("/auction/protocol", "subastado hands need an auction")
    locked = ruleset.auction.winner_second_bid is WinnerSecondBid.LOCKED
    if protocol is AuctionProtocol.ASCENDING_ONCE and not locked:
        yield Contradiction("/auction/winner_second_bid", "in an ascending auction the winner's bid stands: locked")
    if protocol is not AuctionProtocol.DOUBLE_BID and ruleset.auction.hook_in_first_round:
        yield Contradiction("/auction/hook_in_first_round", "only a double bid has a first round")
    if ruleset.auction.hook_in_first_round and not ruleset.bidding.hook.enabled:
        yield Contradiction("/auction/hook_in_first_round", "there is no hook at this table")


def _in_play(ruleset: Ruleset) -> Iterator[Contradiction]:
    rules = ruleset.play
    if rules.must_trump:
        return
    if rules.must_overtrump:
        yield Contradiction("/play/must_overtrump", "cannot be a duty where trumping is none")
    if rules.undertrump_when_cannot_overtrump is tricks.Undertrump.FORCED:
        yield Contradiction("/play/undertrump_when_cannot_overtrump", "cannot be forced where trumping is no duty")


def _in_scoring(ruleset: Ruleset) -> Iterator[Contradiction]:
    pack = cards.pack(ruleset.deck.size)
    for card in ruleset.scoring.turn_up_multiplier:
        if card not in pack:
            yield Contradiction(f"/scoring/turn_up_multiplier/{card}", "is not a card of the pack")


def _in_renuncio(ruleset: Ruleset) -> Iterator[Contradiction]:
    if ruleset.renuncio.mode is RenuncioMode.PENALISED and not ruleset.renuncio.penalty:
        yield Contradiction("/renuncio/penalty", "must be some points where renuncios are punished")


def _in_tiebreak(ruleset: Ruleset) -> Iterator[Contradiction]:
    steps = ruleset.tiebreak.steps
    if len(set(steps)) != len(steps):
        yield Contradiction("/tiebreak/steps", "must name each step once")
    if any(step is not TiebreakStep.FEWEST_MISTAKEN_BIDS for step in steps[:-1]):
        yield Contradiction("/tiebreak/steps", "extra hands go on until the tie is broken: nothing can follow them")
