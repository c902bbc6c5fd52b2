"""Ring of seats. They are numbered counter-clockwise: the next seat is the right-hand neighbour (rulebook 1.2)."""

from typing import TypeVar

T = TypeVar("T")


def seat_at(first: int, steps: int, players: int) -> int:
    """Return the seat so many `steps` after `first` in the order of play."""
    return (first + steps) % players


def steps_to(seat: int, first: int, players: int) -> int:
    """Return after how many steps from `first` it is the turn of `seat`: the inverse of `seat_at`."""
    return (seat - first) % players


def next_seat(seat: int, players: int) -> int:
    """Return the right-hand neighbour, who deals, bids and plays after `seat`."""
    return (seat + 1) % players


def from_seat(first: int, players: int) -> tuple[int, ...]:
    """Return all seats in the order of play, beginning with `first`."""
    return (*range(first, players), *range(first))


def changed_at(items: tuple[T, ...], seat: int, item: T) -> tuple[T, ...]:
    """Return `items`, listed by seat, with another one at `seat`."""
    return (*items[:seat], item, *items[seat + 1 :])
