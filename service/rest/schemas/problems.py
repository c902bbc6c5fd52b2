"""Schemas of problem documents."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.cards import Card
from domain.pocha.model.refusals import Reason
from domain.pocha.view.schema import (
    Position,
    Seat,
    Tricks,
    Version,
)
from service.rest.schemas.requests import PlayerCount

# In Python `$` also matches before a final line feed; `\Z` does not, and is what `$` means in the contract (ECMA 262).
Rule = Annotated[str, Meta(pattern=r"^[a-z]+(-[a-z]+)*\Z")]


class FieldError(msgspec.Struct, frozen=True):
    """An invalid field: a JSON pointer into the body, or `query/NAME`, `path/NAME`, `header/NAME`."""

    pointer: str
    message: str


class Problem(msgspec.Struct, frozen=True):
    """An error as a problem document (RFC 9457). `code` repeats the last part of `type`; the other members depend on it.

    `title` and `detail` are in the language of `Accept-Language`; `rule` is the section of the rules behind a refusal.
    """

    type: str
    title: str
    status: Annotated[int, Meta(ge=400, le=599)]
    code: str
    detail: str
    errors: tuple[FieldError, ...] | UnsetType = UNSET
    reason: Reason | UnsetType = UNSET
    rule: Rule | UnsetType = UNSET
    phase: str | UnsetType = UNSET
    seat_on_turn: Seat | UnsetType = UNSET
    positions: tuple[Position, ...] | UnsetType = UNSET
    may_pass: bool | UnsetType = UNSET
    current_version: Version | UnsetType = UNSET
    players_allowed: tuple[PlayerCount, ...] | UnsetType = UNSET
    legal_bids: tuple[Tricks, ...] | UnsetType = UNSET
    forbidden_bid: Tricks | UnsetType = UNSET
    legal_cards: tuple[Card, ...] | UnsetType = UNSET
    retry_after: Annotated[int, Meta(ge=0, le=3600)] | UnsetType = UNSET
