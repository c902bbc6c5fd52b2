"""Every parameter of a ruleset that a table changes makes a difference that somebody can see; a change that would not is refused.

The parameters come from the schema. A value for each is taken from another drawn ruleset, and a game is looked for that differs: in its
schedule, its pack, its start, a deal, a turn, a refusal, a score or its end.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from operator import attrgetter
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import fields, replace

from domain.pocha.rules import effects
from domain.pocha.rules.house_rules import PARTS
from domain.pocha.rules.ruleset import ContradictoryRuleset, Ruleset, ScheduleRules
from domain.pocha.rules.schedule import Block, HandKind
from domain.pocha.rules.standings import TiebreakRules
from tests.domain.lockstep import difference
from tests.domain.strategies import rulesets

MOST_CHANGES = 400
"""How many changes are looked at; of those that are accepted or refused, the first few are tried."""
MOST_TRIED = 5
MOST_GAMES = 200
"""How many games are looked at for a difference: some need two cards of neighbouring ranks in one trick."""
GAMES_ALIKE = 4
"""How many games show no difference where there is none."""


def parameters(kind: type[msgspec.Struct], above: str = "") -> Iterator[str]:
    """Yield the parameters of a record by their names, as in `bidding.hook.enabled`."""
    for field in fields(kind):
        name = above + field.name
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            yield from parameters(field.type, f"{name}.")
        else:
            yield name


PARAMETERS = [name for name in parameters(Ruleset) if name.split(".")[0] in PARTS]
FOR_TABLES = [name for name in PARAMETERS if not name.startswith("players.")]
"""Without the numbers of players: they say which tables there are, and which of them no document mentions."""


def replaced(record: Any, name: str, value: Any) -> Any:
    member, _, rest = name.partition(".")
    return replace(record, **{member: replaced(getattr(record, member), rest, value) if rest else value})


def changed(ruleset: Ruleset, other: Ruleset, name: str) -> Ruleset | None:
    """Return the ruleset with a parameter of another one, if it fits; a pack comes with the order of its cards."""
    try:
        if name == "deck.size":
            return replace(ruleset, deck=replace(other.deck, trim=ruleset.deck.trim))
        return replaced(ruleset, name, attrgetter(name)(other))
    except ContradictoryRuleset:
        return None


def all_dealt(ruleset: Ruleset) -> Ruleset:
    """Return a table that deals all the cards, if they go into its players, and turns one up."""
    return replace(ruleset, schedule=ScheduleRules((Block(HandKind.NORMAL, "max", "max"),)))


def always_tied(ruleset: Ruleset) -> Ruleset:
    """Return a table where nothing scores. Of two players, one may always be wrong where the other one is right."""
    return replace(ruleset, scoring=replace(ruleset.scoring, hit_base=0, hit_per_trick=0, miss_per_trick=0))


@cache
def drawn(kind: HandKind | None) -> list[Ruleset]:
    """Return random rulesets, the same ones for all parameters: to draw them takes long."""
    found: list[Ruleset] = []

    @settings(max_examples=100, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(rulesets(kind))
    def keep(ruleset: Ruleset) -> None:
        found.append(ruleset)

    keep()
    return found


def tables(part: str) -> list[Ruleset]:
    """Return tables at which the parameters of a part may be seen."""
    match part:
        case "auction":
            return drawn(HandKind.SUBASTADO)
        case "trump":
            return [all_dealt(each) for each in drawn(None)]
        case "tiebreak":
            return [always_tied(each) for each in drawn(None) if each.players.allowed > (2,)]
        case _:
            return drawn(None)


def changes(name: str) -> Iterator[tuple[Ruleset, Ruleset]]:
    """Yield tables, each before and after a change of the parameter."""
    some = tables(name.split(".", maxsplit=1)[0])
    luck = Random(name)
    for before, other in ((luck.choice(some), luck.choice(some)) for _ in range(MOST_CHANGES)):
        after = changed(before, other, name)
        if after is not None and after != before:
            yield before, after


def is_idle(after: Ruleset, before: Ruleset) -> bool:
    return any(effects.idle_changes(after, before))


def is_rare(after: Ruleset, before: Ruleset) -> bool:
    """Tell whether the change is idle but for the extra hands of a tie."""
    alone = TiebreakRules()
    return before.tiebreak == after.tiebreak and is_idle(
        replace(after, tiebreak=alone), replace(before, tiebreak=alone)
    )


@pytest.mark.parametrize("name", FOR_TABLES)
def test_a_change_is_seen_or_refused(name: str) -> None:
    tried: Counter[bool] = Counter()
    for before, after in changes(name):
        accepted = not is_idle(after, before)
        if tried[accepted] == MOST_TRIED or (accepted and is_rare(after, before)):
            continue
        (players,) = before.players.allowed
        games = range(MOST_GAMES if accepted else GAMES_ALIKE)
        assert any(difference(before, after, players, Random(game)) for game in games) is accepted
        tried[accepted] += 1
    assert tried[True]
