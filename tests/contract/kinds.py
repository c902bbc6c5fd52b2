"""The tables that the contract's tests play at: all kinds of hands and auctions, in games short enough to be played often."""

from typing import NamedTuple

from tests.contract.document import Json


class Kind(NamedTuple):
    """A way to play: the ruleset (the default if empty), for how many, and what is changed in it."""

    ruleset: str
    sizes: tuple[int, ...]
    house_rules: Json


def hands(*blocks: tuple[str, str, str]) -> Json:
    """Return house rules that make a game of blocks of a kind, a number of cards, and so many hands."""
    return {
        "schedule": {
            "blocks": [{"kind": kind, "first": cards, "last": cards, "times": times} for kind, cards, times in blocks]
        }
    }


BLIND_PICK: Json = {"trump": {"when_all_dealt": "dealer-blind-pick"}}
PENALISED: Json = {"renuncio": {"mode": "penalised", "penalty": 7, "wrong_claim_penalty": 3}}
ONE_BID_OR_PASS: Json = {"auction": {"mano_must_bid": False}}
NO_LESS_THAN_BEFORE: Json = {"auction": {"winner_second_bid": "at-least", "hook_in_first_round": True}}

KINDS = (
    Kind("ludoteka-express-3", (3,), {}),
    Kind("ludoteka-express-4", (4,), {}),
    Kind("", (3, 4), hands(("india", "1", "2"), ("subastado", "3", "1"), ("oros", "2", "1"), ("normal", "4", "1"))),
    Kind("", (3, 5), {**hands(("subastado", "2", "3")), **NO_LESS_THAN_BEFORE}),
    Kind("antigua", (4, 9), hands(("normal", "max", "2"), ("india", "1", "1"), ("subastado", "3", "1"))),
    Kind("ludoteka-loca", (4,), hands(("india", "1", "1"), ("subastado", "4", "2"), ("ciega", "3", "1"))),
    Kind("ludoteka-loca", (4,), {**hands(("subastado", "2", "4")), **ONE_BID_OR_PASS}),
    Kind("torofun", (3, 4), hands(("normal", "1", "1"))),
    Kind("fournier", (3, 6), {**hands(("normal", "3", "2")), "deck": {"size": 48}}),
)
