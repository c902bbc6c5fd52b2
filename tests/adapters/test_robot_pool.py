"""Robots in worker threads: always legal, never on the event loop's time, and weaker instead of slower under load."""

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from domain.pocha.behaviour.decide import decide
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.state import NotCreated, State
from domain.pocha.rules.ruleset import Ruleset
from domain.robots import Choice, Observation, normal, observe
from domain.table.table import Level
from service.adapters.robot_pool import RobotPool, Search, load_search
from tests.domain.tables import HOUSE, bids, dealt, started

_HANDS = ("oros-1 oros-5 copas-2", "copas-1 copas-4 bastos-2", "bastos-1 bastos-4 bastos-5")
DEALT: State = fold(NotCreated(), (*started(), dealt(*_HANDS, turn_up="espadas-4")))
PLAYING: State = fold(DEALT, bids(1, 1, 0))


@asynccontextmanager
async def running(pool: RobotPool) -> AsyncGenerator[RobotPool]:
    task = asyncio.create_task(pool.run())
    try:
        yield pool
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("state", [DEALT, PLAYING], ids=["a bid", "a card"])
async def test_every_level_answers_legally(level: Level, state: State) -> None:
    pool = RobotPool()
    pool.prepare()
    async with running(pool):
        await pool.is_loaded.wait()
        command = await pool.choose(level, observe(state, 1), HOUSE, 7)
    assert decide(state, command)


class Counted:
    """A search that waits to be let go, and notes the thread and the share of its effort."""

    def __init__(self) -> None:
        self.go, self.shares, self.threads = threading.Event(), list[float](), set[int]()

    def load(self) -> Search:
        return self.search

    def search(self, observation: Observation, ruleset: Ruleset, luck: int, share: float) -> Choice:
        assert self.go.wait(timeout=60)
        self.shares.append(share)
        self.threads.add(threading.get_ident())
        return normal.choose(observation, ruleset, luck)


async def test_where_many_decisions_wait_each_gets_less_effort_and_all_are_legal() -> None:
    counted = Counted()
    pool = RobotPool(threads=2, load=counted.load)
    pool.prepare()
    async with running(pool):
        await pool.is_loaded.wait()
        asked = [asyncio.create_task(pool.choose(Level.HARD, observe(PLAYING, 1), HOUSE, luck)) for luck in range(40)]
        await asyncio.sleep(0)
        assert pool.waiting() == 40
        counted.go.set()
        commands = await asyncio.gather(*asked)
    assert pool.waiting() == 0
    assert all(decide(PLAYING, command) for command in commands)
    assert max(counted.shares) == 1.0
    assert 0 < min(counted.shares) < 0.2
    assert len(counted.threads) <= 2
    assert threading.get_ident() not in counted.threads


async def test_the_search_is_loaded_when_hard_first_decides_which_plays_as_normal_does_until_then() -> None:
    counted = Counted()
    counted.go.set()
    pool = RobotPool(load=counted.load)
    observation = observe(PLAYING, 1)
    async with running(pool):
        for level in (Level.EASY, Level.NORMAL):
            await pool.choose(level, observation, HOUSE, 7)
        assert not pool.is_loaded.is_set()
        assert await pool.choose(Level.HARD, observation, HOUSE, 7) == normal.choose(observation, HOUSE, 7)
        assert counted.shares == []
        await pool.is_loaded.wait()
        await pool.choose(Level.HARD, observation, HOUSE, 7)
    assert counted.shares == [1.0]


async def test_a_search_that_cannot_be_loaded_is_logged_and_costs_strength_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def load() -> Search:
        raise ImportError("no compiler here")

    pool = RobotPool(load=load)
    pool.prepare()
    with caplog.at_level(logging.ERROR):
        async with running(pool):
            await pool.is_loaded.wait()
            observation = observe(PLAYING, 1)
            assert await pool.choose(Level.HARD, observation, HOUSE, 7) == normal.choose(observation, HOUSE, 7)
    assert "hard robots" in caplog.text


def test_less_effort_gives_legal_moves_too() -> None:
    search = load_search()
    for share in (0.001, 0.3, 1.0):
        for state in (DEALT, PLAYING):
            assert decide(state, search(observe(state, 1), HOUSE, 3, share))
