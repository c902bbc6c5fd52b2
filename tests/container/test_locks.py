"""What the image installs is what the tests ran with, and no more than it needs."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
_NAME = re.compile(r"[A-Za-z0-9-]+")


def locked(name: str) -> dict[str, set[str]]:
    """Return the version and the hashes of every package in a lock file."""
    entries: dict[str, set[str]] = {}
    package = ""
    for line in (ROOT / name).read_text().splitlines():
        if line[:1].isalnum():
            package, _, version = line.partition(" ")[0].partition("==")
            entries[package] = {version}
        elif "--hash=" in line:
            entries[package].add(line.strip(" \\"))
    return entries


def names(requirements: list[str]) -> set[str]:
    return {found[0] for requirement in requirements if (found := _NAME.match(requirement))}


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


LOCKS = ["requirements-run.lock", "requirements-build.lock", "requirements-local.lock"]
UNUSED = (ROOT / "Makefile").read_text().partition("UNUSED := ")[2].partition("\n")[0].split()
IMPORT_ALL = """
import importlib, pkgutil, sys
for name in sys.argv[1].split():
    sys.modules[name] = None
import domain, service
for package in (domain, service):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):
        importlib.import_module(module.name)
from service.cli.main import main
main(['settings'])
"""


@pytest.mark.parametrize("lock", LOCKS)
def test_the_image_is_made_of_the_packages_that_the_tests_ran_with(lock: str) -> None:
    tested = locked("requirements.lock")
    for package, pinned in locked(lock).items():
        assert len(pinned) > 1
        assert pinned == tested[package], package


def test_the_image_gets_every_dependency_of_the_service_and_can_send_traces(project: dict[str, Any]) -> None:
    wanted = [*project["dependencies"], *project["optional-dependencies"]["otel"]]
    assert names(wanted) <= locked("requirements-run.lock").keys()


def test_the_image_gets_neither_tools_nor_an_embedded_postgres() -> None:
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = names(whole["project"]["optional-dependencies"]["embedded"])
    tools = names([each for each in whole["dependency-groups"]["dev"] if isinstance(each, str)])
    needed_to_run = {"opentelemetry-proto"}  # by what sends traces
    assert not (extras | tools - needed_to_run) & locked("requirements-run.lock").keys()


def test_a_clone_without_a_database_gets_its_postgres(project: dict[str, Any]) -> None:
    assert names(project["optional-dependencies"]["embedded"]) <= locked("requirements.lock").keys()


def test_make_run_installs_what_running_needs_and_no_tools(project: dict[str, Any]) -> None:
    """Kind: what is installed to run is what runs."""
    local = locked("requirements-local.lock").keys()
    wanted = [*project["dependencies"], *project["optional-dependencies"]["embedded"]]
    assert names(wanted) <= local
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]["dev"]
    assert not names([each for each in tools if isinstance(each, str)]) & local
    assert len(local) < 60


@pytest.mark.parametrize("lock", ["requirements-run.lock", "requirements-local.lock"])
def test_what_the_service_never_imports_is_left_out(lock: str) -> None:
    assert {"faker", "polyfactory", "pygments", "rich"} <= set(UNUSED)
    assert not set(UNUSED) & locked(lock).keys()


def test_the_service_runs_without_what_is_left_out() -> None:
    modules = " ".join(name.replace("-", "_") for name in UNUSED)
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, modules], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
