"""Every decision has its date, its status and its parts, and is short."""

import re
from pathlib import Path

import pytest

TEXT = (Path(__file__).parents[2] / "DECISIONS.md").read_text(encoding="utf-8")
ENTRIES = re.findall(r"^## (\d+)\. ([^\n]+)\n\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
EACH = pytest.mark.parametrize(("number", "title", "body"), ENTRIES, ids=[number for number, *_ in ENTRIES])


def test_numbers_ascend() -> None:
    numbers = [int(number) for number, *_ in ENTRIES]
    assert len(numbers) > 20
    assert numbers == sorted(set(numbers))
    assert TEXT.count("\n## ") == len(numbers)


@EACH
def test_an_entry_begins_with_its_date_and_status(number: str, title: str, body: str) -> None:
    assert re.match(r"\d{4}-\d\d-\d\d, (accepted\.|superseded)", body), f"{number}. {title}"


@EACH
def test_an_entry_has_its_parts_in_order(number: str, title: str, body: str) -> None:
    parts = re.findall(r"\*\*(Context\.|Decision\.|Consequences\.|Enforced by)\*\*", body)
    assert parts == ["Context.", "Decision.", "Consequences.", "Enforced by"], f"{number}. {title}"


@EACH
def test_an_entry_has_at_most_250_words(number: str, title: str, body: str) -> None:
    assert len(f"{title} {body}".split()) <= 250, f"{number}. {title}"
