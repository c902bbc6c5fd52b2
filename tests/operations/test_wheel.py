"""The installed package has everything that it serves."""

import subprocess
import sys
import zipfile
from pathlib import Path

from service.rest.docs import catalog

ROOT = Path(__file__).parents[2]


def test_the_wheel_has_every_page_of_the_documentation_and_the_contract(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        for page in catalog.pages().values():
            packed = (
                "service/rest/openapi.yaml"
                if page.source == catalog.API_REFERENCE
                else f"service/rest/pages/{page.source}"
            )
            assert archive.read(packed) == (ROOT / page.source).read_bytes(), page.source
        assert {"service/rest/docs/page.html.jinja", "service/rest/play/page.html.jinja"} <= set(archive.namelist())
        for path in (ROOT / "service" / "rest" / "play" / "static").rglob("*.*"):
            assert archive.read(str(path.relative_to(ROOT))) == path.read_bytes()
