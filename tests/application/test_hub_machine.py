"""Whatever happens in whatever order: who watches, then reads, then takes what comes, gets every version once and in order."""

import asyncio
from collections.abc import Callable
from typing import TypeVarTuple, Unpack

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from service.application.channel import TAIL_LENGTH
from service.application.ports import StoreUnavailable
from tests.application.world import FLOOR_SECONDS, Follower, Onlooker, World

games = st.integers(0, 1)
some = st.integers(0, 1000)
_Args = TypeVarTuple("_Args")


class FaithfulMachine(RuleBasedStateMachine):
    """Nothing is lost, and no read fails: everybody is served without the floor, for `Hub.run` does not even run."""

    truthful = True

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.hub = self.world.hub
        self.followers: list[Follower] = []
        self.onlookers: list[Onlooker] = []

    def soon(self, call: Callable[[Unpack[_Args]], None], *args: *_Args) -> None:
        """Have the hub called in the next round; calls with no round between them come right after each other."""
        self.world.loop.call_soon(call, *args)

    @rule(game=games)
    def commit_here(self, game: int) -> None:
        self.world.commit_here(self.world.games[game])

    @rule(game=games)
    def commit_elsewhere(self, game: int) -> None:
        self.world.commit_elsewhere(self.world.games[game])

    @rule(game=games, here=st.booleans())
    def commit_and_tell_at_once(self, game: int, *, here: bool) -> None:
        new = self.world.commit(self.world.games[game])
        if here:
            self.soon(self.hub.on_commit, new)
        else:
            self.soon(self.hub.on_version, new.commit.game_id, new.commit.version)

    @precondition(lambda self: self.world.untold)
    @rule(index=some)
    def tell(self, index: int) -> None:
        self.soon(self.hub.on_commit, self.world.untold.pop(index % len(self.world.untold)))

    @precondition(lambda self: self.world.hints)
    @rule(index=some, again=st.booleans())
    def deliver(self, index: int, *, again: bool) -> None:
        hint = self.world.hints.pop(index % len(self.world.hints))
        self.soon(self.hub.on_version, *hint)
        if again:
            self.world.hints.append(hint)

    @precondition(lambda self: self.world.stops)
    @rule(index=some)
    def go_on(self, index: int) -> None:
        self.world.go_on(index % len(self.world.stops))

    @rule(rounds=st.integers(1, 3))
    def step(self, rounds: int) -> None:
        self.world.loop.step(rounds)

    @rule(game=games, slow=st.booleans())
    def come(self, game: int, *, slow: bool) -> None:
        self.followers.append(Follower(self.world, self.world.games[game], slow=slow))

    @precondition(lambda self: self.followers)
    @rule(index=some)
    def leave(self, index: int) -> None:
        self.followers.pop(index % len(self.followers)).task.cancel()

    @precondition(lambda self: self.truthful)
    @rule()
    def look_on(self) -> None:
        self.onlookers.append(Onlooker(self.world))

    @precondition(lambda self: self.onlookers)
    @rule(index=some)
    def look_away(self, index: int) -> None:
        self.onlookers.pop(index % len(self.onlookers)).task.cancel()

    @invariant()
    def nobody_has_a_hole_or_a_double(self) -> None:
        for follower in self.followers:
            assert follower.got == list(range(1, follower.last + 1))
            assert not follower.task.done()

    def come_to_rest(self) -> None:
        for new in self.world.untold:
            self.soon(self.hub.on_commit, new)
        for hint in self.world.hints:
            self.soon(self.hub.on_version, *hint)
        self.world.settle()

    def teardown(self) -> None:
        with self.world:
            self.come_to_rest()
            self.everybody_has_everything()
            self.nobody_is_left_behind()

    def everybody_has_everything(self) -> None:
        for follower in self.followers:
            assert follower.got == list(range(1, self.world.head(follower.game_id) + 1))
        for onlooker in self.onlookers:
            assert onlooker.seen == {game_id: self.world.head(game_id) for game_id in self.world.games}

    def nobody_is_left_behind(self) -> None:
        for each in (*self.followers, *self.onlookers):
            each.task.cancel()
        self.world.settle()
        assert (self.hub.watched_games, self.hub.watch_count) == (0, 0)


class LossyMachine(FaithfulMachine):
    """Notifier are lost, commits of this process go untold, reads fail, versions come by the hundred; the floor mends all."""

    def __init__(self) -> None:
        super().__init__()
        self.running: asyncio.Task[None] = self.world.start(self.hub.run())

    @precondition(lambda self: self.world.hints)
    @rule(index=some)
    def lose_a_hint(self, index: int) -> None:
        self.world.hints.pop(index % len(self.world.hints))

    @precondition(lambda self: self.world.untold)
    @rule(index=some)
    def leave_untold(self, index: int) -> None:
        self.world.untold.pop(index % len(self.world.untold))

    @precondition(lambda self: not self.truthful)
    @rule(game=games, beyond=st.integers(1, 100))
    def lie(self, game: int, beyond: int) -> None:
        game_id = self.world.games[game]
        self.soon(self.hub.on_version, game_id, self.world.head(game_id) + beyond)

    @rule(game=games, count=st.integers(TAIL_LENGTH - 1, 2 * TAIL_LENGTH))
    def commit_many_elsewhere(self, game: int, count: int) -> None:
        for _ in range(count):
            self.world.commit(self.world.games[game])

    @precondition(lambda self: self.world.stops)
    @rule(index=some)
    def fail(self, index: int) -> None:
        self.world.go_on(index % len(self.world.stops), StoreUnavailable("not now"))

    @rule()
    def gap(self) -> None:
        self.soon(self.hub.on_gap)

    @rule(seconds=st.sampled_from([0.5, FLOOR_SECONDS, 15.0]))
    def pass_time(self, seconds: float) -> None:
        self.world.loop.pass_time(seconds)

    def come_to_rest(self) -> None:
        self.world.settle()
        for _ in range(3):
            self.world.loop.pass_time(FLOOR_SECONDS)
            self.world.settle()
        assert not self.running.done()


class LyingMachine(LossyMachine):
    """Notifier also lie. Who goes by commits is not misled; who only looks whether anything has changed may be, so nobody does here."""

    truthful = False


class TestFaithful(FaithfulMachine.TestCase):
    settings = settings(max_examples=100, stateful_step_count=40)


class TestLossy(LossyMachine.TestCase):
    settings = settings(max_examples=100, stateful_step_count=40)


class TestLying(LyingMachine.TestCase):
    settings = settings(max_examples=100, stateful_step_count=40)
