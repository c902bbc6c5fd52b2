"""The shuffle has no favourites: laws for any seeds, and counts over many decks with fixed seeds."""

import string
from collections import Counter
from itertools import pairwise
from uuid import UUID

from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.cards import Card, pack
from service.application.ports import Seeds
from service.application.shuffle import SeededShuffler

PACK = pack(40)
SHUFFLER = SeededShuffler()
VISIBLE = string.digits + string.ascii_letters + string.punctuation

servers = st.binary(min_size=32, max_size=32)
clients = st.lists(st.none() | st.text(VISIBLE, min_size=1, max_size=64), max_size=10).map(tuple)
all_seeds = st.builds(Seeds, servers, clients, st.none() | st.uuids())
hands = st.integers(1, 1000)


@given(all_seeds, hands, st.sampled_from((40, 48)))
def test_a_shuffled_pack_has_the_cards_of_the_pack_and_comes_again_from_the_same_seeds(
    seeds: Seeds, hand: int, size: int
) -> None:
    deck = SHUFFLER.deck(seeds, hand, pack(size))
    assert sorted(deck) == sorted(pack(size))
    assert SHUFFLER.deck(seeds, hand, pack(size)) == deck


@given(all_seeds, all_seeds, hands)
def test_other_seeds_give_another_deck(seeds: Seeds, others: Seeds, hand: int) -> None:
    assume(_told(seeds) != _told(others))
    assert SHUFFLER.deck(seeds, hand, PACK) != SHUFFLER.deck(others, hand, PACK)


@given(all_seeds, st.integers(0, 255))
def test_one_bit_of_the_servers_seed_changes_the_deck(seeds: Seeds, bit: int) -> None:
    flipped = (int.from_bytes(seeds.server, "big") ^ (1 << bit)).to_bytes(32, "big")
    assert SHUFFLER.deck(seeds, 1, PACK) != SHUFFLER.deck(replace(seeds, server=flipped), 1, PACK)


@given(all_seeds, st.uuids())
def test_the_game_s_id_changes_the_deck(seeds: Seeds, game_id: UUID) -> None:
    """Seeds of one game say nothing of another: a deck of both would show that they were moved."""
    assume(seeds.game_id != game_id)
    assert SHUFFLER.deck(seeds, 1, PACK) != SHUFFLER.deck(replace(seeds, game_id=game_id), 1, PACK)


@given(servers, st.none() | st.uuids(), st.text(VISIBLE, min_size=2, max_size=20), st.integers(1, 19))
def test_it_matters_who_gave_which_part_of_a_text(server: bytes, game_id: UUID | None, text: str, cut: int) -> None:
    """Seat and length are mixed in, so that no two ways to divide the same letters among seats are one."""
    assume(cut < len(text))
    ways = [(text,), (None, text), (text[:cut], text[cut:]), (text[cut:], text[:cut]), (text[:cut], None, text[cut:])]
    decks = {SHUFFLER.deck(Seeds(server, way, game_id), 1, PACK) for way in ways}
    assert len(decks) == len(set(ways))


@given(all_seeds, hands, hands)
def test_every_hand_has_a_deck_of_its_own(seeds: Seeds, one: int, other: int) -> None:
    assume(one != other)
    assert SHUFFLER.deck(seeds, one, PACK) != SHUFFLER.deck(seeds, other, PACK)


def test_every_card_is_as_often_in_every_place() -> None:
    """With 39 * 39 = 1521 degrees of freedom chi-square stays within 1521 plus or minus 4 * 55.2 but in one of 15,000 trials.

    The seed is fixed: this says the same for ever.
    """
    decks = 4000
    counts: Counter[tuple[Card, int]] = Counter()
    for number in range(1, decks + 1):
        counts.update((card, place) for place, card in enumerate(SHUFFLER.deck(Seeds(bytes(32)), number, PACK)))
    expected = decks / len(PACK)
    chi_square = sum((counts[card, place] - expected) ** 2 for card in PACK for place in range(40)) / expected
    assert abs(chi_square - 39 * 39) < 4 * (2 * 39 * 39) ** 0.5


def test_every_card_is_as_often_behind_every_other() -> None:
    """1,560 ordered pairs of neighbours: about 1,559 degrees of freedom."""
    decks = 4000
    counts: Counter[tuple[Card, Card]] = Counter()
    for number in range(1, decks + 1):
        counts.update(pairwise(SHUFFLER.deck(Seeds(b"\x01" * 32), number, PACK)))
    expected = decks * 39 / 1560
    chi_square = sum((counts[one, two] - expected) ** 2 for one in PACK for two in PACK if one != two) / expected
    assert abs(chi_square - 1559) < 4 * (2 * 1559) ** 0.5


def test_every_seat_is_as_often_first_dealer_and_in_every_place() -> None:
    games = 6000
    dealers: Counter[int] = Counter()
    seats: Counter[tuple[int, int]] = Counter()
    for number in range(games):
        seeds = Seeds(number.to_bytes(32, "big"))
        dealers[SHUFFLER.first_dealer(seeds, 3)] += 1
        seats.update(enumerate(SHUFFLER.seating(seeds, 3)))
    assert all(abs(count - games / 3) < 4 * (games * 2 / 9) ** 0.5 for count in (*dealers.values(), *seats.values()))
    assert (len(dealers), len(seats)) == (3, 9)


def _told(seeds: Seeds) -> tuple[bytes, UUID | None, dict[int, str]]:
    """Seats that gave nothing are not told."""
    return seeds.server, seeds.game_id, {seat: text for seat, text in enumerate(seeds.clients) if text is not None}
