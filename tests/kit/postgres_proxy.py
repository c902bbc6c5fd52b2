"""A stretch of network between a log and its database, which a test can cut at the worst moment."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit, urlunsplit

from service.adapters.embedded_postgres.folder import SOCKET_NAME
from service.adapters.embedded_postgres.probe import dsn


class Proxy:
    """Passes bytes on. `cut_at`: the text in a request at which, once, all is cut; `deliver`: whether that request still arrives."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._cut_at: bytes | None = None
        self._deliver = False
        self._serving = set[asyncio.Task[None]]()
        self.cuts = 0

    def cut_once(self, at: bytes, *, deliver: bool) -> None:
        self._cut_at, self._deliver = at, deliver

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._serving.add(task)
        from_server, to_server = await asyncio.open_unix_connection(self._target)
        answers = asyncio.create_task(self._pass_on(from_server, writer))
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(1 << 20):
                if self._cut_at and self._cut_at in data:
                    answers.cancel()
                    await asyncio.wait([answers])
                    await self._cut(data, to_server, from_server)
                    break
                to_server.write(data)
                await to_server.drain()
        for each in (to_server, writer):
            each.close()
            with contextlib.suppress(ConnectionError):
                await each.wait_closed()
        await asyncio.wait([answers])

    async def all_served(self) -> None:
        await asyncio.wait(self._serving)

    async def _cut(self, data: bytes, to_server: asyncio.StreamWriter, from_server: asyncio.StreamReader) -> None:
        self._cut_at = None
        self.cuts += 1
        if self._deliver:
            to_server.write(data)
            await to_server.drain()
            await from_server.read(1 << 20)  # the answer, which nobody will hear

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(1 << 20):
                writer.write(data)
                await writer.drain()
            writer.close()


@asynccontextmanager
async def proxied(database_url: str, folder: Path) -> AsyncGenerator[tuple[Proxy, str]]:
    """Give a proxy and the address of the database through it."""
    url = urlsplit(database_url)
    proxy = Proxy(Path(parse_qs(url.query)["host"][0], SOCKET_NAME))
    server = await asyncio.start_unix_server(proxy.serve, folder / SOCKET_NAME)
    try:
        yield proxy, urlunsplit(urlsplit(dsn(folder))._replace(path=url.path))
    finally:
        server.close()
        await server.wait_closed()
        await proxy.all_served()
