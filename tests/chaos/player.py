"""A player at a table, who knows nothing of the rules: what is legal is what the service says."""

import asyncio

import msgspec

from tests.chaos.client import Caller
from tests.chaos.follower import Follower
from tests.chaos.plans import Plan
from tests.chaos.run import view_in
from tests.chaos.wire import Answer
from tests.kit.board import Board, Json
from tests.kit.player import legal_moves

_THINKING_SECONDS = 0.4
_LONGEST_ABSENCE_SECONDS = 3.0
_PATIENCE_SECONDS = 2
_LEAVES = 0.02
_SLEEPS = 0.15
_CLAIMS = 0.1
_CHEATS = 0.2
_TOO_LATE = (
    *("version-conflict", "not-your-turn", "wrong-phase", "game-over", "not-your-seat", "seat-taken"),
    *("illegal-bid", "illegal-card", "illegal-pick", "illegal-claim"),
)


class Person:
    """Plays one game, seen through `follower`; learns of turns from the stream, by long-polling, or from the list of all own turns."""

    def __init__(self, caller: Caller, plan: Plan, game_id: str) -> None:
        self.caller = caller
        self.follower = Follower(caller, game_id)
        self._plan = plan
        self._game_id = game_id
        self._path = f"/v1/games/{game_id}"
        self._luck = caller.luck
        self._awaited = 1

    async def play(self) -> None:
        """Play until the game is over."""
        while not self.follower.over:
            board = await self._look()
            if board.get("version", 0) < self._awaited:
                continue
            self._awaited = board["version"] + 1
            if board["status"] == "playing":
                await self._act(board)

    async def _look(self) -> Board:
        """Return the game at the version that this player waits for, or, when that does not come soon, as known."""
        match self._luck.randrange(6):
            case 0:
                return await self._view(f"?after_version={self._awaited - 1}&wait={_PATIENCE_SECONDS}")
            case 1:
                return await self._own_turn() or await self._view()
            case _:
                await self.follower.reach(self._awaited, _PATIENCE_SECONDS)
                return self.follower.board

    async def _view(self, query: str = "") -> Board:
        view = await self.caller.view(self._game_id, query)
        self.follower.compare(view)
        return view

    async def _own_turn(self) -> Board | None:
        """Return as much of the game as the list of own turns tells, if it is there."""
        turns = await self.caller.read(f"/v1/me/turns?wait={_PATIENCE_SECONDS}")
        for item in turns["items"]:
            if item["game_id"] == self._game_id:
                told = msgspec.json.encode({"items": [item], "version": item["version"]})
                self.caller.run.heard(self.caller.player_id, self._game_id, told)
                return item | {"status": "playing"}
        return None

    async def _act(self, board: Board) -> None:
        if "my_seat" not in board:
            await self._come_back()
        elif self._plan.restless and self._happens(_LEAVES):
            await self._command("DELETE", f"seats/{board['my_seat']}", None, "others")
            self.caller.run.tally["away"] += 1
        elif board["turn"]["seat"] == board["my_seat"]:
            await self._move(board)
        elif self._plan.penalised and self._happens(_CLAIMS):
            claim = {"seat": board["turn"]["seat"], "trick": self._luck.randint(1, 3)}
            await self._command("POST", "renuncio-claims", claim, "others")

    async def _move(self, board: Board) -> None:
        if not self.caller.run.calm:
            await asyncio.sleep(self._luck.expovariate(1 / _THINKING_SECONDS))
        if self._plan.sleepy and self._happens(_SLEEPS):
            await asyncio.sleep((self._plan.turn_seconds or 0) * self._luck.uniform(1, 5))
        what, body = self._choice(board)
        if self._luck.random() < 0.5:
            body = body | {"expected_version": board["version"]}
        await self._command("POST", what, body, "moves")

    def _choice(self, board: Board) -> tuple[str, Json]:
        what, body = self._luck.choice(legal_moves(board))
        if what == "plays" and "hand" in board and self._plan.penalised and self._luck.random() < _CHEATS:
            return what, {"card": self._luck.choice(board["hand"]["my_cards"])}
        return what, body

    async def _come_back(self) -> None:
        if not self.caller.run.calm:
            await asyncio.sleep(self._luck.uniform(0, _LONGEST_ABSENCE_SECONDS))
        if await self._command("POST", "seats", {}, "others"):
            self.caller.run.tally["back"] += 1

    async def _command(self, method: str, what: str, body: Json | None, counted_as: str) -> bool:
        """Ask for something; tell whether it was carried out."""
        is_final = self._plan.is_steady or "expected_version" in (body or {})
        answer = await self.caller.command(method, f"{self._path}/{what}", body, is_final=is_final)
        if answer.status >= 400:
            await self._refused(answer)
            return False
        self.caller.run.tally[counted_as] += 1
        view = view_in(answer.json())
        self.follower.compare(view)
        self._awaited = view["version"]
        return True

    async def _refused(self, answer: Answer) -> None:
        """Where only the one on turn can do anything, nothing may be refused; elsewhere the table may have gone on."""
        may_happen = () if self._plan.is_steady else _TOO_LATE
        assert answer.json()["code"] in may_happen, f"{self.follower} was refused: {answer}"
        self.caller.run.tally["refused"] += 1
        self._awaited = (await self._view())["version"]

    def _happens(self, probability: float) -> bool:
        return not self.caller.run.calm and self._luck.random() < probability
