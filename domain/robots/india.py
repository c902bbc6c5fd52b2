"""India hands: the own card is the only one that a seat does not see."""

from collections.abc import Sequence

from domain import tricks
from domain.cards import Card
from domain.pocha.rules import ruleset as rules
from domain.pocha.rules.ruleset import Ruleset
from domain.robots.observation import Observation


def chance(seen: Observation, ruleset: Ruleset) -> float:
    """Return how likely the own card takes the trick, from the cards of the others and from what they have bid.

    Whoever has bid saw the own card, and bid one trick the more readily, the worse it is.
    """
    mine = _could_be(seen, ruleset, seen.seat, None)
    weights = [_explains_bids(seen, ruleset, card) for card in mine]
    won = sum(weight for card, weight in zip(mine, weights, strict=True) if _wins(seen, ruleset, seen.seat, card, {}))
    return won / sum(weights)


def _explains_bids(seen: Observation, ruleset: Ruleset, mine: Card) -> float:
    """Return how well `mine` explains the bids of those who see it."""
    weight = 1.0
    for seat, bid in enumerate(seen.bids):
        if bid is not None and seat != seen.seat:
            could_be = _could_be(seen, ruleset, seat, mine)
            shown = {seen.seat: mine}
            wins = sum(_wins(seen, ruleset, seat, card, shown) for card in could_be) / len(could_be)
            weight *= 0.1 + 0.9 * (wins if bid else 1.0 - wins)
    return weight


def _could_be(seen: Observation, ruleset: Ruleset, seat: int, mine: Card | None) -> Sequence[Card]:
    """Return the cards that `seat` would think its own could be; `mine` is what the others see at the observing seat."""
    shown = {card for at, held in enumerate(seen.others) for card in held if at != seat}
    shown |= {card for card in (seen.turn_up, mine) if card is not None}
    return [card for card in rules.deck(ruleset, seen.players) if card not in shown]


def _wins(seen: Observation, ruleset: Ruleset, seat: int, card: Card, shown: dict[int, Card]) -> bool:
    """Tell whether `seat` takes the trick with `card`, the others playing theirs, from the mano."""
    order = [(seen.mano + place) % seen.players for place in range(seen.players)]
    held = {at: cards[0] for at, cards in enumerate(seen.others) if cards} | shown | {seat: card}
    trick = [held[at] for at in order if at in held]
    return tricks.winning_card(trick, seen.trump, ruleset.deck.strengths) is card
