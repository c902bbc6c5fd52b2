"""The vectors of docs/fairness.md, against the service, and against a second program written from nothing but the document's words."""

import hashlib
import hmac
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import pytest

from domain.cards import Card
from service.application.ports import Seeds
from service.application.shuffle import ALGORITHM, FIRST_ALGORITHM, SeededShuffler, commitment

DOCUMENT = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text()
VECTOR = re.compile(r"^### (.+?)\n\n```text\n(.+?)```$", re.MULTILINE | re.DOTALL)


class Vector(NamedTuple):
    """A test vector, as it is written."""

    title: str
    server_seed: bytes
    commitment: str
    game_id: str | None
    client_seeds: dict[int, str]
    seating: list[int]
    first_dealer: int
    decks: dict[int, list[str]]

    @property
    def seeds(self) -> Seeds:
        """The seeds as the service takes them."""
        players = len(self.seating)
        return Seeds(
            self.server_seed,
            tuple(self.client_seeds.get(seat) for seat in range(players)),
            UUID(self.game_id) if self.game_id else None,
        )


def vectors() -> Iterator[Vector]:
    for title, body in VECTOR.findall(DOCUMENT):
        lines = [line.split() for line in body.splitlines()]
        one = {name: rest for name, *rest in lines}
        assert int(one["players"][0]) == len(one["seating"])
        yield Vector(
            title=title,
            server_seed=bytes.fromhex(one["server_seed"][0]),
            commitment=one["commitment"][0],
            game_id=one["game_id"][0] if "game_id" in one else None,
            client_seeds={int(rest[0]): rest[1] for name, *rest in lines if name == "client_seed"},
            seating=[int(seat) for seat in one["seating"]],
            first_dealer=int(one["first_dealer"][0]),
            decks={int(rest[0]): rest[1:] for name, *rest in lines if name == "deck"},
        )


VECTORS = list(vectors())
each = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.title)


# The second program. It uses nothing of the service.


def the_key(server_seed: bytes, game_id: str | None, client_seeds: dict[int, str]) -> bytes:
    if game_id is None and not client_seeds:
        return server_seed
    message = b"client-seeds" if game_id is None else b"pocha-shuffle-2" + bytes.fromhex(game_id.replace("-", ""))
    for seat in sorted(client_seeds):
        text = client_seeds[seat].encode("ascii")
        message += bytes([seat]) + bytes([len(text)]) + text
    return hmac.new(server_seed, message, hashlib.sha256).digest()


class Stream:
    """A stream of numbers."""

    def __init__(self, key: bytes, name: str) -> None:
        self.key, self.name = key, name
        self.block = 0
        self.numbers: list[int] = []

    def next_number(self) -> int:
        if not self.numbers:
            message = self.name.encode("ascii") + self.block.to_bytes(8, "big")
            block = hmac.new(self.key, message, hashlib.sha256).hexdigest()
            self.numbers = [int(block[16 * quarter : 16 * quarter + 16], 16) for quarter in range(4)]
            self.block += 1
        return self.numbers.pop(0)

    def below(self, bound: int) -> int:
        limit = 2**64 // bound * bound
        number = self.next_number()
        while number >= limit:
            number = self.next_number()
        return number % bound

    def shuffle(self, things: list[str]) -> list[str]:
        last = len(things) - 1
        while last >= 1:
            chosen = self.below(last + 1)
            things[last], things[chosen] = things[chosen], things[last]
            last -= 1
        return things


def unshuffled(deck: list[str]) -> list[str]:
    numbers = range(1, 13) if len(deck) == 48 else [1, 2, 3, 4, 5, 6, 7, 10, 11, 12]
    whole = [f"{suit}-{number}" for suit in ("oros", "copas", "espadas", "bastos") for number in numbers]
    return [card for card in whole if card in deck]


def test_the_document_describes_the_algorithm_of_the_service_and_has_vectors_for_every_pack() -> None:
    assert f"`{ALGORITHM}`" in DOCUMENT
    assert f"`{FIRST_ALGORITHM}`" in DOCUMENT
    assert {len(vector.decks[1]) for vector in VECTORS} == {36, 40, 48}
    cases = {(vector.game_id is None, bool(vector.client_seeds)) for vector in VECTORS}
    assert len(cases) == 4


@each
def test_the_service_draws_what_the_document_says(vector: Vector) -> None:
    shuffler, players = SeededShuffler(), len(vector.seating)
    assert commitment(vector.server_seed) == vector.commitment
    assert list(shuffler.seating(vector.seeds, players)) == vector.seating
    assert shuffler.first_dealer(vector.seeds, players) == vector.first_dealer
    for hand, deck in vector.decks.items():
        pack = [Card(card) for card in unshuffled(deck)]
        assert [str(card) for card in shuffler.deck(vector.seeds, hand, pack)] == deck


@each
def test_so_does_a_program_written_from_its_words(vector: Vector) -> None:
    key, players = the_key(vector.server_seed, vector.game_id, vector.client_seeds), len(vector.seating)
    assert hashlib.sha256(vector.server_seed).hexdigest() == vector.commitment
    seats = Stream(key, "seating").shuffle([str(seat) for seat in range(players)])
    assert [int(seat) for seat in seats] == vector.seating
    assert Stream(key, "dealer").below(players) == vector.first_dealer
    for hand, deck in vector.decks.items():
        assert Stream(key, f"hand-{hand}").shuffle(unshuffled(deck)) == deck


def test_both_programs_leave_out_the_numbers_that_would_favour_low_ones() -> None:
    """With so few players no number of a vector is left out; with 2^63 + 1 of them, every other one would be."""
    players, blocks = 2**63 + 1, set[int]()
    for game in range(100):
        seed = game.to_bytes(32, "big")
        stream = Stream(seed, "dealer")
        assert SeededShuffler().first_dealer(Seeds(seed), players) == stream.below(players)
        blocks.add(stream.block)
    assert max(blocks) > 1
