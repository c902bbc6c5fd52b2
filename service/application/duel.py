"""Robots against robots on duplicate deals: each deal is played once for every seat, so that both get the same cards in the same seats.

Of one deal there are tables where the first robot sits among robots of the second, once at each seat, and a table of the second alone.
What the first makes more at a seat than the second makes there, is what it is better.
"""

import math
import random
from collections.abc import Iterator, Sequence
from time import perf_counter

import msgspec

from domain.pocha.behaviour.decide import decide
from domain.pocha.model.commands import CreateGame, DealHand, StartGame
from domain.pocha.model.state import Dealing, InHand, NotCreated, State
from domain.pocha.rules import ruleset as rules
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.rules.schedule import HandPlan
from domain.robots import Robot, observe
from domain.table.table import Level, Player, Visibility

_HANDS_TO_COME = 20
"""Each deal is played as if so many hands were to come: for points, not for the end of a game."""
_CERTAINTY = 1.96
"""Standard errors in half a 95 % interval."""


class Contender(msgspec.Struct, frozen=True):
    """A robot, and the name that the report gives it."""

    name: str
    robot: Robot


class Played(msgspec.Struct):
    """What one robot did at the seats that it played of one deal: means of its exact bids and points, and its decisions' seconds."""

    exact: float = 0.0
    points: float = 0.0
    seconds: list[float] = msgspec.field(default_factory=list)


class Estimate(msgspec.Struct, frozen=True):
    """A mean over the deals, and half of its 95 % interval."""

    mean: float
    margin: float


class Figures(msgspec.Struct, frozen=True):
    """How one robot did: share of exact bids, points a hand, and milliseconds a decision."""

    robot: str
    exact: Estimate
    points: Estimate
    ms_mean: float
    ms_p95: float


class Report(msgspec.Struct, frozen=True):
    """The outcome of a duel; `difference` is what the first makes more a hand, with the same cards at the same seats."""

    ruleset: str
    players: int
    deals: int
    seed: int
    robots: tuple[Figures, Figures]
    difference: Estimate


def duel(
    pair: tuple[Contender, Contender], ruleset: Ruleset, players: int, deals: int, seed: int
) -> Iterator[tuple[Played, Played]]:
    """Play `deals` deals, in turn of each hand of the ruleset's schedule; yield how both did at each."""
    schedule = rules.hand_schedule(ruleset, players)
    for number in range(deals):
        chance = random.Random(f"{seed} {number}")  # noqa: S311 - repeatable, and no secret
        yield _deal(pair, _dealt(ruleset, players, schedule[number % len(schedule)], chance), chance.getrandbits(32))


def report(
    pair: tuple[Contender, Contender],
    ruleset: Ruleset,
    players: int,
    seed: int,
    results: Sequence[tuple[Played, Played]],
) -> Report:
    """Sum up what `duel` yielded."""
    first, second = ([result[place] for result in results] for place in (0, 1))
    ahead = [one.points - other.points for one, other in results]
    figures = (_figures(pair[0], first), _figures(pair[1], second))
    return Report(ruleset.id, players, len(results), seed, figures, estimate(ahead))


def estimate(values: Sequence[float]) -> Estimate:
    """Return the mean of independent values with its 95 % interval; of fewer than two, one without."""
    mean = sum(values) / max(1, len(values))
    if len(values) < 2:  # noqa: PLR2004
        return Estimate(mean, math.inf)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return Estimate(mean, _CERTAINTY * math.sqrt(variance / len(values)))


def _figures(contender: Contender, played: Sequence[Played]) -> Figures:
    seconds = sorted(second for each in played for second in each.seconds) or [0.0]
    return Figures(
        robot=contender.name,
        exact=estimate([each.exact for each in played]),
        points=estimate([each.points for each in played]),
        ms_mean=1000 * sum(seconds) / len(seconds),
        ms_p95=1000 * seconds[int(0.95 * (len(seconds) - 1))],
    )


def _dealt(ruleset: Ruleset, players: int, plan: HandPlan, chance: random.Random) -> State:
    """Return a table at which this hand was just dealt, and others like it are to come."""
    command = CreateGame(
        ruleset=ruleset,
        players=players,
        host=Player(""),
        robots=(Level.EASY,) * (players - 1),
        visibility=Visibility.PRIVATE,
        seed=b"",
        commitment="",
    )
    waiting = decide(NotCreated(), command).state
    start = StartGame(tuple(range(players)), chance.randrange(players))
    started = decide(waiting, start).state
    assert isinstance(started, Dealing)  # noqa: S101 - all seats are taken
    schedule = (plan,) * (1 + _HANDS_TO_COME)
    dealing = msgspec.structs.replace(started, progress=msgspec.structs.replace(started.progress, schedule=schedule))
    deck = list(rules.deck(ruleset, players))
    chance.shuffle(deck)
    return decide(dealing, DealHand(tuple(deck))).state


def _deal(pair: tuple[Contender, Contender], dealt: State, luck: int) -> tuple[Played, Played]:
    first, second = Played(), Played()
    assert isinstance(dealt, InHand)  # noqa: S101 - a deal comes before it
    seats = range(dealt.progress.players)
    for seat in seats:
        table = [pair[0].robot if other == seat else pair[1].robot for other in seats]
        _count(first, _play(dealt, table, luck, {seat: first.seconds}), (seat,))
    _count(second, _play(dealt, [pair[1].robot] * len(seats), luck, dict.fromkeys(seats, second.seconds)), seats)
    return first, second


def _count(played: Played, end: Dealing, seats: Sequence[int]) -> None:
    """Add what the seats made, as a share of the mean over all seats."""
    result = end.progress.results[-1]
    for seat in seats:
        played.exact += (result.bids[seat] == result.tricks[seat]) / end.progress.players
        played.points += end.progress.totals[seat] / end.progress.players


def _play(state: State, table: Sequence[Robot], luck: int, timed: dict[int, list[float]]) -> Dealing:
    """Play the hand to its end, with the time of decisions noted for the seats in `timed`."""
    chance = random.Random(luck)  # noqa: S311 - repeatable, and no secret
    while isinstance(state, InHand):
        seat = state.turn
        observation, ruleset, number = observe(state, seat), state.progress.ruleset, chance.getrandbits(32)
        began = perf_counter()
        command = table[seat](observation, ruleset, number)
        if seat in timed:
            timed[seat].append(perf_counter() - began)
        state = decide(state, command).state
    assert isinstance(state, Dealing)  # noqa: S101 - asked between hands only
    return state
