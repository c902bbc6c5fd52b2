"""Schemas of quick matches."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.pocha.rules.house_rules import HouseRules
from domain.pocha.view.schema import Id, Moment, Players, RulesetRef, TurnSeconds
from service.rest.schemas.requests import PlayerCount, RobotSpec, RulesetId

WaitingTime = Annotated[int, Meta(ge=1, le=600)]


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game that is wanted, how long to wait for others, and the robots that fill up then, if any."""

    players: PlayerCount
    ruleset: RulesetId | UnsetType = UNSET
    house_rules: HouseRules | UnsetType = UNSET
    turn_seconds: TurnSeconds | UnsetType = UNSET
    wait_seconds: WaitingTime | UnsetType = UNSET
    robots: RobotSpec | UnsetType = UNSET
    similar_rating: bool | UnsetType = UNSET


class MatchState(StrEnum):
    """Where a request for a quick match stands."""

    WAITING = "waiting"
    MATCHED = "matched"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


class Match(msgspec.Struct, frozen=True):
    """A request for a quick match; `game_id` is that of its game, once there is one."""

    match_id: Id
    status: MatchState
    ruleset: RulesetRef
    players: Players
    created_at: Moment
    expires_at: Moment
    game_id: Id | UnsetType = UNSET
