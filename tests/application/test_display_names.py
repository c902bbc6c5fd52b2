"""A name is what people see, judged by Unicode's properties: each example stands for its kind."""

import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from service.application.display_names import MAX_CHARACTERS, InvalidName, clean_name, shortened_name

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
SINHALA = "\u0dc1\u0dca\u200d\u0dbb\u0dd3"
BENGALI = "\u09b0\u200d\u09cd\u09af"
HEART_ON_FIRE = "\u2764\ufe0f\u200d\U0001f525"
PERSIAN = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
NEVER = regex.compile(
    r"[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Bidi_Control}\u2800\u115F\u1160\u3164\uFFA0\u17B4\u180E\u034F\uFEFF]"
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=60)


@pytest.mark.parametrize(
    "name",
    [
        "Ana",
        "Ñandú 🃏",
        "o'Brien",
        "李小龍",
        "אבי",
        PERSIAN,
        FAMILY,
        ENGLAND,
        "\u2764\ufe0f",
        "1\ufe0f\u20e3",
        SINHALA,
        BENGALI,
        HEART_ON_FIRE,
        "\u0647\u200d",
    ],
)
def test_a_name_that_people_write_is_kept(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (" Ana ", "Ana"),
        ("Ana\u3000 \u00a0B", "Ana B"),
        ("Ana\u2028B\u2029", "Ana B"),
        ("Jose\u0301", "José"),
        ("a\u202eb\u2066c\u200f", "abc"),
        ("a\u200bb\ufeffc\u00ad", "abc"),
        ("a\u115fb\u17b4c\u034fd\u180ee", "abcde"),
        ("a\u2800b", "a b"),
        ("a\U000e0067b", "ab"),
        ("a\ue000b\ufdd0c", "abc"),
        ("-\u200d-", "--"),
        ("A\u200dna\u200c", "Ana"),
        ("Ana\ufe0f1\ufe0f", "Ana1"),
        ("\u674e\u200d\u4e09", "\u674e\u4e09"),
        ("\u0645\u200c", "\u0645"),
        ("\U0001f600\u200d", "\U0001f600"),
        ("\U0001f3f4\U000e0067", "\U0001f3f4"),
        ("\u0301\u0302Ana", "Ana"),
    ],
)
def test_what_cannot_be_seen_is_removed(written: str, shown: str) -> None:
    assert clean_name(written) == shown


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        *"\u2800\u115f\u1160\uffa0\u3164\u17b4\u180e\u061c\ufe0f\u034f\U000e0020\u200b\u200d\u202e\u0301\ue000\U0001d159\ufffc",
    ],
)
def test_a_name_needs_a_visible_character(name: str) -> None:
    with pytest.raises(InvalidName, match="visible"):
        clean_name(name)


@pytest.mark.parametrize("control", [*"\x00\t\n\r\x1b\x7f\x85\x9f", "\ud800"])
def test_control_characters_are_refused(control: str) -> None:
    with pytest.raises(InvalidName, match="control"):
        clean_name(f"a{control}b")


def test_length_counts_characters_as_people_do() -> None:
    assert clean_name(FAMILY * MAX_CHARACTERS) == FAMILY * MAX_CHARACTERS
    with pytest.raises(InvalidName, match="longer"):
        clean_name(FAMILY * MAX_CHARACTERS + "x")


def test_a_pile_of_accents_is_cut() -> None:
    assert len(clean_name("z" + "\u0301" * 300)) < 20


@given(TEXTS)
def test_a_cleaned_name_is_clean(text: str) -> None:
    try:
        name = clean_name(text)
    except InvalidName:
        return
    assert name == clean_name(name)
    assert name == name.strip() == unicodedata.normalize("NFC", name)
    assert not NEVER.search(name)


@given(TEXTS)
def test_a_shortened_name_is_a_name(text: str) -> None:
    try:
        name = shortened_name(text * 3)
    except InvalidName:
        return
    assert clean_name(name) == name


def test_a_long_name_is_shortened_between_characters() -> None:
    assert shortened_name(f"  {FAMILY * 60}") == FAMILY * MAX_CHARACTERS
