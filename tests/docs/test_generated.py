"""The generated parts of the documentation say what the parameters, terms, codes and settings of the service say."""

import re
import tomllib
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from domain.pocha.model.refusals import Reason
from domain.pocha.rules.presets import CLASICA, FOURNIER, PRESETS
from domain.table.table import Level
from service.rest.errors import ErrorCode
from service.rest.i18n import Language
from tests.docs import rules
from tests.docs.pages import DOCS, generated

LANGUAGES = pytest.mark.parametrize("language", list(Language))


@pytest.mark.parametrize(
    ("path", "text"), list(generated()), ids=lambda value: value.name if isinstance(value, Path) else ""
)
def test_a_page_is_as_it_is_generated(path: Path, text: str) -> None:
    assert path.read_text(encoding="utf-8") == text, "run `make docs`"


def keys(language: Language) -> dict[str, set[str]]:
    values: dict[str, Any] = tomllib.loads((rules.SENTENCES / f"{language}.toml").read_text(encoding="utf-8"))
    return {name: set(cast("dict[str, Any]", value)) for name, value in values.items() if isinstance(value, dict)}


@LANGUAGES
def test_every_language_has_the_same_sentences(language: Language) -> None:
    assert keys(language) == keys(Language.EN)


@LANGUAGES
@pytest.mark.parametrize(
    "change",
    [
        {"players": {"allowed": (3, 4)}},
        {"deck": {"rank_order": (3, 1, 12, 11, 10, 7, 6, 5, 4, 2)}},
        {"deck": {"trim": "all-twos"}},
        {"schedule": {"blocks": [{"kind": "normal", "first": "max", "last": "max", "times": "2"}]}},
        {"trump": {"when_all_dealt": "dealer-blind-pick"}},
        {"bidding": {"hook": {"enabled": False}}},
        {"bidding": {"hook": {"exempt_cards": (1,)}}},
        {"auction": {"protocol": "ascending-once", "winner_second_bid": "locked"}},
        {"auction": {"winner_second_bid": "at-least"}},
        {"play": {"must_beat": "never"}},
        {"play": {"beat_waived_after_ruff": False}},
        {"play": {"must_trump": False, "must_overtrump": False}},
        {"play": {"must_overtrump": False}},
        {"play": {"undertrump_when_cannot_overtrump": "forced"}},
        {"scoring": {"hit_base": 20}},
        {"scoring": {"hit_per_trick": 3}},
        {"scoring": {"miss_per_trick": 1}},
        {"scoring": {"suit_multiplier": {"oros": 2}}},
        {"scoring": {"turn_up_multiplier": {}}},
        {"renuncio": {"mode": "penalised"}},
        {"renuncio": {"penalty": 50}},
        {"renuncio": {"scales_with_multiplier": False}},
        {"tiebreak": {"steps": ()}},
        {"tiebreak": {"steps": ("one-card-hands",)}},
    ],
    ids=str,
)
def test_another_value_of_a_parameter_is_another_text(language: Language, change: dict[str, dict[str, object]]) -> None:
    written = msgspec.to_builtins(CLASICA)
    if "players" in change:
        written["players"] = {}
    for part, values in change.items():
        written[part] |= values
    assert rules.section(msgspec.convert(written, type(CLASICA)), language) != rules.section(CLASICA, language)


def test_the_rules_of_a_preset_say_what_is_its_own() -> None:
    assert "ace, king, knight, jack, 7, 6, 5, 4, 3, 2" in rules.section(FOURNIER, Language.EN)
    assert "The source does not mention 6" in rules.section(FOURNIER, Language.EN)


def test_the_table_of_presets_is_right() -> None:
    page = (DOCS / "house-rules.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z0-9-]+)`[^|]*\| [^|]+ \| ([^|]+) \| (\d+)(?: (?:to|or) (\d+))?:?", page, re.MULTILINE)
    assert [row[0] for row in rows] == list(PRESETS)
    for name, players, fewest, most in rows:
        allowed = PRESETS[name].players.allowed
        assert [int(number) for number in re.findall(r"\d+", players)] == sorted({allowed[0], allowed[-1]})
        hands = [rules.ruleset.hand_schedule(PRESETS[name], number) for number in allowed]
        lengths = sorted(len(one) for one in hands)
        assert (int(fewest), int(most or fewest)) == (lengths[0], lengths[-1])


def test_every_problem_code_has_its_heading_under_its_status() -> None:
    page = (DOCS / "errors.md").read_text(encoding="utf-8")
    found: list[tuple[str, int]] = []
    status = 0
    for level, text in re.findall(r"^(###?) (.+)$", page, re.MULTILINE):
        if level == "##":
            status = int(text) if text.isdigit() else 0
        else:
            found.append((text, status))
    assert sorted(found) == sorted((code.code, code.status) for code in ErrorCode)


def test_every_reason_is_explained_with_its_code() -> None:
    page = (DOCS / "errors.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| `([a-z-]+)` \| .+ \|$", page, re.MULTILINE))
    assert rows.pop("reason") == "code"
    assert set(rows) == {reason.value for reason in Reason}
    assert set(rows.values()) <= {code.code for code in ErrorCode}


def test_every_level_of_a_robot_is_named() -> None:
    for page in ("playing.md", "robots.md"):
        text = (DOCS / page).read_text(encoding="utf-8")
        assert [level for level in Level if f"`{level}`" not in text] == []


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: str(page.relative_to(DOCS)))
def test_sources_are_named_as_readers_know_them(page: Path) -> None:
    """Neither by their number among the documents that the rules were taken from, nor by a ruling of the rulebook."""
    assert re.findall(r"seeds? 00\d|\bR-[A-Z]+-\d|rulebook", page.read_text(encoding="utf-8")) == []
