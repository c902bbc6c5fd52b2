"""What the image installs is what the tests ran with, and no more than it needs."""

import re
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
        if line[0].isalnum():
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


@pytest.mark.parametrize("lock", ["requirements-run.lock", "requirements-build.lock"])
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
    needed_to_run = {"httpx", "opentelemetry-proto"}  # by Litestar, and by what sends traces
    assert not (extras | tools - needed_to_run) & locked("requirements-run.lock").keys()


def test_a_clone_without_a_database_gets_its_postgres(project: dict[str, Any]) -> None:
    assert names(project["optional-dependencies"]["embedded"]) <= locked("requirements.lock").keys()
