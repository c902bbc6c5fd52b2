"""What follows from what was seen: which cards are still out, and who may hold them."""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from domain import cards as packs
from domain import tricks
from domain.cards import Card, Suit
from domain.pocha.model.state import Trick
from domain.pocha.rules import ruleset as rules
from domain.pocha.rules.ruleset import Ruleset
from domain.robots.observation import Observation
from domain.tricks import PlayRules


class Knowledge(msgspec.Struct, frozen=True):
    """What a seat can work out of the hidden cards. Lists are by seat; the own entries are empty.

    `unseen` are the cards in the others' hands and in the stock; `counts` how many each seat holds, `possible` which of the unseen ones it
    may hold, `sure` those that it holds for certain.
    """

    unseen: frozenset[Card]
    counts: tuple[int, ...]
    possible: tuple[frozenset[Card], ...]
    sure: tuple[frozenset[Card], ...]


def know(seen: Observation, ruleset: Ruleset) -> Knowledge:
    """Work out what the seat can know."""
    out, nothing = frozenset[Card](), frozenset[Card]()
    played = frozenset(card for trick in (*seen.tricks, seen.trick) for card in trick.cards)
    if seen.turn_up is not None and not seen.dealers_turn_up:
        out = frozenset((seen.turn_up,))
    unseen = frozenset(rules.deck(ruleset, seen.players)) - played - out - frozenset(seen.hand)
    known = seen.turn_up if seen.dealers_turn_up and seen.turn_up in unseen else None
    missing = _impossible(seen, ruleset)
    elsewhere = nothing if known is None else frozenset((known,))
    others = [seat for seat in range(seen.players) if seat != seen.seat]
    sure = tuple(elsewhere if seat == seen.dealer and seat != seen.seat else nothing for seat in range(seen.players))
    return Knowledge(
        unseen=unseen,
        counts=tuple(_held(seen, seat) if seat in others else 0 for seat in range(seen.players)),
        possible=tuple(
            unseen - missing.get(seat, nothing) - (elsewhere - sure[seat]) if seat in others else nothing
            for seat in range(seen.players)
        ),
        sure=sure,
    )


def _held(seen: Observation, seat: int) -> int:
    """Return how many cards a seat holds now."""
    place = (seat - seen.trick.leader) % seen.players
    return seen.cards - len(seen.tricks) - (place < len(seen.trick.cards))


def _impossible(seen: Observation, ruleset: Ruleset) -> Mapping[int, frozenset[Card]]:
    """Return the cards that seats cannot hold, since what they played would have been a renuncio."""
    found: dict[int, frozenset[Card]] = {}
    for trick in (*seen.tricks, seen.trick):
        for place in range(1, len(trick.cards)):
            seat = (trick.leader + place) % seen.players
            ruled_out = ruled_out_by(trick.cards[: place + 1], seen.trump, ruleset.deck.rank_order, ruleset.play)
            found[seat] = found.get(seat, frozenset()) | ruled_out
    return found


@lru_cache(maxsize=4096)
def ruled_out_by(
    plays: tuple[Card, ...], trump: Suit | None, order: tuple[int, ...], duties: PlayRules
) -> frozenset[Card]:
    """Return the cards that whoever played the last of `plays` cannot hold: with one of them, that play would be illegal."""
    *before, card = plays
    strength = tricks.strengths(order)
    others = (other for other in packs.pack(48) if other.number in strength and other not in plays)
    return frozenset(
        other for other in others if card not in tricks.legal_plays((card, other), before, trump, strength, duties)
    )


def tricks_shown(trick: Trick, players: int) -> tuple[tuple[int, Card], ...]:
    """Return the plays of a trick, seat and card."""
    return tuple(((trick.leader + place) % players, card) for place, card in enumerate(trick.cards))
