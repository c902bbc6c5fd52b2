"""Two commits, one here and one elsewhere, one hint, one watcher: every order there is, with the log's answers coming at any point."""

from collections.abc import Iterator
from itertools import combinations, permutations

import pytest

from tests.application.world import Follower, World

ACTS = ("commit here", "tell", "commit elsewhere", "hint", "come")
ANSWERS = 3


def orders() -> Iterator[tuple[str, ...]]:
    """Yield every order in which each commit is made before it is told of, with `ANSWERS` times an answer of the log between."""
    length = len(ACTS) + ANSWERS
    for acts in permutations(ACTS):
        if acts.index("commit here") < acts.index("tell") and acts.index("commit elsewhere") < acts.index("hint"):
            for places in combinations(range(length), ANSWERS):
                rest = iter(acts)
                yield tuple("answer" if place in places else next(rest) for place in range(length))


def act(world: World, what: str) -> Follower | None:
    game_id = world.games[0]
    match what:
        case "commit here":
            world.commit_here(game_id)
        case "tell":
            world.loop.call_soon(world.hub.on_commit, world.untold.pop())
        case "commit elsewhere":
            world.commit_elsewhere(game_id)
        case "hint":
            world.loop.call_soon(world.hub.on_version, *world.hints.pop())
        case "answer":
            if world.stops:
                world.go_on()
        case _:
            return Follower(world, game_id)
    return None


def play(world: World, order: tuple[str, ...], rounds: int) -> Follower:
    come = None
    for what in order:
        come = act(world, what) or come
        world.loop.step(rounds)
    world.settle()
    assert come
    return come


@pytest.mark.parametrize("rounds", [0, 1, 5])
def test_in_every_order_the_watcher_gets_both_commits_once(rounds: int) -> None:
    seen = 0
    for order in orders():
        seen += 1
        with World() as world:
            follower = play(world, order, rounds)
            assert follower.got == [1, 2], order
            follower.task.cancel()
            world.settle()
            assert world.hub.watched_games == 0, order
    assert seen == 30 * 56
