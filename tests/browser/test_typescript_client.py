"""The TypeScript client by itself, in node, before a real connection."""

import json
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from playwright._impl._driver import compute_driver_executable

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import create_app

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "service" / "rest" / "play" / "static" / "typescript" / "src" / "index.js"
EXAMPLES = ROOT / "clients" / "typescript" / "examples"


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


def run_tests(name: str, client: Path, address: str) -> None:
    environment = {**os.environ, "POCHA_URL": address, "POCHA_CLIENT": client.as_uri()}
    command = [node(), "--test", ROOT / "clients" / "typescript" / "test" / name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_client_does_what_its_tests_say(address: str) -> None:
    run_tests("client.test.mjs", CLIENT, address)


def test_the_fake_does_what_its_tests_say(address: str, tmp_path: Path) -> None:
    compiler = ROOT / "clients" / "node_modules" / "typescript" / "bin" / "tsc"
    if not compiler.exists():
        pytest.skip("no clients/node_modules here (make client): the fake service is not compiled")
    subprocess.run(
        [node(), compiler, "-p", ROOT / "clients" / "typescript", "--outDir", tmp_path], check=True, timeout=240
    )
    (tmp_path / "package.json").write_text(json.dumps({"type": "module"}))
    run_tests("testing.test.mjs", tmp_path / "index.js", address)


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """The examples, in a folder where the client is installed."""
    package = tmp_path / "node_modules" / "@pocha" / "client"
    shutil.copytree(CLIENT.parent, package)
    (package / "package.json").write_text(json.dumps({"type": "module", "exports": "./index.js"}))
    for example in EXAMPLES.iterdir():
        shutil.copy(example, tmp_path)
    return tmp_path


def test_the_bot_of_the_examples_plays_a_whole_game(address: str, examples: Path) -> None:
    done = subprocess.run(
        [node(), "bot.mjs", address], cwd=examples, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    assert len([int(total) for total in done.stdout.split()]) == 3


def test_the_notifier_of_the_examples_tells_of_a_turn(address: str, examples: Path) -> None:
    token = httpx.post(f"{address}/v1/players", json={"display_name": "Ana"}).json()["token"]
    environment = {**os.environ, "POCHA_TOKEN": token}
    table = {"players": 3, "ruleset": "ludoteka-express-3", "robots": [{"level": "easy"}] * 2}
    with subprocess.Popen(
        [node(), "turn_notifier.mjs", address], cwd=examples, env=environment, stdout=subprocess.PIPE, text=True
    ) as notifier:
        httpx.post(f"{address}/v1/games", json=table, headers={"Authorization": f"Bearer {token}"}).raise_for_status()
        assert notifier.stdout
        assert notifier.stdout.readline() == "It is your turn at Pocha Express 3.\n"
        notifier.kill()
