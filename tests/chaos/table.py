"""A table of persons, robots and onlookers: game after game, until the run grows calm and the last one is over."""

import asyncio

import msgspec

from tests.chaos.client import Caller
from tests.chaos.follower import Follower
from tests.chaos.plans import Plan
from tests.chaos.player import Person
from tests.chaos.run import Run
from tests.kit.board import Json


class Ended(msgspec.Struct, frozen=True):
    """A game that was played to its end, and who has followed it."""

    game_id: str
    plan: Plan
    followers: tuple[Follower, ...]


class Table:
    """`ended` are the games played here; `now` is the one being played."""

    def __init__(self, run: Run, number: int, plan: Plan) -> None:
        self.plan = plan
        self.ended: list[Ended] = []
        self.now: tuple[Follower, ...] = ()
        self._run = run
        self._persons = [Caller(run, f"Person {number}-{person}") for person in range(plan.persons)]
        self._spectators = [Caller(run, f"Spectator {number}-{place}") for place in range(plan.spectators)]

    async def live(self) -> None:
        """Play."""
        for caller in (*self._persons, *self._spectators):
            await caller.register()
        game = await self._created()
        await self._play(game["game_id"], game.get("invite_code"))
        while not self._run.calm:
            await self._play(await self._rematch(), None)

    async def _created(self) -> Json:
        answer = await self._persons[0].command("POST", "/v1/games", self.plan.request())
        assert answer.status == 201, f"{self.plan}: {answer}"
        return answer.json()

    async def _play(self, game_id: str, invite_code: str | None) -> None:
        persons = [Person(caller, self.plan, game_id) for caller in self._persons]
        onlookers = [Follower(caller, game_id) for caller in self._spectators]
        self.now = (*(person.follower for person in persons), *onlookers)
        async with asyncio.TaskGroup() as group:
            for follower in onlookers:
                group.create_task(follower.follow())
            for person in persons:
                group.create_task(self._sit_and_play(person, game_id, invite_code))
        self.ended.append(Ended(game_id, self.plan, self.now))
        self._run.tally["games"] += 1
        self.now = ()

    async def _sit_and_play(self, person: Person, game_id: str, invite_code: str | None) -> None:
        """Take a seat, where this player has none yet, and play."""
        seated = person.caller is self._persons[0] or self.ended
        if not seated:
            body = {"invite_code": invite_code} if invite_code else {}
            answer = await person.caller.command("POST", f"/v1/games/{game_id}/seats", body)
            assert answer.status == 201, answer
        async with asyncio.TaskGroup() as group:
            group.create_task(person.follower.follow())
            group.create_task(person.play())

    async def _rematch(self) -> str:
        """All ask for the next game; return the one that all are told of."""
        path = f"/v1/games/{self.ended[-1].game_id}/rematch"
        answers = await asyncio.gather(*(caller.ask(path) for caller in self._persons))
        games = {str(answer.json()["game_id"]) for each in answers for answer in each}
        assert len(games) == 1, f"a rematch of {self.ended[-1].game_id} is {games}"
        assert sum(answer.status == 201 for each in answers for answer in each) <= 1, answers
        self._run.tally["rematches"] += 1
        self._run.rematches |= games
        return games.pop()
