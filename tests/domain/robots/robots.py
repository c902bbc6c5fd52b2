"""The robots under test: `hard` with little effort, so that whole games of it do not take long."""

from domain.pocha.model.commands import Move
from domain.pocha.rules.ruleset import Ruleset
from domain.robots import Observation, Robot, easy, hard, normal, with_claims
from domain.robots.kernel.search import Effort

LITTLE = Effort(worlds=10, candidates=20, slips=4)


def quick_hard(seen: Observation, ruleset: Ruleset, luck: int, /) -> Move:
    return hard.choose(seen, ruleset, luck, LITTLE)


LEVELS: dict[str, Robot] = {
    "easy": with_claims(easy.choose),
    "normal": with_claims(normal.choose),
    "hard": with_claims(quick_hard),
}
ROBOTS = tuple(LEVELS.values())
