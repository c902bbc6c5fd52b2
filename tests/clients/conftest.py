"""The contract as generators get it, and the answers that generated clients have to read."""

import shutil
import subprocess
from pathlib import Path

import httpx
import pytest

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from tests.clients.answers import Answer, Recorder, whole_games
from tests.kit.player import client_of

SECRET = b"a secret of the tests, 32 bytes or more"


def run(*command: str | Path, cwd: Path) -> str:
    """Run a program, and return what it says."""
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, f"{command[0]} failed:\n{done.stdout[-8000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def need(program: str) -> str:
    """Return where a program is; skip the test where it is missing."""
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed")
    return found


def new_service() -> Service:
    """Return a service over memory."""
    return Service(MemoryStore(), SystemClock(), SeededShuffler(), SECRET)


@pytest.fixture
async def played() -> list[Answer]:
    """The answers of whole games."""
    async with client_of(new_service().asgi) as client:
        recorder = Recorder(client._transport)  # pyright: ignore[reportPrivateUsage]
        async with httpx.AsyncClient(transport=recorder, base_url="http://pocha") as recorded:
            await whole_games(recorded)
    return recorder.answers
