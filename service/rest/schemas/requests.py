"""Schemas of request bodies. Unknown fields are refused."""

from typing import Annotated, TypeVar
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.cards import Card, Suit
from domain.pocha.rules.house_rules import HouseRules
from domain.pocha.rules.presets import DEFAULT
from domain.pocha.view.schema import (
    Cards,
    Commitment,
    Position,
    RobotSeconds,
    Seat,
    TurnSeconds,
    Version,
)
from domain.table.table import AutoPlay, Level, Reaction, Visibility
from service.application.display_names import MAX_CODE_POINTS
from service.application.record.facts import ClientSeed

T = TypeVar("T")

# In Python `$` also matches before a final line feed; `\Z` does not, and is what `$` means in the contract (ECMA 262).
# Control characters, and those that change the direction of text.
_CONTROL = r"\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"

DisplayName = Annotated[str, Meta(min_length=1, max_length=MAX_CODE_POINTS, pattern=r"^[^\x00-\x1f\x7f-\x9f]*\Z")]
ExternalId = Annotated[str, Meta(min_length=1, max_length=128, pattern=rf"^[^{_CONTROL}]*\Z")]
RULESET_ID_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*\Z"
RulesetId = Annotated[str, Meta(max_length=60, pattern=RULESET_ID_PATTERN)]
InviteCode = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+\Z")]
PlayerCount = Annotated[int, Meta(ge=2, le=10)]
BidNumber = Annotated[int, Meta(ge=0, le=24)]


class _Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of request bodies."""


class NewPlayer(_Request, frozen=True):
    """A new player; an app gives its own id of the player."""

    display_name: DisplayName
    external_id: ExternalId | UnsetType = UNSET


class NameChange(_Request, frozen=True):
    """The name that the caller wants to be shown under."""

    display_name: DisplayName


class RobotSpec(_Request, frozen=True):
    """A robot's level."""

    level: Level


class AutoPlayRequest(_Request, frozen=True):
    """Which moves of the caller the service makes."""

    auto_play: AutoPlay


class ReactionRequest(_Request, frozen=True):
    """What to say to the others at the table."""

    reaction: Reaction


class TimeoutSpec(_Request, frozen=True):
    """The robot that stands in for an absent player."""

    level: Level = Level.EASY


_ON_TIMEOUT = TimeoutSpec()


class NewGame(_Request, frozen=True):
    """A new game."""

    players: PlayerCount
    ruleset: RulesetId = DEFAULT.id
    robots: Annotated[tuple[RobotSpec, ...], Meta(max_length=9)] = ()
    visibility: Visibility = Visibility.PUBLIC
    house_rules: HouseRules | UnsetType = UNSET
    client_seed: ClientSeed | UnsetType = UNSET
    commitment: Commitment | UnsetType = UNSET
    turn_seconds: TurnSeconds | UnsetType = UNSET
    on_timeout: TimeoutSpec = _ON_TIMEOUT
    robot_seconds: RobotSeconds | UnsetType = UNSET


class MoveRequest(_Request, frozen=True):
    """Base of moves: with `expected_version`, a move is made only at that version."""

    expected_version: Version | UnsetType = UNSET


class JoinRequest(_Request, frozen=True):
    """The seat to take, and the invite code of a private game."""

    invite_code: InviteCode | UnsetType = UNSET
    seat: Seat | UnsetType = UNSET
    client_seed: ClientSeed | UnsetType = UNSET


class RematchRequest(_Request, frozen=True):
    """The caller's contribution to the next game."""

    client_seed: ClientSeed | UnsetType = UNSET


class TicketRequest(_Request, frozen=True):
    """The game whose stream is to be opened; without one, the stream of all of the caller's games."""

    game_id: UUID | UnsetType = UNSET


class RulesetRequest(_Request, frozen=True):
    """A preset with house rules."""

    ruleset: RulesetId = DEFAULT.id
    house_rules: HouseRules | UnsetType = UNSET


class PassRequest(MoveRequest, frozen=True):
    """A pass in the trump auction."""


class TrumpRequest(MoveRequest, frozen=True, kw_only=True):
    """The trump suit of the auction's winner."""

    suit: Suit


class BlindPickRequest(MoveRequest, frozen=True, kw_only=True):
    """The face-down card that decides trump, by its position in the deal, from 0."""

    position: Position


class ClaimRequest(MoveRequest, frozen=True, kw_only=True):
    """A claim that a seat played an illegal card to a trick (from 1) of the current hand, or of the one just scored."""

    seat: Seat
    trick: Cards


class RobotMoveRequest(MoveRequest, frozen=True, kw_only=True):
    """The robot that makes the caller's move."""

    level: Level | UnsetType = UNSET


class BidRequest(MoveRequest, frozen=True, kw_only=True):
    """A bid."""

    bid: BidNumber


class PlayRequest(MoveRequest, frozen=True, kw_only=True):
    """A card to play."""

    card: Card


def value_or_none(value: T | UnsetType) -> T | None:
    """Return the value of an optional field; None where the body left it out."""
    return None if value is UNSET else value
