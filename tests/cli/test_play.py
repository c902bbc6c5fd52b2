"""`pocha play`, driven through a pseudo-terminal."""

import json
import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from string import Formatter

import pytest

from service.cli.play.embedded import embedded_service
from service.cli.play.words import LANGUAGES, TEXTS, Words
from tests.contract.kinds import BLIND_PICK, PENALISED, hands
from tests.kit.player import Json
from tests.kit.terminal import Terminal

SERVICE_WORDS = Path(__file__).parents[2] / "service" / "rest" / "i18n"
GLOSSARY = SERVICE_WORDS / "glossary.toml"
KINDS: dict[str, Json] = {
    "india": hands(("india", "1", "1")),
    "auction": hands(("subastado", "2", "2")),
    "ascending auction": {
        **hands(("subastado", "2", "2")),
        "auction": {"protocol": "ascending-once", "winner_second_bid": "locked"},
    },
    "oros and no trump": hands(("oros", "2", "1"), ("ciega", "2", "1")),
    "blind pick": {**hands(("normal", "max", "1")), **BLIND_PICK},
    "renuncio": {**hands(("normal", "3", "1")), **PENALISED},
}
PROMPTS = {
    "en": ("number: choose", "play again"),
    "es": ("número: elegir", "otra partida"),
    "fr": ("numéro : choisir", "rejouer"),
    "de": ("Zahl: wählen", "noch einmal"),
}


def play(*arguments: str, language: str = "en", house_rules: Json | None = None) -> Terminal:
    rules = [] if house_rules is None else ["--house-rules", json.dumps(house_rules)]
    options = ["--name", "Ana", "--players", "3", "--robots", "easy", "--language", language]
    return Terminal([sys.executable, "-m", "service", "play", *options, *arguments, *rules], {})


def play_out(terminal: Terminal, language: str = "en", keys: Sequence[str] = ("1",)) -> list[str]:
    """Choose until the game is over; return the screens that were chosen from."""
    choose, again = PROMPTS[language]
    screens: list[str] = []
    while terminal.wait_for(again, choose) == choose:
        screens.append(terminal.screen)
        terminal.text = ""
        terminal.press(f"{keys[len(screens) % len(keys)]}\n")
    return screens


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_hand_is_played_to_the_end(kind: str) -> None:
    with play(house_rules=KINDS[kind]) as terminal:
        screens = play_out(terminal)
        assert screens
        assert "won!" in terminal.screen
        terminal.press("q")
        assert terminal.end() == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_is_shown_in_the_players_language(language: str) -> None:
    words = Words(language)
    with play(language=language, house_rules=hands(("normal", "2", "1"))) as terminal:
        screens = play_out(terminal, language)
        assert words("do_bid") in screens[0]
        assert f"Ana ({words('you')})" in screens[0]
        assert words("your_cards") in screens[0]
        assert words("over") in terminal.screen
        terminal.press("q")
        assert terminal.end() == 0


def test_a_robot_may_help_the_score_is_shown_and_the_game_is_played_again() -> None:
    with play(house_rules=hands(("normal", "1", "2"))) as terminal:
        terminal.wait_for("number: choose")
        terminal.press("s")
        terminal.wait_for("Press any key.")
        terminal.press("x")
        play_out(terminal, keys="r")
        terminal.text = ""
        terminal.press("n")
        assert terminal.wait_for("number: choose")
        assert "Hand 1 of 2 · normal · 1 card each" in terminal.screen
        terminal.press("q")
        assert terminal.end() == 0


def test_another_person_joins_by_the_six_letters_that_the_first_one_sees() -> None:
    rules = hands(("normal", "1", "1"))
    with embedded_service() as url, play("--url", url, "--people", "2", house_rules=rules) as ana:
        ana.wait_for("--join ")
        command = re.search(r"(\S+ -m service|\S*pocha) play --url (\S+) --join ([A-Z0-9]{6})\b", ana.screen)
        assert command
        assert command[2] == url
        with play("--url", url, "--join", command[3].lower(), "--name", "Eva") as eva:
            eva.wait_for("number: choose", "Waiting for Ana")
            assert "Ana" in eva.screen
            assert "Eva (you)" in eva.screen
            ana.wait_for("Eva")


def test_an_illegal_card_is_offered_where_it_is_penalised_and_a_card_of_a_rival_is_claimed() -> None:
    with play(house_rules={**hands(("normal", "5", "4")), **PENALISED}) as terminal:
        while terminal.wait_for("c: claim a renuncio") and "penalised if claimed" not in terminal.screen:
            terminal.text = ""
            terminal.press("1\n")
        before = terminal.screen
        terminal.text = ""
        terminal.press("c")
        terminal.wait_for("b: back")
        assert "Which card was illegal?" in terminal.screen
        assert "Ana" not in terminal.screen.partition("illegal?")[2]
        terminal.press("b")
        terminal.wait_for("c: claim a renuncio")
        assert terminal.screen.partition("Which card")[2] == before.partition("Which card")[2]
        terminal.text = ""
        terminal.press("c")
        terminal.wait_for("b: back")
        terminal.press("1\n")
        terminal.wait_for("claims in vain")


def test_wrong_arguments_are_refused_in_a_line() -> None:
    for arguments, said in (
        (["--url", "ftp://x"], "expected an address"),
        (["--url", "http://127.0.0.1:9"], "no answer from http://127.0.0.1:9"),
        (["--ruleset", "there-is-none"], "pocha: "),
        (["--house-rules", "{"], "expected JSON"),
    ):
        with play(*arguments) as terminal:
            assert terminal.end() in {1, 2}
            assert said in terminal.text
            assert "Traceback" not in terminal.text


def test_every_text_is_in_every_language_with_the_same_values() -> None:
    for key, texts in TEXTS.items():
        assert set(texts) == set(LANGUAGES), key
        values = {
            language: {name for _, name, _, _ in Formatter().parse(text) if name} for language, text in texts.items()
        }
        assert len({frozenset(each) for each in values.values()}) == 1, key


def test_the_terms_are_those_of_the_glossary() -> None:
    terms = {item["term"]: item for item in tomllib.loads(GLOSSARY.read_text(encoding="utf-8"))["items"]}
    for language in LANGUAGES:
        assert Words(language)("trick").lower() == terms["baza"][language][0].lower()


def test_suits_and_claims_are_called_as_the_service_calls_them() -> None:
    for language in LANGUAGES:
        theirs = tomllib.loads((SERVICE_WORDS / f"{language}.toml").read_text(encoding="utf-8"))
        for suit, name in theirs["suits"].items():
            assert TEXTS[f"suit_{suit}"][language] == name
        assert TEXTS["which_claim"][language] == theirs["play"]["claim_prompt"]
