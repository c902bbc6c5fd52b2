"""`normal` and `hard` do what good players agree on, whatever their luck."""

import pytest

from domain import tricks
from domain.pocha.model.commands import MakeBid, PlayCard
from domain.robots import Robot, hard, normal
from tests.domain.robots.situations import Position, observation_of, positions, ruleset_of

ROBOTS: dict[str, Robot] = {"normal": normal.choose, "hard": hard.choose}
POSITIONS = {position["id"]: position for position in positions()}


def chosen(robot: Robot, position: Position, luck: int) -> int | str:
    move = robot(observation_of(position), ruleset_of(position), luck)
    assert isinstance(move, MakeBid | PlayCard)
    return move.bid if isinstance(move, MakeBid) else str(move.card)


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("name", POSITIONS)
def test_the_move_is_one_of_the_best(name: str, robot: str) -> None:
    position = POSITIONS[name]
    moves = {chosen(ROBOTS[robot], position, luck) for luck in range(5)}
    assert moves <= set(position["best"] or moves), position["why"]
    assert not moves & set(position["never"] or ()), position["why"]


def test_the_legal_moves_of_the_positions_are_those_of_the_rules() -> None:
    for position in POSITIONS.values():
        if position["kind"] == "play":
            seen, rules = observation_of(position), ruleset_of(position)
            legal = tricks.legal_plays(seen.hand, seen.trick.cards, seen.trump, rules.deck.strengths, rules.play)
            assert set(legal) == set(seen.choices.cards), position["id"]
