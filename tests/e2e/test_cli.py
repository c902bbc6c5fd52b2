"""The command `pocha`, as an operator meets it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest

from service.bootstrap.signing_key import SigningKeyUnavailable, load_or_create
from tests.kit.service_process import ServiceProcess
from tests.kit.waiting import PATIENCE_SECONDS


def pocha(*arguments: str, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("POCHA_")}
    return subprocess.run(
        [sys.executable, "-m", "service", *arguments],
        env={**clean, **environment},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("POCHA_PORT", "eighty"),
        ("POCHA_PORT", "65536"),
        ("POCHA_DATA_DIR", "~nobody-of-that-name/x"),
        ("POCHA_SECRET", "\udcff" * 40),
        ("POCHA_SECRET", "too short a secret"),
        ("POCHA_DATABASE_URL", "mysql://root:hunter2@localhost/pocha"),
        ("POCHA_LOG_LEVEL", "loud"),
    ],
)
def test_a_wrong_setting_stops_the_start_with_its_name_and_not_its_value(variable: str, value: str) -> None:
    done = pocha("serve", environment={variable: value})
    assert done.returncode == 1
    assert done.stderr.startswith(f"pocha: {variable}: ")
    assert value not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_database_that_is_not_there_stops_the_start_with_a_sentence() -> None:
    done = pocha(
        "serve", environment={"POCHA_DATABASE_URL": "postgresql://u:hunter2@127.0.0.1:1/x", "POCHA_SECRET": "s" * 32}
    )
    assert done.returncode == 1
    assert done.stderr.startswith("pocha: ")
    assert "hunter2" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_taken_port_stops_the_start_with_a_sentence(environment: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = pocha("serve", environment={**environment, "POCHA_PORT": str(taken.getsockname()[1])})
    assert done.returncode == 1
    assert done.stderr.startswith("pocha: POCHA_HOST, POCHA_PORT: cannot listen at 127.0.0.1:")
    assert "in use" in done.stderr
    assert "Traceback" not in done.stderr


def test_migrate_brings_an_empty_database_up_to_date_and_says_so(empty_database_url: str) -> None:
    environment = {"POCHA_DATABASE_URL": empty_database_url, "POCHA_SECRET": "s" * 32}
    refused = pocha("serve", environment=environment)
    assert refused.returncode == 1
    assert "pocha migrate" in refused.stderr
    first, second = pocha("migrate", environment=environment), pocha("migrate", environment=environment)
    assert first.stdout.startswith("applied 0001")
    assert second.stdout == "the schema is up to date\n"
    with ServiceProcess(environment) as service:
        assert httpx.get(f"{service.url}/readyz").status_code == 200


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_the_service_ends_cleanly_and_takes_its_postgres_along(
    data_dir: Path, how: signal.Signals
) -> None:
    service = ServiceProcess({"POCHA_DATA_DIR": str(data_dir)})
    assert httpx.get(f"{service.url}/readyz").status_code == 200
    assert service.stop(how) == 0
    assert not list(data_dir.rglob("postmaster.pid"))
    assert not any("Traceback" in line for line in service.output)


@pytest.mark.parametrize("content", ["", "abcd\n", "zz" * 32])
def test_a_damaged_secret_is_not_signed_with(tmp_path: Path, content: str) -> None:
    (tmp_path / "secret").write_text(content)
    with pytest.raises(SigningKeyUnavailable, match=str(tmp_path)):
        load_or_create(tmp_path)


def test_the_generated_secret_is_kept_and_nobody_elses_to_read(tmp_path: Path) -> None:
    first = load_or_create(tmp_path / "data")
    assert load_or_create(tmp_path / "data") == first
    assert len(first) == 64
    assert (tmp_path / "data" / "secret").stat().st_mode & 0o077 == 0


def test_when_its_postgres_dies_the_service_ends_and_says_so_and_a_new_start_works(data_dir: Path) -> None:
    environment = {"POCHA_DATA_DIR": str(data_dir)}
    service = ServiceProcess(environment)
    os.kill(int((data_dir / "postgres/data/postmaster.pid").read_text().split()[0]), signal.SIGKILL)
    assert service.wait() == 1
    assert any(line.startswith("pocha: the embedded Postgres ended by itself; see ") for line in service.output)
    assert any('"level":"error"' in line for line in service.output)
    with ServiceProcess(environment) as again:
        assert httpx.get(f"{again.url}/readyz").status_code == 200


@pytest.mark.parametrize("after", [0.5, 0.8, 1.0, 1.3])
def test_sigterm_during_the_start_leaves_no_postgres(data_dir: Path, after: float) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("POCHA_")}
    with subprocess.Popen(
        [sys.executable, "-m", "service", "serve"],
        env={**clean, "POCHA_PORT": "0", "POCHA_DATA_DIR": str(data_dir)},
        cwd=Path(__file__).parents[2],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        time.sleep(after)
        process.terminate()
        _, complaint = process.communicate(timeout=PATIENCE_SECONDS)
    assert "Traceback" not in complaint
    assert process.returncode in {0, 143, -signal.SIGTERM}
    assert not list((data_dir / "postgres").glob("data/postmaster.pid"))


@pytest.mark.parametrize("url", ["postgresql://u:hunter2@127.0.0.1:abc/x", "postgresql://u:hunter2@[::1/x"])
def test_a_malformed_address_stops_the_start_with_a_sentence(url: str) -> None:
    done = pocha("serve", environment={"POCHA_DATABASE_URL": url, "POCHA_SECRET": "s" * 32})
    assert done.returncode == 1
    assert done.stderr.startswith("pocha: ")
    assert "hunter2" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_data_folder_that_cannot_be_is_told_by_its_setting() -> None:
    done = pocha("serve", environment={"POCHA_DATA_DIR": "/dev/null"})
    assert done.returncode == 1
    assert "POCHA_DATA_DIR" in done.stderr
    assert "Traceback" not in done.stderr
