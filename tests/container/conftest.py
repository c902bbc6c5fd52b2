import asyncio
import tempfile
import time
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit, urlunsplit

import pytest

from service.adapters.embedded_postgres.folder import SOCKET_NAME
from tests.container.base import make_base
from tests.container.buildah import Buildah, require_tools
from tests.kit.postgres_proxy import Proxy

ROOT = Path(__file__).parents[2]
BASE, IMAGE = "localhost/python:3.11-slim-bookworm", "localhost/pocha:test"


class Built(NamedTuple):
    """The image of this clone, and a container of it for looking around in."""

    buildah: Buildah
    container: str
    seconds: float


@pytest.fixture(scope="session")
def built() -> Generator[Built]:
    require_tools()
    folder = Path(tempfile.mkdtemp(prefix="pocha-", dir="/var/tmp"))
    buildah = Buildah(folder)
    try:
        make_base(buildah, BASE, folder)
        began = time.monotonic()
        buildah.build(ROOT, IMAGE)
        seconds = time.monotonic() - began
        yield Built(buildah, buildah("from", "--pull-never", IMAGE), seconds)
    finally:
        buildah.close()


@pytest.fixture
async def reachable_url(empty_database_url: str) -> AsyncGenerator[str]:
    """The address of a fresh database as a container can reach it: the server of the tests may listen at a socket alone."""
    url = urlsplit(empty_database_url)
    hosts = parse_qs(url.query).get("host")
    if not hosts:
        yield empty_database_url
        return
    proxy = Proxy(Path(hosts[0], SOCKET_NAME))
    relay = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    port = relay.sockets[0].getsockname()[1]
    yield urlunsplit(url._replace(netloc=f"{url.username}@127.0.0.1:{port}", query=""))
    relay.close()
    await relay.wait_closed()
