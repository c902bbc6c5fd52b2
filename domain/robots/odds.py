"""How likely cards are to take tricks, and bids to be met, as a good player reckons at the table."""

from collections.abc import Collection, Iterable, Sequence

import msgspec

from domain import tricks
from domain.cards import Card, Suit
from domain.pocha.rules import scoring
from domain.pocha.rules.ruleset import Ruleset
from domain.robots.knowledge import Knowledge

Spread = Sequence[float]
"""The probability of taking 0, 1, 2 … tricks."""


class Odds(msgspec.Struct, frozen=True):
    """Reckons with what a seat knows of the hidden cards, under one trump and rank order."""

    known: Knowledge
    trump: Suit | None
    strength: tricks.Strengths

    def height(self, card: Card) -> int:
        """Return how high a card is: trumps above all others, else by rank."""
        return self.strength[card.number] + (len(self.strength) if card.suit is self.trump else 0)

    def higher(self, card: Card, among: Collection[Card]) -> int:
        """Return how many of `among` are of the suit of `card` and beat it."""
        bar, suit = self.strength[card.number], card.suit
        return sum(other.suit is suit and self.strength[other.number] > bar for other in among)

    def is_master(self, card: Card) -> bool:
        """Tell whether no card that is still out beats `card` in its own suit."""
        return not self.higher(card, self.known.unseen)

    def stands(self, card: Card, against: Iterable[int], led: Suit | None = None) -> float:
        """Return how likely none of the seats `against`, who are still to play, beats `card`; `led` is its own suit unless it ruffs."""
        likely = 1.0
        for seat in against:
            likely *= 1.0 - self._beaten_by(seat, card, led or card.suit)
        return likely

    def _beaten_by(self, seat: int, card: Card, led: Suit) -> float:
        possible, density = self.known.possible[seat], self._density(seat)
        holds_higher = 1.0 - (1.0 - density) ** self.higher(card, possible)
        if led is not card.suit:
            return self._is_void(seat, led) * holds_higher
        if self.trump is None or card.suit is self.trump:
            return holds_higher
        holds_trump = 1.0 - self._is_void(seat, self.trump)
        return 1.0 - (1.0 - holds_higher) * (1.0 - self._is_void(seat, card.suit) * holds_trump)

    def _is_void(self, seat: int, suit: Suit) -> float:
        return (1.0 - self._density(seat)) ** sum(card.suit is suit for card in self.known.possible[seat])

    def _density(self, seat: int) -> float:
        """Return how likely the seat holds any one of the cards that it may hold."""
        return min(1.0, self.known.counts[seat] / max(1, len(self.known.possible[seat])))

    def others(self) -> tuple[int, ...]:
        """Return the seats that hold hidden cards."""
        return tuple(seat for seat, count in enumerate(self.known.counts) if count)


def takes(hand: Sequence[Card], odds: Odds) -> Sequence[float]:
    """Return for each card of a whole hand how likely it takes a trick: by its rank, or as a trump that ruffs."""
    others = odds.others()
    ruffs = _ruffing(hand, odds.trump)
    chances: list[float] = []
    for card in hand:
        stands = odds.stands(card, others)
        chances.append(stands + (1.0 - stands) * ruffs if card.suit is odds.trump else _KEPT * stands)
    return chances


_KEPT = 0.92
"""A winner of a side suit takes its trick only if its turn comes before the others have discarded that suit."""


def _ruffing(hand: Sequence[Card], trump: Suit | None) -> float:
    """Return how likely a low trump takes a trick: the likelier, the fewer cards of other suits and the more trumps are held."""
    if trump is None:
        return 0.0
    trumps = sum(card.suit is trump for card in hand)
    short = sum(0.5 ** sum(card.suit is suit for card in hand) for suit in Suit if suit is not trump)
    return min(0.8, 0.2 + 0.07 * trumps + 0.07 * short)


def spread(chances: Sequence[float]) -> Spread:
    """Return how likely it is to take 0, 1, 2 … tricks with cards that take one each with these chances."""
    found = [1.0]
    for chance in chances:
        found = [
            (found[tricks] if tricks < len(found) else 0.0) * (1.0 - chance)
            + (found[tricks - 1] * chance if tricks else 0.0)
            for tricks in range(len(found) + 1)
        ]
    return found


def best_bid(legal: Sequence[int], likely: Spread, cards: int, multiplier: int, ruleset: Ruleset) -> int:
    """Return the bid of `legal` that promises the most points; between equals, the nearest to what is expected."""
    middle = sum(tricks * chance for tricks, chance in enumerate(likely))
    return max(legal, key=lambda bid: (expected_points(bid, likely, cards, multiplier, ruleset), -abs(bid - middle)))


def expected_points(bid: int, likely: Spread, cards: int, multiplier: int, ruleset: Ruleset) -> float:
    """Return the points that a bid earns on average."""
    return sum(
        chance * scoring.points(bid, tricks, cards, multiplier, ruleset.scoring) for tricks, chance in enumerate(likely)
    )
