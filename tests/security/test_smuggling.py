"""Request smuggling: what two readers could take for two different requests is refused, and nothing hidden in it is served."""

from typing import Any

import pytest
from litestar.types import Receive, Scope, Send

from service.server import protocol
from tests.kit.raw_server import HTTP, RawServer, Streams, hello, read_to_end, running

HIDDEN = b"GET /hidden HTTP/1.1\r\nhost: x\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nhost: x\r\n"
AMBIGUOUS = {
    "two ways to tell the length": POST + b"content-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
    "the same the other way round": POST + b"transfer-encoding: chunked\r\ncontent-length: 6\r\n\r\n0\r\n\r\n" + HIDDEN,
    "two lengths": POST + b"content-length: 0\r\ncontent-length: 34\r\n\r\n" + HIDDEN,
    "a length that is none": POST + b"content-length: +0\r\n\r\n" + HIDDEN,
    "a length below nothing": POST + b"content-length: -1\r\n\r\n" + HIDDEN,
    "two lengths in one field": POST + b"content-length: 0, 34\r\n\r\n" + HIDDEN,
    "chunks within something else": POST + b"transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n" + HIDDEN,
    "a space before the colon": POST + b"content-length : 34\r\n\r\n" + HIDDEN,
    "a field that goes on in the next line": POST + b"x-one: 1\r\n content-length: 34\r\n\r\n" + HIDDEN,
    "a zero byte": POST + b"x-one: a\x00b\r\n\r\n" + HIDDEN,
    "a carriage return alone": POST + b"x-one: a\rcontent-length: 34\r\n\r\n" + HIDDEN,
    "a tunnel": b"CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n" + HIDDEN,
    "a tunnel with a body": b"CONNECT x:443 HTTP/1.1\r\nhost: x\r\ncontent-length: 34\r\n\r\n" + HIDDEN,
    "two lengths and another protocol": POST
    + b"connection: upgrade\r\nupgrade: h2c\r\ncontent-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
    + HIDDEN,
    "a chunk with a wrong length": POST + b"transfer-encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n" + HIDDEN,
}


async def answers(streams: Streams, sent: bytes) -> bytes:
    """Send, and return all that comes until the other end closes."""
    reader, writer = streams
    writer.write(sent)
    came = await read_to_end(reader)
    writer.close()
    return came


@pytest.mark.parametrize("sent", AMBIGUOUS.values(), ids=AMBIGUOUS.keys())
async def test_what_could_be_read_in_two_ways_is_refused_and_ends_the_connection(sent: bytes) -> None:
    async with running(hello) as server:
        came = await answers(await server.connect(), sent)
        assert came.startswith(b"HTTP/1.1 400")
        assert b"/hidden" not in came
        assert came.count(b"HTTP/1.1 ") == 1


class Recording:
    """An app that keeps what reaches it: method, path, body."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, str, bytes]] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body, more = b"", True
        while more:
            message: Any = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        asked: Any = scope
        self.ran.append((asked["method"], asked["path"], body))
        await hello(scope, receive, send)


WISH = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: %s\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n"
LAST = b"GET /last HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
BEFORE = b"GET /before HTTP/1.1\r\nhost: x\r\n\r\n"
BODY = b"\r\n" * 3 + HIDDEN
WAYS = {
    "length": (b"Content-Length: %d\r\n\r\n" % len(BODY), BODY),
    "chunked": (b"Transfer-Encoding: chunked\r\n\r\n", b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)),
}


async def all_answers(server: RawServer, *pieces: bytes) -> bytes:
    """Send `pieces`, each to be read apart, and return all that comes until the other end closes."""
    reader, writer = await server.connect()
    await server.send(writer, *pieces)
    came = await read_to_end(reader)
    writer.close()
    return came


@pytest.mark.parametrize("http", HTTP)
@pytest.mark.parametrize("other", [b"h2c", b"websocket", b"anything"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("place", ["at once", "apart", "in small pieces", "after another", "after another, apart"])
async def test_the_body_of_who_asks_for_another_protocol_is_a_body(
    http: str, other: bytes, way: str, place: str, caplog: pytest.LogCaptureFixture
) -> None:
    rest_of_head, body = WAYS[way]
    head = POST + WISH % other + rest_of_head
    sent, expected = {
        "at once": ((head + body + LAST,), "a l"),
        "apart": ((head, body, LAST), "a l"),
        "in small pieces": (
            (head[:50], head[50:-3], head[-3:-1], head[-1:] + body[:1], body[1:-1], body[-1:] + LAST),
            "a l",
        ),
        "after another": ((BEFORE + head + body + head + body + LAST,), "b a a l"),
        "after another, apart": ((BEFORE + head[:-2], head[-2:] + body[:9], body[9:], LAST), "b a l"),
    }[place]
    app = Recording()
    async with running(app, http=http) as server:
        came = await all_answers(server, *sent)
    requests = {"a": ("POST", "/", BODY), "b": ("GET", "/before", b""), "l": ("GET", "/last", b"")}
    assert app.ran == [requests[letter] for letter in expected.split()]
    assert came.count(b"HTTP/1.1 200") == came.count(b"HTTP/1.1 ") == len(app.ran)
    assert http == "h11" or not caplog.records


@pytest.mark.parametrize("http", HTTP)
async def test_a_large_body_of_who_asks_for_another_protocol_is_a_body(http: str) -> None:
    body = b"\r\n" * 100_000 + b"GET /hidden HTTP/1.1\r\nx-swallow: "
    app = Recording()
    async with running(app, http=http) as server:
        head = POST + WISH % b"h2c" + b"Content-Length: %d\r\n\r\n" % len(body)
        await all_answers(server, head + body, LAST)
    assert app.ran == [("POST", "/", body), ("GET", "/last", b"")]


@pytest.mark.parametrize("http", HTTP)
async def test_nothing_hidden_is_served_where_the_body_is_answered_unread(http: str) -> None:
    paths: list[str] = []

    async def deaf(scope: Scope, receive: Receive, send: Send) -> None:
        paths.append(scope["path"])
        await hello(scope, receive, send)

    async with running(deaf, http=http) as server:
        for rest_of_head, body in WAYS.values():
            await all_answers(server, POST + WISH % b"h2c" + rest_of_head, body, LAST)
    assert paths == ["/", "/last"] * 2


@pytest.mark.parametrize("http", HTTP)
@pytest.mark.parametrize("together", [True, False])
async def test_who_asks_for_another_protocol_without_a_body_is_answered(http: str, together: bool) -> None:
    asking = b"GET /asking HTTP/1.1\r\nhost: x\r\n" + WISH % b"h2c" + b"\r\n"
    app = Recording()
    async with running(app, http=http) as server:
        sent = asking + asking + LAST
        await all_answers(server, *([sent] if together else [asking, asking, LAST]))
    assert [path for _, path, _ in app.ran] == ["/asking", "/asking", "/last"]


async def test_a_thousand_wishes_at_once_are_all_answered() -> None:
    asking = b"GET /asking HTTP/1.1\r\nhost: x\r\n" + WISH % b"h2c" + b"\r\n"
    app = Recording()
    async with running(app) as server:
        came = await answers(await server.connect(), asking * 1000 + LAST)
    assert came.count(b"HTTP/1.1 200") == len(app.ran) == 1001


async def test_a_body_after_a_wish_has_its_time_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.2)
    app = Recording()
    async with running(app) as server:
        assert await all_answers(server, POST + WISH % b"h2c" + b"content-length: 9\r\n\r\nx") == b""
    assert len(app.ran) <= 1  # an app learns that its caller has gone
