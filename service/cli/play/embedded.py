"""A service in a thread of this process, which keeps its games in memory: for a game against robots."""

import asyncio
import secrets
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.draining import Draining
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.cli.listening import listening_socket, url_of
from service.server.uvicorn_server import Server


@contextmanager
def embedded_service() -> Generator[str]:
    """Yield the address of the service."""
    listening = listening_socket("127.0.0.1", 0)
    draining, ready = Draining(), threading.Event()
    servers: list[Server] = []

    async def serve() -> None:
        service = Service(MemoryStore(), SystemClock(), SeededShuffler(), secrets.token_bytes(32), draining=draining)
        background = asyncio.create_task(service.run_background())
        servers.append(Server(service.asgi, ready.set, draining, 0))
        await servers[0].serve([listening])
        background.cancel()
        with suppress(asyncio.CancelledError):
            await background

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    ready.wait()
    try:
        yield url_of(listening)
    finally:
        servers[0].should_exit = True
        thread.join()
