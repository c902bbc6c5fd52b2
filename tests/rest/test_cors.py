"""Pages of the origins that the operator allows may use the API; those of others may not."""

from collections.abc import AsyncGenerator

import httpx
import pytest

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.bootstrap.settings import InvalidSetting, from_environment
from tests.kit.player import client_of
from tests.rest.conftest import SECRET

APP = "https://app.example"
PREFLIGHT = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,idempotency-key"}


@pytest.fixture
async def client() -> AsyncGenerator[httpx.AsyncClient]:
    origins = (APP, "http://localhost:3000")
    service = Service(MemoryStore(), SystemClock(), SeededShuffler(), SECRET, origins=origins)
    async with client_of(service.asgi) as client:
        yield client


def of_cors(response: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in response.headers.items() if name.startswith("access-control-")}


async def test_a_page_of_an_allowed_origin_may_ask_with_a_token_and_a_key(client: httpx.AsyncClient) -> None:
    response = await client.options("/v1/games", headers={"Origin": APP, **PREFLIGHT})
    assert response.status_code == 204
    assert response.headers["access-control-allow-origin"] == APP
    assert "POST" in response.headers["access-control-allow-methods"]
    allowed = response.headers["access-control-allow-headers"].lower()
    assert {"authorization", "content-type", "idempotency-key", "last-event-id"} <= set(allowed.split(", "))
    assert "access-control-allow-credentials" not in response.headers


@pytest.mark.parametrize("path", ["/v1/rulesets/clasica", "/v1/games", "/nowhere", "/readyz"])
async def test_every_response_may_be_read_with_the_headers_that_clients_need(
    client: httpx.AsyncClient, path: str
) -> None:
    response = await client.get(path, headers={"Origin": APP})
    assert response.headers["access-control-allow-origin"] == APP
    exposed = set(response.headers["access-control-expose-headers"].split(", "))
    assert {"ETag", "Retry-After", "Idempotency-Replayed", "X-Request-Id", "Location"} <= exposed
    assert "Origin" in response.headers.get_list("vary", split_commas=True)


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "https://app.example.evil.example", "http://app.example", f"{APP}:444"]
)
async def test_pages_of_other_origins_get_no_leave(client: httpx.AsyncClient, origin: str) -> None:
    for response in (
        await client.options("/v1/games", headers={"Origin": origin, **PREFLIGHT}),
        await client.get("/v1/rulesets/clasica", headers={"Origin": origin}),
    ):
        assert of_cors(response) == {}
        assert "Origin" in response.headers.get_list("vary", split_commas=True)


async def test_without_the_setting_no_page_gets_leave() -> None:
    service = Service(MemoryStore(), SystemClock(), SeededShuffler(), SECRET)
    async with client_of(service.asgi) as client:
        assert of_cors(await client.get("/v1/rulesets/clasica", headers={"Origin": APP})) == {}


def test_origins_are_exact() -> None:
    settings = from_environment({"POCHA_CORS_ORIGINS": f"{APP}, http://localhost:3000"})
    assert settings.origins == (APP, "http://localhost:3000")
    for wrong in ("*", "app.example", f"{APP}/", "https://*.example", f"{APP};{APP}", "null", "HTTPS://app.example"):
        with pytest.raises(InvalidSetting, match="POCHA_CORS_ORIGINS"):
            from_environment({"POCHA_CORS_ORIGINS": wrong})
