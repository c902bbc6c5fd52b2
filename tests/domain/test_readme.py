"""The table of rulings in the README names tests and cases that exist."""

import re
from pathlib import Path

from tests.domain import cases

HERE = Path(__file__).parent
TEXT = (HERE / "README.md").read_text()


def test_every_test_that_the_readme_names_exists() -> None:
    code = "".join(file.read_text() for file in HERE.glob("test_*.py"))
    named = set(re.findall(r"`(test_\w+)`", TEXT))
    assert {name for name in named if f"def {name}(" not in code} == set()
    assert all((HERE / file).exists() for file in re.findall(r"`(\w+\.py)`", TEXT) if file != "__init__.py")


def test_every_case_that_the_readme_names_exists() -> None:
    named = set(re.findall(r"\b(?:LP|TW|HK|BV|SC|RN|TB|DT|TM|IV|SD|AD|AL)-\d\d\b", TEXT))
    assert named <= set(cases.every_id())


def test_every_ruling_is_decided_by_something() -> None:
    rows = [line.split("|")[1:-1] for line in TEXT.splitlines() if line.startswith("| R-")]
    assert all(len(row) == 3 for row in rows)
    undecided = [row[0].strip() for row in rows if not re.search(r"`test_\w+`|[A-Z]{2}-\d\d", row[2])]
    assert undecided == ["R-DEAL-2"]


def test_the_table_has_every_group_of_rulings_without_a_gap() -> None:
    last = {"PLY": 3, "DECK": 4, "DEAL": 3, "TRU": 2, "SCH": 5, "BID": 3, "PLAY": 9, "IND": 3, "AUC": 7}
    last |= {"ORO": 1, "CIE": 1, "SCO": 4, "REN": 3, "TIE": 6}
    expected = {f"R-{group}-{number}" for group, top in last.items() for number in range(1, top + 1)}
    assert set(re.findall(r"R-[A-Z]+-\d", TEXT)) == expected
