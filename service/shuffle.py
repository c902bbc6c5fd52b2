"""Chance that can be checked afterwards: everything left to luck at a table follows from one secret seed (design: fair deals).

Numbers come from HMAC-SHA-256 in counter mode, keyed by the seed: block `i` of the stream named N is HMAC(seed, N || i as 8 bytes, big
endian), read as four 8-byte numbers. A number below `bound` is drawn by rejection, so that all are equally likely; the pack is shuffled
by Fisher and Yates from its last card to its first.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TypeVar

from domain.cards import Card

T = TypeVar("T")

SEED_BYTES = 32
_WORD_BYTES = 8
_WORDS = 2 ** (8 * _WORD_BYTES)


def commitment(seed: bytes) -> str:
    """Return what is published of a seed when the game is made: its SHA-256, in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


class SeededShuffler:
    """Adapter of `service.ports.Shuffler`: fresh seeds from the system, all else from the seed."""

    def new_seed(self) -> bytes:
        """Return 32 bytes from the system's source of secrets."""
        return secrets.token_bytes(SEED_BYTES)

    def first_dealer(self, seed: bytes, players: int) -> int:
        """Return the first number below `players` of the stream `dealer`."""
        return _below(players, _numbers(seed, b"dealer"))

    def seating(self, seed: bytes, players: int) -> tuple[int, ...]:
        """Return the seats shuffled by the stream `seating`."""
        return _shuffled(range(players), _numbers(seed, b"seating"))

    def deck(self, seed: bytes, hand_number: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return `cards` shuffled by the stream `hand-N`."""
        return _shuffled(cards, _numbers(seed, f"hand-{hand_number}".encode()))

    def luck(self) -> int:
        """Return 32 random bits from the system."""
        return secrets.randbits(32)


def _shuffled(items: Sequence[T], numbers: Iterator[int]) -> tuple[T, ...]:
    left = list(items)
    for last in range(len(left) - 1, 0, -1):
        chosen = _below(last + 1, numbers)
        left[last], left[chosen] = left[chosen], left[last]
    return tuple(left)


def _below(bound: int, numbers: Iterator[int]) -> int:
    # The highest multiple of `bound`: what lies above it would favour the low numbers.
    limit = _WORDS - _WORDS % bound
    return next(number for number in numbers if number < limit) % bound


def _numbers(seed: bytes, stream: bytes) -> Iterator[int]:
    for block in count():
        digest = hmac.digest(seed, stream + block.to_bytes(_WORD_BYTES, "big"), "sha256")
        for start in range(0, len(digest), _WORD_BYTES):
            yield int.from_bytes(digest[start : start + _WORD_BYTES], "big")
