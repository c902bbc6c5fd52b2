"""Schemathesis' own checks of authorisation, run by its command against a real process.

`ignored_auth` also runs for every operation in `tests/contract/test_operations.py`, as one of the checks that are always made there.
"""

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.e2e.test_cli import pocha
from tests.kit.service_process import ServiceProcess

# What is made, and what is read of it; reads that wait would only take their time.
OPERATIONS = ("createGame", "listGames", "getFairness", "getGameRuleset", "getScoreSheet")
OFF = {f"POCHA_LIMIT_{policy}": "off" for policy in ("COMMANDS", "READS", "STREAMS", "CREATION")}
SECONDS = "12"


@pytest.fixture
def environment(database_url: str) -> dict[str, str]:
    return {
        "POCHA_DATABASE_URL": database_url,
        "POCHA_SECRET": "a secret of the tests of security",
        "POCHA_LOG_LEVEL": "warning",
        **OFF,
    }


def token(service: ServiceProcess, key: str, external_id: str) -> str:
    answer = httpx.post(
        f"{service.url}/v1/players",
        json={"display_name": "Ana", "external_id": external_id},
        headers={"Authorization": f"Bearer {key}"},
    )
    return answer.json()["token"]


def judged(service: ServiceProcess, folder: Path, tokens: list[str]) -> subprocess.CompletedProcess[str]:
    """Let schemathesis look for objects of the first that the second can read as well."""
    users = [
        {"name": name, "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {each}"}]}
        for name, each in zip(("one", "other"), tokens, strict=True)
    ]
    (folder / "users.json").write_text(json.dumps({"auth": users}))
    (folder / "schemathesis.toml").write_text(
        '[auth.wfc]\npath = "users.json"\nuser = "one"\npeers = ["one", "other"]\n'
    )
    chosen = [word for name in OPERATIONS for word in ("--include-operation-id", name)]
    checks = ("-c", "object_level_authorization", "-c", "ignored_auth")
    how = ("--phases", "stateful", "--mode", "positive", "--seed", "1", "--max-time", SECONDS)
    return subprocess.run(
        [Path(sys.executable).with_name("schemathesis"), "run", f"{service.url}/openapi.json", *checks, *how, *chosen],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        timeout=200,
    )


def test_nobody_reads_an_object_of_another_tenant(environment: dict[str, str], tmp_path: Path) -> None:
    keys = [pocha("apps", "create", name, environment=environment).stdout.strip() for name in ("shop", "mall")]
    with ServiceProcess(environment) as service:
        shop, mall = (token(service, key, "user-1") for key in keys)
        done = judged(service, tmp_path, [shop, mall])
        assert done.returncode == 0, done.stdout
        assert "No issues found" in done.stdout
        # Public tables may be watched within a tenant. That schemathesis objects to it shows that it looks.
        done = judged(service, tmp_path, [shop, token(service, keys[0], "user-2")])
        assert "Object-level authorization bypass" in done.stdout, done.stdout
