"""The server over real sockets: answers in one piece, streams at once, readers that take nothing, and its end."""

import asyncio
import signal
import threading
from typing import Any

import pytest
from litestar.types import Receive, Scope, Send

from service.application.draining import Draining
from service.rest.middleware.admission import Admission
from service.rest.middleware.envelope import AllowedMethods, EnvelopeMiddleware
from service.server import protocol, uvicorn_server
from tests.kit.raw_server import GET, HALF, HTTP, answer, hello, listen, read, read_to_end, running
from tests.kit.waiting import PATIENCE_SECONDS


@pytest.fixture(autouse=True)
def no_hurry_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the server wait for ever at its end, so that a test fails where it depends on what is cut off then."""
    monkeypatch.setattr(uvicorn_server, "_FINISH_SECONDS", 3600)


@pytest.mark.parametrize("http", HTTP)
@pytest.mark.parametrize(
    ("method", "path", "body"), [("GET", "/", b"/"), ("GET", "/204", b""), ("GET", "/304", b""), ("HEAD", "/", b"")]
)
async def test_answers_come_whole_with_and_without_a_body(http: str, method: str, path: str, body: bytes) -> None:
    async with running(hello, http=http) as server:
        reader, writer = await server.connect()
        for _ in range(2):
            writer.write(f"{method} {path} HTTP/1.1\r\nhost: x\r\n\r\n".encode())
            assert (await answer(reader, body=method != "HEAD"))[1] == body
        writer.close()


@pytest.mark.parametrize("http", HTTP)
async def test_pipelined_requests_are_answered_in_order(http: str) -> None:
    async with running(hello, http=http) as server:
        reader, writer = await server.connect()
        writer.write(b"".join(f"GET /{letter} HTTP/1.1\r\nhost: x\r\n\r\n".encode() for letter in "abcdef"))
        assert [(await answer(reader))[1] for _ in range(6)] == [f"/{letter}".encode() for letter in "abcdef"]
        writer.close()


@pytest.mark.parametrize("http", HTTP)
async def test_a_stream_shows_its_head_and_each_piece_at_once(http: str) -> None:
    steps: asyncio.Queue[bytes] = asyncio.Queue()

    async def stream(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while piece := await steps.get():
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async with running(stream, http=http) as server:
        reader, writer = await server.connect()
        writer.write(GET)
        assert (await read(reader)).startswith(b"HTTP/1.1 200")
        for piece in (b"one", b"two"):
            steps.put_nowait(piece)
            assert await read(reader) == b"3\r\n" + piece + b"\r\n"
        steps.put_nowait(b"")
        assert await read(reader) == b"0\r\n\r\n"
        writer.close()


@pytest.mark.parametrize("http", HTTP)
async def test_whole_answers_say_their_length_to_who_knows_no_chunks_as_well(http: str) -> None:
    async with running(listen, http=http) as server:
        reader, writer = await server.connect()
        writer.write(b"POST /a HTTP/1.0\r\ncontent-length: 1\r\n\r\nx")
        head, body = await answer(reader)
        assert (b"content-length: 2" in head, body) == (True, b"/a")
        assert await read(reader) == b""
        writer.close()


@pytest.mark.parametrize("http", HTTP)
async def test_a_stream_to_who_knows_no_chunks_has_none_and_ends_with_the_connection(http: str) -> None:
    async def stream(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for piece in (b"one", b"", b"three"):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"four", "more_body": False})

    async with running(stream, http=http) as server:
        reader, writer = await server.connect()
        writer.write(b"GET / HTTP/1.0\r\n\r\n")
        head, _, body = (await read_to_end(reader)).partition(b"\r\n\r\n")
        assert (b"transfer-encoding" in head.lower(), b"connection: close" in head.lower()) == (False, True)
        assert body == b"onethreefour"
        writer.close()


@pytest.mark.parametrize("http", HTTP)
@pytest.mark.parametrize("hosts", [b"", b"host: x\r\nhost: x\r\n"])
async def test_a_request_has_one_host(http: str, hosts: bytes) -> None:
    async with running(hello, http=http) as server:
        reader, writer = await server.connect()
        writer.write(b"GET / HTTP/1.1\r\n" + hosts + b"\r\n")
        assert (await read_to_end(reader)).startswith(b"HTTP/1.1 400")
        writer.close()


async def test_a_stream_whose_reader_takes_nothing_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "WRITE_SECONDS", 0.3)
    gone = asyncio.Event()

    async def flood(_scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        leaving = asyncio.ensure_future(receive())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while not leaving.done():
            await send({"type": "http.response.body", "body": b"x" * 100_000, "more_body": True})
            await asyncio.sleep(0)
        assert (await leaving)["type"] == "http.disconnect"
        gone.set()

    async with running(flood) as server:
        _, writer = await server.connect()
        writer.write(GET)
        await asyncio.wait_for(gone.wait(), PATIENCE_SECONDS)
        assert not server.server.server_state.connections
        writer.close()


@pytest.mark.parametrize("sent", [b"GET / HT", HALF])
async def test_whoever_sends_a_request_too_slowly_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.2)
    async with running(listen) as server:
        reader, writer = await server.connect()
        writer.write(GET)
        await answer(reader)
        await asyncio.sleep(0.3)  # an idle connection is not held to the time of a request
        await server.send(writer, sent)
        assert await read_to_end(reader) == b""
        writer.close()


async def test_a_request_in_pieces_is_served_and_may_take_its_time_to_be_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    timers: list[asyncio.TimerHandle] = []
    loop = asyncio.get_running_loop()
    call_later = loop.call_later

    def noting(delay: float, *arguments: Any, **more: Any) -> asyncio.TimerHandle:
        handle = call_later(delay, *arguments, **more)
        if delay == protocol.REQUEST_SECONDS:
            timers.append(handle)
        return handle

    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 3599)
    monkeypatch.setattr(loop, "call_later", noting)
    may_answer = asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await may_answer.wait()
        await listen(scope, receive, send)

    async with running(slow) as server:
        reader, writer = await server.connect()
        for piece, timed in ((GET[:5], True), (GET[5:], False), (HALF, False)):
            await server.send(writer, piece)
            assert any(not timer.cancelled() for timer in timers) == timed
        writer.write(b"x" * 99)
        may_answer.set()
        assert [(await answer(reader))[1] for _ in range(2)] == [b"/", b"/"]
        writer.close()


async def test_sigterm_announces_the_end_and_serves_on_with_answers_that_end_their_connections() -> None:
    draining = Draining()
    app = EnvelopeMiddleware(hello, AllowedMethods([]), draining, Admission())
    async with running(app, drain_seconds=3600, draining=draining) as server:
        kept, writer = await server.connect()
        writer.write(GET)
        assert b"connection: close" not in (await answer(kept))[0]
        server.server.handle_exit(signal.SIGTERM, None)
        await asyncio.wait_for(draining.wait(), PATIENCE_SECONDS)
        for reader, asking in ((kept, writer), await server.connect()):
            asking.write(GET)
            head, body = await answer(reader)
            assert body == b"/"
            assert b"connection: close" in head
            assert await read(reader) == b""
            asking.close()


@pytest.mark.parametrize("sent", [b"", b"GET / HT", GET])
async def test_what_is_idle_or_half_sent_does_not_hold_up_the_end(sent: bytes) -> None:
    async with running(listen) as server:
        reader, writer = await server.connect()
        await server.send(writer, sent)
        if sent == GET:
            await answer(reader)
        server.server.handle_exit(signal.SIGTERM, None)
        await server.ends()
        assert await read(reader) == b""
        writer.close()


async def test_what_runs_is_finished_before_the_end() -> None:
    started = asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        started.set()
        await server.draining.wait()
        await asyncio.sleep(0.3)
        await hello(scope, receive, send)

    async with running(slow) as server:
        reader, writer = await server.connect()
        writer.write(GET + GET)
        await started.wait()
        server.server.handle_exit(signal.SIGTERM, None)
        assert (await answer(reader))[1] == b"/"
        await server.ends()
        writer.close()


async def test_a_second_sigint_waits_for_nothing() -> None:
    started = asyncio.Event()

    async def endless(_scope: Scope, _receive: Receive, _send: Send) -> None:
        started.set()
        await asyncio.Event().wait()

    async with running(endless, drain_seconds=3600) as server:
        _, writer = await server.connect()
        writer.write(GET)
        await started.wait()
        server.server.handle_exit(signal.SIGINT, None)
        await server.draining.wait()
        server.server.handle_exit(signal.SIGINT, None)
        await server.ends()
        writer.close()


async def test_another_thread_can_end_it() -> None:
    async with running(hello, drain_seconds=3600) as server:
        _, writer = await server.connect()
        thread = threading.Thread(target=setattr, args=(server.server, "should_exit", True))
        thread.start()
        await server.ends()
        thread.join()
        assert server.draining.begun
        writer.close()


async def test_told_to_end_during_its_start_it_does_not_wait_for_callers() -> None:
    async with running(hello, drain_seconds=3600) as server:
        server.server.handle_exit(signal.SIGTERM, None)
        await server.ends()
