"""The normal robot: plays well by rules of thumb, and counts cards."""

from collections.abc import Callable, Sequence
from typing import assert_never

from domain import tricks
from domain.cards import Card, Suit
from domain.pocha.model.commands import ChooseTrump, MakeBid, Move, PickBlind, PlayCard
from domain.pocha.rules import scoring
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.view.schema import Action
from domain.robots import auction, india
from domain.robots.knowledge import know
from domain.robots.observation import Observation
from domain.robots.odds import Odds, best_bid, expected_points, spread, takes


def choose(seen: Observation, ruleset: Ruleset, luck: int) -> Move:  # noqa: ARG001 - it always does what it thinks best
    """Return a legal command for the seat on turn."""
    match seen.choices.action:
        case Action.BLIND_PICK:
            return PickBlind(seen.seat)
        case Action.AUCTION_BID:
            return auction.call(seen, ruleset, judge(seen, ruleset))
        case Action.CHOOSE_TRUMP:
            return ChooseTrump(seen.seat, auction.best_suit(seen, judge(seen, ruleset)))
        case Action.BID:
            return MakeBid(seen.seat, bid(seen, ruleset))
        case Action.PLAY:
            return PlayCard(seen.seat, play(seen, ruleset))
        case _:
            assert_never(seen.choices.action)


def bid(seen: Observation, ruleset: Ruleset) -> int:
    """Return the bid that promises the most points."""
    legal = seen.choices.bids
    if seen.others:
        likely = (1.0 - (win := india.chance(seen, ruleset)), win)
    else:
        likely = spread(takes(seen.hand, _odds(seen, ruleset, seen.trump)))
    return best_bid(legal, likely, seen.cards, seen.multiplier, ruleset)


def judge(seen: Observation, ruleset: Ruleset) -> auction.Judge:
    """Return what each bid would earn under a trump, as this robot reckons."""

    def points(suit: Suit, bids: Sequence[int]) -> Sequence[float]:
        likely = spread(takes(seen.hand, _odds(seen, ruleset, suit)))
        factor = scoring.multiplier(suit, None, ruleset.scoring)
        return [expected_points(bid, likely, seen.cards, factor, ruleset) for bid in bids]

    return points


def play(seen: Observation, ruleset: Ruleset) -> Card:
    """Return the card to play."""
    legal = seen.choices.cards
    if len(legal) == 1:
        return legal[0]
    odds = _odds(seen, ruleset, seen.trump)
    wanted = (seen.bids[seen.seat] or 0) - seen.won[seen.seat]
    return _follow(seen, odds, wanted) if seen.trick.cards else _lead(seen, odds, wanted)


def _lead(seen: Observation, odds: Odds, wanted: int) -> Card:
    """Lead winners while more than one trick is wanted or all are; otherwise what is likeliest to lose, and of such cards the highest."""
    others = odds.others()
    stands = {card: odds.stands(card, others) for card in seen.hand}
    best = max(seen.hand, key=lambda card: (stands[card], odds.height(card)))
    if wanted >= len(seen.hand) or (wanted > 1 and stands[best] > _GOOD):
        return best
    return min(seen.hand, key=lambda card: (stands[card] - _RID * odds.strength[card.number], -odds.height(card)))


_GOOD = 0.85
"""How sure a winner must be to be led."""
_RID = 0.02
"""What it is worth, in chance of losing the trick, to be rid of a card one rank higher."""


def _follow(seen: Observation, odds: Odds, wanted: int) -> Card:
    """Take the trick if it is wanted, else lose it with the card that will be hardest to lose later."""
    table, legal = seen.trick.cards, seen.choices.cards
    led = table[0].suit
    after = _still_to_play(seen)
    taking = [card for card in legal if tricks.winning_card((*table, card), odds.trump, odds.strength) is card]
    losing = [card for card in legal if card not in taking]
    if wanted <= 0:
        return _shed(odds, losing) if losing else _take_unwillingly(odds, taking, after, led)
    if not taking:
        return _shed(odds, losing) if _has_too_many(seen, odds, wanted) else _spare(odds, losing)
    chance = {card: odds.stands(card, after, led) for card in taking}
    surest = max(chance.values())
    if losing and surest < _WORTH_A_TRY:
        return _spare(odds, losing)
    if losing and _may_wait(seen, odds, wanted):
        return _shed(odds, losing)
    sure = [card for card in taking if chance[card] >= surest - _RID]
    pick: Callable[..., Card] = max if wanted == 1 else min
    return pick(sure, key=odds.height)


_WORTH_A_TRY = 0.4


def _still_to_play(seen: Observation) -> tuple[int, ...]:
    return tuple((seen.seat + step) % seen.players for step in range(1, seen.players - len(seen.trick.cards)))


def _may_wait(seen: Observation, odds: Odds, wanted: int) -> bool:
    """Tell whether the tricks wanted are certain later on, from the highest trumps left: then a trick now may be one too many."""
    masters = [card for card in seen.hand if card.suit is odds.trump and odds.is_master(card)]
    return len(masters) >= wanted


def _has_too_many(seen: Observation, odds: Odds, wanted: int) -> bool:
    """Tell whether the hand is likely to take more tricks than wanted."""
    return sum(odds.stands(card, odds.others()) for card in seen.hand) > wanted + 1


def _shed(odds: Odds, losing: Sequence[Card]) -> Card:
    """Return the card that would be hardest to lose later."""
    return max(losing, key=lambda card: (_danger(card, odds), odds.height(card)))


def _spare(odds: Odds, losing: Sequence[Card]) -> Card:
    """Return the card least likely to take a trick later."""
    return min(losing, key=lambda card: (_danger(card, odds), odds.height(card)))


def _danger(card: Card, odds: Odds) -> float:
    ruffs = 0.3 if card.suit is odds.trump else 0.0
    return odds.stands(card, odds.others()) + ruffs + 0.01 * odds.strength[card.number]


def _take_unwillingly(odds: Odds, taking: Sequence[Card], after: Sequence[int], led: Suit) -> Card:
    """Play what is likeliest to be beaten; where nothing can beat it any more, the highest."""
    return min(taking, key=lambda card: (odds.stands(card, after, led), -odds.height(card)))


def _odds(seen: Observation, ruleset: Ruleset, trump: Suit | None) -> Odds:
    return Odds(know(seen, ruleset), trump, ruleset.deck.strengths)
