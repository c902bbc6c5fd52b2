"""Duels: both robots get the same cards at the same seats, and the report says how sure its figures are."""

import math

import pytest

from domain.pocha.model.commands import MakeBid, PlayCard
from domain.pocha.model.refusals import Refused
from domain.pocha.rules import ruleset as rules
from domain.pocha.rules.presets import PRESETS
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.rules.schedule import Block, HandKind
from domain.pocha.view.schema import Action
from domain.robots import Choice, Observation, easy, normal
from service.application import duel
from service.application.duel import Contender, Report
from tests.domain.tables import house

EASY, NORMAL = Contender("easy", easy.choose), Contender("normal", normal.choose)
FOUR_CARDS = house(Block(HandKind.NORMAL, "4", "4"), players=(4,))


def held(first: Contender, second: Contender, ruleset: Ruleset, players: int, deals: int, seed: int = 0) -> Report:
    results = list(duel.duel((first, second), ruleset, players, deals, seed))
    return duel.report((first, second), ruleset, players, seed, results)


def bids_nothing(seen: Observation, ruleset: Ruleset, luck: int, /) -> Choice:
    if seen.choices.action is Action.BID and 0 in seen.choices.bids:
        return MakeBid(seen.seat, 0)
    return easy.choose(seen, ruleset, luck)


def test_a_robot_is_no_better_than_itself() -> None:
    report = held(NORMAL, NORMAL, FOUR_CARDS, 4, 12)
    assert report.difference.mean == pytest.approx(0)
    assert report.robots[0].exact.mean == pytest.approx(report.robots[1].exact.mean)


def test_the_better_robot_is_ahead_from_either_side() -> None:
    there, back = held(NORMAL, EASY, FOUR_CARDS, 4, 60), held(EASY, NORMAL, FOUR_CARDS, 4, 60)
    assert there.difference.mean - there.difference.margin > 0
    assert back.difference.mean + back.difference.margin < 0


def test_every_seat_is_played_with_the_same_cards() -> None:
    dealt: list[tuple[int, tuple[object, ...]]] = []

    def watch(seen: Observation, ruleset: Ruleset, luck: int, /) -> Choice:
        if seen.choices.action is Action.BID:
            dealt.append((seen.seat, seen.hand))
        return easy.choose(seen, ruleset, luck)

    held(Contender("watch", watch), EASY, FOUR_CARDS, 4, 3)
    held(EASY, Contender("watch", watch), FOUR_CARDS, 4, 3)
    first, second = dealt[:12], dealt[12:]
    assert sorted(set(first), key=repr) == sorted(set(second), key=repr)
    assert {seat for seat, _ in first} == {0, 1, 2, 3}


@pytest.mark.parametrize("name", PRESETS)
def test_every_kind_of_hand_of_a_preset_can_be_dueled(name: str) -> None:
    ruleset = PRESETS[name]
    players = ruleset.players.allowed[0]
    schedule = len(rules.hand_schedule(ruleset, players))
    report = held(Contender("nothing", bids_nothing), EASY, ruleset, players, schedule)
    assert (report.ruleset, report.players, report.deals) == (name, players, schedule)
    assert all(0 <= figures.exact.mean <= 1 for figures in report.robots)


def test_other_seeds_are_other_deals_and_the_same_seed_the_same() -> None:
    def points(seed: int) -> float:
        return held(NORMAL, EASY, FOUR_CARDS, 4, 8, seed).robots[0].points.mean

    assert points(1) == points(1) != points(2)


def test_an_illegal_move_ends_the_duel() -> None:
    def cheat(seen: Observation, _: Ruleset, __: int, /) -> Choice:
        return (
            MakeBid(seen.seat, 99) if seen.choices.action is Action.BID else PlayCard(seen.seat, seen.choices.cards[0])
        )

    with pytest.raises(Refused):
        held(Contender("cheat", cheat), EASY, FOUR_CARDS, 4, 1)


@pytest.mark.parametrize(
    ("values", "mean", "margin"),
    [((), 0.0, math.inf), ((5.0,), 5.0, math.inf), ((2.0, 4.0), 3.0, 1.96), ((1.0, 1.0, 1.0), 1.0, 0.0)],
)
def test_an_estimate_is_a_mean_with_its_interval(values: tuple[float, ...], mean: float, margin: float) -> None:
    estimate = duel.estimate(values)
    assert (estimate.mean, estimate.margin) == (mean, pytest.approx(margin))
