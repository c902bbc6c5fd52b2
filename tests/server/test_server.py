"""The server over real sockets: answers in one piece, streams at once, readers that take nothing, and its end."""

import asyncio
import contextlib
import signal
import socket
import threading
from typing import Any

import pytest
from litestar.types import Receive, Scope, Send

from service.application.draining import Draining
from service.rest.middleware.admission import Admission
from service.rest.middleware.envelope import AllowedMethods, EnvelopeMiddleware
from service.rest.scope import cut_off
from service.server import protocol, uvicorn_server
from service.server.transport import JoiningTransport
from service.server.uvicorn_server import Server
from tests.kit.raw_server import GET, HALF, HTTP, answer, hello, listen, read, read_to_end, running
from tests.kit.waiting import PATIENCE_SECONDS


class Recorder(asyncio.Transport):
    """The socket's side of a transport: keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[bytes] = []
        self.ended = ""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Keep it."""
        assert not self.ended
        self.writes.append(bytes(data))

    def is_closing(self) -> bool:
        """Tell what was kept."""
        return bool(self.ended)

    def close(self) -> None:
        """Keep that too."""
        self.ended = "closed"

    def abort(self) -> None:
        """Keep that too."""
        self.ended = "aborted"


async def test_what_is_written_in_one_turn_is_sent_together() -> None:
    beneath = Recorder()
    joining = JoiningTransport(beneath, asyncio.get_running_loop())
    joining.write(b"head ")
    joining.write(b"body")
    assert beneath.writes == []
    await asyncio.sleep(0)
    joining.write(b"next")
    await asyncio.sleep(0)
    assert beneath.writes == [b"head body", b"next"]


async def test_a_large_write_is_not_held_back_and_nothing_is_sent_twice() -> None:
    beneath = Recorder()
    joining = JoiningTransport(beneath, asyncio.get_running_loop())
    joining.write(b"head")
    joining.write(b"x" * 65536)
    assert beneath.writes == [b"head" + b"x" * 65536]
    joining.write(b"more")
    joining.close()
    await asyncio.sleep(0)
    assert beneath.writes[1:] == [b"more"]
    assert beneath.ended == "closed"


async def test_nothing_is_sent_after_an_abort() -> None:
    beneath = Recorder()
    joining = JoiningTransport(beneath, asyncio.get_running_loop())
    joining.write(b"too late")
    joining.abort()
    await asyncio.sleep(0)
    joining.write(b"later still")
    await asyncio.sleep(0)
    assert (beneath.writes, beneath.ended) == ([], "aborted")


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
@pytest.mark.parametrize("method", [b"GET", b"HEAD"])
async def test_who_knows_no_chunks_is_sent_none_and_the_end_of_the_connection_is_that_of_the_answer(
    http: str, method: bytes
) -> None:
    async def stream(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for piece in (b"one", b"", b"three"):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async with running(stream, http=http) as server:
        reader, writer = await server.connect()
        writer.write(method + b" / HTTP/1.0\r\nconnection: keep-alive\r\n\r\n")
        head, _, body = (await read_to_end(reader)).lower().partition(b"\r\n\r\n")
        assert b"transfer-encoding" not in head
        assert b"connection: close" in head
        assert body == (b"onethree" if method == b"GET" else b"")
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
@pytest.mark.parametrize("hosts", [b"", b"host: x\r\nhost: x\r\n"])
async def test_a_request_has_one_host(http: str, hosts: bytes) -> None:
    async with running(hello, http=http) as server:
        reader, writer = await server.connect()
        writer.write(b"GET / HTTP/1.1\r\n" + hosts + b"\r\n")
        assert (await read_to_end(reader)).startswith(b"HTTP/1.1 400")
        writer.close()


async def test_a_reader_that_takes_nothing_pauses_the_writer_and_can_be_cut_off() -> None:
    sent = 0
    cut = asyncio.Event()

    async def flood(scope: Scope, _receive: Receive, send: Send) -> None:
        nonlocal sent
        await send({"type": "http.response.start", "status": 200, "headers": []})
        with contextlib.suppress(TimeoutError):
            while sent < 1000:
                async with asyncio.timeout(0.5):
                    await send({"type": "http.response.body", "body": b"x" * 100_000, "more_body": True})
                sent += 1
        cut_off(scope)
        cut.set()

    async with running(flood) as server:
        reader, writer = await server.connect()
        writer.write(GET)
        await asyncio.wait_for(cut.wait(), PATIENCE_SECONDS)
        assert sent < 1000
        with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
            await asyncio.wait_for(reader.readexactly(1001 * 100_000), PATIENCE_SECONDS)
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


async def test_where_no_connection_can_be_cut_off_nothing_happens() -> None:
    async def cutting(scope: Scope, receive: Receive, send: Send) -> None:
        cut_off(scope)
        await hello(scope, receive, send)

    async with running(cutting, http="h11") as server:
        reader, writer = await server.connect()
        writer.write(GET)
        assert (await answer(reader))[1] == b"/"
        writer.close()


async def test_sigterm_announces_the_end_and_serves_on_with_answers_that_end_their_connections() -> None:
    draining = Draining()
    app = EnvelopeMiddleware(hello, AllowedMethods({}), draining, Admission())
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


@pytest.mark.parametrize("sent", [b"", b"GET / HT", HALF, GET])
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


def test_a_taken_address_is_told_with_its_settings() -> None:
    async def serve(port: int) -> Any:
        await Server(hello, "127.0.0.1", port, print, Draining(), 0).serve()

    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(OSError, match="POCHA_HOST, POCHA_PORT"):
        asyncio.run(serve(taken.getsockname()[1]))
