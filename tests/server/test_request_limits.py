"""The server over real sockets, against those who send too much, too slowly, or nonsense: they are cut off, and others are served."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from litestar.types import Receive, Scope, Send

from service.rest.responses import EncodedResponse
from service.server import protocol
from service.server.protocol import MOST_FIELDS, MOST_HEAD_BYTES, MOST_URL_BYTES
from tests.kit.raw_server import GET, HALF, RawServer, Streams, answer, hello, listen, read_to_end, running
from tests.kit.waiting import PATIENCE_SECONDS, until

REQUEST = b"GET /%s HTTP/1.1\r\nhost: x\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"


async def deaf(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer without taking the body."""
    await EncodedResponse(b"no", 413)(scope, receive, send)


async def names(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the names of the headers, once the body is there."""
    while (await receive()).get("more_body"):
        pass
    await EncodedResponse(b",".join(name for name, _ in scope["headers"]))(scope, receive, send)


@asynccontextmanager
async def neighbour_of(server: RawServer) -> AsyncGenerator[None]:
    """Ask all the while from another connection, and require that every answer is right, and that there are more after the block."""
    served = 0
    reader, writer = await server.connect()

    async def ask() -> None:
        nonlocal served
        while True:
            writer.write(GET)
            assert (await answer(reader))[1] == b"/"
            served += 1

    asking = asyncio.create_task(ask())
    try:
        yield
        before = served
        await until(lambda: served > before or asking.done())
        assert not asking.done(), asking.exception()
    finally:
        asking.cancel()
        writer.close()


async def send(writer: asyncio.StreamWriter, data: bytes, at_once: int = 1 << 20) -> None:
    """Send in pieces, for as long as the other end takes them."""
    for begin in range(0, len(data), at_once):
        writer.write(data[begin : begin + at_once])
        try:
            await writer.drain()
        except ConnectionError:
            return
        await asyncio.sleep(0.001)


async def require_refused(streams: Streams, status: bytes) -> None:
    """Require a bare answer, the last on its connection."""
    reader, writer = streams
    head, body = await answer(reader)
    assert head.startswith(b"http/1.1 " + status)
    assert body.startswith(status)
    assert b"connection: close" in head
    assert await read_to_end(reader) == b""
    writer.close()


def with_head_of(size: int, fields: int = 1) -> bytes:
    """Return a request whose fields, `host` included, have `size` bytes, names and values."""
    each = (size - len(b"hostx")) // fields
    lines = b"".join(b"a: " + b"x" * (each - 1) + b"\r\n" for _ in range(fields))
    return REQUEST % b"" + lines + b"\r\n"


TOO_MUCH = {
    "a header of 100 kB": (with_head_of(100_000), b"431"),
    "a header of 10 MB": (with_head_of(10_000_000), b"431"),
    "one byte too many": (with_head_of(MOST_HEAD_BYTES + 1), b"431"),
    "1,000 headers": (REQUEST % b"" + b"a: b\r\n" * 1000 + b"\r\n", b"431"),
    "100,000 headers": (REQUEST % b"" + b"a: b\r\n" * 100_000 + b"\r\n", b"431"),
    "one header too many": (REQUEST % b"" + b"a: b\r\n" * MOST_FIELDS + b"\r\n", b"431"),
    "headers without end": (REQUEST % b"" + b"a: " + b"x" * 200_000, b"431"),
    "a trailer of 1,000 fields": (CHUNKED + b"0\r\n" + b"a: b\r\n" * 1000 + b"\r\n", b"431"),
    "an address of 70 kB": (REQUEST % (b"x" * 70_000) + b"\r\n", b"414"),
    "an address one byte too long": (REQUEST % (b"x" * MOST_URL_BYTES) + b"\r\n", b"414"),
    "an address without end": (b"GET /" + b"x" * 200_000, b"414"),
    "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01" * 10, b"400"),
    "a length and chunks": (HALF.replace(b"\r\n\r\n", b"\r\ntransfer-encoding: chunked\r\n\r\n"), b"400"),
    "two lengths": (HALF.replace(b"\r\n\r\n", b"\r\ncontent-length: 5\r\n\r\n"), b"400"),
    "a broken chunk": (CHUNKED + b"zz\r\n", b"400"),
    "a chunk of another length": (CHUNKED + b"3\r\nabcdef\r\n", b"400"),
    "a space before the colon": (b"GET / HTTP/1.1\r\nhost : x\r\n\r\n", b"400"),
    "no host": (b"GET / HTTP/1.1\r\n\r\n", b"400"),
    "two hosts": (b"GET / HTTP/1.1\r\nhost: x\r\nhost: x\r\n\r\n", b"400"),
    "a wish for a proxy": (b"CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n", b"400"),
    "a bare line feed": (b"GET / HTTP/1.1\nhost: x\n\n", b"400"),
}


@pytest.mark.parametrize("at_once", [1 << 20, 1000], ids=["at once", "in pieces"])
@pytest.mark.parametrize("what", TOO_MUCH)
async def test_too_much_and_nonsense_are_refused_and_nobody_else_notices(what: str, at_once: int) -> None:
    sent, status = TOO_MUCH[what]
    async with running(listen) as server, neighbour_of(server):
        streams = await server.connect()
        sending = asyncio.create_task(send(streams[1], sent, at_once))
        await require_refused(streams, status)
        await sending


async def test_what_is_too_much_in_two_ways_is_refused_once() -> None:
    async with running(listen) as server:
        streams = await server.connect()
        await server.send(streams[1], b"GET /")
        streams[1].write(b"x" * (MOST_HEAD_BYTES + MOST_URL_BYTES))
        await require_refused(streams, b"414")


@pytest.mark.parametrize("at_once", [1 << 20, 1000], ids=["at once", "in pieces"])
@pytest.mark.parametrize(
    "sent",
    [
        with_head_of(MOST_HEAD_BYTES - 500, 10),
        REQUEST % b"" + b"a: b\r\n" * (MOST_FIELDS - 1) + b"\r\n",
        REQUEST % (b"x" * (MOST_URL_BYTES - 1)) + b"\r\n",
    ],
    ids=["head", "fields", "address"],
)
async def test_what_just_fits_is_served_again_and_again(sent: bytes, at_once: int) -> None:
    async with running(listen) as server:
        reader, writer = await server.connect()
        for _ in range(3):
            await send(writer, sent, at_once)
            assert (await answer(reader))[0].startswith(b"http/1.1 200")
        writer.close()


async def test_a_large_body_just_before_is_no_part_of_the_next_head() -> None:
    body = b"x" * 60_000
    whole = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 60000\r\n\r\n" + body
    async with running(listen) as server:
        reader, writer = await server.connect()
        writer.write(whole + GET[:10])
        await answer(reader)
        await server.send(writer, GET[10:20], GET[20:])
        assert (await answer(reader))[1] == b"/"
        writer.close()


@pytest.mark.parametrize(
    "refused",
    [with_head_of(100_000), b"GET / HTTP/1.1\r\n\r\n", REQUEST % b"\xff" + b"\r\n"],
    ids=["too much", "no host", "an odd path"],
)
async def test_what_came_before_is_answered_before_the_refusal_ends_the_connection(refused: bytes) -> None:
    allowed = asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await allowed.wait()
        await hello(scope, receive, send)

    async with running(slow) as server:
        reader, writer = await server.connect()
        await server.send(writer, REQUEST % b"a" + b"\r\n" + REQUEST % b"b" + b"\r\n" + refused)
        allowed.set()
        assert [(await answer(reader))[1] for _ in range(2)] == [b"/a", b"/b"]
        assert await read_to_end(reader) == b""
        writer.close()


@pytest.mark.parametrize("before", [b"", REQUEST % b"a" + b"\r\n"], ids=["alone", "after another"])
async def test_a_body_that_turns_out_to_be_nonsense_is_answered_once_at_most(before: bytes) -> None:
    """The handler may be about to answer as well; two answers to one request would be taken for those of two."""

    refused = asyncio.Event()

    async def hasty(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/":
            await refused.wait()
        await hello(scope, receive, send)

    async with running(hasty) as server:
        reader, writer = await server.connect()
        await server.send(writer, before + CHUNKED, b"nonsense\r\n")
        refused.set()
        assert (await read_to_end(reader)).count(b"HTTP/1.1") <= 1 + bool(before)
        writer.close()


async def test_a_body_that_turns_out_to_be_nonsense_under_its_answer_breaks_that_off() -> None:
    async def echo(_scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        more = True
        while more:
            message: Any = await receive()
            more = message.get("more_body", False)
            await send({"type": "http.response.body", "body": message.get("body", b""), "more_body": more})

    async with running(echo) as server:
        reader, writer = await server.connect()
        writer.write(CHUNKED + b"3\r\nabc\r\n")
        assert (await asyncio.wait_for(reader.readuntil(b"abc\r\n"), PATIENCE_SECONDS)).startswith(b"HTTP/1.1 200")
        writer.write(b"nonsense\r\n")
        assert await read_to_end(reader) == b""
        writer.close()


async def test_a_trailer_does_not_pass_for_headers() -> None:
    async with running(names) as server:
        reader, writer = await server.connect()
        writer.write(CHUNKED + b"1\r\nx\r\n0\r\nauthorization: Bearer stolen\r\nx-forwarded-for: 1.2.3.4\r\n\r\n")
        assert (await answer(reader))[1] == b"host,transfer-encoding"
        writer.close()


DRIPS = {
    "a field": (REQUEST % b"" + b"a: ", b"x"),
    "fields": (REQUEST % b"", b"a: b\r\n"),
    "an address": (b"GET /", b"x"),
    "a body": (HALF, b"x"),
    "chunks": (CHUNKED, b"1\r\nx\r\n"),
    "a trailer": (CHUNKED + b"0\r\n", b"a: b\r\n"),
    "nothing at all": (b"", b"\r\n"),
}


MOST_DRIPS = 80
"""Fewer than make a request whole, or too large."""


@pytest.mark.parametrize("what", DRIPS)
async def test_a_request_that_drips_in_is_cut_off_and_nobody_else_notices(
    monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.3)
    first, drop = DRIPS[what]
    async with running(listen) as server, neighbour_of(server):
        reader, writer = await server.connect()
        writer.write(first)
        for _ in range(MOST_DRIPS):
            await asyncio.sleep(0.01)
            if writer.is_closing():
                break
            writer.write(drop)
        assert (
            await read_to_end(reader) == b""
        )  # an answer, or a refusal, would say that it was taken for whole, or for too much
        writer.close()


async def test_a_hundred_drips_at_once_hold_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.5)
    async with running(listen) as server, neighbour_of(server):
        dripping = [await server.connect() for _ in range(100)]
        for number, (_, writer) in enumerate(dripping):
            writer.write(HALF if number % 2 else GET[:-2])
        assert [await read_to_end(reader) for reader, _ in dripping] == [b""] * 100
        for _, writer in dripping:
            writer.close()


@pytest.mark.parametrize("sent", [b"", GET])
async def test_an_idle_connection_is_closed_before_and_after_a_request(sent: bytes) -> None:
    async with running(listen) as server:
        server.server.config.timeout_keep_alive = 0.2  # pyright: ignore[reportAttributeAccessIssue] - any number will do
        reader, writer = await server.connect()
        writer.write(sent)
        if sent:
            await answer(reader)
        assert await read_to_end(reader) == b""
        writer.close()


async def test_a_body_that_goes_on_after_its_answer_has_no_more_time_than_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.3)
    async with running(deaf) as server:
        reader, writer = await server.connect()
        writer.write(CHUNKED)
        assert (await answer(reader))[0].startswith(b"http/1.1 413")
        while not writer.is_closing():
            await send(writer, b"10000\r\n" + b"x" * 65536 + b"\r\n")


async def test_a_body_that_is_refused_unread_leaves_its_connection_in_order() -> None:
    async with running(deaf) as server:
        reader, writer = await server.connect()
        for _ in range(3):
            writer.write(CHUNKED + b"10000\r\n" + b"x" * 65536 + b"\r\n0\r\n\r\n")
            assert (await answer(reader))[0].startswith(b"http/1.1 413")
        writer.close()


async def test_who_takes_nothing_of_an_answer_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "WRITE_SECONDS", 0.3)

    async def large(scope: Scope, receive: Receive, send: Send) -> None:
        await EncodedResponse(b"x" * 20_000_000)(scope, receive, send)

    async with running(large) as server:
        _, writer = await server.connect()
        writer.write(GET)
        await until(lambda: not server.server.server_state.connections)
        writer.close()


async def test_ten_thousand_requests_in_a_row_are_answered_in_order_and_nobody_else_notices() -> None:
    async with running(hello) as server, neighbour_of(server):
        reader, writer = await server.connect()
        sending = asyncio.create_task(
            send(writer, b"".join(REQUEST % b"n%d" % n + b"\r\n" for n in range(10_000, 20_000)))
        )
        for number in range(10_000, 20_000):
            assert (await answer(reader))[1] == b"/n%d" % number
        await sending
        writer.close()
