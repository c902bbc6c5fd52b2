"""The receivers of docs/webhooks.md take what the service sends, once, and nothing that it did not sign."""

import re
import socket
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest

from service.adapters.clock import SystemClock
from service.adapters.http.hook_sender import HttpHookSender
from service.application.ports import Failure, HookSecret, Receipt, Webhook
from service.application.webhooks import signing
from service.application.webhooks.deliverer import Deliverer
from service.application.webhooks.messages import GameStartedData, GameStartedMessage
from tests.clients.conftest import need
from tests.kit.waiting import wait_until

PAGE = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text(encoding="utf-8")
CODE = dict(re.findall(r"<!-- run by tests/webhooks/test_receivers.py -->\n```(\w+)\n(.*?)```", PAGE, re.DOTALL))
MESSAGE = GameStartedMessage(datetime.now(UTC), GameStartedData("the-game", 4, ()))


@contextmanager
def running(program: Sequence[str], secret: str, port: int) -> Generator[subprocess.Popen[str]]:
    environment = {"POCHA_WEBHOOK_SECRET": secret, "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(program, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            wait_until(lambda: process.poll() is not None or _listens(port))
            yield process
        finally:
            process.kill()


def _listens(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        return free.getsockname()[1]


@pytest.mark.parametrize("language", ["python", "ts"])
async def test_a_receiver_takes_what_its_secret_signed_once_and_refuses_all_else(tmp_path: Path, language: str) -> None:
    port, secret = _free_port(), signing.new_secret()
    code = CODE[language].replace("8080", str(port))
    assert len(code.strip().splitlines()) <= 22
    # Without type annotations, TypeScript is JavaScript.
    path = tmp_path / ("receiver.py" if language == "python" else "receiver.mjs")
    path.write_text(code)
    interpreter = sys.executable if language == "python" else need("node")
    deliverer = Deliverer(HttpHookSender(allows_private=True), SystemClock())

    def hook(*secrets: str) -> Webhook:
        known = tuple(HookSecret(text, uuid4(), b"") for text in secrets)
        return Webhook(uuid4(), "app:shop", uuid4(), b"", datetime.now(UTC), f"http://127.0.0.1:{port}/", (), known)

    message_id = uuid4()
    with running([interpreter, str(path)], secret, port) as process:
        for _ in range(2):
            assert await deliverer.deliver(hook(signing.new_secret(), secret), message_id, MESSAGE) == Receipt(204)
        refused = await deliverer.deliver(hook(signing.new_secret()), uuid4(), MESSAGE)
        assert refused == Receipt(400, Failure.STATUS)
        process.kill()
        assert process.stdout is not None
        assert process.stdout.read() == "game.started the-game\n"
