"""How many requests are served at once, and what the others hear. The handlers here are slow on purpose."""

import asyncio
from collections.abc import AsyncGenerator

import httpx
import pytest
from litestar.types import Receive, Scope, Send

from service.application.draining import Draining
from service.bootstrap.service import Service
from service.rest.middleware.admission import MAX_READS, Admission, release_slot
from service.rest.middleware.envelope import AllowedMethods, EnvelopeMiddleware
from service.rest.responses import EncodedResponse
from service.rest.streaming.waiters import MAX_PER_PLAYER
from tests.kit.player import Api, client_of
from tests.kit.waiting import WAITS, until

READS, COMMANDS = 3, 5


class Slow:
    """An app whose every request lasts until `end` is set; those for `/waiting` only wait."""

    def __init__(self) -> None:
        self.end = asyncio.Event()
        self.serving = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["path"] == "/waiting":
            release_slot(scope)
            release_slot(scope)
        self.serving += 1
        await self.end.wait()
        await EncodedResponse(b"{}")(scope, receive, send)

    async def serves(self, count: int) -> None:
        """Return when so many requests have come through."""
        await until(lambda: self.serving >= count)


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
async def client(slow: Slow) -> AsyncGenerator[httpx.AsyncClient]:
    async with client_of(
        EnvelopeMiddleware(slow, AllowedMethods([]), Draining(), Admission(READS, COMMANDS))
    ) as client:
        yield client
        slow.end.set()


def ask(client: httpx.AsyncClient, method: str, count: int, path: str = "/x") -> list["asyncio.Task[httpx.Response]"]:
    return [asyncio.create_task(client.request(method, path)) for _ in range(count)]


@pytest.mark.parametrize(("methods", "places"), [("GET HEAD", READS), ("POST PUT DELETE", COMMANDS)])
async def test_beyond_the_places_requests_hear_at_once_to_come_again(
    client: httpx.AsyncClient, slow: Slow, methods: str, places: int
) -> None:
    served = ask(client, methods.split(maxsplit=1)[0], places)
    await slow.serves(places)
    for method in methods.split():
        refused = await client.request(method, "/x", headers={"Accept-Language": "es"})
        assert (refused.status_code, refused.headers["retry-after"] in WAITS) == (503, True)
        assert refused.headers["x-request-id"]
        if method != "HEAD":
            assert refused.json()["code"] == "overloaded"
            assert str(refused.json()["retry_after"]) == refused.headers["retry-after"]
    slow.end.set()
    assert [response.status_code for response in await asyncio.gather(*served)] == [200] * places


async def test_places_are_free_again_after_the_answers(client: httpx.AsyncClient, slow: Slow) -> None:
    for _ in range(3):
        slow.end.clear()
        slow.serving = 0
        served = ask(client, "POST", 2 * COMMANDS)
        await slow.serves(COMMANDS)
        slow.end.set()
        statuses = sorted(response.status_code for response in await asyncio.gather(*served))
        assert statuses == [200] * COMMANDS + [503] * COMMANDS


async def test_readers_take_no_place_from_commands(client: httpx.AsyncClient, slow: Slow) -> None:
    ask(client, "GET", READS)
    await slow.serves(READS)
    ask(client, "POST", COMMANDS)
    await slow.serves(READS + COMMANDS)
    assert [(await client.request(method, "/x")).status_code for method in ("GET", "POST")] == [503, 503]


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
async def test_probes_always_find_a_place(client: httpx.AsyncClient, slow: Slow, path: str) -> None:
    ask(client, "GET", READS)
    ask(client, "GET", 2 * READS, path)
    await slow.serves(3 * READS)
    assert (await client.get("/x")).status_code == 503


async def test_whoever_only_waits_gives_its_one_place_back(client: httpx.AsyncClient, slow: Slow) -> None:
    ask(client, "GET", 4 * READS, "/waiting")
    await slow.serves(4 * READS)
    ask(client, "GET", READS)
    await slow.serves(5 * READS)
    assert (await client.get("/x")).status_code == 503


async def test_readers_that_wait_for_news_keep_nobody_from_reading(api: Api, service: Service) -> None:
    ana = await api.guest()
    game = await ana.create()
    path = f"/v1/games/{game['game_id']}"
    news = f"{path}?after_version={game['version']}&wait=30"
    callers = [await api.guest() for _ in range(-(-(MAX_READS + 1) // MAX_PER_PLAYER))]
    waiting = [asyncio.create_task(caller.ask("GET", news)) for caller in callers for _ in range(MAX_PER_PLAYER)]
    turns = asyncio.create_task((await api.guest()).ask("GET", "/v1/me/turns?wait=30"))
    await until(lambda: len(service.waiters) == len(waiting) + 1)
    assert (await ana.ask("GET", path)).status_code == 200
    assert not any(task.done() for task in (*waiting, turns))
    await (await api.guest()).join(game["game_id"])
    assert {(await task).json()["version"] for task in waiting} == {game["version"] + 1}
    turns.cancel()


async def test_a_request_that_fails_or_is_given_up_leaves_its_place(slow: Slow) -> None:
    places = Admission(READS, COMMANDS)
    async with client_of(EnvelopeMiddleware(slow, AllowedMethods([]), Draining(), places)) as client:
        for _ in range(READS + 1):
            given_up = ask(client, "GET", 1)[0]
            await slow.serves(1)
            given_up.cancel()
            with pytest.raises(asyncio.CancelledError):
                await given_up
            slow.serving = 0
        slow.end.set()
        assert (await client.get("/x")).status_code == 200


async def test_only_so_many_reads_are_worked_at_in_the_same_moment_and_the_others_follow(slow: Slow) -> None:
    places = Admission(READS, COMMANDS, running_reads=2)
    async with client_of(EnvelopeMiddleware(slow, AllowedMethods([]), Draining(), places)) as client:
        reads = ask(client, "GET", READS)
        await slow.serves(2)
        await asyncio.sleep(0)
        assert slow.serving == 2
        commands = ask(client, "POST", COMMANDS)
        await slow.serves(2 + COMMANDS)
        slow.end.set()
        answers = await asyncio.gather(*reads, *commands)
    assert {answer.status_code for answer in answers} == {200}
    assert places.reads.used() == 0


async def test_whoever_is_slow_to_take_an_answer_holds_up_no_other_read() -> None:
    begun, taken = asyncio.Event(), asyncio.Event()
    answered: list[str] = []

    async def app(scope: Scope, _: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        if scope["path"] == "/slow":
            begun.set()
            await taken.wait()
        answered.append(scope["path"])
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async with client_of(
        EnvelopeMiddleware(app, AllowedMethods([]), Draining(), Admission(READS, COMMANDS, running_reads=1))
    ) as client:
        slow_one = asyncio.create_task(client.get("/slow"))
        await begun.wait()
        assert (await client.get("/quick")).status_code == 200
        taken.set()
        await slow_one
    assert answered == ["/quick", "/slow"]
