"""Kind: on a plain Debian, with what the README names and nothing else, `make run` works; what is missing is named."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.container.base import plain_debian
from tests.container.buildah import require_tools
from tests.container.running import Running
from tests.operations.clone import clone

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(1800)]

_OF_THIS_MACHINE = ("/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt", "/etc/pip.conf")
_AS_USER = (
    "setpriv",
    "--reuid=1000",
    "--regid=1000",
    "--clear-groups",
    "env",
    "-C",
    "/home/ana/pocha",
    "HOME=/home/ana",
)


@pytest.fixture
def debian() -> Generator[Path]:
    """The root of a plain Debian, with a user `ana` who has a clone."""
    require_tools("mmdebstrap")
    folder = Path(tempfile.mkdtemp(prefix="pocha-", dir="/var/tmp"))
    root = plain_debian(folder)
    for path in _OF_THIS_MACHINE:
        if Path(path).exists():
            shutil.copy(path, root / path.removeprefix("/"))
    inside(root, "useradd", "--create-home", "--uid", "1000", "ana")
    clone(root / "home/ana/pocha")
    inside(root, "chown", "-R", "ana:ana", "/home/ana")
    mounts = [("-t", "proc", "proc", f"{root}/proc"), ("-t", "tmpfs", "tmpfs", f"{root}/dev/shm")]  # noqa: S108 - of the Debian
    (root / "dev/shm").mkdir(exist_ok=True)
    for name, numbers in (("null", (1, 3)), ("urandom", (1, 9))):
        subprocess.run(["mknod", "-m", "666", root / "dev" / name, "c", *map(str, numbers)], check=True)
    for mount in mounts:
        subprocess.run(["mount", *mount], check=True)
    yield root
    for *_, target in reversed(mounts):
        subprocess.run(["umount", target], check=True)
    assert str(folder) not in Path("/proc/mounts").read_text()
    shutil.rmtree(folder)


def inside(root: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the Debian, with an environment of its own."""
    clean = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "POCHA_PORT=0", "chroot", str(root)]
    return subprocess.run([*clean, *command], capture_output=True, text=True, check=False, timeout=900)


def test_make_run_names_the_missing_package_and_works_once_it_is_there(debian: Path) -> None:
    refused = inside(debian, *_AS_USER, "make", "run")
    assert refused.returncode != 0
    assert "sudo apt install python3-venv" in refused.stderr
    dates = ["-o", "Acquire::Check-Valid-Until=false", "-o", "Acquire::Check-Date=false"]
    for step in (["update"], ["install", "-y", "--no-install-recommends", "python3-venv"]):
        done = inside(debian, "apt-get", *dates, *step)
        assert done.returncode == 0, done.stderr
    prepared = inside(debian, *_AS_USER, "make", ".venv/.runs")
    assert prepared.returncode == 0, prepared.stderr
    command = [
        "env",
        "-i",
        "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
        "POCHA_PORT=0",
        "chroot",
        str(debian),
        *_AS_USER,
        "make",
        "run",
    ]
    with Running(command, ended_by="pocha") as serving:
        assert any("kept in /home/ana/.local/share/pocha" in line for line in serving.output)
        assert re.match(r"http://127\.0\.0\.1:\d+$", serving.url)
