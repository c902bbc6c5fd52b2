"""The kernel, compiled as robots use it and as the plain Python that it is written in: the two must say the same."""

import importlib
import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import TypeVar

from domain.cards import Card, Suit
from domain.pocha.rules.ruleset import Ruleset
from domain.robots import kernel
from domain.robots.kernel import jit, luck, masks, playout, policy, rules, search, table, worlds
from domain.robots.kernel.encoding import Rules, rules_of
from tests.domain.tables import house

Function = TypeVar("Function")

_MODULES = ("jit", "masks", "luck", "table", "rules", "policy", "playout", "worlds", "search")


def _left_alone(**_: object) -> Callable[[Function], Function]:
    return lambda function: function


def _plain() -> SimpleNamespace:
    """Import the kernel's modules a second time, with nothing compiled."""
    names = [f"domain.robots.kernel.{name}" for name in _MODULES]
    kept: dict[str, ModuleType] = {name: sys.modules.pop(name) for name in names}
    compile_, jit.numba.njit = jit.numba.njit, _left_alone
    try:
        found = {name.rpartition(".")[2]: importlib.import_module(name) for name in names}
    finally:
        jit.numba.njit = compile_
        sys.modules.update(kept)
        for module in kept.values():  # robots that are imported later find it in its package
            setattr(kernel, module.__name__.rpartition(".")[2], module)
    return SimpleNamespace(**found)


COMPILED = SimpleNamespace(
    luck=luck, masks=masks, table=table, rules=rules, policy=policy, playout=playout, worlds=worlds, search=search
)
PLAIN = _plain()
BOTH = {"compiled": COMPILED, "plain": PLAIN}


def hand_rules(
    ruleset: Ruleset | None = None, players: int = 4, cards: int = 5, trump: Suit | None = None, multiplier: int = 1
) -> Rules:
    return rules_of(ruleset or house(), players, cards, trump, multiplier)


def ten_a_suit() -> tuple[Card, ...]:
    return tuple(card for card in Card if card.number not in (8, 9))
