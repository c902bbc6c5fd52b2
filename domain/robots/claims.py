"""Renuncios that a seat can prove, where the rules punish them instead of preventing them."""

from collections.abc import Iterator, Sequence

from domain import tricks
from domain.cards import Card
from domain.pocha.model.commands import ClaimRenuncio
from domain.pocha.rules.ruleset import RenuncioMode, Ruleset
from domain.robots.observation import Observation, PublicHand


def claim(seen: Observation, ruleset: Ruleset) -> ClaimRenuncio | None:
    """Return a claim that is certain to be proven; None where there is none."""
    if ruleset.renuncio.mode is not RenuncioMode.PENALISED:
        return None
    hand = _claimable(seen)
    if hand is None:
        return None
    for seat, trick in _renuncios(hand, seen.players, ruleset):
        known = {(hand.number, seat, trick, seen.seat), (hand.number, seat, trick, None)}
        if seat != seen.seat and not known & set(seen.claims):
            return ClaimRenuncio(seen.seat, seat, trick)
    return None


def _claimable(seen: Observation) -> PublicHand | None:
    """Return the hand that claims are about now: this one once a card lies, before that the one before."""
    if seen.tricks or seen.trick.cards:
        return PublicHand(seen.number, seen.trump, (*seen.tricks, seen.trick))
    return seen.previous


def _renuncios(hand: PublicHand, players: int, ruleset: Ruleset) -> Iterator[tuple[int, int]]:
    """Yield the seat and trick, from 1, of plays that were illegal for certain: a card shown later should have been played."""
    strength = ruleset.deck.strengths
    for number, trick in enumerate(hand.tricks, 1):
        for place in range(1, len(trick.cards)):
            seat = (trick.leader + place) % players
            held = (trick.cards[place], *_shown_later(hand, number, seat, players))
            if trick.cards[place] not in tricks.legal_plays(
                held, trick.cards[:place], hand.trump, strength, ruleset.play
            ):
                yield seat, number


def _shown_later(hand: PublicHand, number: int, seat: int, players: int) -> Sequence[Card]:
    later = hand.tricks[number:]
    places = ((trick, (seat - trick.leader) % players) for trick in later)
    return [trick.cards[place] for trick, place in places if place < len(trick.cards)]
