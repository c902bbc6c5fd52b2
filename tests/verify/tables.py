"""The games whose records are tampered with: every kind of hand, every preset's oddities, short enough to change every fact."""

from typing import Any

from domain.pocha.rules import house_rules, presets
from domain.pocha.rules.ruleset import Ruleset
from service.application.record.build import record_of
from service.application.record.facts import GameRecord
from tests.verify.games import GAME_ID, game, shown


def housed(preset: str, **changes: Any) -> Ruleset:
    """Return a preset with house rules, written as a client writes them."""
    return house_rules.apply(changes, presets.PRESETS[preset])


def blocks(*written: str) -> dict[str, object]:
    """Return a schedule of blocks written `kind first last times`."""
    names = ("kind", "first", "last", "times")
    return {"blocks": [dict(zip(names, block.split(), strict=True)) for block in written]}


ALL_KINDS = housed(
    "clasica",
    schedule=blocks("normal 1 2 1", "india 1 1 1", "subastado 3 3 1", "oros 2 2 1"),
    seating={"order": "random"},
    scoring={"suit_multiplier": {"copas": 2, "oros": 3, "bastos": 4}},
)
BLIND_PICKS = housed("antigua", players={"allowed": [10]}, schedule=blocks("normal max max 2"))
ASCENDING = housed("ludoteka-loca", schedule=blocks("india 1 1 1", "subastado 3 3 2", "ciega 2 2 1"))
RENUNCIOS = housed(
    "clasica",
    schedule=blocks("normal 4 4 3"),
    renuncio={"mode": "penalised", "wrong_claim_penalty": 10},
    dealer={"first": "1"},
)
LARGE_PACK = housed(
    "fournier",
    deck={"size": 48},
    schedule=blocks("normal 2 3 1"),
    tiebreak={"steps": ["fewest-mistaken-bids", "one-card-hands"], "max_extra_hands": 2},
    scoring={"slam_bonus": {"min_cards": 2, "factor": 2}},
)

SHORT: dict[str, tuple[Ruleset, int, str]] = {
    "all-kinds": (ALL_KINDS, 4, "f"),
    "blind-picks": (BLIND_PICKS, 10, "b"),
    "ascending": (ASCENDING, 4, "c"),
    "renuncios": (RENUNCIOS, 3, "d"),
    "large-pack": (LARGE_PACK, 3, "e"),
    "express": (presets.LUDOTEKA_EXPRESS_3, 3, "f"),
}
"""Games of a few hands, by name: ruleset, players, seed."""


def record(ruleset: Ruleset, players: int, seed: str) -> GameRecord:
    """Return the record of a whole game, in which two players gave seeds."""
    return record_of(GAME_ID, game(ruleset, players, seed, ("anas-seed", None, "carlas")), shown)
