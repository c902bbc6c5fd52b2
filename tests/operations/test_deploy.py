"""The files for one machine say what the service needs, in the terms of what reads them."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.bootstrap.settings import Settings, variable
from tests.operations.clone import ROOT

FOLDER = ROOT / "deploy"
UNIT = (FOLDER / "systemd/pocha.service").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((FOLDER / "compose/compose.yaml").read_text(encoding="utf-8"))
KNOWN = {variable(field) for field in Settings.__struct_fields__}
STOP_SECONDS = 10
"""How long `pocha serve` may take after SIGTERM."""


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed")
    unit = tmp_path / "pocha.service"
    unit.write_text(UNIT.replace("/opt/pocha/bin/pocha", "/bin/true"), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False, timeout=60
    )
    about_it = [line for line in (done.stdout + done.stderr).splitlines() if "pocha.service" in line]
    assert not [line for line in about_it if "nknown" in line or "nvalid" in line or "ailed to parse" in line], about_it


def test_the_unit_tells_the_service_alone_to_stop_and_gives_it_time() -> None:
    """Its Postgres is of the same group, and must outlive it."""
    assert "\nKillMode=mixed\n" in UNIT
    [seconds] = re.findall(r"^TimeoutStopSec=(\d+)$", UNIT, re.MULTILINE)
    assert int(seconds) > 2 * STOP_SECONDS


def test_the_unit_keeps_its_data_where_it_may_write() -> None:
    [state] = re.findall(r"^StateDirectory=(\S+)$", UNIT, re.MULTILINE)
    assert f"Environment=POCHA_DATA_DIR=/var/lib/{state}\n" in UNIT


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*")), ids=str)
def test_every_variable_that_is_named_is_a_setting(path: Path) -> None:
    if path.is_file():
        named = set(re.findall(r"\bPOCHA_[A-Z_]+", path.read_text(encoding="utf-8")))
        assert named - {"POCHA_SITE", "POCHA_UPSTREAM"} <= KNOWN


def test_compose_migrates_before_it_serves_and_serves_before_caddy_asks() -> None:
    services = COMPOSE["services"]
    assert services["migrate"]["command"] == ["migrate"]
    assert services["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert services["pocha"]["depends_on"] == {"migrate": {"condition": "service_completed_successfully"}}
    assert services["caddy"]["depends_on"] == {"pocha": {"condition": "service_healthy"}}
    assert "command" not in services["pocha"]
    assert services["pocha"]["image"] == services["migrate"]["image"]


def test_compose_gives_the_service_as_few_rights_as_kubernetes_does() -> None:
    for name in ("pocha", "migrate"):
        service = COMPOSE["services"][name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert "ports" not in service
    assert not {"POCHA_SECRET"} & COMPOSE["services"]["migrate"]["environment"].keys()


def test_compose_trusts_the_network_that_caddy_is_in_and_no_other() -> None:
    [network] = COMPOSE["networks"].values()
    [subnet] = network["ipam"]["config"]
    assert COMPOSE["services"]["pocha"]["environment"]["POCHA_TRUSTED_PROXIES"] == subnet["subnet"]


def test_the_proxies_notice_a_client_that_has_vanished() -> None:
    """The service can notice only its own connections."""
    assert COMPOSE["services"]["caddy"]["sysctls"] == {"net.ipv4.tcp_retries2": 6}
    listens = re.findall(r"^    listen .*;$", (FOLDER / "nginx/pocha.conf").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(listens) == 2
    assert all("so_keepalive=15s:5s:3" in line for line in listens)


def test_every_secret_of_compose_is_asked_for_and_none_is_kept() -> None:
    text = (FOLDER / "compose/compose.yaml").read_text(encoding="utf-8")
    asked = set(re.findall(r"\$\{(\w+):\?", text))
    assert asked == {"POSTGRES_PASSWORD", "POCHA_SECRET", "POCHA_SITE"}
    example = dict(
        line.split("=", 1)
        for line in (FOLDER / "compose/.env.example").read_text(encoding="utf-8").splitlines()
        if "=" in line and not line.startswith("#")
    )
    assert example == {"POCHA_SITE": "localhost", "POSTGRES_PASSWORD": "", "POCHA_SECRET": ""}
