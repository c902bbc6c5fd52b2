"""What is said in words: in the language asked for, the same things in each, and nothing else about an answer changed by it."""

import tomllib
from collections.abc import Iterator
from importlib import resources
from string import Formatter
from typing import Any, cast

import msgspec
import pytest

from domain.cards import Card, Suit
from domain.pocha.model.refusals import Facts, Reason, Refused
from domain.pocha.rules.schedule import HandKind
from domain.pocha.view.schema import Status
from domain.table.table import Level
from service.application.permissions import NoSuchGame
from service.rest.errors import ErrorCode, ErrorDetail, problem_response
from service.rest.i18n import Language, join_list, messages_in
from service.rest.schemas.problems import Problem
from tests.kit.player import Api, Guest, Json, on_turn, play_until

OTHERS = [language for language in Language if language is not Language.EN]
CARDS = (Card.ESPADAS_1, Card.COPAS_10, Card.OROS_7)
ALL_FACTS = Facts("bidding", 2, (3, 4), (0, 1, 3), 2, True, CARDS, (0, 1))


def texts(language: Language) -> dict[str, str]:
    """Return every text of a language's file by its place in the file."""
    written = resources.files("service.rest.i18n").joinpath(f"{language}.toml").read_text("utf-8")
    return dict(_leaves("", tomllib.loads(written)))


def _leaves(place: str, node: Any) -> Iterator[tuple[str, str]]:
    if isinstance(node, str):
        yield place, node
        return
    inner = cast("Json", node).items() if isinstance(node, dict) else enumerate(cast("list[Any]", node))
    for name, value in inner:
        yield from _leaves(f"{place}/{name}", value)


def placeholders(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def said(error: Exception, language: Language) -> Problem:
    return msgspec.json.decode(problem_response(error, language).body, type=Problem)


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_texts_of_the_others_with_the_same_placeholders(language: Language) -> None:
    english, translated = texts(Language.EN), texts(language)
    assert translated.keys() == english.keys()
    assert all(text == text.strip() != "" for text in translated.values())
    for place, text in translated.items():
        assert placeholders(text) == placeholders(english[place]), place


@pytest.mark.parametrize("language", Language)
def test_every_code_reason_and_fact_has_its_text(language: Language) -> None:
    words = messages_in(language)
    assert words.codes.keys() == {code.code for code in ErrorCode}
    assert words.details.keys() == set(ErrorDetail)
    assert words.reasons.keys() == set(Reason)
    assert words.facts.keys() == set(Facts.__struct_fields__) - {"phase", "may_pass"}
    assert all(placeholders(text) == [""] for text in words.facts.values())
    assert words.suits.keys() == words.of_suit.keys() == set(Suit)
    assert words.sheet.status.keys() == set(Status)
    assert words.sheet.kinds.keys() == set(HandKind) - {HandKind.NORMAL}
    assert words.sheet.levels.keys() >= {level.value for level in Level}
    assert len(words.sheet.months) == 12


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_was_left_in_english(language: Language) -> None:
    english, translated = texts(Language.EN), texts(language)
    sentences = [place for place in english if place.startswith(("/codes", "/details", "/reasons", "/facts"))]
    assert [place for place in sentences if translated[place] == english[place]] == []


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("reason", Reason)
def test_a_refusal_says_its_reason_in_every_language_and_changes_nothing_else(
    reason: Reason, language: Language
) -> None:
    refused = Refused(reason, ALL_FACTS)
    english, translated = said(refused, Language.EN), said(refused, language)
    expected = messages_in(language).reasons[reason]
    assert translated.detail.startswith(expected) or reason is Reason.NOT_INVITED
    assert msgspec.structs.replace(translated, title="", detail="") == msgspec.structs.replace(
        english, title="", detail=""
    )


@pytest.mark.parametrize(
    ("language", "detail"),
    [
        (
            Language.EN,
            "You hold the suit that was led, and must follow it. You may play ace of swords, jack of cups or 7 of coins.",
        ),
        (
            Language.ES,
            "Tienes cartas del palo de salida: hay que asistir. Puedes echar as de espadas, sota de copas o 7 de oros.",
        ),
        (
            Language.FR,
            "Vous avez la couleur demandée : il faut la fournir. Vous pouvez jouer as d'épées, valet de coupes ou 7 de deniers.",
        ),
        (
            Language.DE,
            "Du hast die angespielte Farbe und musst sie bedienen. Spielen darfst du Ass der Schwerter, Bube der Kelche oder 7 der Münzen.",
        ),
    ],
)
def test_a_refusal_names_what_could_be_done_instead(language: Language, detail: str) -> None:
    assert said(Refused(Reason.MUST_FOLLOW, Facts(legal_cards=CARDS)), language).detail == detail


def test_a_list_is_said_as_people_say_it() -> None:
    assert [join_list(items, "or") for items in ("1", "12", "123")] == ["1", "1 or 2", "1, 2 or 3"]


@pytest.mark.parametrize("language", Language)
def test_who_is_not_invited_hears_what_is_said_of_a_game_that_is_not_there(language: Language) -> None:
    assert problem_response(Refused(Reason.NOT_INVITED), language).body == problem_response(NoSuchGame(), language).body


@pytest.mark.parametrize(
    ("path", "code"), [("/nowhere", "not-found"), ("/v1//games", "not-found"), ("/v1/games", "unauthenticated")]
)
@pytest.mark.parametrize("language", Language)
async def test_problems_speak_the_language_asked_for_wherever_they_come_from(
    api: Api, path: str, code: str, language: Language
) -> None:
    response = await api.client.get(path, headers={"Accept-Language": f"ja, {language}-XX;q=0.8, *;q=0.1"})
    assert response.headers["content-language"] == language
    assert response.headers["vary"] == "Accept-Language"
    problem = response.json()
    words = messages_in(language).codes[code]
    assert (problem["type"], problem["code"]) == (f"/problems/{code}", code)
    assert (problem["title"], problem["detail"]) == (words.title, words.detail)


async def test_a_method_that_is_not_there_is_refused_in_the_language_asked_for(api: Api) -> None:
    response = await api.client.delete("/v1/games", headers={"Accept-Language": "fr"})
    assert response.json()["title"] == "Cette méthode n'est pas permise ici"
    assert response.headers["allow"] == "GET, HEAD, OPTIONS, POST"


async def test_several_lines_of_the_header_are_one_list(api: Api) -> None:
    lines = [("Accept-Language", "de;q=0.1"), ("Accept-Language", "es;q=0.2")]
    assert (await api.client.get("/nowhere", headers=lines)).headers["content-language"] == "es"


async def test_answers_without_words_do_not_depend_on_the_language(api: Api) -> None:
    response = await api.client.get("/v1/rulesets", headers={"Accept-Language": "es"})
    assert "content-language" not in response.headers
    assert response.headers["vary"] == "Accept-Encoding"


async def test_the_hook_is_explained_in_words_and_names_its_rule(api: Api) -> None:
    guests, game = await api.full_table()
    for _ in range(2):
        guest, _ = await on_turn(guests, game)
        await guest.bid(game["game_id"], 4)
        game = await guests[0].look(game["game_id"])
    dealer, _ = await on_turn(guests, game)
    path = f"/v1/games/{game['game_id']}/bids"
    problem = (await dealer.ask("POST", path, {"bid": 4}, {"Accept-Language": "es-AR"})).json()
    assert (problem["reason"], problem["rule"]) == ("hook", "hook")
    assert problem["detail"].startswith(
        "El último en pedir no puede hacer que la suma de las apuestas dé las bazas de la mano. "
        "Aquí no puedes pedir 4. Puedes pedir 0, 1, 2, 3, 5"
    )


RULES = {"must-follow": "follow", "must-beat": "beat", "must-trump": "must-trump", "must-overtrump": "overtrump"}


async def test_each_duty_of_play_names_its_rule(api: Api) -> None:
    seen: set[str] = set()
    for _ in range(20):  # which duties come up depends on the deal
        if seen >= {"must-follow", "must-beat"}:
            return
        guests, game = await api.full_table()
        seen |= await duties_of_a_hand(guests, await play_until(guests, game, "play"))
    raise AssertionError(seen)


async def duties_of_a_hand(guests: list[Guest], game: Json) -> set[str]:
    """Play the first hand, try every illegal card, and return the duties that they would have broken."""
    seen: set[str] = set()
    while game["hand"]["number"] == 1:
        guest, view = await on_turn(guests, game)
        for card in set(view["hand"]["my_cards"]) - set(view["turn"]["legal_cards"]):
            problem = (await guest.play(game["game_id"], card)).json()
            assert problem["rule"] == RULES[problem["reason"]]
            seen.add(problem["reason"])
        await guest.move(view)
        game = await guests[0].look(game["game_id"])
    return seen


async def test_a_reason_of_the_moment_names_no_rule(api: Api) -> None:
    guests, game = await api.full_table()
    other = guests[int(game["turn"]["seat"] + 1) % 3]
    assert "rule" not in (await other.bid(game["game_id"], 0)).json()
