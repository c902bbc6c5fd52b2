"""The files in `deploy/` as the programs read them that they are for: understood without a warning, and doing what they promise."""

import os
import re
import subprocess
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path

import httpx
import pytest
from litestar.types import Receive, Scope, Send

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.rest.rate_limit.client_address import ClientAddresses, networks_of
from service.rest.rate_limit.config import RateLimitConfig
from service.rest.rate_limit.memory import MemoryRateStore
from service.rest.rate_limit.policies import OFF, Policy, PolicyQuotas
from service.rest.responses import EncodedResponse
from tests.adapters.tls_server import make_certificate
from tests.kit.player import Api
from tests.kit.proxies import NGINX, caddy, nginx, program
from tests.kit.raw_server import RawServer, running
from tests.kit.stream import watching
from tests.kit.waiting import PATIENCE_SECONDS
from tests.operations.clone import ROOT

NGINX_CONF = (ROOT / "deploy/nginx/pocha.conf").read_text(encoding="utf-8")
CADDYFILE = ROOT / "deploy/caddy/Caddyfile"
COMPOSE = ROOT / "deploy/compose/compose.yaml"
SECRET = b"a secret of 32 bytes or more, for a test"
Proxy = Callable[[Path, str], AbstractContextManager[Path]]


def output_of(*command: str | Path, **environment: str) -> str:
    """Return what a command says that must succeed."""
    done = subprocess.run(
        command,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def with_certificate(folder: Path) -> str:
    """Return the nginx example with a certificate that is there."""
    public, private = make_certificate(folder)
    return NGINX_CONF.replace("/etc/ssl/pocha.crt", str(public)).replace("/etc/ssl/private/pocha.key", str(private))


def test_nginx_understands_its_example(tmp_path: Path) -> None:
    settings = tmp_path / "nginx.conf"
    http = with_certificate(tmp_path).replace(":443", ":8443").replace("listen 443", "listen 8443")
    settings.write_text(NGINX.format(folder=tmp_path, http=http), encoding="utf-8")
    said = output_of(program("nginx", "nginx-light"), "-t", "-p", tmp_path, "-c", settings)
    assert "[" not in said.replace("[::]", ""), said


def test_caddy_understands_its_example_and_would_write_it_so(tmp_path: Path) -> None:
    here = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    said = output_of(program("caddy"), "validate", "--adapter", "caddyfile", "--config", CADDYFILE, **here)
    assert "Valid configuration" in said
    assert '"level":"warn"' not in said
    assert output_of(program("caddy"), "fmt", CADDYFILE, **here) == CADDYFILE.read_text(encoding="utf-8")


def test_compose_understands_its_file(tmp_path: Path) -> None:
    """The docker-compose of Debian 12 knows no `name`, which newer ones do."""
    compose = program("docker-compose")
    file = tmp_path / "compose.yaml"
    file.write_text(COMPOSE.read_text(encoding="utf-8").replace("\nname: pocha\n", "\n"), encoding="utf-8")
    given = {"POSTGRES_PASSWORD": "secret", "POCHA_SECRET": "x" * 32, "POCHA_SITE": "localhost"}
    said = output_of(compose, "--file", file, "config", **given)
    assert "POCHA_TRUSTED_PROXIES: 172.30.42.0/24" in said
    assert "warning" not in said.lower()


def _nginx(folder: Path, upstream: str) -> AbstractContextManager[Path]:
    served = with_certificate(folder).replace("127.0.0.1:8000", upstream.removeprefix("http://"))
    by_path = served.replace("listen 443 ssl http2 so_keepalive=15s:5s:3;", "listen {socket} ssl http2;")
    return nginx(folder, by_path.replace("    listen [::]:443 ssl http2 so_keepalive=15s:5s:3;\n", ""))


def _caddy(folder: Path, upstream: str) -> AbstractContextManager[Path]:
    site = CADDYFILE.read_text(encoding="utf-8").partition("{$POCHA_SITE:localhost} {\n")[2].rpartition("}")[0]
    return caddy(folder, site.replace("{$POCHA_UPSTREAM:127.0.0.1:8000}", upstream))


@asynccontextmanager
async def through(proxy: Proxy, folder: Path, server: RawServer, scheme: str) -> AsyncGenerator[httpx.AsyncClient]:
    """Open a client of the proxy."""
    with proxy(folder, await server.url()) as socket:
        transport = httpx.AsyncHTTPTransport(uds=str(socket), verify=False)
        async with httpx.AsyncClient(transport=transport, base_url=f"{scheme}://pocha.example.com") as client:
            yield client


@pytest.mark.parametrize(("proxy", "scheme"), [(_nginx, "https"), (_caddy, "http")], ids=["nginx", "caddy"])
async def test_a_game_is_played_through_the_proxy_that_shows_what_clients_need_and_no_more(
    tmp_path: Path, proxy: Proxy, scheme: str
) -> None:
    limits = RateLimitConfig(
        PolicyQuotas({**dict.fromkeys(Policy, OFF), Policy.READS: "1000/10"}),
        MemoryRateStore(),
        ClientAddresses(networks_of("127.0.0.0/8")),
    )
    service = Service(MemoryStore(), SystemClock(), SeededShuffler(), SECRET, limits=limits)
    async with running(service.asgi) as server, through(proxy, tmp_path, server, scheme) as client:
        for path in ("/docs", "/docs/limits", "/openapi.json", "/v1/glossary", "/problems/not-found", "/favicon.ico"):
            assert (await client.get(path, follow_redirects=True)).status_code == 200, path
        table = await client.get("/", headers={"Accept": "text/html"}, follow_redirects=True)
        assert (table.status_code, table.url.path) == (200, "/play")
        for file in re.findall(r'(?:href|src)="(play/[^"]+)"', table.text):
            assert (await client.get(f"/{file}")).status_code == 200, file
        for path in ("/metrics", "/healthz", "/readyz", "/%6detrics", "/v1x", "/docsx", "/players"):
            assert (await client.get(path)).status_code == 404, path
        ana, eva = [await Api(client).guest() for _ in range(2)]
        game = await ana.create(robots=1)
        async with watching(client, ana, game) as stream:
            assert (await stream.next())[0] == "snapshot"
            await eva.join(game["game_id"])
            assert (await stream.next())[0] == "commit"
        large = await ana.ask("POST", "/v1/games", {"ruleset": "x" * 70_000})
        assert large.status_code in (413, 502)  # Caddy 2.6 takes its own refusal for a failure of the service


@pytest.mark.parametrize(("proxy", "scheme"), [(_nginx, "https"), (_caddy, "http")], ids=["nginx", "caddy"])
async def test_what_a_client_says_of_its_address_is_not_passed_on(tmp_path: Path, proxy: Proxy, scheme: str) -> None:
    said: list[str] = []

    async def noting(scope: Scope, receive: Receive, send: Send) -> None:
        said.extend(value.decode() for name, value in scope["headers"] if name == b"x-forwarded-for")
        await EncodedResponse(b"")(scope, receive, send)

    async with running(noting) as server, through(proxy, tmp_path, server, scheme) as client:
        assert (await client.get("/v1/games", headers={"X-Forwarded-For": "192.0.2.7"})).status_code == 200
    assert "192.0.2.7" not in ",".join(said)
