"""A service of its own for each test, in a process of its own, over a real Postgres."""

import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.kit.service_process import ServiceProcess

SECRET = "a secret of the end-to-end tests, 32 or more"  # noqa: S105 - of the tests


@pytest.fixture
def environment(database_url: str) -> dict[str, str]:
    return {"POCHA_DATABASE_URL": database_url, "POCHA_SECRET": SECRET, "POCHA_LOG_LEVEL": "warning"}


@pytest.fixture
def service(environment: dict[str, str]) -> Generator[ServiceProcess]:
    with ServiceProcess(environment) as running:
        yield running


@pytest.fixture
def data_dir() -> Generator[Path]:
    """A folder for an embedded Postgres. pytest's own are closed to the user that it drops to when root runs the tests."""
    folder = Path(tempfile.mkdtemp(prefix="pocha-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
