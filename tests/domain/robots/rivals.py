"""Robots to measure against: rules of thumb as in public programs, and plain determinised search.

`pocha duel hard tests.domain.robots.rivals:thumb`, from the root of the repository.
"""

from collections.abc import Callable

from domain import tricks
from domain.cards import Card
from domain.pocha.model.commands import MakeBid, Move, PlayCard
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.view.schema import Action
from domain.robots import Observation, easy
from domain.robots.kernel import search
from domain.robots.kernel.encoding import places, rules_of
from domain.robots.kernel.luck import seeded
from domain.robots.kernel.search import Effort
from domain.robots.search_inputs import aim_of, hooked_in, known_to

_PLAIN = Effort(worlds=50, candidates=50, slips=0)


def thumb(seen: Observation, ruleset: Ruleset, luck: int, /) -> Move:
    """Bid aces, threes and high trumps; win as cheaply as can be while tricks are wanted, else lose with the highest card."""
    strength = ruleset.deck.strengths
    top = len(strength) - 1

    def height(card: Card) -> int:
        return strength[card.number] + (top + 1 if card.suit is seen.trump else 0)

    match seen.choices.action:
        case Action.BID if seen.hand:
            good = sum(
                0.9 - 0.12 * (top - strength[card.number])
                if card.suit is seen.trump
                else {top: 0.8, top - 1: 0.4}.get(strength[card.number], 0.0)
                for card in seen.hand
                if card.suit is not seen.trump or strength[card.number] > top - 7
            )
            return MakeBid(seen.seat, min(seen.choices.bids, key=lambda bid: abs(bid - good)))
        case Action.PLAY:
            return PlayCard(seen.seat, _thumb_card(seen, height, strength))
        case _:
            return easy.choose(seen, ruleset, luck)


def _thumb_card(seen: Observation, height: Callable[[Card], int], strength: tricks.Strengths) -> Card:
    legal, table = seen.choices.cards, seen.trick.cards
    wants = (seen.bids[seen.seat] or 0) > seen.won[seen.seat]
    if not table:
        return max(legal, key=height) if wants else min(legal, key=height)
    taking = [card for card in legal if tricks.winning_card((*table, card), seen.trump, strength) is card]
    losing = [card for card in legal if card not in taking]
    if wants:
        return min(taking, key=height) if taking else min(losing, key=height)
    return max(losing, key=height) if losing else min(taking, key=height)


def plain_search(seen: Observation, ruleset: Ruleset, luck: int, /) -> Move:
    """Search in 50 deals of the cards that are not seen, without any inference: neither from bids and plays, nor from voids."""
    action = seen.choices.action
    if seen.others or action not in (Action.BID, Action.PLAY):
        return easy.choose(seen, ruleset, luck)
    at, known = places(ruleset.deck.rank_order), known_to(seen, ruleset)
    unseen = known.deck & ~known.out & ~known.mine & ~int(known.table[6])
    known = known._replace(possible=known.possible * 0 + unseen)
    rules = rules_of(ruleset, seen.players, seen.cards, seen.trump, seen.multiplier)
    if action is Action.BID:
        bids = seen.choices.bids
        worth = search.try_bids(
            sum(1 << bid for bid in bids), known, rules, hooked_in(seen), aim_of(seen, ruleset), _PLAIN, seeded(luck)
        )
        return MakeBid(seen.seat, max(bids, key=lambda bid: float(worth[bid])))
    cards = seen.choices.cards
    value = search.try_cards(at.mask(cards), known, rules, aim_of(seen, ruleset), _PLAIN, seeded(luck))
    return PlayCard(seen.seat, max(cards, key=lambda card: float(value[at.place(card)])))
