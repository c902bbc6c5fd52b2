"""The README's commands do what it says."""

import re
import subprocess
import sys
from pathlib import Path

from service.bootstrap.settings import Settings, variable
from tests.e2e.process import ServiceProcess

README = Path(__file__).parents[2] / "README.md"


def commands() -> str:
    """Return the blocks that the README says are run here."""
    blocks = re.findall(r"<!-- run by tests/e2e/test_readme.py -->\n```sh\n(.*?)```", README.read_text(), re.DOTALL)
    assert len(blocks) == 4
    return "\n".join(blocks)


def test_a_first_game_by_curl_goes_as_the_readme_says(service: ServiceProcess, tmp_path: Path) -> None:
    script = commands().replace("POCHA=http://127.0.0.1:8000", f"POCHA={service.url}")
    script = script.replace(".venv/bin/pocha", f"PYTHONPATH={README.parent} {sys.executable} -m service.cli.main")
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
    assert '"code":"wrong-phase"' in done.stdout or '"reason":"not-in-hand"' in done.stdout
    assert "won by seats" in done.stdout
    assert '"rows"' in done.stdout
    assert "event: game_over" in done.stdout
    assert '"items":[]' in done.stdout
    assert re.search(r'"items":\[\].*"version":1,"status":"playing"', done.stdout), "the rematch has begun"
    assert "the record is right" in done.stdout


def test_the_main_settings_stand_in_the_readme_and_a_link_to_all() -> None:
    text = README.read_text()
    named = set(re.findall(r"`(POCHA_[A-Z_]+)`", text))
    assert named <= {variable(field) for field in Settings.__struct_fields__}
    assert named >= {"POCHA_HOST", "POCHA_PORT", "POCHA_DATABASE_URL", "POCHA_DATA_DIR", "POCHA_SECRET"}
    assert "](docs/operations.md#configure)" in text
