"""The short way to the handlers serves as the framework's own way does."""

from typing import Any, cast

import httpx
import pytest
from litestar import get
from litestar.types import ASGIApp, Receive, Scope, Send

from service.rest.asgi import direct, framework_app
from service.rest.requests import AnyRequest
from service.rest.responses import EncodedResponse
from tests.kit.player import client_of


class Breaking:
    """An answer that fails: before it begins, or after."""

    def __init__(self, begins: bool) -> None:
        self._begins = begins

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        """Fail."""
        if self._begins:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        raise ZeroDivisionError("a secret")


@get("/plain")
async def plain() -> EncodedResponse:
    return EncodedResponse(b'"plain"')


@get("/named/{name:str}")
async def named(request: AnyRequest) -> EncodedResponse:
    return EncodedResponse(request.path_params["name"].encode())


@get("/breaking/{when:str}")
async def breaking(request: AnyRequest) -> Breaking:
    return Breaking(begins=request.path_params["when"] == "late")


@pytest.fixture
def app() -> ASGIApp:
    return direct(framework_app([plain, named, breaking]))


@pytest.mark.parametrize(
    ("path", "status", "content"),
    [
        ("/plain", 200, b'"plain"'),
        ("/named/a%20b", 200, b"a b"),
        ("/nowhere", 404, None),
        ("/breaking/early", 500, None),
    ],
)
async def test_both_ways_answer_alike(app: ASGIApp, path: str, status: int, content: bytes | None) -> None:
    async with client_of(app) as short, client_of(framework_app([plain, named, breaking])) as long:
        answers = [await client.get(path) for client in (short, long)]
    assert [answer.status_code for answer in answers] == [status] * 2
    assert answers[0].content == (answers[1].content if content is None else content)
    assert dict(answers[0].headers) == dict(answers[1].headers)
    assert "secret" not in answers[0].text


async def test_a_method_that_a_path_does_not_have_is_told_by_the_framework(app: ASGIApp) -> None:
    async with client_of(app) as client:
        response = await client.delete("/plain")
    assert (response.status_code, response.json()["code"]) == (405, "method-not-allowed")


async def test_an_answer_that_breaks_off_is_not_followed_by_another(app: ASGIApp) -> None:
    transport = httpx.ASGITransport(cast("Any", app))
    async with httpx.AsyncClient(transport=transport, base_url="http://pocha") as client:
        with pytest.raises(ZeroDivisionError):
            await client.get("/breaking/late")


async def test_the_life_of_the_process_is_told_to_the_framework(app: ASGIApp) -> None:
    messages: list[dict[str, str]] = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    sent: list[str] = []

    async def receive() -> dict[str, str]:
        return messages.pop(0)

    async def send(message: dict[str, str]) -> None:
        sent.append(message["type"])

    await cast("Any", app)({"type": "lifespan"}, receive, send)
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
