"""What docs/apps.md says works."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.kit.service_process import ServiceProcess

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "apps.md").read_text()
MARK = "<!-- run by tests/e2e/test_apps_document.py -->\n"


def blocks() -> list[str]:
    found = re.findall(MARK + r"```sh\n(.*?)```", TEXT, re.DOTALL)
    assert len(found) == TEXT.count(MARK) == 10
    return found


def run(script: str, folder: Path, environment: Mapping[str, str], url: str = "") -> str:
    command = (
        f'pocha() {{ PYTHONPATH={ROOT} {sys.executable} -m service "$@"; }}\npython3() {{ {sys.executable} "$@"; }}\n'
    )
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command + script.replace("http://127.0.0.1:8000", url)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_app_is_plugged_in_with_an_api_key(environment: dict[str, str], tmp_path: Path) -> None:
    with ServiceProcess(environment) as service:
        said = run("\n".join(blocks()[:8]), tmp_path, environment, service.url)
    assert '"status":"playing"' in said
    assert "}playing\n" in said
    assert '"rows":[]' in said
    assert "abandoned\nnot-found\n" in said
    assert re.search(r"^bazar  created .* keys: [0-9a-f]{16} valid; [0-9a-f]{16} valid until ", said, re.MULTILINE)
    assert "the keys of bazar are revoked" in said
    assert "pocha_" not in said


def test_an_app_is_plugged_in_with_tokens_of_an_issuer(environment: dict[str, str], tmp_path: Path) -> None:
    issuer, call = blocks()[8:]
    token = run(f"{issuer}\necho $IDA", tmp_path, environment).strip()
    names = dict(re.findall(r"(POCHA_JWT_[A-Z]+)=(\S+)", TEXT))
    assert set(names) == {"POCHA_JWT_ISSUER", "POCHA_JWT_AUDIENCE", "POCHA_JWT_JWKS"}
    trusting = {**environment, **names, "POCHA_JWT_JWKS": str(tmp_path / names["POCHA_JWT_JWKS"])}
    helper = re.search(r"^field\(\).*$", TEXT, re.MULTILINE)
    assert helper
    with ServiceProcess(trusting) as service:
        said = run(f"{helper[0]}\nIDA={token}\nPOCHA={service.url}\n{call}", tmp_path, environment)
    assert said == "playing\n"
