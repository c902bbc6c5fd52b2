"""What llhttp and uvicorn take though a strict reader would not. It harms nobody, and `SECURITY.md` says so; a change should be noticed."""

import gzip

import pytest
from litestar.types import Receive, Scope, Send

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from tests.kit.raw_server import HTTP, answer, listen, read_to_end, running

CHUNKED = b"POST /%s HTTP/%s\r\nhost: x\r\n%s: %s\r\n\r\n"


@pytest.mark.parametrize("http", HTTP)
@pytest.mark.parametrize("around", [b" %s ", b"%s  ", b"\t%s\t", b" \t %s \t "])
async def test_blanks_around_the_value_of_a_field_are_not_of_it(http: str, around: bytes) -> None:
    """Of the kind: a key, a token or a language with a blank at its end (RFC 9110, 5.5)."""
    values: list[bytes] = []

    async def noting(scope: Scope, receive: Receive, send: Send) -> None:
        values.extend(value for name, value in scope["headers"] if name == b"idempotency-key")
        await listen(scope, receive, send)

    async with running(noting, http=http) as server:
        reader, writer = await server.connect()
        writer.write(b"GET /a HTTP/1.1\r\nhost: x\r\nidempotency-key:%s\r\n\r\n" % (around % b"one two"))
        assert (await answer(reader))[1] == b"/a"
        assert values == [b"one two"]
        writer.close()


@pytest.mark.parametrize("first", [b"GET /a HTTP/2.0", b"GET /a HTTP/0.9", b"GET /a HTTP/1.0", b"GET /a"])
async def test_another_version_in_the_first_line_is_answered_in_http_1_1_and_ends_the_connection(first: bytes) -> None:
    async with running(listen) as server:
        reader, writer = await server.connect()
        writer.write(first + b"\r\nhost: x\r\n\r\n" if b"HTTP" in first else first + b"\r\n\r\n")
        head, body = await answer(reader)
        assert (head.startswith(b"http/1.1 200"), b"connection: close" in head, body) == (True, True, b"/a")
        assert await read_to_end(reader) == b""
        writer.close()


@pytest.mark.parametrize("version", [b"1.2", b"3.0", b"11.0", b"1", b"x.y"])
async def test_other_versions_are_refused(version: bytes) -> None:
    async with running(listen) as server:
        reader, writer = await server.connect()
        writer.write(b"GET /a HTTP/%s\r\nhost: x\r\n\r\n" % version)
        assert (await read_to_end(reader)).startswith(b"HTTP/1.1 400")
        writer.close()


@pytest.mark.parametrize("coding", [b"gzip, chunked", b"deflate , chunked", b"x, chunked"])
async def test_of_several_codings_the_chunks_are_read_and_the_rest_is_no_json(coding: bytes) -> None:
    service = Service(MemoryStore(), SystemClock(), SeededShuffler(), b"a secret of 32 bytes or more, for a test")
    body = gzip.compress(b'{"display_name":"Ana"}')
    head = b"POST /v1/players HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: %s\r\n\r\n"
    async with running(service.asgi) as server:
        reader, writer = await server.connect()
        writer.write(head % coding + b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body))
        assert (await answer(reader))[0].startswith(b"http/1.1 400")
        writer.write(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        assert (await answer(reader))[0].startswith(b"http/1.1 200")
        writer.close()


@pytest.mark.parametrize("codings", [b"chunked, gzip", b"gzip", b"identity", b"chunked, chunked", b"xchunked"])
async def test_a_body_whose_last_coding_is_another_is_refused(codings: bytes) -> None:
    async with running(listen) as server:
        reader, writer = await server.connect()
        writer.write(CHUNKED % (b"a", b"1.1", b"transfer-encoding", codings) + b"0\r\n\r\n")
        assert (await read_to_end(reader)).startswith(b"HTTP/1.1 400")
        writer.close()


async def test_chunks_of_http_1_0_are_read_and_end_the_connection() -> None:
    async with running(listen) as server:
        reader, writer = await server.connect()
        writer.write(CHUNKED % (b"a", b"1.0", b"transfer-encoding", b"chunked") + b"1\r\nx\r\n0\r\n\r\n")
        head, body = await answer(reader)
        assert (body, b"connection: close" in head) == (b"/a", True)
        assert await read_to_end(reader) == b""
        writer.close()


async def test_an_unknown_expectation_and_extensions_of_chunks_are_passed_over() -> None:
    async with running(listen) as server:
        reader, writer = await server.connect()
        for field, value in ((b"expect", b"200-ok\r\ntransfer-encoding: chunked"), (b"transfer-encoding", b"chunked")):
            writer.write(CHUNKED % (b"a", b"1.1", field, value) + b"1;a=b\r\nx\r\n0\r\n\r\n")
            assert (await answer(reader))[1] == b"/a"
        writer.close()


async def test_the_host_of_an_absolute_address_is_passed_over() -> None:
    async with running(listen) as server:
        reader, writer = await server.connect()
        writer.write(b"GET http://elsewhere/a HTTP/1.1\r\nhost: x\r\n\r\n")
        assert (await answer(reader))[1] == b"/a"
        writer.close()


async def test_what_follows_the_last_request_is_passed_over() -> None:
    async with running(listen) as server:
        reader, writer = await server.connect()
        writer.write(
            b"GET /a HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\nGET /b HTTP/1.1\r\nhost: x\r\n\r\nnonsense"
        )
        assert (await answer(reader))[1] == b"/a"
        assert await read_to_end(reader) == b""
        writer.close()
