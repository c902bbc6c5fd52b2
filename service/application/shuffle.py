"""Verifiable shuffle: everything random at a table follows from seeds (described in docs/fairness.md).

The key is the HMAC-SHA-256, under the server's seed, of the algorithm's name and the game's id, followed by seat, length and bytes of each
client seed. In games of `pocha-shuffle-1` the message is "client-seeds" instead of name and id, and without client seeds the key is the
server's seed itself. Numbers come from HMAC-SHA-256 in counter mode: block `i` of the stream named N is
HMAC(key, N || i as 8 bytes, big endian), read as four 8-byte numbers. A number below `bound` is drawn by rejection, so that all are equally
likely. The pack is shuffled by Fisher-Yates from its last card to its first.
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
ALGORITHM = "pocha-shuffle-2"
"""The algorithm of new games."""
FIRST_ALGORITHM = "pocha-shuffle-1"
"""The algorithm of games whose log does not name their id."""
_WORD_BYTES = 8
_WORDS = 2 ** (8 * _WORD_BYTES)


def commitment(seed: bytes) -> str:
    """Return the commitment to a seed, published when the game is created: its SHA-256, in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def algorithm(game_id: str | None) -> str:
    """Return the name of the algorithm for a table's `game_id`."""
    return FIRST_ALGORITHM if game_id is None else ALGORITHM


class SeededShuffler:
    """Shuffler whose results follow from the seeds; new seeds come from the operating system."""

    def new_seed(self) -> bytes:
        """Return 32 random bytes."""
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
        """Return 32 random bits."""
        return secrets.randbits(32)


def _key(seeds: Seeds) -> bytes:
    """Return the key of the streams: the server's seed, mixed with the game's id and the client seeds."""
    given = b"".join(
        bytes([seat, len(text)]) + text
        for seat, client_seed in enumerate(seeds.clients)
        if client_seed is not None and (text := client_seed.encode("ascii"))
    )
    if seeds.game_id is not None:
        return hmac.digest(seeds.server, ALGORITHM.encode() + seeds.game_id.bytes + given, "sha256")
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
