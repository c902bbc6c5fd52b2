"""The games of a fixed seed go as they went before: see `tests.domain.golden`."""

import pytest

from domain.pocha.rules.ruleset import Ruleset
from tests.domain.golden import GAMES, GOLDEN, name, notation


@pytest.mark.parametrize(("rules", "players"), GAMES, ids=[name(rules, players) for rules, players in GAMES])
def test_a_golden_game_goes_as_it_is_written(rules: Ruleset, players: int) -> None:
    assert notation(rules, players) == (GOLDEN / name(rules, players)).read_text()


def test_every_golden_game_is_played() -> None:
    assert {file.name for file in GOLDEN.iterdir()} == {name(rules, players) for rules, players in GAMES}
