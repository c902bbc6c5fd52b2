"""Robots of every level play every kind of hand, by every ruleset, and only legally."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.pocha.behaviour import legal
from domain.pocha.model.commands import Command, PlayCard
from domain.pocha.model.events import GameOver, RenuncioClaimed
from domain.pocha.model.state import Finished, HandState, Playing
from domain.pocha.rules.presets import LUDOTEKA_EXPRESS_3, PRESETS
from domain.pocha.rules.ruleset import RenuncioMode, RenuncioRules, Ruleset
from domain.pocha.rules.schedule import Block, HandKind
from domain.robots import Choice, Observation, Robot, easy, hard, normal, observe, robot
from domain.table.table import Level
from tests.domain.playout import anything, by_robot, game
from tests.domain.robots.robots import LEVELS, ROBOTS
from tests.domain.strategies import rulesets
from tests.domain.tables import house


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_table_of_robots_plays_to_its_end_by_itself(preset: str, level: str) -> None:
    final = list(game(PRESETS[preset], PRESETS[preset].players.allowed[-1], 11, by_robot(LEVELS[level])))[-1]
    assert isinstance(final.events[-1], GameOver)


@given(rulesets(), st.integers(0, 2**32))
@settings(max_examples=50, deadline=None)
def test_robots_play_legally_by_any_ruleset(ruleset: Ruleset, seed: int) -> None:
    def any_of_them(observation: Observation, rules: Ruleset, luck: int, /) -> Choice:
        return ROBOTS[luck % len(ROBOTS)](observation, rules, luck)

    steps = list(game(ruleset, ruleset.players.allowed[0], seed, by_robot(any_of_them)))
    assert isinstance(steps[-1].after, Finished)


@pytest.mark.parametrize("level", Level)
def test_every_level_has_its_robot(level: Level) -> None:
    two_cards = house(Block(HandKind.NORMAL, "2", "2"))
    final = list(game(two_cards, 3, seed=1, choose=by_robot(robot(level))))[-1]
    assert isinstance(final.after, Finished)


PUNISHED = house(
    Block(HandKind.NORMAL, "8", "8", "5"),
    players=(4,),
    renuncio=RenuncioRules(mode=RenuncioMode.PENALISED, penalty=50, wrong_claim_penalty=10),
)


def careless(watch: Robot) -> list[RenuncioClaimed]:
    """Let seats 1 to 3 play any card at all now and then, and seat 0 a robot; return its claims."""
    claims: list[RenuncioClaimed] = []

    def choose(state: HandState, ruleset: Ruleset, luck: int) -> Command:
        if state.turn == 0:
            return watch(observe(state, 0), ruleset, luck)
        return anything(state, ruleset, luck)

    for seed in range(6):
        for step in game(PUNISHED, 4, seed, choose, claims=False):
            claims += [event for event in step.events if isinstance(event, RenuncioClaimed)]
    return claims


@pytest.mark.parametrize("level", LEVELS)
def test_robots_claim_the_renuncios_that_they_can_prove_and_no_others(level: str) -> None:
    claims = careless(LEVELS[level])
    assert len(claims) > 5
    assert all(claim.proven and claim.claimant == 0 for claim in claims)


@pytest.mark.parametrize("level", LEVELS)
def test_robots_never_revoke(level: str) -> None:
    for step in game(PUNISHED, 4, 3, by_robot(LEVELS[level]), claims=False):
        if isinstance(step.before, Playing) and isinstance(step.command, PlayCard):
            assert step.command.card in legal.legal_cards(step.before)


def test_equal_luck_gives_equal_moves() -> None:
    for choose in (easy.choose, normal.choose, hard.choose):
        one, two = (list(game(house(), 3, 5, by_robot(choose))) for _ in range(2))
        assert one == two


def test_hard_robots_have_another_go_of_luck_from_seed_to_seed() -> None:
    ends = [list(game(LUDOTEKA_EXPRESS_3, 3, seed, by_robot(LEVELS["hard"])))[-1].after for seed in range(2)]
    assert len({end.progress.results for end in ends if isinstance(end, Finished)}) == 2
