"""The operations page has what others point at, and points at what there is."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAGES = tuple(
    sorted(
        str(page.relative_to(ROOT))
        for folder in ("", "docs", "docs/rules", "docs/glossary", "k8s")
        for page in (ROOT / folder).glob("*.md")
    )
)
HEADINGS = re.compile(r"^#+ (.+)$", re.MULTILINE)
ANCHOR = re.compile(r'<a id="([a-z0-9-]+)"></a>')
CODE = re.compile(r"`([\w./-]+/[\w.-]+\.(?:py|md|yaml|sql)|service/[\w./-]+)(?:::\w+)?`")


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings: list[str] = HEADINGS.findall(page.read_text(encoding="utf-8"))
    written = {anchor for heading in headings for anchor in ANCHOR.findall(heading)}
    return written | {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def runbooks() -> Iterator[tuple[str, str]]:
    """Yield each alert's name, and where it says that its runbook is."""
    rules = yaml.safe_load((ROOT / "k8s" / "monitoring" / "alerts.yaml").read_text(encoding="utf-8"))
    for group in rules["spec"]["groups"]:
        for rule in group["rules"]:
            yield rule["alert"], rule["annotations"]["runbook_url"]


@pytest.mark.parametrize(("alert", "runbook"), list(runbooks()))
def test_every_alert_has_its_place_in_the_runbook(alert: str, runbook: str) -> None:
    page, _, anchor = runbook.rpartition("#")
    assert anchor == alert.lower()
    assert anchor in anchors(ROOT / page[page.index("docs/") :])


def test_the_runbook_has_no_alert_that_there_is_not() -> None:
    known = {alert for alert, _ in runbooks()}
    headings = set(HEADINGS.findall((ROOT / "docs" / "operations.md").read_text(encoding="utf-8")))
    assert {heading for heading in headings if heading.startswith("Pocha")} == known


@pytest.mark.parametrize("page", PAGES)
def test_every_link_within_the_repository_leads_somewhere(page: str) -> None:
    path = ROOT / page
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://", "mailto:")):
            file, _, anchor = target.partition("#")
            found = (path.parent / file) if file else path
            assert found.exists(), target
            assert not anchor or anchor in anchors(found), target


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_named_is_there(page: str) -> None:
    for named in CODE.findall((ROOT / page).read_text(encoding="utf-8")):
        assert (ROOT / named).exists() or (ROOT / page).parent.joinpath(named).exists(), named


def test_every_test_that_a_security_statement_rests_on_is_there() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert tests
    for file, test in tests:
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file}::{test}"
