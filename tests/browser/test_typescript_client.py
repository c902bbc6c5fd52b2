"""The TypeScript client by itself, in node, before a real connection."""

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright._impl._driver import compute_driver_executable

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import create_app

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "service" / "rest" / "play" / "static" / "typescript" / "src" / "index.js"


@pytest.fixture
def address() -> Iterator[str]:
    app: Any = create_app(
        MemoryStore(), SystemClock(), SeededShuffler(), b"a secret of the tests of the TypeScript client"
    )
    server = uvicorn.Server(uvicorn.Config(app, port=0, lifespan="off", log_config=None, access_log=False))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    host, port = server.servers[0].sockets[0].getsockname()
    yield f"http://{host}:{port}"
    server.should_exit = True
    thread.join()


def node() -> str:
    """Return node: the one of the system, or the one that Playwright brings along."""
    return shutil.which("node") or str(compute_driver_executable()[0])


def test_the_client_does_what_its_tests_say(address: str) -> None:
    environment = {**os.environ, "POCHA_URL": address, "POCHA_CLIENT": CLIENT.as_uri()}
    files = sorted((ROOT / "clients" / "typescript" / "test").glob("*.test.mjs"))
    done = subprocess.run(
        [node(), "--test", *files], env=environment, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
