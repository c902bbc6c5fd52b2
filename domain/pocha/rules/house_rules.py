"""House rules: what a table changes in a preset. Whatever is not named stays as the preset has it; the whole is validated again."""

from enum import StrEnum
from typing import Annotated, Literal, TypeVar, assert_never

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict, replace

from domain.cards import Card, Suit, Trim
from domain.pocha.rules.ruleset import (
    AuctionProtocol,
    BiddingRules,
    CardNumber,
    DeckRules,
    PlayerCount,
    PlayersRules,
    RenuncioMode,
    Ruleset,
    ScheduleRules,
    SeatingOrder,
    TrumpWhenAllDealt,
    WinnerSecondBid,
)
from domain.pocha.rules.schedule import Block, HandKind, Times
from domain.pocha.rules.scoring import Factor, MultiplierAppliesTo, Points, SlamBonus
from domain.pocha.rules.standings import TiebreakStep
from domain.tricks import MustBeat, Undertrump

Part = TypeVar("Part", bound=msgspec.Struct)

_SOTA = 10
_ONLY_IN_48 = (9, 8)


class Shape(StrEnum):
    """How long a game is: up and down, up only, or just the hands with all the cards (rulebook R-SCH-5)."""

    FULL = "full"
    NO_DESCENT = "no-descent"
    TOP_ONLY = "top-only"


class _Changes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the changes to one part of a ruleset."""


class PlayersChanges(_Changes, frozen=True):
    """For how many the table's rules are."""

    allowed: Annotated[tuple[PlayerCount, ...], Meta(min_length=1, max_length=9)] | UnsetType = UNSET


class DeckChanges(_Changes, frozen=True):
    """Another pack. With 48 cards and no order named, 9 and 8 rank between sota and seven."""

    size: Literal[40, 48] | UnsetType = UNSET
    rank_order: Annotated[tuple[CardNumber, ...], Meta(max_length=12)] | UnsetType = UNSET
    trim: Trim | UnsetType = UNSET


class SeatingChanges(_Changes, frozen=True):
    """Whether seats are drawn when the game starts."""

    order: SeatingOrder | UnsetType = UNSET


class DealerChanges(_Changes, frozen=True):
    """Who deals first."""

    first: Annotated[str, Meta(pattern=r"^(random|[0-9])\Z")] | UnsetType = UNSET


class TrumpChanges(_Changes, frozen=True):
    """What marks trump when no stock is left."""

    when_all_dealt: TrumpWhenAllDealt | UnsetType = UNSET


class ScheduleChanges(_Changes, frozen=True):
    """Other hands: new `blocks`, or the preset's without specials, with another number of top hands, or of another shape."""

    blocks: Annotated[tuple[Block, ...], Meta(min_length=1, max_length=20)] | UnsetType = UNSET
    specials: bool | UnsetType = UNSET
    top_hands: Times | UnsetType = UNSET
    shape: Shape | UnsetType = UNSET


class HookChanges(_Changes, frozen=True):
    """Where the hook binds the last bidder."""

    enabled: bool | UnsetType = UNSET
    exempt_cards: Annotated[tuple[Annotated[int, Meta(ge=1, le=24)], ...], Meta(max_length=24)] | UnsetType = UNSET
    exempt_kinds: Annotated[tuple[HandKind, ...], Meta(max_length=6)] | UnsetType = UNSET


class BiddingChanges(_Changes, frozen=True):
    """How bids are bound."""

    hook: HookChanges | UnsetType = UNSET


class AuctionChanges(_Changes, frozen=True):
    """How the naming of trump is auctioned."""

    protocol: AuctionProtocol | UnsetType = UNSET
    winner_second_bid: WinnerSecondBid | UnsetType = UNSET
    hook_in_first_round: bool | UnsetType = UNSET
    mano_must_bid: bool | UnsetType = UNSET
    hook_on_last_predictor: bool | UnsetType = UNSET


class PlayChanges(_Changes, frozen=True):
    """The duties of a player who does not lead."""

    must_beat: MustBeat | UnsetType = UNSET
    beat_waived_after_ruff: bool | UnsetType = UNSET
    must_trump: bool | UnsetType = UNSET
    must_overtrump: bool | UnsetType = UNSET
    undertrump_when_cannot_overtrump: Undertrump | UnsetType = UNSET


class ScoringChanges(_Changes, frozen=True):
    """What a hand is worth; maps replace the preset's. The slam bonus, "hacer pocha", is for bidding and taking all tricks."""

    hit_base: Points | UnsetType = UNSET
    hit_per_trick: Points | UnsetType = UNSET
    miss_per_trick: Points | UnsetType = UNSET
    suit_multiplier: dict[Suit, Factor] | UnsetType = UNSET
    turn_up_multiplier: dict[Card, Factor] | UnsetType = UNSET
    multiplier_applies_to: MultiplierAppliesTo | UnsetType = UNSET
    slam_bonus: SlamBonus | UnsetType = UNSET


class RenuncioChanges(_Changes, frozen=True):
    """Whether illegal cards are refused, or stand and may be punished."""

    mode: RenuncioMode | UnsetType = UNSET
    penalty: Annotated[int, Meta(ge=0, le=1000)] | UnsetType = UNSET
    scales_with_multiplier: bool | UnsetType = UNSET
    wrong_claim_penalty: Annotated[int, Meta(ge=0, le=1000)] | UnsetType = UNSET


class TiebreakChanges(_Changes, frozen=True):
    """How a tie for the win is settled."""

    steps: Annotated[tuple[TiebreakStep, ...], Meta(max_length=3)] | UnsetType = UNSET
    max_extra_hands: Annotated[int, Meta(ge=1, le=50)] | UnsetType = UNSET


class HouseRules(_Changes, frozen=True):
    """What a table changes, part by part."""

    players: PlayersChanges | UnsetType = UNSET
    deck: DeckChanges | UnsetType = UNSET
    seating: SeatingChanges | UnsetType = UNSET
    dealer: DealerChanges | UnsetType = UNSET
    trump: TrumpChanges | UnsetType = UNSET
    schedule: ScheduleChanges | UnsetType = UNSET
    bidding: BiddingChanges | UnsetType = UNSET
    auction: AuctionChanges | UnsetType = UNSET
    play: PlayChanges | UnsetType = UNSET
    scoring: ScoringChanges | UnsetType = UNSET
    renuncio: RenuncioChanges | UnsetType = UNSET
    tiebreak: TiebreakChanges | UnsetType = UNSET


def apply(house: HouseRules, preset: Ruleset) -> Ruleset:
    """Return `preset` with the changes of `house`.

    Raises:
        ContradictoryRuleset: the whole cannot be played.
    """
    return replace(
        preset,
        players=_players(preset.players, house.players),
        deck=_deck(preset.deck, house.deck),
        seating=_changed(preset.seating, house.seating),
        dealer=_changed(preset.dealer, house.dealer),
        trump=_changed(preset.trump, house.trump),
        schedule=_schedule(preset.schedule, house.schedule),
        bidding=_bidding(preset.bidding, house.bidding),
        auction=_changed(preset.auction, house.auction),
        play=_changed(preset.play, house.play),
        scoring=_changed(preset.scoring, house.scoring),
        renuncio=_changed(preset.renuncio, house.renuncio),
        tiebreak=_changed(preset.tiebreak, house.tiebreak),
        house_rules=True,
    )


def _changed(part: Part, changes: _Changes | UnsetType) -> Part:
    """Return `part` with what `changes` names; the fields bear the same names in both."""
    if changes is UNSET:
        return part
    named = {field: value for field, value in asdict(changes).items() if value is not UNSET}
    return replace(part, **named)


def _players(part: PlayersRules, changes: PlayersChanges | UnsetType) -> PlayersRules:
    if changes is UNSET or changes.allowed is UNSET:
        return part
    allowed = changes.allowed
    return PlayersRules(
        allowed,
        tuple(players for players in part.occasional if players in allowed),
        tuple(players for players in part.extrapolated if players in allowed),
    )


def _deck(part: DeckRules, changes: DeckChanges | UnsetType) -> DeckRules:
    """No document ranks 8 and 9; their place is below the sota, as they are numbered (rulebook R-DECK-1)."""
    deck = _changed(part, changes)
    if changes is UNSET or changes.rank_order is not UNSET or deck.size == part.size:
        return deck
    below = deck.rank_order.index(_SOTA) + 1
    return replace(deck, rank_order=(*deck.rank_order[:below], *_ONLY_IN_48, *deck.rank_order[below:]))


def _bidding(part: BiddingRules, changes: BiddingChanges | UnsetType) -> BiddingRules:
    return part if changes is UNSET else BiddingRules(_changed(part.hook, changes.hook))


def _schedule(part: ScheduleRules, changes: ScheduleChanges | UnsetType) -> ScheduleRules:
    if changes is UNSET:
        return part
    blocks = part.blocks if changes.blocks is UNSET else changes.blocks
    blocks = _shaped(blocks, Shape.FULL if changes.shape is UNSET else changes.shape)
    if changes.specials is False:
        blocks = tuple(block for block in blocks if block.kind is HandKind.NORMAL)
    if changes.top_hands is not UNSET:
        blocks = tuple(replace(block, times=changes.top_hands) if _is_top(block) else block for block in blocks)
    return ScheduleRules(blocks)


def _shaped(blocks: tuple[Block, ...], shape: Shape) -> tuple[Block, ...]:
    """Special hands stay in every shape; normal ones after the last top block are the descent."""
    tops = [place for place, block in enumerate(blocks) if _is_top(block)]
    match shape:
        case Shape.FULL:
            return blocks
        case Shape.NO_DESCENT:
            end = tops[-1] if tops else len(blocks)
            kept = {place for place, block in enumerate(blocks) if place <= end or block.kind is not HandKind.NORMAL}
        case Shape.TOP_ONLY:
            kept = {place for place, block in enumerate(blocks) if place in tops or block.kind is not HandKind.NORMAL}
        case _:
            assert_never(shape)
    return tuple(block for place, block in enumerate(blocks) if place in kept)


def _is_top(block: Block) -> bool:
    return block.kind is HandKind.NORMAL and block.first == block.last == "max"
