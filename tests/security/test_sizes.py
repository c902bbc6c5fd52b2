"""Too much of anything is refused as the contract says, over a real socket; and the service goes on serving."""

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import httpx
import pytest

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from tests.kit.raw_server import running
from tests.kit.waiting import PATIENCE_SECONDS
from tests.security.world import SECRET

MOST_BODY = 64 * 1024
MOST_URL = 8 * 1024
MOST_HEAD = 32 * 1024
GAME = "01a22b65-9f82-74a4-86b2-99ff9c4cab8e"


class Caller:
    """Somebody with a token."""

    def __init__(self, client: httpx.AsyncClient, token: str) -> None:
        self._client = client
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    async def ask(self, method: str, path: str, content: Any = None, **headers: str) -> tuple[int, str]:
        """Send a request, and return the status of the answer, and its code where it is a problem."""
        given = {**self._headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        answer = await self._client.request(method, path, content=content, headers=given)
        is_problem = "problem" in answer.headers.get("content-type", "")
        return answer.status_code, answer.json()["code"] if is_problem else ""

    async def make_table(self, content: Any) -> tuple[int, str]:
        """Ask for a table by a body."""
        return await self.ask("POST", "/v1/games", content)


@pytest.fixture
async def caller() -> AsyncGenerator[Caller]:
    service = Service(MemoryStore(), SystemClock(), SeededShuffler(), SECRET)
    async with running(service.asgi) as server:
        _, writer = await server.connect()
        host, port = writer.get_extra_info("peername")
        writer.close()
        async with httpx.AsyncClient(base_url=f"http://{host}:{port}", timeout=PATIENCE_SECONDS) as client:
            made = await client.post("/v1/players", json={"display_name": "Ana"})
            yield Caller(client, made.json()["token"])
            assert (await client.get("/v1/rulesets")).status_code == 200


def padded(size: int) -> bytes:
    """Return a body of that many bytes that makes a table."""
    return b'{"players": 4}'.ljust(size)


async def in_pieces(body: bytes) -> AsyncIterator[bytes]:
    """Send a body without its length."""
    for begin in range(0, len(body), 10_000):
        yield body[begin : begin + 10_000]


@pytest.mark.parametrize("dressed", [bytes, in_pieces], ids=["with its length", "in pieces"])
async def test_a_body_has_64_kib_at_most(caller: Caller, dressed: Any) -> None:
    assert await caller.make_table(dressed(padded(MOST_BODY))) == (201, "")
    assert await caller.make_table(dressed(padded(MOST_BODY + 1))) == (413, "too-large")
    assert await caller.make_table(dressed(padded(8 * MOST_BODY))) == (413, "too-large")


async def test_an_address_has_8_kib_at_most(caller: Caller) -> None:
    path = f"/v1/games?cursor={'c' * 3000}"
    assert await caller.ask("GET", path) == (400, "invalid-request")
    assert await caller.ask("GET", f"/v1/games?cursor={'c' * MOST_URL}") == (414, "")
    assert await caller.ask("GET", "/" + "x" * MOST_URL) == (414, "")


async def test_headers_have_32_kib_and_100_fields_at_most(caller: Caller) -> None:
    assert await caller.ask("GET", "/v1/games", None, X_Long="x" * 20_000) == (200, "")
    assert await caller.ask("GET", "/v1/games", None, X_Long="x" * MOST_HEAD) == (431, "")
    assert await caller.ask("GET", "/v1/games", None, **{f"X_{number}": "x" for number in range(101)}) == (431, "")


async def test_a_credential_of_any_length_is_no_more_than_wrong(caller: Caller) -> None:
    for wrong in ("x" * 20_000, "eyJ" + "h" * 20_000 + ".e30.c2ln", f"pocha_{'0' * 20_000}_{'0' * 64}"):
        assert await caller.ask("GET", "/v1/games", None, Authorization=f"Bearer {wrong}") == (401, "unauthenticated")


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 30_000,
        b'{"house_rules":' * 4_000,
        b'{"players":' + b"9" * 60_000 + b"}",
        b'{"players":4,"client_seed":"' + b"s" * 65 + b'"}',
        b'{"players":4,"robots":[' + b",".join([b'{"level":"easy"}'] * 1_000) + b"]}",
        b"{" + b",".join(b'"k%d":1' % number for number in range(5_000)) + b"}",
    ],
    ids=["arrays", "objects", "digits", "seed", "robots", "members"],
)
async def test_a_body_that_fits_may_still_hold_too_much(caller: Caller, body: bytes) -> None:
    assert len(body) < MOST_BODY
    assert await caller.make_table(body) == (400, "invalid-request")


@pytest.mark.parametrize(
    "house_rules",
    [
        b'{"schedule":{"blocks":['
        + b",".join([b'{"kind":"normal","first":"1","last":"max","times":"n"}'] * 1_000)
        + b"]}}",
        b'{"schedule":{"blocks":' + b"[" * 800 + b"]" * 800 + b"}}",
        b'{"scoring":' * 800 + b"1" + b"}" * 800,
    ],
    ids=["blocks", "arrays", "objects"],
)
async def test_house_rules_may_hold_too_much(caller: Caller, house_rules: bytes) -> None:
    body = b'{"players":4,"house_rules":%b}' % house_rules
    assert await caller.make_table(body) == (422, "illegal-ruleset")


async def test_names_keys_and_ids_have_their_lengths(caller: Caller) -> None:
    refused = (400, "invalid-request")
    assert await caller.ask("POST", "/v1/players", b'{"display_name":"%s"}' % (b"a" * 41)) == refused
    assert await caller.ask("POST", "/v1/games", padded(20), Idempotency_Key="k" * 129) == refused
    assert await caller.ask("POST", "/v1/games", padded(20), Idempotency_Key="k" * 128) == (201, "")
    code = b'{"invite_code":"%s"}' % (b"c" * 65)
    assert await caller.ask("POST", f"/v1/games/{GAME}/seats", code) == refused
    assert await caller.ask("GET", f"/v1/games/{GAME}0") == refused
    assert await caller.ask("GET", f"/v1/rulesets/{'r' * 4000}") == (404, "not-found")
    assert await caller.ask("GET", f"/v1/games/{GAME}/events?after={'9' * 4000}") == refused
    assert await caller.ask("GET", "/v1/games?" + "&".join(f"p{number}=1" for number in range(21))) == refused
