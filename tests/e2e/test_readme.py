"""The README's commands do what it says."""

import re
import subprocess
import sys
from pathlib import Path

from service.bootstrap.settings import Settings, variable
from tests.kit.service_process import ServiceProcess

README = Path(__file__).parents[2] / "README.md"


def commands() -> str:
    """Return the blocks that the README says are run here."""
    text = README.read_text(encoding="utf-8")
    blocks = re.findall(r"<!-- run by tests/e2e/test_readme.py -->\n```sh\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == text.count("<!-- run by") == 2
    return "\n".join(blocks)


def test_a_game_of_the_default_ruleset_goes_as_the_readme_says(service: ServiceProcess, tmp_path: Path) -> None:
    script = commands().replace("POCHA=http://127.0.0.1:8000", f"POCHA={service.url}")
    script = script.replace(".venv/bin/pocha", f"PYTHONPATH={README.parent} {sys.executable} -m service")
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert '"legal_bids"' in done.stdout
    assert '"type":"bid_made"' in done.stdout
    assert "number,cards,kind,trump,multiplier" in done.stdout
    assert "36,12,oros" in done.stdout
    assert "the record is valid: 36 hands" in done.stdout


def test_the_readme_names_every_guide_that_a_reader_begins_with() -> None:
    linked = set(re.findall(r"\]\(([^)#]+)", README.read_text(encoding="utf-8")))
    assert linked >= {"docs/README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "api/openapi.yaml"}


def test_the_main_settings_stand_in_the_readme_and_a_link_to_all() -> None:
    text = README.read_text()
    named = set(re.findall(r"`(POCHA_[A-Z_]+)`", text))
    assert named <= {variable(field) for field in Settings.__struct_fields__}
    assert named >= {"POCHA_HOST", "POCHA_PORT", "POCHA_DATABASE_URL", "POCHA_DATA_DIR", "POCHA_SECRET"}
    assert "](docs/operations.md#configure)" in text
