"""Random house rules, as an app's form might send them; many contradict themselves, which the service has to say."""

import random
from collections.abc import Callable
from typing import Any

Changes = dict[str, Any]

KINDS = ("normal", "india", "subastado", "oros", "ciega")
STEPS = ("fewest-mistaken-bids", "oros-hands", "one-card-hands")


def random_house_rules(luck: random.Random) -> Changes:
    """Return changes to some parts of a ruleset, with a schedule of a few short hands."""
    parts: dict[str, Callable[[random.Random], Changes]] = {
        "deck": _deck,
        "seating": _seating,
        "dealer": _dealer,
        "trump": _trump,
        "bidding": _bidding,
        "auction": _auction,
        "play": _play,
        "scoring": _scoring,
        "renuncio": _renuncio,
        "tiebreak": _tiebreak,
    }
    chosen = luck.sample(sorted(parts), luck.randint(1, len(parts)))
    return {"schedule": {"blocks": _blocks(luck)}} | {part: parts[part](luck) for part in chosen}


def _seating(luck: random.Random) -> Changes:
    return {"order": luck.choice(["join-order", "random"])}


def _dealer(luck: random.Random) -> Changes:
    return {"first": luck.choice(["random", "0", "1"])}


def _trump(luck: random.Random) -> Changes:
    return {"when_all_dealt": luck.choice(["last-dealt", "dealer-blind-pick"])}


def _deck(luck: random.Random) -> Changes:
    return {"size": luck.choice([40, 48]), "trim": luck.choice(["none", "all-twos", "all-twos-if-inexact", "sequence"])}


def _blocks(luck: random.Random) -> list[dict[str, str]]:
    return [_block(luck) for _ in range(luck.randint(1, 3))]


def _block(luck: random.Random) -> dict[str, str]:
    kind = luck.choice(KINDS)
    if kind == "india":
        return {"kind": kind, "first": "1", "last": "1", "times": luck.choice(["1", "2"])}
    if luck.random() < 0.3:
        return {"kind": kind, "first": "max", "last": "max", "times": "1"}
    return {"kind": kind, "first": luck.choice("123"), "last": luck.choice("123"), "times": "1"}


def _bidding(luck: random.Random) -> Changes:
    return {"hook": {"enabled": luck.random() < 0.7, "exempt_cards": luck.sample([1, 2, 3], luck.randint(0, 2))}}


def _auction(luck: random.Random) -> Changes:
    return {
        "protocol": luck.choice(["double-bid", "ascending-once"]),
        "winner_second_bid": luck.choice(["free", "at-least", "locked"]),
        "hook_in_first_round": luck.random() < 0.3,
        "mano_must_bid": luck.random() < 0.5,
        "hook_on_last_predictor": luck.random() < 0.5,
    }


def _play(luck: random.Random) -> Changes:
    return {
        "must_beat": luck.choice(["led-suit", "never"]),
        "beat_waived_after_ruff": luck.random() < 0.5,
        "must_trump": luck.random() < 0.7,
        "must_overtrump": luck.random() < 0.5,
        "undertrump_when_cannot_overtrump": luck.choice(["free", "forced"]),
    }


def _scoring(luck: random.Random) -> Changes:
    return {
        "hit_base": luck.randint(0, 20),
        "suit_multiplier": luck.choice([None, {"oros": 2, "copas": None}, {"copas": 2, "oros": 3}]),
        "turn_up_multiplier": luck.choice([None, {"oros-4": 4}, {"bastos-9": 2}]),
        "multiplier_applies_to": luck.choice(["hits-and-misses", "hits-only"]),
        "slam_bonus": {"min_cards": luck.randint(1, 5), "factor": luck.randint(1, 3)},
    }


def _renuncio(luck: random.Random) -> Changes:
    return {
        "mode": luck.choice(["enforced", "penalised"]),
        "penalty": luck.choice([0, 50, 100]),
        "scales_with_multiplier": luck.random() < 0.5,
        "wrong_claim_penalty": luck.choice([0, 10]),
    }


def _tiebreak(luck: random.Random) -> Changes:
    return {"steps": luck.sample(STEPS, luck.randint(0, 2)), "max_extra_hands": luck.randint(1, 3)}
