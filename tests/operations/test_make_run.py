"""Kind: a clean clone runs with what the README names, and what is missing is named with the package that brings it."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.adapters.conftest import open_folder
from tests.operations.clone import ROOT, bare_environment, clone

MOST_MEGABYTES = 250
BASE_PYTHON = str(Path(sys.executable).resolve())
TOOLS = ("pytest", "ruff", "basedpyright", "schemathesis", "hypothesis", "faker", "rich")


def interpreter(folder: Path, *broken: str) -> Path:
    """Make a Python in `folder` that lacks the modules `broken`, and return it."""
    missing = folder / "missing"
    for name in broken:
        (missing / name).mkdir(parents=True)
        (missing / name / "__init__.py").write_text(f"raise ModuleNotFoundError({name!r})\n")
    python = folder / "python3"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{missing}" exec {BASE_PYTHON} "$@"\n')
    python.chmod(0o755)
    return python


def install(folder: Path, python: Path | str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", ROOT / "scripts/install.sh", python, folder / "venv", "no-such.lock"],
        env=bare_environment(folder, "/usr/bin:/bin" if not Path("/usr/bin/uv").exists() else "/nowhere"),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_without_ensurepip_the_message_names_the_package(tmp_path: Path) -> None:
    done = install(tmp_path, interpreter(tmp_path, "ensurepip", "pip"))
    assert done.returncode == 1
    assert "sudo apt install python3-venv" in done.stderr
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize("python", ["no-such-python", "/bin/false"])
def test_without_a_python_that_is_new_enough_the_message_says_which_and_how_to_name_one(
    tmp_path: Path, python: str
) -> None:
    done = install(tmp_path, python)
    assert done.returncode == 1
    assert "Python 3.11 or newer is needed" in done.stderr
    assert "PYTHON=" in done.stderr


def test_the_readme_names_what_is_needed() -> None:
    assert "python3-venv" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.thorough
@pytest.mark.timeout(600)
def test_a_clean_clone_runs_and_sets_up_no_more_than_running_needs() -> None:
    with open_folder() as folder:
        project, home = folder / "clone", folder / "home"
        home.mkdir(mode=0o755)
        clone(project)
        path = f"{Path(BASE_PYTHON).parent}:{os.defpath}"
        environment = bare_environment(home, path, POCHA_PORT="0")
        started = subprocess.Popen(
            ["make", "run"],
            cwd=project,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            assert started.stdout
            said = ""
            while "serving at" not in said:
                line = started.stdout.readline()
                assert line, said
                said += line
            [url] = re.findall(r"serving at (\S+)", said)
            assert httpx.get(f"{url}/readyz").status_code == 200
            assert f"kept in {home}" in said or "kept in /var/lib/pocha" in said
        finally:
            os.killpg(started.pid, signal.SIGINT)
            started.communicate(timeout=30)
        packages = next((project / ".venv/lib").glob("python3*/site-packages"))
        assert not [name for name in TOOLS if (packages / name).exists()]
        size = sum(file.lstat().st_size for file in packages.rglob("*") if file.is_file()) / 1e6
        assert size < MOST_MEGABYTES
        subprocess.run(["make", "-q", ".venv/.runs"], cwd=project, env=environment, check=True)
