"""HTTP/1.1 on one connection: uvicorn's httptools protocol, with limits, and without upgrades."""

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, cast

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from typing_extensions import override
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

MOST_URL_BYTES = 8 * 1024
MOST_HEAD_BYTES = 32 * 1024
MOST_FIELDS = 100
REQUEST_SECONDS = 10.0  # from the first byte of a request to its last
WRITE_SECONDS = 10.0  # without reading anything of a response that fills the send buffers
LINGER_SECONDS = 1.0  # for a client that is still sending to read why it is refused


class Protocol(HttpToolsProtocol):
    """Limits the size and the time of requests and responses; serves a request for an upgrade as if it asked for none."""

    _refusal = HTTPStatus.BAD_REQUEST
    _is_refused = _in_request = _in_head = _is_new = False
    _fields = _field_bytes = _piece_bytes = 0
    _request_timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None
    _running: RequestResponseCycle | None = None

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_request_timer()
        self.resume_writing()
        self._unset_keepalive_if_required()
        super().connection_lost(exc)
        if self._running is not None:  # uvicorn tells only the last one of pipelined requests
            self._running.disconnected = True
            self._running.message_event.set()

    @override
    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        cycle.transport = cast("asyncio.Transport", _JoinedHead(self.transport, self.loop))
        if cycle.scope["http_version"] == "1.0":
            app = _without_chunks(app, cycle)
        super()._start_asgi_task(cycle, _leaving_no_body(app, cycle))

    @override
    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        self._unset_keepalive_if_required()
        self._is_new = False
        try:
            self._feed(data)
            if self._in_head and not self._is_new:  # an unfinished field is not counted yet, but its pieces are
                self._piece_bytes += len(data)
                self._limit(self._piece_bytes, MOST_HEAD_BYTES)
        except HttpParserError:
            self._refuse()  # not logged: any client could fill the log
            return
        # Most requests come in one piece and need no timer; nothing is read of one that is queued behind another.
        if self.pipeline or not (self._in_request or not self.cycle or self.cycle.response_complete):
            self._stop_request_timer()
        elif self._request_timer is None:
            self._request_timer = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _feed(self, data: bytes) -> None:
        """Parse `data`. `curl --http2` and Java ask for an upgrade to HTTP/2, which a server may ignore (RFC 9110, 7.8).

        httptools takes what follows such a head, even its body, for no HTTP, and would next parse the body as requests: so a new parser
        gets the head without its `Upgrade`.
        """
        rest = memoryview(data)
        while True:
            try:
                self.parser.feed_data(rest)
            except HttpParserUpgrade as upgrade:
                rest = rest[upgrade.args[0] :]
                first = b"%s %s HTTP/%s" % (self.parser.get_method(), self.url, self.parser.get_http_version().encode())
                fields = [b"%s: %s" % field for field in self.headers if field[0] != b"upgrade"]
                self.parser = HttpRequestParser(self)
                self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn does
                self.parser.feed_data(b"\r\n".join((first, *fields, b"\r\n")))
            else:
                return

    @override
    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_request = self._in_head = self._is_new = True
        self._fields = self._field_bytes = self._piece_bytes = 0

    @override
    def on_url(self, url: bytes) -> None:
        self._limit(len(self.url) + len(url), MOST_URL_BYTES, HTTPStatus.REQUEST_URI_TOO_LONG)
        super().on_url(url)

    @override
    def on_header(self, name: bytes, value: bytes) -> None:
        self._fields += 1
        self._field_bytes += len(name) + len(value)
        self._limit(self._fields, MOST_FIELDS)
        self._limit(self._field_bytes, MOST_HEAD_BYTES)
        if self._in_head:  # uvicorn would take trailer fields for headers
            super().on_header(name, value.rstrip(b" \t"))  # no blank at the end is of the value (RFC 9110, 5.5)

    @override
    def on_headers_complete(self) -> None:
        if self.parser.should_upgrade():
            if self.parser.get_method() == b"CONNECT":
                raise HttpParserError("not a proxy")
            return  # `_feed` parses the head again
        hosts = sum(name == b"host" for name, _ in self.headers)
        if hosts > 1 or (not hosts and self.parser.get_http_version() == "1.1"):
            raise HttpParserError("not one Host (RFC 9112, 3.2)")
        if self.parser.get_http_version() == "1.0":
            self.expect_100_continue = False  # such a client knows of no 100 (RFC 9110, 10.1.1)
        super().on_headers_complete()
        self._in_head = False

    @override
    def on_message_complete(self) -> None:
        if not self.parser.should_upgrade():
            super().on_message_complete()
            self._in_request = False

    @override
    def pause_writing(self) -> None:
        super().pause_writing()
        self._write_timer = self.loop.call_later(WRITE_SECONDS, self.transport.abort)

    @override
    def resume_writing(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
        super().resume_writing()

    @override
    def timeout_keep_alive_handler(self) -> None:
        self.transport.abort()  # `close` would wait for a client that reads nothing

    def _limit(self, size: int, most: int, status: HTTPStatus = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE) -> None:
        if size > most:
            self._refusal = status
            raise HttpParserError("too large")

    def _refuse(self) -> None:
        """Send a bare status after the responses that are due, if the request has none yet; read nothing more."""
        self._is_refused = True
        self._stop_request_timer()
        if self.cycle and not self.cycle.response_complete:
            if self._in_head:
                self.cycle.keep_alive = False  # the response of an earlier request ends the connection
                return
            if self.cycle.response_started or self.pipeline:
                self.transport.close()
                return
            self.cycle.disconnected = True  # for the app, the client has gone
            self.cycle.message_event.set()
        text = f"{self._refusal.value} {self._refusal.phrase}"
        head = f"content-type: text/plain\r\ncontent-length: {len(text)}\r\nconnection: close"
        self.transport.write(f"HTTP/1.1 {text}\r\n{head}\r\n\r\n{text}".encode())
        self.transport.write_eof()
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def _stop_request_timer(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None


def _leaving_no_body(app: Any, cycle: RequestResponseCycle) -> Any:
    """Return an app that leaves no body unread on its connection, where it could pass for the next request.

    A client that is refused before its `100 Continue` may send its body or not, so its connection ends. Before a connection ends, what is
    left of the body is read: the kernel would answer it with a reset, and the client might never read the response.
    """

    async def serve(scope: Any, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
        if not cycle.more_body and not cycle.waiting_for_100_continue:  # as nearly always: all of it has arrived
            await app(scope, receive, send)
            return
        is_held = False

        async def send_and_hold(message: Any) -> None:
            nonlocal is_held
            if cycle.waiting_for_100_continue:
                cycle.keep_alive = False
            is_last = message["type"] == "http.response.body" and not message.get("more_body", False)
            if is_last and cycle.more_body and not cycle.keep_alive:
                is_held = True
                message = {**message, "more_body": True}
            await send(message)

        await app(scope, receive, send_and_hold)
        if is_held:
            while cycle.more_body and (await receive())["type"] == "http.request":
                pass
            await send({"type": "http.response.body"})

    return serve


def _without_chunks(app: Any, cycle: RequestResponseCycle) -> Any:
    """Return an app whose streams end with their connection, without chunks: a client of HTTP/1.0 knows of none (RFC 9112, 6.1)."""

    async def serve(scope: Any, receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
        is_stream = False

        async def send_bare(message: Any) -> None:
            nonlocal is_stream
            if message["type"] == "http.response.start":
                is_stream = not any(name.lower() == b"content-length" for name, _ in message.get("headers", ()))
            if is_stream:  # uvicorn takes each piece for all that was announced
                cycle.chunked_encoding = False
                cycle.expected_content_length = len(message.get("body", b""))
            await send(message)

        await app(scope, receive, send_bare)

    return serve


class _JoinedHead:
    """The transport of one response. It writes the head together with what follows at once: one system call less, and one packet."""

    __slots__ = ("_head", "_loop", "_transport", "is_closing")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._head: bytes | None = None
        self._loop = loop
        self._transport = transport
        self.is_closing = transport.is_closing

    def write(self, data: bytes) -> None:
        if self._head is None:
            self._head = data
            self._loop.call_soon(self._flush)  # a stream may send nothing more for a while
        elif self._head:
            head, self._head = self._head, b""
            self._transport.write(head + data)
        else:
            self._transport.write(data)

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        head, self._head = self._head, b""
        if head and not self.is_closing():
            self._transport.write(head)
