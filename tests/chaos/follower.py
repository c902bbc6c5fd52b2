"""Follows a game by its stream, which breaks and is taken up again, at either process, from where it was or from the beginning."""

import asyncio
from collections import deque

import msgspec

from tests.chaos import wire
from tests.chaos.client import Caller
from tests.chaos.wire import Answer, Broken, Line
from tests.kit.board import Board, Json, fold, lasting
from tests.kit.sse import Frame, frames

_PAUSE_SECONDS = 0.05
_LONGEST_PAUSE_SECONDS = 1.0
_KEPT_BOARDS = 12
_FRAMES_UNTIL_A_CUT = 25


class Follower:
    """Keeps a board of one game for one caller until the stream says that the game is over."""

    def __init__(self, caller: Caller, game_id: str) -> None:
        self.board: Board = {}
        self.over = False
        self.caller = caller
        self._tally = caller.run.tally
        self._luck = caller.luck
        self._path = f"/v1/games/{game_id}/stream"
        self._game_id = game_id
        self._news = asyncio.Event()
        self._boards = deque[Board](maxlen=_KEPT_BOARDS)
        self._views: list[Json] = []
        self._is_resumed = self._is_away = False

    @property
    def version(self) -> int:
        """Where the board stands; 0 before there is one."""
        return self.board.get("version", 0)

    async def follow(self) -> None:
        """Follow the game to its end."""
        while not self.over:
            try:
                await self._stream()
            except Broken:
                self._tally["broken"] += 1
                await asyncio.sleep(_PAUSE_SECONDS)

    async def reach(self, version: int, seconds: float) -> None:
        """Wait until the board stands at `version`, or the game is over, but no longer than `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                while self.version < version and not self.over:
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            return

    def compare(self, view: Json) -> None:
        """Hold a view that came another way against the board of its version, now or when the stream gets there."""
        if view["version"] > self.version:
            self._views.append(view)
        for board in self._boards:
            self._require_same(board, view)

    async def _stream(self) -> None:
        line = await Line.open(self._luck.choice(self.caller.run.places))
        try:
            await self._listen(line)
        finally:
            line.cut()

    async def _listen(self, line: Line) -> None:
        resuming = bool(self.board) and self._luck.random() < 0.7
        head = await line.ask(self._request(resuming=resuming))
        if head.status == 200:
            await self._take_in(line, resuming=resuming)
        else:
            await self._turned_away(head, resuming=resuming)

    def _request(self, *, resuming: bool) -> bytes:
        headers = self.caller.headers()
        if resuming and self._luck.random() < 0.5:
            return wire.request("GET", f"{self._path}?after={self.version}", headers=headers)
        return wire.request(
            "GET", self._path, headers=headers | ({"Last-Event-ID": str(self.version)} if resuming else {})
        )

    async def _turned_away(self, head: Answer, *, resuming: bool) -> None:
        """After the last event there is nothing more to come: 204."""
        if head.status == 204 and resuming:
            assert self.board["status"] in ("finished", "abandoned"), f"{self} was told of an end that is none"
            self._end()
            return
        assert head.status in (429, 503), f"{self} asked for a stream: {head}"
        self._tally["unavailable"] += 1
        await asyncio.sleep(min(float(head.headers["retry-after"]), _LONGEST_PAUSE_SECONDS))

    async def _take_in(self, line: Line, *, resuming: bool) -> None:
        self._tally["streams"] += 1
        self._is_resumed = resuming
        count, cut_at = 0, self._luck.randint(1, 2 * _FRAMES_UNTIL_A_CUT)
        async for frame in frames(line.chunks()):
            if not frame.event:
                continue
            count += 1
            if count == 1:
                self._tally["resumes" if resuming and frame.event != "snapshot" else "snapshots"] += 1
            self._take(frame, is_first=count == 1)
            if count >= cut_at and not self.caller.run.calm:
                self._tally["cuts"] += 1
                return

    def _take(self, frame: Frame, *, is_first: bool) -> None:
        data: Json = msgspec.json.decode(frame.data)
        assert frame.id == str(data["version"]), f"{self} got {frame}"
        self.caller.run.heard(self.caller.player_id, self._game_id, frame.data.encode())
        match frame.event:
            case "snapshot":
                self._begin_again(data, is_first=is_first)
            case "commit":
                self._go_on(data)
            case "game_over":
                assert (data["version"], data["status"]) == (self.version, self.board["status"]), f"{self} got {frame}"
                assert data.get("result") == self.board.get("result"), f"{self} got {frame}"
                self._end()
            case _:
                raise AssertionError(f"{self} got {frame}")

    def _begin_again(self, view: Json, *, is_first: bool) -> None:
        assert view["version"] >= self.version, f"{self} was put back to {view['version']}"
        if not is_first:
            self._tally["gaps"] += 1
        if not self._is_away:
            self._require_same(self.board, view)
        self._is_resumed = self._is_away = False
        self._show(view)

    def _go_on(self, commit: Json) -> None:
        assert self.board, f"{self} got a commit before a snapshot"
        assert commit["version"] == self.version + 1, f"{self} got a commit out of order: {commit}"
        self._tally["commits"] += 1
        self._tally["expired"] += sum(event["type"] == "turn_expired" for event in commit["events"])
        board = fold(self.board, commit)
        # Who is away by now is shown the missed commits as a spectator, until a snapshot.
        if _waits_for_its_own_turn(board):
            assert self._is_resumed, f"{self} got the turn of a spectator: {commit}"
            self._is_away = True
        if self._is_away:
            self.board = board
            self._news.set()
        else:
            self._show(board)

    def _show(self, board: Board) -> None:
        self.board = board
        self._boards.append(board)
        for view in self._views:
            self._require_same(board, view)
        self._views = [view for view in self._views if view["version"] > self.version]
        self._news.set()

    def _require_same(self, board: Board, view: Json) -> None:
        if board and board["version"] == view["version"]:
            self._tally["compared"] += 1
            assert lasting(board) == lasting(view), (
                f"{self} has folded\n{lasting(board)}\nand the view is\n{lasting(view)}"
            )

    def _end(self) -> None:
        self.over = True
        self._news.set()

    def __str__(self) -> str:
        return f"{self.caller.name} at version {self.version} of {self._game_id}"


def _waits_for_its_own_turn(board: Board) -> bool:
    turn = board.get("turn", {"action": ""})
    return turn["action"] == "wait" and turn["seat"] == board.get("my_seat")
