"""Somebody with a token, who repeats what they ask, to either process, until there is an answer; and now and then hangs up on one."""

import asyncio
import math
import random
import time
from collections.abc import Sequence

import msgspec

from tests.chaos import wire
from tests.chaos.run import Acknowledged, Request, Run, is_replay, view_in
from tests.chaos.wire import Answer, Broken
from tests.kit.board import Json, lasting

_MOST_REPETITIONS = 3
_CUT = 0.12
_CUTS_AFTER = (0, 0, 1, 15, 200, 600, 1500)
_PAUSE_SECONDS = 0.05
_LONGEST_PAUSE_SECONDS = 1.0
_TRY_LATER = (429, 503)


class Caller:
    """One guest. All their luck is their own, so that a run can be begun again from its seed."""

    def __init__(self, run: Run, name: str) -> None:
        self.run = run
        self.luck = random.Random(f"{run.seed} {name}")
        self.name = name
        self.player_id = ""
        self._token = ""
        self._first_answer = math.inf

    async def register(self) -> None:
        """Become a guest. To become two is no harm: the first one is forgotten."""
        guest = (await self._until_answered(wire.request("POST", "/v1/players", {"display_name": self.name}))).json()
        self.player_id, self._token = str(guest["player_id"]), str(guest["token"])

    async def read(self, path: str) -> Json:
        """Return what is there."""
        answer = await self._until_answered(wire.request("GET", path, headers=self.headers()))
        assert answer.status == 200, f"{self.name} asked for {path}: {answer}"
        return answer.json()

    async def view(self, game_id: str, query: str = "") -> Json:
        """Return the game as this player may see it."""
        view = await self.read(f"/v1/games/{game_id}{query}")
        self.run.heard(self.player_id, game_id, msgspec.json.encode(view))
        return view

    async def events(self, game_id: str) -> list[Json]:
        """Return all events of a game, page by page."""
        events: list[Json] = []
        page: Json = {"next_after": 0, "version": 1}
        while page["next_after"] < page["version"]:
            page = await self.read(f"/v1/games/{game_id}/events?after={page['next_after']}&limit=1000")
            events += page["items"]
        self.run.heard(self.player_id, game_id, msgspec.json.encode({"items": events}))
        return events

    async def command(self, method: str, path: str, body: Json | None = None, *, is_final: bool = True) -> Answer:
        """Ask for something under a key of its own, repeated at random, until it is carried out or refused; return that answer.

        Unless a refusal `is_final`, a repetition that comes later may be carried out: it may be this player's turn once more.
        """
        asked = Request(self.player_id, f"{self.luck.getrandbits(64):016x}", method, path, msgspec.json.encode(body))
        self.run.asked.add(asked.command_id)
        request = wire.request(method, path, body, self.headers() | {"Idempotency-Key": asked.key})
        started, self._first_answer = time.monotonic(), math.inf
        answers: list[Answer] = []
        while not answers:
            answers = await self._repeated(request)
        self.run.tally.waited(self._first_answer - started)
        return self._settled(asked, answers, is_final=is_final)

    async def ask(self, path: str) -> Sequence[Answer]:
        """Ask for something that is done once however often it is asked for; return the answers."""
        request = wire.request("POST", path, {}, self.headers())
        answers: list[Answer] = []
        while not answers:
            answers = await self._repeated(request)
        assert all(answer.status in (200, 201) for answer in answers), f"{self.name} asked for {path}: {answers}"
        return answers

    async def replay(self, acknowledged: Acknowledged) -> None:
        """Ask once more for what was carried out long ago.

        Raises:
            AssertionError: it is not answered as it was.
        """
        asked, body = acknowledged.request, msgspec.json.decode(acknowledged.request.content)
        headers = self.headers() | {"Idempotency-Key": asked.key}
        answer = await self._until_answered(wire.request(asked.method, asked.path, body, headers))
        assert is_replay(answer), f"{acknowledged} was not known again: {answer}"
        assert _essence(answer.status, answer.json()) == _essence(acknowledged.status, acknowledged.answer), answer
        self.run.tally["replays"] += 1

    def headers(self) -> dict[str, str]:
        """Return what every request of this guest carries."""
        return {"Authorization": f"Bearer {self._token}"} if self._token else {}

    async def _until_answered(self, request: bytes) -> Answer:
        while (answer := await self._once(request)) is None:
            pass
        return answer

    async def _repeated(self, request: bytes) -> list[Answer]:
        """Send a request 1 to 4 times, one after the other or all at once; return the answers that tell how it went."""
        times = 1 if self.run.calm else 1 + self.luck.randint(0, _MOST_REPETITIONS)
        self.run.tally["repeats"] += times - 1
        if self.luck.random() < 0.5:
            answers = await asyncio.gather(*(self._once(request) for _ in range(times)))
        else:
            answers = [await self._once(request) for _ in range(times)]
        return [answer for answer in answers if answer is not None]

    async def _once(self, request: bytes) -> Answer | None:
        """Send a request to either process; none when the answer, if any, is not known, or is that the time is not right."""
        tally = self.run.tally
        cut_after = self.luck.choice(_CUTS_AFTER) if not self.run.calm and self.luck.random() < _CUT else None
        try:
            answer = await self.run.lines.ask(self.luck.choice(self.run.places), request, cut_after)
        except Broken:
            tally["broken" if cut_after is None else "cuts"] += 1
            await asyncio.sleep(_PAUSE_SECONDS)
            return None
        assert answer.status != 500, f"{self.name} asked {request[:200]!r}: {answer}"
        if answer.status in _TRY_LATER:
            tally["unavailable"] += 1
            await asyncio.sleep(min(float(answer.headers["retry-after"]), _LONGEST_PAUSE_SECONDS))
            return None
        self._first_answer = min(self._first_answer, time.monotonic())
        return answer

    def _settled(self, asked: Request, answers: Sequence[Answer], *, is_final: bool) -> Answer:
        """Return the one answer that all of `answers` are."""
        self.run.tally["replays"] += sum(is_replay(answer) for answer in answers)
        told = [_outcome(answer) for answer in answers]
        done = [answer for answer in answers if answer.status < 400]
        if not done:
            return answers[0]
        assert len(done) == len(answers) or not is_final, f"refused, and carried out: {asked}: {told}"
        assert sum(not is_replay(answer) for answer in done) <= 1, f"carried out twice: {asked}: {told}"
        first, *others = [_essence(answer.status, answer.json()) for answer in done]
        assert all(other == first for other in others), f"replayed otherwise: {asked}: {first}, {others}"
        for answer in done:
            self.run.heard(self.player_id, view_in(answer.json())["game_id"], answer.body)
        self.run.acknowledge(asked, done[0].status, done[0].json())
        return done[0]


def _essence(status: int, document: Json) -> tuple[int, Json, object]:
    """What every repetition of a command is answered: all but what goes on."""
    return status, lasting(view_in(document)), document.get("events")


def _outcome(answer: Answer) -> str:
    """What an answer comes to, for a person to read."""
    document = answer.json()
    told = document["detail"] if answer.status >= 400 else f"version {document['version']}"
    return f"{answer.status} {'again, ' if is_replay(answer) else ''}{told} ({answer.headers.get('date')})"
