"""The hard robot: tries its choices in likely worlds, and plays each on to the end of the hand.

The worlds are deals that agree with all that its seat knows; the better they explain what the others have bid and played, the oftener they
are drawn (`domain.robots.kernel.worlds`). What a choice is worth is counted in points; near the end of the game, in chances to win it.
"""

from collections.abc import Sequence
from typing import assert_never

from domain.cards import Card, Suit
from domain.pocha.model.commands import ChooseTrump, MakeBid, Move, PickBlind, PlayCard
from domain.pocha.rules import scoring
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.view.schema import Action
from domain.robots import auction, normal
from domain.robots.kernel import search
from domain.robots.kernel.encoding import places, rules_of
from domain.robots.kernel.luck import seeded
from domain.robots.kernel.search import Effort
from domain.robots.observation import Observation
from domain.robots.search_inputs import aim_of, hooked_in, known_to

FULL = Effort(worlds=200, candidates=2000, slips=4)
_LEAST = 20
_HABIT = 1.5
"""By how many points a choice must be better than that of the rules of thumb, which are right where samples are too few to tell."""


def reduced(share: float) -> Effort:
    """Return a `share` of the full effort, above 0 to 1."""
    worlds = max(_LEAST, int(FULL.worlds * share))
    return Effort(worlds, worlds * FULL.candidates // FULL.worlds, FULL.slips)


def choose(seen: Observation, ruleset: Ruleset, luck: int, effort: Effort = FULL) -> Move:
    """Return a legal command for the seat on turn."""
    match seen.choices.action:
        case Action.BLIND_PICK:
            return PickBlind(seen.seat)
        case Action.AUCTION_BID:
            return auction.call(seen, ruleset, _Judge(seen, ruleset, luck, effort))
        case Action.CHOOSE_TRUMP:
            return ChooseTrump(seen.seat, auction.best_suit(seen, _Judge(seen, ruleset, luck, effort)))
        case Action.BID:
            return MakeBid(seen.seat, _bid(seen, ruleset, luck, effort))
        case Action.PLAY:
            return PlayCard(seen.seat, _play(seen, ruleset, luck, effort))
        case _:
            assert_never(seen.choices.action)


def _play(seen: Observation, ruleset: Ruleset, luck: int, effort: Effort) -> Card:
    legal = seen.choices.cards
    if len(legal) == 1:
        return legal[0]
    at = places(ruleset.deck.rank_order)
    rules = rules_of(ruleset, seen.players, seen.cards, seen.trump, seen.multiplier)
    known, aim = known_to(seen, ruleset), aim_of(seen, ruleset)
    value = search.try_cards(at.mask(legal), known, rules, aim, effort, seeded(luck))
    usual = normal.play(seen, ruleset)
    return max(legal, key=lambda card: value[at.place(card)] + _HABIT * seen.multiplier * (card is usual))


def _bid(seen: Observation, ruleset: Ruleset, luck: int, effort: Effort) -> int:
    if seen.others:
        return normal.bid(seen, ruleset)
    legal = seen.choices.bids
    value = _worth_of_bids(seen, ruleset, seen.trump, seen.multiplier, legal, luck, effort)
    usual = normal.bid(seen, ruleset)
    return max(legal, key=lambda bid: value[bid] + _HABIT * seen.multiplier * (bid == usual))


def _worth_of_bids(
    seen: Observation,
    ruleset: Ruleset,
    trump: Suit | None,
    multiplier: int,
    bids: Sequence[int],
    luck: int,
    effort: Effort,
) -> Sequence[float]:
    rules = rules_of(ruleset, seen.players, seen.cards, trump, multiplier)
    known, hooked, aim = known_to(seen, ruleset), hooked_in(seen), aim_of(seen, ruleset)
    value = search.try_bids(sum(1 << bid for bid in bids), known, rules, hooked, aim, effort, seeded(luck))
    return [float(each) for each in value]


class _Judge:
    """Says what bids would earn under a trump, by search (`auction.Judge`)."""

    def __init__(self, seen: Observation, ruleset: Ruleset, luck: int, effort: Effort) -> None:
        self._seen, self._ruleset, self._luck, self._effort = seen, ruleset, luck, effort

    def __call__(self, suit: Suit, bids: Sequence[int]) -> Sequence[float]:
        factor = scoring.multiplier(suit, None, self._ruleset.scoring)
        worth = _worth_of_bids(self._seen, self._ruleset, suit, factor, bids, self._luck, self._effort)
        return [worth[bid] for bid in bids]
