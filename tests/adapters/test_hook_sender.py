"""The sender of web hooks: real sockets, and names that lead where they should not."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Sequence
from contextlib import closing
from pathlib import Path
from socket import create_server

import pytest

from service.adapters.http.hook_sender import HttpHookSender
from service.application.ports import Failure, Receipt
from tests.adapters.tls_server import make_certificate
from tests.kit.hook_receiver import Receiver, receiving

FORBIDDEN = Receipt(failure=Failure.FORBIDDEN_ADDRESS)
PUBLIC = "93.184.216.34"


@pytest.fixture
async def receiver() -> AsyncGenerator[Receiver]:
    async with receiving() as receiver:
        yield receiver


class Names:
    """Answers each question for a name with the next of its answers."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        assert port
        return self._answers.pop(0)


async def test_a_request_arrives_as_it_was_sent(receiver: Receiver) -> None:
    sender = HttpHookSender(allows_private=True)
    assert await sender.send(f"{receiver.url}/a?b=c", {"webhook-id": "1"}, b'{"a":1}') == Receipt(204)
    [message] = receiver.messages
    assert (message.body, message.headers["webhook-id"]) == (b'{"a":1}', "1")


@pytest.mark.parametrize("status", [200, 204, 301, 307, 400, 410, 429, 500])
async def test_only_success_is_success_and_no_redirect_is_followed(receiver: Receiver, status: int) -> None:
    receiver.answer = lambda _: status
    sender = HttpHookSender(allows_private=True)
    receipt = await sender.send(receiver.url, {}, b"{}")
    assert receipt == Receipt(status, None if status < 300 else Failure.STATUS)
    assert len(receiver.messages) == 1


async def test_a_receiver_that_does_not_answer_is_given_up(receiver: Receiver) -> None:
    receiver.hold.clear()
    sender = HttpHookSender(allows_private=True, seconds=0.1)
    assert await sender.send(receiver.url, {}, b"{}") == Receipt(failure=Failure.TIMEOUT)


async def test_an_endless_answer_is_not_read(receiver: Receiver) -> None:
    receiver.body = b"x" * 50_000_000
    sender = HttpHookSender(allows_private=True)
    assert await sender.send(receiver.url, {}, b"{}") == Receipt(204)


async def test_where_nobody_listens_and_what_has_no_address_cannot_be_reached() -> None:
    with closing(create_server(("127.0.0.1", 0))) as listening:
        port = listening.getsockname()[1]
    sender = HttpHookSender(allows_private=True, resolve=Names(["127.0.0.1"], []))
    for _ in range(2):
        assert await sender.send(f"http://shop.example:{port}", {}, b"{}") == Receipt(failure=Failure.UNREACHABLE)


async def test_a_certificate_that_nobody_vouches_for_is_not_accepted(tmp_path: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*make_certificate(tmp_path))
    receiver = Receiver()
    server = await asyncio.start_server(receiver.serve, "127.0.0.1", 0, ssl=context)
    sender = HttpHookSender(allows_private=True)
    url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    assert await sender.send(url, {}, b"{}") == Receipt(failure=Failure.UNREACHABLE)
    server.close()
    assert receiver.messages == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "0x7f.1", "[::ffff:127.0.0.1]"])
async def test_a_private_address_is_refused_however_it_is_written(receiver: Receiver, host: str) -> None:
    port = receiver.url.rpartition(":")[2]
    sender = HttpHookSender(allows_private=False)
    receipt = await sender.send(f"http://{host}:{port}", {}, b"{}")
    # Where the machine has no IPv6, or does not know the form, there is no address at all.
    assert receipt in (FORBIDDEN, Receipt(failure=Failure.UNREACHABLE))
    assert receiver.messages == []


@pytest.mark.parametrize("addresses", [["127.0.0.1"], [PUBLIC, "10.0.0.7"], ["fe80::1%eth0"], ["169.254.169.254"]])
async def test_a_name_with_a_private_address_is_refused_as_a_whole(addresses: Sequence[str]) -> None:
    sender = HttpHookSender(allows_private=False, resolve=Names(addresses))
    assert await sender.send("https://shop.example/", {}, b"{}") == FORBIDDEN


async def test_a_name_is_resolved_once_and_what_was_checked_is_connected_to(receiver: Receiver) -> None:
    names = Names(["127.0.0.1"], ["169.254.169.254"])
    sender = HttpHookSender(allows_private=True, resolve=names)
    port = receiver.url.rpartition(":")[2]
    assert await sender.send(f"http://shop.example:{port}/", {}, b"{}") == Receipt(204)
    assert (names.asked, receiver.messages[0].headers["host"]) == (["shop.example"], f"shop.example:{port}")


async def test_a_name_that_changes_to_a_private_address_is_checked_at_each_request() -> None:
    names = Names(["10.0.0.1"], ["::ffff:10.0.0.1"])
    sender = HttpHookSender(allows_private=False, resolve=names)
    assert [await sender.send("https://shop.example/", {}, b"{}") for _ in range(2)] == [FORBIDDEN] * 2


async def test_another_address_is_tried_where_one_does_not_answer(receiver: Receiver) -> None:
    sender = HttpHookSender(allows_private=True, resolve=Names(["127.0.0.2", "127.0.0.1"]))
    port = receiver.url.rpartition(":")[2]
    assert await sender.send(f"http://shop.example:{port}/", {}, b"{}") == Receipt(204)
