"""Chance that can be checked afterwards: everything left to luck at a table follows from seeds (docs/fairness.md has it in words).

The key is the server's seed; where players gave seeds of their own, it is the HMAC-SHA-256 of the server's seed and "client-seeds",
followed, for each seat that gave one, by the seat, the length and the bytes of its seed. Numbers come from HMAC-SHA-256 in counter mode:
block `i` of the stream named N is HMAC(key, N || i as 8 bytes, big endian), read as four 8-byte numbers. A number below `bound` is drawn by
rejection, so that all are equally likely; the pack is shuffled by Fisher and Yates from its last card to its first.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TypeVar

from domain.cards import Card
from service.application.ports import Seeds

T = TypeVar("T")

SEED_BYTES = 32
ALGORITHM = "pocha-shuffle-1"
_WORD_BYTES = 8
_WORDS = 2 ** (8 * _WORD_BYTES)


def commitment(seed: bytes) -> str:
    """Return what is published of a seed when the game is made: its SHA-256, in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


class SeededShuffler:
    """Adapter of `service.application.ports.Shuffler`: fresh seeds from the system, all else from them and from what the players gave."""

    def new_seed(self) -> bytes:
        """Return 32 bytes from the system's source of secrets."""
        return secrets.token_bytes(SEED_BYTES)

    def first_dealer(self, seeds: Seeds, players: int) -> int:
        """Return the first number below `players` of the stream `dealer`."""
        return _below(players, _numbers(_key(seeds), b"dealer"))

    def seating(self, seeds: Seeds, players: int) -> tuple[int, ...]:
        """Return the seats shuffled by the stream `seating`."""
        return _shuffled(range(players), _numbers(_key(seeds), b"seating"))

    def deck(self, seeds: Seeds, hand_number: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return `cards` shuffled by the stream `hand-N`."""
        return _shuffled(cards, _numbers(_key(seeds), f"hand-{hand_number}".encode()))

    def luck(self) -> int:
        """Return 32 random bits from the system."""
        return secrets.randbits(32)


def _key(seeds: Seeds) -> bytes:
    """The server's seed, mixed with the seats and seeds of those players who gave one."""
    given = b"".join(
        bytes([seat, len(text)]) + text
        for seat, client_seed in enumerate(seeds.clients)
        if client_seed is not None and (text := client_seed.encode("ascii"))
    )
    return hmac.digest(seeds.server, b"client-seeds" + given, "sha256") if given else seeds.server


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
