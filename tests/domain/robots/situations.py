"""Positions in which good players agree, as observations of seat 0: `data/situations.json` and `data/more_situations.json`.

The seats that the positions leave open follow from the play: who leads a trick has taken the one before.
"""

import json
from pathlib import Path
from typing import Any

from domain import tricks
from domain.cards import Card, Suit
from domain.pocha.model.state import Trick
from domain.pocha.rules import scoring
from domain.pocha.rules.presets import PRESETS
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.rules.schedule import HandKind, HandPlan
from domain.pocha.view.schema import Action
from domain.robots.observation import Choices, Observation

Position = dict[str, Any]
_DATA = Path(__file__).parent / "data"
_TO_COME = (HandPlan(HandKind.NORMAL, 5),) * 20
"""Far from the end of the game, so that points are what counts."""


def positions() -> list[Position]:
    """Return all positions."""
    files = ("situations.json", "more_situations.json")
    return [position for name in files for position in json.loads((_DATA / name).read_text())["positions"]]


def ruleset_of(position: Position) -> Ruleset:
    return PRESETS[position["ruleset"]]


def observation_of(position: Position) -> Observation:
    """Return what seat 0 knows in the position."""
    return _to_bid(position) if position["kind"] == "bid" else _to_play(position)


def _to_bid(position: Position) -> Observation:
    players, before = position["players"], position["bids_before"]
    mano = (-len(before)) % players
    bids: list[int | None] = [None] * players
    for place, bid in enumerate(before):
        bids[(mano + place) % players] = bid
    hooked = ruleset_of(position).bidding.hook.enabled
    return _observation(
        position,
        cards=len(position["hand"]),
        dealer=(mano - 1) % players,
        bids=tuple(bids),
        to_bid=tuple(range(1, players - len(before))),
        hooked=hooked,
        choices=Choices(Action.BID, bids=tuple(position["legal_bids"])),
    )


def _to_play(position: Position) -> Observation:
    players, trick = position["players"], _cards(position["trick"])
    leader = (-len(trick)) % players
    return _observation(
        position,
        cards=len(position["hand"]) + len(position["tricks_before"]),
        dealer=(_first_leader(position, leader) - 1) % players,
        bids=tuple(position["bids"]),
        won=tuple(position["tricks_won"]),
        tricks=tuple(_tricks_before(position, leader)),
        trick=Trick(leader, trick),
        choices=Choices(Action.PLAY, cards=_cards(position["legal_cards"])),
    )


def _tricks_before(position: Position, leader: int) -> list[Trick]:
    """Return the tricks before, with their leaders: each was led by who took the one before it."""
    strength = ruleset_of(position).deck.strengths
    found: list[Trick] = []
    for written in reversed(position["tricks_before"]):
        cards = _cards(written)
        leader = (leader - tricks.winner(cards, _trump(position), strength)) % position["players"]
        found.append(Trick(leader, cards))
    return found[::-1]


def _first_leader(position: Position, leader: int) -> int:
    before = _tricks_before(position, leader)
    return before[0].leader if before else leader


def _observation(position: Position, **parts: Any) -> Observation:
    ruleset, turn_up = ruleset_of(position), position.get("turn_up")
    shown = Card(turn_up) if turn_up else None
    factor = scoring.multiplier(_trump(position), shown, ruleset.scoring)
    common: dict[str, Any] = {
        "seat": 0,
        "players": position["players"],
        "number": 1,
        "kind": HandKind.NORMAL,
        "trump": _trump(position),
        "turn_up": shown,
        "dealers_turn_up": False,
        "multiplier": factor,
        "hand": _cards(position["hand"]),
        "won": (0,) * position["players"],
        "tricks": (),
        "trick": Trick(0),
        "totals": (0,) * position["players"],
        "following": _TO_COME,
    }
    return Observation(**(common | parts))


def _trump(position: Position) -> Suit | None:
    return Suit(position["trump"]) if position.get("trump") else None


def _cards(written: list[str]) -> tuple[Card, ...]:
    return tuple(Card(card) for card in written)
