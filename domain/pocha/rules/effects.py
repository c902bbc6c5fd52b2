"""Parameters that a table changes and that change nothing there, because of others: house rules may not ask for them.

A parameter has its effect in some of the hands that may be played. Whether points can come to a tie is not asked.
"""

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.pocha.rules.playable import PlayableHand, playable_hands
from domain.pocha.rules.ruleset import (
    AuctionProtocol,
    Contradiction,
    ContradictoryRuleset,
    RenuncioMode,
    Ruleset,
    deck,
    hand_schedule,
)
from domain.pocha.rules.schedule import HandKind
from domain.pocha.rules.standings import TiebreakStep
from domain.tricks import MustBeat


class _Need(msgspec.Struct, frozen=True):
    """What a parameter needs of a hand to have an effect, and what to say where no hand has it."""

    met: Callable[[PlayableHand], bool]
    lack: str


_AUCTION = _Need(lambda hand: hand.plan.kind is HandKind.SUBASTADO, "there are no subastado hands")
_PASSES = _Need(
    lambda hand: hand.rules.auction.protocol is AuctionProtocol.ASCENDING_ONCE,
    "nobody may pass where auction.protocol is double-bid",
)
_HOOK = _Need(lambda hand: hand.has_hook, "bidding.hook exempts the subastado hands")
_CHOICE = _Need(lambda hand: hand.plan.cards > 1, "hands of one card leave no choice, and there are no others")
_TRUMP = _Need(lambda hand: hand.plan.kind is not HandKind.CIEGA, "hands of two cards or more have no trump")
_RUFF = _Need(lambda hand: hand.players > 2, "of two players nobody plays after a ruff")  # noqa: PLR2004
_BEATING = _Need(lambda hand: hand.rules.play.must_beat is not MustBeat.NEVER, "play.must_beat is never")
_ALL_DEALT = _Need(
    lambda hand: hand.turns_up and hand.plan.cards * hand.players == len(hand.deck),
    "no hand deals all the cards and turns one up",
)
_MULTIPLIER = _Need(
    lambda hand: any(factor > 1 for factor in hand.factors.values()),
    "scoring.suit_multiplier and scoring.turn_up_multiplier multiply no hand that counts here",
)
_COST = _Need(lambda hand: hand.rules.scoring.miss_per_trick > 0, "scoring.miss_per_trick is 0")
_PENALTIES = _Need(lambda hand: hand.rules.renuncio.mode is RenuncioMode.PENALISED, "renuncio.mode is enforced")
_CLAIMS = _Need(
    lambda hand: hand.plan.kind is not HandKind.INDIA or len(hand_schedule(hand.rules, hand.players)) > 1,
    "the only hand, an india, plays itself to the end of the game, and nothing can be claimed",
)
_EXTRA_HANDS = _Need(
    lambda hand: not {*hand.rules.tiebreak.steps} <= {TiebreakStep.FEWEST_MISTAKEN_BIDS},
    "no step of tiebreak.steps plays extra hands",
)

_NEEDS: dict[str, tuple[_Need, ...]] = {
    "trump.when_all_dealt": (_ALL_DEALT,),
    "auction.protocol": (_AUCTION,),
    "auction.winner_second_bid": (_AUCTION,),
    "auction.hook_in_first_round": (_AUCTION, _HOOK),
    "auction.mano_must_bid": (_AUCTION, _PASSES),
    "auction.hook_on_last_predictor": (_AUCTION, _HOOK),
    "play.must_beat": (_CHOICE,),
    "play.beat_waived_after_ruff": (_CHOICE, _TRUMP, _RUFF, _BEATING),
    "play.must_trump": (_CHOICE, _TRUMP),
    "play.must_overtrump": (_CHOICE, _TRUMP, _RUFF),
    "play.undertrump_when_cannot_overtrump": (_CHOICE, _TRUMP, _RUFF),
    "scoring.multiplier_applies_to": (_MULTIPLIER, _COST),
    "renuncio.penalty": (_PENALTIES, _CHOICE),
    "renuncio.scales_with_multiplier": (_PENALTIES, _CHOICE, _MULTIPLIER),
    "renuncio.wrong_claim_penalty": (_PENALTIES, _CLAIMS),
    "tiebreak.max_extra_hands": (_EXTRA_HANDS,),
}
"""What these parameters need. Where a hand has it, all their values differ."""


def _hooks(ruleset: Ruleset) -> object:
    return {(hand.players, hand.plan): hand.is_hooked for hand in playable_hands(ruleset)}


def _slams(ruleset: Ruleset) -> object:
    return {(hand.players, hand.plan): hand.slam_factor for hand in playable_hands(ruleset)}


def _hands(ruleset: Ruleset) -> object:
    return [hand_schedule(ruleset, players) for players in ruleset.players.allowed]


def _decks(ruleset: Ruleset) -> object:
    return [deck(ruleset, players) for players in ruleset.players.allowed]


def _order(ruleset: Ruleset) -> object:
    in_play = {card.number for players in ruleset.players.allowed for card in deck(ruleset, players)}
    return [number for number in ruleset.deck.rank_order if number in in_play]


def _factors(ruleset: Ruleset) -> object:
    hands = {(hand.players, hand.plan.kind): hand for hand in playable_hands(ruleset)}
    return {kind: hand.factors for kind, hand in hands.items()}


_SAME_HOOKS = "schedule, auction and the rest of bidding.hook leave the same hands a hook without it"

_RESULTS: dict[str, tuple[Callable[[Ruleset], object], str]] = {
    "schedule.blocks": (_hands, "the hands are the same without it"),
    "deck.rank_order": (_order, "the numbers that deck.trim leaves have the same order without it"),
    "deck.trim": (_decks, "the same cards are left for players.allowed without it"),
    "bidding.hook.enabled": (_hooks, "the rest of bidding.hook, or auction, leaves no hand a hook"),
    "bidding.hook.exempt_cards": (_hooks, _SAME_HOOKS),
    "bidding.hook.exempt_kinds": (_hooks, _SAME_HOOKS),
    "scoring.suit_multiplier": (
        _factors,
        "schedule and scoring.turn_up_multiplier leave every hand the same factors without it",
    ),
    "scoring.turn_up_multiplier": (
        _factors,
        "schedule, deck.trim and scoring.suit_multiplier leave every hand the same factors without it",
    ),
    "scoring.slam_bonus": (_slams, "no hand of the schedule is worth more or less by it"),
}
"""What these parameters lead to, which several of their values may have in common, and what to say where they have."""


def idle_changes(changed: Ruleset, preset: Ruleset) -> Iterator[Contradiction]:
    """Yield the parameters that `changed` has otherwise than `preset`, and that change nothing there."""
    for name in (*_NEEDS, *_RESULTS):
        before = attrgetter(name)(preset)
        if attrgetter(name)(changed) != before and (reason := _idle(changed, name, before)):
            yield Contradiction(f"/{name.replace('.', '/')}", f"changes nothing: {reason}")


def _idle(changed: Ruleset, name: str, before: Any) -> str | None:
    """Return why a parameter changes nothing; None if it does change something."""
    try:
        without = _replaced(changed, name, before)
    except ContradictoryRuleset:  # the other changes need this one
        return None
    if name in _NEEDS:
        return _lack([*playable_hands(changed)], _NEEDS[name])
    result, reason = _RESULTS[name]
    return reason if result(without) == result(changed) else None


def _lack(hands: Sequence[PlayableHand], needs: tuple[_Need, ...]) -> str | None:
    """Return the first need that none of the hands has which have those before; None if a hand has all."""
    for need in needs:
        hands = [hand for hand in hands if need.met(hand)]
        if not hands:
            return need.lack
    return None


def _replaced(record: Any, name: str, value: Any) -> Any:
    member, _, rest = name.partition(".")
    return replace(record, **{member: _replaced(getattr(record, member), rest, value) if rest else value})
