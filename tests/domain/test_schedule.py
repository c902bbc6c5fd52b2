"""Blocks of hands, spelled out."""

import pytest

from domain.pocha.rules.schedule import Block, HandKind, HandPlan, hands, length, sizes

NORMAL = HandKind.NORMAL

SPELLED_OUT: dict[str, tuple[str, str, int, list[int]]] = {
    "up": ("1", "4", 10, [1, 2, 3, 4]),
    "down": ("4", "1", 10, [4, 3, 2, 1]),
    "one size": ("3", "3", 10, [3]),
    "up to all": ("2", "max", 4, [2, 3, 4]),
    "down from all": ("max", "2", 4, [4, 3, 2]),
    "all but one, up": ("max-1", "max", 4, [3, 4]),
    "all, down by one": ("max", "max-1", 4, [4, 3]),
    "up from a large number": ("22", "max", 24, [22, 23, 24]),
    "up from the largest number": ("24", "max", 24, [24]),
    "down to a large number": ("max-1", "22", 24, [23, 22]),
    "no room upwards": ("2", "max-1", 2, []),
    "no room downwards": ("max-1", "2", 2, []),
    "one card is all there is": ("max", "max", 1, [1]),
}


@pytest.mark.parametrize(("first", "last", "most", "expected"), SPELLED_OUT.values(), ids=SPELLED_OUT)
def test_a_block_goes_from_its_first_size_to_its_last(first: str, last: str, most: int, expected: list[int]) -> None:
    assert list(sizes(Block(NORMAL, first, last), most)) == expected


def test_each_size_is_played_as_often_as_the_block_says() -> None:
    ones, ups = Block(NORMAL, "1", "1", "n"), Block(HandKind.OROS, "2", "3", "2")
    plans = hands((ones, ups), players=3, most=10)
    assert plans == (*[HandPlan(NORMAL, 1)] * 3, *[HandPlan(HandKind.OROS, 2)] * 2, *[HandPlan(HandKind.OROS, 3)] * 2)
    assert length((ones, ups), players=3, most=10) == len(plans)
