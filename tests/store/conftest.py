import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.store.embedded import EmbeddedPostgres

pytest.register_assert_rewrite(
    "tests.store.contract", "tests.store.contract_of_deadlines", "tests.store.contract_of_finding"
)


@pytest.fixture
def folder() -> Generator[Path]:
    """A short folder that every user may enter; pytest's own ones are closed to the user that root's servers run as."""
    with open_folder() as path:
        yield path


@pytest.fixture(scope="session")
def settled() -> Generator[Path]:
    """The data folder of an embedded server that was set up and stopped: to set one up takes a second."""
    with open_folder() as path:
        with EmbeddedPostgres(path):
            pass
        yield path


@contextmanager
def open_folder() -> Generator[Path]:
    path = Path(tempfile.mkdtemp(prefix="pocha-test-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root drops to another user")
