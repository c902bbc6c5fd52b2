"""One connection, as our server speaks HTTP/1.1 on it: uvicorn's way by httptools, made to answer fast, to stream, to drain, and to endure.

What endures: a request has its time and its size, and so have an idle connection and one whose other end takes no answer.
"""

import asyncio
from typing import Any

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from service.server.request_limits import RequestLimits, TooMuch
from service.server.transport import ABORT, JoiningTransport

REQUEST_SECONDS = 10.0
"""How long a request may be on its way, from its first byte to its last. Whoever sends more slowly would hold a place for nothing."""
ANSWER_SECONDS = 30.0
"""How long the other end may take nothing of an answer that is too large for the buffers in between."""
LINGER_SECONDS = 1.0
"""How long a connection is held open after a refusal, so that whoever is still sending gets to read it."""


class Protocol(HttpToolsProtocol):
    """Sends an answer in one piece, takes only so much of a request and for so long; each request finds `ABORT` in its scope."""

    _under_way = False
    _is_deaf = False
    _out_of_time: asyncio.TimerHandle | None = None
    _out_of_patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """See `asyncio.Protocol`."""
        self._intake = RequestLimits()
        joining = JoiningTransport(transport, self.loop)
        self._extensions: Any = {ABORT: joining.abort}
        super().connection_made(joining)
        # Whoever connects and says nothing is as idle as after an answer.
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        self._stop_the_clock()
        self.resume_writing()
        self._unset_keepalive_if_required()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        if self._is_deaf:
            return
        self._unset_keepalive_if_required()
        try:
            self._parse(data)
        except HttpParserError:
            self._refuse()  # without a word in the log: whoever likes could fill it
        else:
            self._watch_over(len(data))

    def _parse(self, data: bytes) -> None:
        """Take `data` apart. Who asks for another protocol is served as if they had not (RFC 9110, 7.8): `curl --http2` and Java do.

        httptools takes it that what follows such a head is no HTTP, not even its body, and would next read the body as requests of their
        own. So it reads the head once more, without the wish.
        """
        rest = memoryview(data)
        while True:
            try:
                self.parser.feed_data(rest)
            except HttpParserUpgrade as upgrade:
                rest = rest[upgrade.args[0] :]
                self._start_over(self._modest_head())
            else:
                return

    def _modest_head(self) -> bytes:
        first = b"%s %s HTTP/%s" % (self.parser.get_method(), self.url, self.parser.get_http_version().encode())
        fields = [b"%s: %s" % field for field in self.headers if field[0] != b"upgrade"]
        return b"\r\n".join((first, *fields, b"\r\n"))

    def _start_over(self, head: bytes) -> None:
        self.parser = HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn has it
        self.parser.feed_data(head)

    def _watch_over(self, size: int) -> None:
        try:
            self._intake.piece(size)
        except TooMuch:
            self._refuse()
            return
        # Nearly all requests come in one piece, and need no clock. While one waits for its turn, nothing more is read of it.
        if self.pipeline or not self._is_awaited():
            self._stop_the_clock()
        elif self._out_of_time is None:
            self._out_of_time = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def on_message_begin(self) -> None:
        """Begin with a request."""
        super().on_message_begin()
        self._intake.begin()
        self.scope["extensions"] = self._extensions
        self._under_way = True

    def on_url(self, url: bytes) -> None:
        """Take a part of the address."""
        self._intake.url(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a field. What follows a body has fields as well; nobody has asked for them, and they must not pass for headers."""
        self._intake.field(len(name) + len(value))
        if self._intake.is_in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Take it that the head is whole."""
        version = self.parser.get_http_version()
        if self.parser.should_upgrade():
            if self.parser.get_method() == b"CONNECT":
                raise HttpParserError("this is no proxy")
            return  # it will be read once more
        hosts = sum(name == b"host" for name, _ in self.headers)
        if hosts > 1 or (not hosts and version == "1.1"):
            raise HttpParserError("not one host (RFC 9112, 3.2)")
        super().on_headers_complete()
        if version != "1.1":
            _send_without_chunks(self.cycle)
        self._intake.end_head()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        super().on_body(body)
        if self.cycle.response_complete and not self._intake.lets_go(len(body)):
            self.transport.abort()

    def on_message_complete(self) -> None:
        """Take it that the request is whole."""
        if self.parser.should_upgrade():
            return
        super().on_message_complete()
        self._under_way = False

    def pause_writing(self) -> None:
        """Wait, but not for ever, for the other end to take what it was sent."""
        super().pause_writing()
        self._out_of_patience = self.loop.call_later(ANSWER_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on writing."""
        if self._out_of_patience is not None:
            self._out_of_patience.cancel()
            self._out_of_patience = None
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection; what was not taken of its last answer by now never will be."""
        self.transport.abort()

    def shutdown(self) -> None:
        """Close the connection, at once or after the answers that are due; whoever is in the middle of a request will ask somebody else."""
        if self.cycle and self.cycle.more_body and not self.pipeline:
            self.transport.close()
        else:
            super().shutdown()

    def _refuse(self) -> None:
        """Refuse what is no HTTP, or too much of it, with a bare status after the answers that are due; and hear nothing more."""
        self._is_deaf = True
        self._stop_the_clock()
        if not self.cycle or self.cycle.response_complete:
            self._farewell()
        elif self._intake.is_in_head:
            self.cycle.keep_alive = False  # it is an earlier request's, and ends the connection
        elif self.cycle.response_started or self.pipeline:
            self.transport.close()
        else:
            self.cycle.disconnected = True  # for the app it is as if the client had gone
            self.cycle.message_event.set()
            self._farewell()

    def _farewell(self) -> None:
        status = self._intake.refusal
        phrase = f"{status.value} {status.phrase}"
        head = f"content-type: text/plain; charset=utf-8\r\ncontent-length: {len(phrase)}\r\nconnection: close"
        self.transport.write(f"HTTP/1.1 {phrase}\r\n{head}\r\n\r\n{phrase}".encode())
        self.transport.write_eof()
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)

    def _is_awaited(self) -> bool:
        """Tell whether the other end is to send something now, of a request that it has begun or is about to."""
        return self._under_way or not self.cycle or self.cycle.response_complete

    def _stop_the_clock(self) -> None:
        if self._out_of_time is not None:
            self._out_of_time.cancel()
            self._out_of_time = None


def _send_without_chunks(cycle: RequestResponseCycle) -> None:
    """Let the end of the connection be that of the answer, for who knows no chunks (RFC 9112, 6.1)."""
    send = cycle.send

    async def unchunked(message: Any) -> None:
        cycle.expected_content_length = len(
            message.get("body", b"")
        )  # uvicorn would hold it against a length told before
        await send(message)

    cycle.keep_alive = cycle.chunked_encoding = False
    cycle.send = unchunked  # pyright: ignore[reportAttributeAccessIssue] - uvicorn makes its cycles itself
