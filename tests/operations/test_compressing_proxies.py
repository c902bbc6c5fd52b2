"""Streams through proxies that compress what they can, and that buffer: each frame arrives while the stream goes on."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import httpx
import pytest

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from tests.kit.player import Api
from tests.kit.proxies import caddy, nginx
from tests.kit.raw_server import running
from tests.kit.stream import watching

NGINX = """
    gzip on;
    gzip_types *;
    gzip_proxied any;
    gzip_min_length 1;
    server {
        listen {socket};
        location / {
            proxy_http_version 1.1;
            proxy_pass UPSTREAM;
        }
    }
"""
CADDY = """
	encode zstd gzip {
		minimum_length 1
	}
	reverse_proxy UPSTREAM
"""
Proxy = Callable[[Path, str], AbstractContextManager[Path]]


@pytest.mark.parametrize(("proxy", "settings"), [(nginx, NGINX), (caddy, CADDY)], ids=["nginx", "caddy"])
async def test_a_stream_passes_a_proxy_that_compresses_frame_by_frame(
    tmp_path: Path, proxy: Proxy, settings: str
) -> None:
    """The proxy compresses other answers: it would compress the stream too, and keep its frames until the end."""
    service = Service(MemoryStore(), SystemClock(), SeededShuffler(), b"a secret of 32 bytes or more, for a test")
    async with running(service.asgi) as server:
        with proxy(tmp_path, settings.replace("UPSTREAM", await server.url())) as socket:
            through = httpx.AsyncHTTPTransport(uds=str(socket))
            compressed = {"Accept-Encoding": "gzip"}
            async with httpx.AsyncClient(transport=through, base_url="http://pocha", headers=compressed) as client:
                ana, eva = [await Api(client).guest() for _ in range(2)]
                game = await ana.create()
                assert (await client.get("/v1/rulesets/clasica")).headers["content-encoding"] == "gzip"
                async with watching(client, ana, game) as stream:
                    assert (await stream.next())[0] == "snapshot"
                    await eva.join(game["game_id"])
                    assert (await stream.next())[0] == "commit"
