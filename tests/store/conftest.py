import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

pytest.register_assert_rewrite("tests.store.contract")


@pytest.fixture
def folder() -> Generator[Path]:
    """A short folder that every user may enter; pytest's own ones are closed to the user that root's servers run as."""
    path = Path(tempfile.mkdtemp(prefix="pocha-test-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root drops to another user")
