"""The command `pocha apps`, and a service beside it."""

import re
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from service.cli import main
from service.rest.auth import api_keys
from tests.e2e.test_cli import pocha
from tests.kit.service_process import ServiceProcess

KEY = re.compile(r"pocha_[0-9a-f]{16}_[0-9a-f]{64}\n")


def made(*arguments: str, environment: dict[str, str]) -> str:
    """Return the key that a command prints, and nothing else on standard output."""
    done = pocha("apps", *arguments, environment=environment)
    assert done.returncode == 0, done.stderr
    assert KEY.fullmatch(done.stdout)
    assert done.stdout.strip() not in done.stderr
    return done.stdout.strip()


def is_let_in(service: ServiceProcess, key: str) -> bool:
    return httpx.get(f"{service.url}/v1/games", headers={"Authorization": f"Bearer {key}"}).status_code == 200


def test_a_key_is_good_at_once_until_it_is_rotated_out_or_revoked(environment: dict[str, str]) -> None:
    with ServiceProcess({**environment, "POCHA_LOG_LEVEL": "debug"}) as service:
        old = made("create", "shop", environment=environment)
        assert is_let_in(service, old)
        new = made("rotate", "shop", "--overlap-hours", "0", environment=environment)
        _wait_until_known()
        assert (is_let_in(service, old), is_let_in(service, new)) == (False, True)
        assert pocha("apps", "revoke", "shop", environment=environment).returncode == 0
        _wait_until_known()
        assert not is_let_in(service, new)
    for key in (old, new):
        assert not [line for line in service.output if key in line or key.split("_")[2] in line]


def _wait_until_known() -> None:
    time.sleep(api_keys.FRESH_SECONDS + 0.2)


def test_the_list_tells_no_key(environment: dict[str, str]) -> None:
    keys = [made("create", name, environment=environment) for name in ("shop", "mall-2")]
    keys.append(made("rotate", "shop", environment=environment))
    told = pocha("apps", "list", environment=environment).stdout
    assert [line.split()[0] for line in told.splitlines()] == ["mall-2", "shop"]
    assert not [key for key in keys if key.split("_")[2] in told]
    assert [key.split("_")[1] in told for key in keys] == [True] * 3


def test_what_cannot_be_done_is_told_in_a_sentence(environment: dict[str, str]) -> None:
    made("create", "shop", environment=environment)
    for arguments, sentence in (
        (("create", "shop"), "pocha: the app shop exists already"),
        (("rotate", "mall"), "pocha: there is no app mall"),
        (("revoke", "mall"), "pocha: there is no app mall"),
    ):
        done = pocha("apps", *arguments, environment=environment)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(sentence)


@pytest.mark.parametrize(
    "arguments",
    [
        *(("create", name) for name in ("", "Shop", "a b", "-a", "a-", "a--b", "x" * 41, "a\n", "\u00e9")),
        *(("rotate", "shop", "--overlap-hours", hours) for hours in ("-1", "x", "nan", "inf", "2161")),
        ("create",),
        ("list", "shop"),
        (),
    ],
)
def test_a_wrong_command_line_is_refused(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main.main(["apps", *arguments])
    assert capsys.readouterr().out == ""


def test_a_database_that_is_behind_is_not_touched(empty_database_url: str) -> None:
    done = pocha("apps", "create", "shop", environment={"POCHA_DATABASE_URL": empty_database_url})
    assert (done.returncode, done.stdout) == (1, "")
    assert "pocha migrate" in done.stderr


def test_apps_of_the_embedded_database_are_made_with_and_without_a_service_that_uses_it(data_dir: Path) -> None:
    environment = {"POCHA_DATA_DIR": str(data_dir)}
    assert pocha("migrate", environment=environment).returncode == 0
    first = made("create", "first", environment=environment)
    with ServiceProcess(environment) as service:
        second = made("create", "second", environment=environment)
        assert is_let_in(service, first)
        assert is_let_in(service, second)
    assert not list(data_dir.rglob("postmaster.pid"))


@pytest.mark.parametrize(
    "arguments",
    [
        ("apps", "create", "shop"),
        ("apps", "list"),
        ("apps", "rotate", "shop"),
        ("apps", "revoke", "shop"),
        ("delete-games", "--older-than-days", "1"),
    ],
)
def test_only_serve_and_migrate_make_a_database(
    arguments: tuple[str, ...],
    data_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Kind: a command run with another folder than the service's changes nothing, and names the folder."""
    for folder in (data_dir, data_dir / "not-there"):
        monkeypatch.setenv("POCHA_DATA_DIR", str(folder))
        assert main.main(arguments) == 1
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.startswith(f"pocha: there is no database in {folder}: ")
        assert "POCHA_DATA_DIR" in told.err
        assert "POCHA_DATABASE_URL" in told.err
    assert not list(data_dir.iterdir())


def test_a_command_says_which_database_it_changed_and_no_password(environment: dict[str, str], data_dir: Path) -> None:
    url = environment["POCHA_DATABASE_URL"].replace(":@", ":hunter2@")
    named = pocha("apps", "create", "shop", environment={**environment, "POCHA_DATABASE_URL": url})
    database = urlsplit(url).path.removeprefix("/")
    assert f"pocha: changed the database {database} at " in named.stderr
    assert "hunter2" not in named.stderr
    own = {"POCHA_DATA_DIR": str(data_dir)}
    migrated = pocha("migrate", environment=own)
    assert f"pocha: migrated the embedded database in {data_dir}" in migrated.stderr
    created = pocha("apps", "create", "shop", environment=own)
    assert f"pocha: changed the embedded database in {data_dir}" in created.stderr
    assert "changed" not in pocha("apps", "list", environment=own).stderr
