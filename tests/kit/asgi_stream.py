"""A client that reads a stream of this process's app as it comes; httpx would wait for its end."""

import asyncio
import json
from types import TracebackType
from typing import Any, Self, cast

from litestar.types import ASGIApp

from tests.kit.player import Guest, Json
from tests.kit.waiting import PATIENCE_SECONDS


class Frame:
    """A server-sent event: its id, its name, its data read as JSON, and the comments before it."""

    def __init__(self, text: str) -> None:
        fields = [line.partition(":")[::2] for line in text.split("\n")]
        values = {name: value.removeprefix(" ") for name, value in fields}
        self.comment = values.get("")
        self.retry = values.get("retry")
        self.id = values.get("id")
        self.event = values.get("event")
        self.data: Json = json.loads(values["data"]) if "data" in values else {}


class Reading:
    """A stream being read. `frames` are those with data, in order, as they come."""

    def __init__(
        self,
        app: ASGIApp,
        guest: Guest,
        path: str,
        headers: dict[str, str],
        method: str = "GET",
        *,
        with_token: bool = True,
    ) -> None:
        self._app = app
        target, _, query = path.partition("?")
        given = {**({"authorization": f"Bearer {guest.token}"} if with_token else {}), **headers}
        self._scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": target,
            "raw_path": target.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in given.items()],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }
        self._requests: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._requests.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        self._arrived = asyncio.Condition()
        self.takes = asyncio.Event()
        self.takes.set()
        self.text = ""
        self.status = 0
        self.headers: dict[str, str] = {}
        self.is_over = False

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self.run())
        await self._until(lambda: self.status != 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.takes.set()
        self.go_away()
        await asyncio.wait_for(self._task, PATIENCE_SECONDS)

    @property
    def parts(self) -> list[Frame]:
        """Everything that came, comments included."""
        return [Frame(part) for part in self.text.split("\n\n")[:-1]]

    @property
    def frames(self) -> list[Frame]:
        return [part for part in self.parts if part.event]

    async def frame(self, number: int) -> Frame:
        """Return a frame, once it has come."""
        await self._until(lambda: len(self.frames) > number)
        return self.frames[number]

    async def end(self) -> list[Frame]:
        """Return all frames, once the stream is over."""
        await self._until(lambda: self.is_over)
        return self.frames

    async def comment(self, text: str) -> None:
        """Return once a comment has come."""
        await self._until(lambda: any(part.comment == text for part in self.parts))

    def go_away(self) -> None:
        """Close the connection, as a client does."""
        self._requests.put_nowait({"type": "http.disconnect"})

    async def run(self) -> None:
        """Ask, and take what is answered, to its end."""
        await self._app(cast("Any", self._scope), cast("Any", self._requests.get), cast("Any", self._send))
        async with self._arrived:
            self.is_over = True
            self._arrived.notify_all()

    async def _send(self, message: dict[str, Any]) -> None:
        await self.takes.wait()
        async with self._arrived:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            else:
                self.text += message["body"].decode()
            self._arrived.notify_all()

    async def _until(self, holds: Any) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS), self._arrived:
            await self._arrived.wait_for(holds)
