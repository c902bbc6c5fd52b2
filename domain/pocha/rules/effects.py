"""Parameters of a ruleset that change nothing, because of others: a table may not ask for them."""

from collections.abc import Iterator
from typing import Any, cast

import msgspec

from domain.pocha.rules import bidding
from domain.pocha.rules.ruleset import (
    AuctionProtocol,
    Contradiction,
    RenuncioMode,
    Ruleset,
    deck,
    hand_schedule,
    most_cards,
)
from domain.pocha.rules.schedule import HandKind, HandPlan
from domain.pocha.rules.standings import TiebreakStep
from domain.tricks import MustBeat

_TURNED_UP = (HandKind.NORMAL, HandKind.INDIA, HandKind.TIE_BREAK)
_AUCTION = ("protocol", "winner_second_bid", "hook_in_first_round", "mano_must_bid", "hook_on_last_predictor")
_PLAY = ("must_beat", "beat_waived_after_ruff", "must_trump", "must_overtrump", "undertrump_when_cannot_overtrump")


def idle_changes(changed: Ruleset, preset: Ruleset) -> Iterator[Contradiction]:
    """Yield the parameters that `changed` has otherwise than `preset`, and that change nothing there."""
    now, before = msgspec.to_builtins(changed), msgspec.to_builtins(preset)
    for idle in idle_parameters(changed):
        if _at(now, idle.pointer) != _at(before, idle.pointer):
            yield idle


def idle_parameters(ruleset: Ruleset) -> Iterator[Contradiction]:
    """Yield the parameters whose values make no difference in any game by `ruleset`."""
    plans = _plans(ruleset)
    yield from _in_hook(ruleset, plans)
    yield from _in_auction(ruleset, plans)
    yield from _in_play(ruleset, plans)
    yield from _in_scoring(ruleset, plans)
    whole = {players: len(deck(ruleset, players)) for players in ruleset.players.allowed}
    if not any(plan.kind in _TURNED_UP and plan.cards * players == whole[players] for players, plan in plans):
        yield Contradiction("/trump/when_all_dealt", "no hand deals all the cards and turns one up")
    if not _has_extra_hands(ruleset):
        yield Contradiction("/tiebreak/max_extra_hands", "no step of the tie-break plays extra hands")


def _plans(ruleset: Ruleset) -> list[tuple[int, HandPlan]]:
    """Return every hand that may be played, with the number of players."""
    steps = ruleset.tiebreak.steps
    found: list[tuple[int, HandPlan]] = []
    for players in ruleset.players.allowed:
        plans = {*hand_schedule(ruleset, players)}
        if TiebreakStep.OROS_HANDS in steps:
            plans.add(HandPlan(HandKind.OROS, most_cards(ruleset, players)))
        if TiebreakStep.ONE_CARD_HANDS in steps:
            plans.add(HandPlan(HandKind.TIE_BREAK, 1))
        found += [(players, plan) for plan in plans]
    return found


def _has_extra_hands(ruleset: Ruleset) -> bool:
    return any(step is not TiebreakStep.FEWEST_MISTAKEN_BIDS for step in ruleset.tiebreak.steps)


def _in_hook(ruleset: Ruleset, plans: list[tuple[int, HandPlan]]) -> Iterator[Contradiction]:
    hook = ruleset.bidding.hook
    exempt = {"exempt_cards": hook.exempt_cards, "exempt_kinds": hook.exempt_kinds}
    met = {"exempt_cards": {plan.cards for _, plan in plans}, "exempt_kinds": {plan.kind for _, plan in plans}}
    for name, values in exempt.items():
        if not hook.enabled:
            yield Contradiction(f"/bidding/hook/{name}", "there is no hook at this table")
        elif values and not met[name] & {*values}:
            yield Contradiction(f"/bidding/hook/{name}", "there is no such hand at this table")


def _in_auction(ruleset: Ruleset, plans: list[tuple[int, HandPlan]]) -> Iterator[Contradiction]:
    auctioned = [plan for _, plan in plans if plan.kind is HandKind.SUBASTADO]
    if not auctioned:
        for name in _AUCTION:
            yield Contradiction(f"/auction/{name}", "there are no subastado hands at this table")
        return
    if ruleset.auction.protocol is not AuctionProtocol.ASCENDING_ONCE:
        yield Contradiction("/auction/mano_must_bid", "in a double bid nobody passes")
    if not any(bidding.applies(plan, ruleset.bidding.hook) for plan in auctioned):
        for name in ("hook_in_first_round", "hook_on_last_predictor"):
            yield Contradiction(f"/auction/{name}", "no subastado hand has a hook at this table")


def _in_play(ruleset: Ruleset, plans: list[tuple[int, HandPlan]]) -> Iterator[Contradiction]:
    longer = [plan for _, plan in plans if plan.cards > 1]
    with_trump = [plan for plan in longer if plan.kind is not HandKind.CIEGA]
    for name in _PLAY:
        if not longer:
            yield Contradiction(f"/play/{name}", "a hand of one card leaves no choice")
        elif name != "must_beat" and not with_trump:
            yield Contradiction(f"/play/{name}", "there is no trump at this table")
        elif name == "beat_waived_after_ruff" and ruleset.play.must_beat is MustBeat.NEVER:
            yield Contradiction(f"/play/{name}", "beating is no duty at this table")


def _in_scoring(ruleset: Ruleset, plans: list[tuple[int, HandPlan]]) -> Iterator[Contradiction]:
    scoring, renuncio = ruleset.scoring, ruleset.renuncio
    multiplied = _is_multiplied(ruleset, plans)
    if not (multiplied and scoring.miss_per_trick):
        yield Contradiction("/scoring/multiplier_applies_to", "no miss is multiplied at this table")
    bonus = scoring.slam_bonus
    if bonus is not msgspec.UNSET and (bonus.factor == 1 or all(plan.cards < bonus.min_cards for _, plan in plans)):
        yield Contradiction("/scoring/slam_bonus", "no hand is worth more by it")
    if all(plan.kind not in _TURNED_UP for _, plan in plans):
        yield Contradiction("/scoring/turn_up_multiplier", "no card is turned up at this table")
    if all(plan.kind is HandKind.CIEGA for _, plan in plans):
        yield Contradiction("/scoring/suit_multiplier", "there is no trump at this table")
    if renuncio.mode is RenuncioMode.ENFORCED:
        for name in ("penalty", "scales_with_multiplier", "wrong_claim_penalty"):
            yield Contradiction(f"/renuncio/{name}", "renuncios are not punished at this table: mode is enforced")
    elif not multiplied:
        yield Contradiction("/renuncio/scales_with_multiplier", "no hand is multiplied at this table")


def _is_multiplied(ruleset: Ruleset, plans: list[tuple[int, HandPlan]]) -> bool:
    by_suit = any(factor > 1 for factor in ruleset.scoring.suit_multiplier.values())
    by_card = any(factor > 1 for factor in ruleset.scoring.turn_up_multiplier.values())
    kinds = {plan.kind for _, plan in plans}
    return (by_suit and kinds != {HandKind.CIEGA}) or (by_card and not kinds.isdisjoint(_TURNED_UP))


def _at(tree: dict[str, Any], pointer: str) -> Any:
    found: Any = tree
    for name in pointer.split("/")[1:]:
        found = cast("dict[str, Any]", found).get(name) if isinstance(found, dict) else None
    return found
