"""Requests that are refused before their body is read: nothing of the body passes for a request, and the answer reaches the client."""

import asyncio
from typing import Any

import pytest
from litestar.types import Receive, Scope, Send

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.rest.requests import MAX_BODY_BYTES
from service.rest.responses import EncodedResponse
from service.server import protocol
from tests.kit.raw_server import HTTP, Streams, answer, listen, read, read_to_end, running
from tests.kit.waiting import until

EXPECTING = b"POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: %d\r\n\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
HIDDEN = b"GET /hidden HTTP/1.1\r\nhost: x\r\n\r\n"


class Deaf:
    """An app that refuses every body unread, and notes what it is asked for."""

    def __init__(self) -> None:
        self.paths: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.paths.append(scope["path"])
        await EncodedResponse(b"no", 413)(scope, receive, send)


async def refusal(streams: Streams) -> bytes:
    """Return the head of an answer that ends its connection, which the client closes then."""
    reader, writer = streams
    head, body = await answer(reader)
    assert (head.startswith(b"http/1.1 413"), body) == (True, b"no")
    writer.write_eof()
    assert await read_to_end(reader) == b""
    writer.close()
    return head


@pytest.mark.parametrize("http", HTTP)
async def test_a_client_of_http_1_0_is_told_no_100(http: str) -> None:
    async with running(listen, http=http) as server:
        reader, writer = await server.connect()
        await server.send(writer, EXPECTING.replace(b"1.1", b"1.0") % 1)
        writer.write(b"x")
        assert (await answer(reader))[0].startswith(b"http/1.1 200")
        writer.close()


@pytest.mark.parametrize("field", [b"expect: 100-continue", b"Expect:100-Continue \t"])
async def test_a_client_that_waits_for_a_100_gets_it_and_keeps_its_connection(field: bytes) -> None:
    async with running(listen) as server:
        reader, writer = await server.connect()
        for _ in range(2):
            writer.write(EXPECTING.replace(b"expect: 100-continue", field) % 1)
            assert await read(reader) == CONTINUE
            writer.write(b"x")
            assert b"connection: close" not in (await answer(reader))[0]
        writer.close()


@pytest.mark.parametrize("sent", [b"", HIDDEN, b"x" * 99, HIDDEN * 2], ids=["nothing", "request", "body", "both"])
async def test_whoever_is_refused_before_the_100_may_send_the_body_or_not(sent: bytes) -> None:
    """Of the kind: a refused upload whose body would be read as the next request, or the next request as its body."""
    app = Deaf()
    async with running(app) as server:
        streams = await server.connect()
        streams[1].write(EXPECTING % min(len(sent) or 99, 99))
        await until(lambda: app.paths)
        streams[1].write(sent)
        assert b"connection: close" in await refusal(streams)
    assert app.paths == ["/"]


@pytest.mark.parametrize("last", [b"HTTP/1.0\r\nhost: x", b"HTTP/1.1\r\nhost: x\r\nconnection: close"])
async def test_whoever_is_still_sending_reads_the_refusal(last: bytes) -> None:
    """A connection that ended at once would be reset, and the answer lost on its way."""
    size = 5_000_000
    app = Deaf()
    async with running(app) as server:
        reader, writer = await server.connect()
        writer.write(b"POST / %s\r\ncontent-length: %d\r\n\r\n" % (last, size))
        await until(lambda: app.paths)
        await server.send(writer, b"x" * size)
        await refusal((reader, writer))


async def test_a_refused_upload_that_does_not_go_on_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.2)
    async with running(Deaf()) as server:
        reader, writer = await server.connect()
        writer.write(EXPECTING % 99)
        await answer(reader)
        assert await read_to_end(reader) == b""
        writer.close()


@pytest.mark.parametrize("http", HTTP)
@pytest.mark.parametrize("expecting", [b"", b"expect: 100-continue\r\n"])
@pytest.mark.parametrize("length", [MAX_BODY_BYTES + 1, 10**18])
async def test_a_body_that_is_announced_as_too_large_is_not_waited_for(
    http: str, expecting: bytes, length: int
) -> None:
    service = Service(MemoryStore(), SystemClock(), SeededShuffler(), b"a secret of 32 bytes or more, for a test")
    head = b"POST /v1/players HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n%scontent-length: %d\r\n\r\n"
    async with running(service.asgi, http=http) as server:
        reader, writer = await server.connect()
        writer.write(head % (expecting, length))
        first, problem = await answer(reader)
        assert first.startswith(b"http/1.1 413")
        assert b'"too-large"' in problem
        writer.close()


async def test_an_upload_that_ends_in_the_middle_disturbs_nobody() -> None:
    seen: list[Any] = []

    async def reading(scope: Scope, receive: Receive, send: Send) -> None:
        await EncodedResponse(b"no", 413, headers={"Connection": "close"})(scope, receive, send)
        seen.append(scope["path"])

    async with running(reading) as server:
        _, writer = await server.connect()
        writer.write(EXPECTING.replace(b"expect: 100-continue\r\n", b"") % 99)
        await until(lambda: seen)
        writer.transport.abort()
        await until(lambda: not server.server.server_state.connections)
        await asyncio.sleep(0)
        assert not server.server.server_state.tasks
