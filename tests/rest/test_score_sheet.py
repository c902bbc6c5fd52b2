"""The score sheet in its three forms: the same facts in each, nothing that a name could break, and the page in the reader's language."""

import base64
import csv
import hashlib
import io
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rest.i18n import Language, messages_in
from service.rest.schemas.score_sheet import ScoreSheet
from service.rest.score_sheet import csv_table
from tests.kit.player import Api, Guest, Json, on_turn

NASTY = ("<script>alert(1)</script>", "=HYPERLINK(\"x\";'y')", '"><img src=x onerror=alert(1)>{0}', "+Ana, 'la' @tab")
SHORT = "ludoteka-express-4"
NO_TRUMP = "\u2013"
PENALISED = {"renuncio": {"mode": "penalised", "penalty": 100, "wrong_claim_penalty": 7}}


async def sheet_of(guest: Guest, game: Json, accept: str = "application/json", **headers: str) -> httpx.Response:
    response = await guest.ask("GET", f"/v1/games/{game['game_id']}/score-sheet", headers={"Accept": accept, **headers})
    assert response.status_code == 200, response.text
    return response


async def sheet_as(guest: Guest, game: Json, form: str) -> httpx.Response:
    response = await guest.ask("GET", f"/v1/games/{game['game_id']}/score-sheet.{form}")
    assert response.status_code == 200, response.text
    return response


async def robots_game(api: Api, ruleset: str = "ludoteka-subebaja") -> tuple[Guest, Json]:
    """Return the person at a finished table of four with three robots, and the view."""
    ana = await api.guest("Ana")
    game = await ana.create(ruleset, 4, robots=3)
    while game["status"] == "playing":
        game = (await ana.move(game, len(game["scores"])))["game"]
    return ana, game


async def nasty_game(api: Api, until: int = 4, names: Sequence[str] = NASTY) -> tuple[list[Guest], Json]:
    """Return guests with names that break what is written carelessly, and the view after `until` hands."""
    guests = [await api.guest(name) for name in names]
    game = await guests[0].create(SHORT, 4)
    for guest in guests[1:]:
        await guest.join(game["game_id"])
    game = await guests[0].look(game["game_id"])
    while game["status"] == "playing" and game["hand"]["number"] <= until:
        guest, view = await on_turn(guests, game)
        await guest.move(view)
        game = await guests[0].look(game["game_id"])
    return guests, game


class Page(HTMLParser):
    """A page taken apart: its tags with their attributes, the texts of its cells, row by row, and all text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.rows: list[list[str]] = []
        self.text = ""
        self.style = ""
        self._in: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._in.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.rows[-1][-1] = self.rows[-1][-1].strip()
        while self._in and self._in.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "style" in self._in:
            self.style += data
            return
        self.text += data
        if {"td", "th"} & set(self._in):
            self.rows[-1][-1] += data

    def of_class(self, name: str) -> list[str]:
        return [tag for tag, attributes in self.tags if name in (attributes.get("class") or "").split()]


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("*/*", "application/json"),
        ("text/csv", "text/csv; charset=utf-8; header=present"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html; charset=utf-8"),
        ("application/json;q=0.1, text/*;q=0.2, text/csv;q=0.05", "text/html; charset=utf-8"),
    ],
)
async def test_the_sheet_comes_in_the_form_accepted(api: Api, accept: str, media_type: str) -> None:
    ana = await api.guest()
    response = await sheet_of(ana, await ana.create(), accept)
    assert response.headers["content-type"] == media_type
    assert response.headers["vary"].removesuffix(", Accept-Encoding") == "Accept, Accept-Language, Authorization"
    assert response.headers["cache-control"] == "private, no-cache"


@pytest.mark.parametrize("accept", ["image/png", "application/pdf, text/html;q=0", "*/*;q=0"])
async def test_a_form_that_there_is_not_is_not_acceptable(api: Api, accept: str) -> None:
    ana = await api.guest()
    path = f"/v1/games/{(await ana.create())['game_id']}/score-sheet"
    response = await ana.ask("GET", path, headers={"Accept": accept, "Accept-Language": "de"})
    assert (response.status_code, response.json()["code"]) == (406, "not-acceptable")
    assert response.json()["detail"] == "Den Punktezettel gibt es als application/json, text/csv oder text/html."
    assert response.headers["vary"].removesuffix(", Accept-Encoding") == "Accept, Accept-Language, Authorization"


async def test_the_sheet_of_a_whole_game_says_the_same_in_every_form(api: Api) -> None:
    ana, game = await robots_game(api)
    json = (await sheet_of(ana, game)).json()
    assert json["totals"] == [score["points"] for score in game["scores"]]
    assert json["result"] == game["result"]
    assert [row["cards"] for row in json["rows"]] == [1, 1, 1, *range(1, 10), 10, 10, 10, *range(10, 1, -1), 1, 1, 1, 1]
    assert in_the_table((await sheet_of(ana, game, "text/csv")).text, 4) == as_table(json)
    page = Page((await sheet_of(ana, game, "text/html")).text)
    assert on_the_page(page) == [
        [text for entry in row["entries"] for text in (cell(entry), number(entry["total"]))] for row in json["rows"]
    ]
    assert page.rows[-1][1:] == [number(total) for total in json["totals"]]


def as_table(sheet: Json) -> list[list[str]]:
    return [
        [
            *(str(row.get(name, "")) for name in ("number", "cards", "kind", "trump", "multiplier")),
            *(
                str(entry.get(name, 0))
                for entry in row["entries"]
                for name in ("bid", "tricks", "points", "penalty", "total")
            ),
        ]
        for row in sheet["rows"]
    ]


def in_the_table(text: str, players: int) -> list[list[str]]:
    """Return the rows under the header, all as long as it is, each ended as RFC 4180 says."""
    assert text.endswith("\r\n")
    assert text.count("\n") == text.count("\r\n")
    header, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    assert header[:5] == ["number", "cards", "kind", "trump", "multiplier"]
    assert len(set(header)) == len(header) == 5 + 5 * players
    assert {len(row) for row in rows} <= {len(header)}
    return rows


def on_the_page(page: Page) -> list[list[str]]:
    return [row[1:] for row in page.rows[2:-1]]


def cell(entry: Json) -> str:
    mark = "✓" if entry["bid"] == entry["tricks"] else "✗"
    return f"{mark}{'+' * (entry['points'] > 0)}{number(entry['points'])}{entry['bid']}/{entry['tricks']}"


def number(value: int) -> str:
    return str(value).replace("-", "\u2212")


async def test_hits_and_misses_are_told_apart_by_a_sign_and_in_words(api: Api) -> None:
    ana, game = await robots_game(api, SHORT)
    page = Page((await sheet_of(ana, game, "text/html", **{"Accept-Language": "en"})).text)
    hits = sum(score["exact"] for score in game["scores"])
    misses = sum(score["missed"] for score in game["scores"])
    said = [attributes.get("aria-label") for _, attributes in page.tags]
    # One more of each stands in the legend.
    assert (len(page.of_class("hit")), len(page.of_class("miss"))) == (hits + 1, misses + 1)
    assert (said.count("hit"), said.count("missed")) == (hits, misses)
    assert len(page.of_class("winner")) == len(game["result"]["winners"])
    assert page.text.count("★") == 1 + 2 * len(game["result"]["winners"])


async def test_trump_and_multiplier_are_on_the_page(api: Api) -> None:
    ana, game = await robots_game(api, SHORT)
    rows = (await sheet_of(ana, game)).json()["rows"]
    page = Page((await sheet_of(ana, game, "text/html", **{"Accept-Language": "es"})).text)
    drawn = [attributes["href"] for tag, attributes in page.tags if tag == "use"]
    assert drawn[4:] == [f"#{row['trump']}" for row in rows]
    symbols = [attributes["id"] for tag, attributes in page.tags if tag == "symbol"]
    assert symbols == ["oros", "copas", "espadas", "bastos"]


@pytest.mark.parametrize("ruleset", ["clasica", "ludoteka-loca"])
async def test_special_hands_are_named_and_what_multiplies_is_shown(api: Api, ruleset: str) -> None:
    ana, game = await robots_game(api, ruleset)
    rows = (await sheet_of(ana, game)).json()["rows"]
    page = Page((await sheet_of(ana, game, "text/html", **{"Accept-Language": "es"})).text)
    assert [row[0].split() for row in page.rows[2:-1]] == [deal(row) for row in rows]
    assert {row["kind"] for row in rows} >= {"india", "subastado"}
    assert in_the_table((await sheet_of(ana, game, "text/csv")).text, 4) == as_table({"rows": rows})


def deal(row: Json) -> list[str]:
    """Return what the first cell of a row says in Spanish, beside the drawing of trump."""
    times = f"\u00d7{row['multiplier']}" if row["multiplier"] > 1 else ""
    kind = "" if row["kind"] == "normal" else row["kind"]
    return [str(row["cards"]), *(part for part in (f"{'' if 'trump' in row else NO_TRUMP}{times}{kind}",) if part)]


@pytest.mark.parametrize("language", Language)
async def test_the_page_speaks_the_language_asked_for(api: Api, language: Language) -> None:
    ana = await api.guest()
    response = await sheet_of(ana, await ana.create(), "text/html", **{"Accept-Language": f"{language}, *;q=0.1"})
    page, words = Page(response.text), messages_in(language).sheet
    assert response.headers["content-language"] == language
    assert dict(page.tags)["html"] == {"lang": language}
    assert {words.title, words.empty, words.legend} <= set(page.text.splitlines())


async def test_the_page_has_no_script_and_nothing_from_elsewhere(api: Api) -> None:
    guests, game = await nasty_game(api)
    response = await sheet_of(guests[0], game, "text/html")
    page = Page(response.text)
    assert {tag for tag, _ in page.tags} <= {
        *("html", "head", "meta", "title", "style", "body", "main", "header", "footer", "h1", "p", "ol", "li", "div"),
        *("span", "b", "i", "bdi", "small", "table", "thead", "tbody", "tfoot", "tr", "th", "td"),
        *("svg", "symbol", "g", "circle", "ellipse", "path", "use"),
    }
    attributes = {name for _, attributes in page.tags for name in attributes}
    assert not [name for name in attributes if name.startswith("on") or name in ("style", "src")]
    assert all(found["href"] in ("#oros", "#copas", "#espadas", "#bastos") for _, found in page.tags if "href" in found)
    assert "url(" not in page.style
    assert "@import" not in page.style
    digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
    assert response.headers["content-security-policy"] == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


async def test_names_are_written_on_the_page_as_they_are_and_are_never_markup(api: Api) -> None:
    guests, game = await nasty_game(api)
    html = (await sheet_of(guests[0], game, "text/html")).text
    assert [re.sub("^★ ", "", name) for name in Page(html).rows[0][1:]] == list(NASTY)
    for broken in ("<script", "<img", "onerror=alert(1)>", '=HYPERLINK("'):
        assert broken not in html


async def test_a_name_is_no_formula_to_a_spreadsheet(api: Api) -> None:
    guests, game = await nasty_game(api)
    text = (await sheet_of(guests[0], game, "text/csv")).text
    header = next(csv.reader(io.StringIO(text)))
    assert header[5::5] == [f"{NASTY[0]} bid", f"'{NASTY[1]} bid", f"{NASTY[2]} bid", f"'{NASTY[3]} bid"]
    assert not [name for name in header if name.startswith(("=", "+", "-", "@"))]
    assert [row[5] for row in in_the_table(text, 4)] == [
        str(row["entries"][0]["bid"]) for row in (await sheet_of(guests[0], game)).json()["rows"]
    ]


@pytest.mark.parametrize("name", ["=1", "+1", "-1", "@1", " =1", "\uff1d1"])
async def test_every_beginning_of_a_formula_is_guarded(api: Api, name: str) -> None:
    ana = await api.guest(name)
    text = (await sheet_of(ana, await ana.create(), "text/csv")).text
    assert f",'{name.strip()} bid," in text


SAME = {
    "all": ["Ana", "Ana", "Ana"],
    "two": ["Ana", "Eva", "Ana"],
    "a name that looks numbered": ["Ana", "Ana", "Ana (0)"],
    "one that looks numbered for another": ["Ana (1)", "Ana", "Ana"],
    "one that looks numbered twice": ["Ana", "Ana", "Ana (0) (0)"],
    "numbers of numbers": ["Ana (1) (1)", "Ana (1)", "Ana (1)"],
    "capitals": ["ana", "ANA", "Ana (0)"],
    "a guard": ["=Ana", "'=Ana", "Eva"],
    "a free seat": ["seat 1", "", ""],
    "a robot": ["robot 2", "Robot 2", "robot"],
    "another column": ["Ana bid", "Ana", "Ana bid bid"],
}


@pytest.mark.parametrize("names", SAME.values(), ids=SAME.keys())
@pytest.mark.parametrize("query", ["", "?dialect=excel"])
async def test_every_column_has_a_name_of_its_own(api: Api, names: list[str], query: str) -> None:
    ana, *others = [await api.guest(name) for name in names if name not in ("", "robot")]
    game = await ana.create(robots=names.count("robot"))
    for other in others:
        await other.join(game["game_id"])
    text = (await sheet_as(ana, game, f"csv{query}")).text.removeprefix("\ufeff")
    header = next(csv.reader(io.StringIO(text), delimiter=";" if query else ","))
    assert len(header) == 20
    assert len({column.casefold() for column in header}) == 20
    assert header[5].lstrip("'").startswith(names[0])


@given(st.lists(st.from_regex(r"[aA]( \([0-3]\)){0,3}", fullmatch=True), min_size=2, max_size=10))
def test_names_are_told_apart_for_every_set_of_them(names: list[str]) -> None:
    unique = csv_table.unique_names(names)
    assert len({name.casefold() for name in unique}) == len(names)
    assert all(made.startswith(name) for made, name in zip(unique, names, strict=True))


async def test_excel_gets_a_byte_order_mark_and_semicolons(api: Api) -> None:
    ana = await api.guest("Bego\u00f1a; Jos\u00e9")
    game = await ana.create()
    plain, excel = [await sheet_as(ana, game, f"csv{query}") for query in ("", "?dialect=excel")]
    assert excel.content.startswith(b"\xef\xbb\xbfnumber;cards;kind;")
    assert not plain.content.startswith(b"\xef\xbb\xbf")
    rows = [
        list(csv.reader(io.StringIO(response.content.decode("utf-8-sig")), delimiter=delimiter))
        for response, delimiter in ((plain, ","), (excel, ";"))
    ]
    assert rows[0] == rows[1]
    assert (await sheet_as(ana, game, "csv?dialect=rfc4180")).content == plain.content
    refused = await ana.ask("GET", f"/v1/games/{game['game_id']}/score-sheet.csv?dialect=word")
    assert (refused.status_code, "Expected one of" in refused.text) == (400, True)


@pytest.mark.parametrize("language", Language)
async def test_a_name_written_from_right_to_left_turns_nothing_around_it(api: Api, language: Language) -> None:
    guests, game = await nasty_game(api, 99, ["\u05d0\u05d1 7", "Ana", "\u0623\u0645\u0644 & 1", "Eva"])
    assert game["status"] == "finished"
    html = (await sheet_of(guests[0], game, "text/html", **{"Accept-Language": language})).text
    for name in ("\u05d0\u05d1 7", "\u0623\u0645\u0644 &amp; 1"):
        assert html.count(name) == html.count(f"<bdi>{name}</bdi>") >= 2


async def test_the_csv_of_a_table_that_waits_has_its_header_alone(api: Api) -> None:
    ana = await api.guest()
    response = await sheet_of(ana, await ana.create(), "text/csv")
    assert in_the_table(response.text, 3) == []
    assert response.headers["content-disposition"].startswith('attachment; filename="pocha-')


async def test_a_game_that_is_being_played_has_no_winner_yet(api: Api) -> None:
    guests, game = await nasty_game(api, until=2)
    sheet = (await sheet_of(guests[0], game)).json()
    page = Page((await sheet_of(guests[0], game, "text/html")).text)
    assert len(sheet["rows"]) == len(on_the_page(page)) == 2
    assert "result" not in sheet
    assert "★" not in page.text


async def penalised_table(api: Api) -> tuple[list[Guest], Json]:
    guests = [await api.guest(f"Guest {seat}") for seat in range(3)]
    game = await guests[0].create(house_rules=PENALISED)
    for guest in guests[1:]:
        await guest.join(game["game_id"])
    return guests, await guests[0].look(game["game_id"])


async def play_renuncio(guests: list[Guest], game: Json) -> tuple[int, int]:
    """Move until somebody can play an illegal card, let them, and return seat and trick."""
    while True:
        guest, view = await on_turn(guests, game)
        wrong = set(view["hand"].get("my_cards", ())) - set(view["turn"].get("legal_cards", ()))
        if view["turn"]["action"] == "play" and wrong:
            assert (await guest.play(game["game_id"], min(wrong))).status_code == 200
            return view["my_seat"], sum(view["hand"]["tricks_won"]) + 1
        await guest.move(view)
        game = await guests[0].look(game["game_id"])


async def claim(guest: Guest, game: Json, seat: int, trick: int) -> Json:
    path = f"/v1/games/{game['game_id']}/renuncio-claims"
    response = await guest.ask("POST", path, {"seat": seat, "trick": trick})
    assert response.status_code == 200, response.text
    return response.json()["game"]


async def test_a_renuncio_is_on_the_sheet_and_the_running_totals_include_it(api: Api) -> None:
    guests, game = await penalised_table(api)
    seat, trick = await play_renuncio(guests, game)
    game = await claim(guests[(seat + 1) % 3], game, seat, trick)
    sheet = await checked(guests, game)
    assert sheet["open_penalties"] == [100 * (other == seat) for other in range(3)]
    page = Page((await sheet_of(guests[0], game, "text/html")).text)
    assert page.rows[-2] == [
        "In the hand being played",
        *("penalty \u2212100" * (other == seat) for other in range(3)),
    ]
    assert "house rules" in page.text
    game = await play_on(guests, game)
    sheet = await checked(guests, game)
    assert "open_penalties" not in sheet
    assert [entry.get("penalty") for entry in sheet["rows"][0]["entries"]] == [
        100 if other == seat else None for other in range(3)
    ]
    page = Page((await sheet_of(guests[0], game, "text/html", **{"Accept-Language": "es"})).text)
    assert "sanción \u2212100" in page.rows[2][1 + 2 * seat]


async def test_a_wrong_claim_is_on_the_sheet_of_who_made_it(api: Api) -> None:
    guests, game = await penalised_table(api)
    seat, trick = await play_renuncio(guests, game)
    game = await play_on(guests, game)
    # The hand before can be claimed about until the next one's first card: here the renuncio, and a card that was right.
    honest = (seat + 1) % 3
    game = await claim(guests[honest], game, seat, trick)
    game = await claim(guests[seat], game, honest, 12)
    sheet = await checked(guests, game)
    assert [entry.get("penalty", 0) for entry in sheet["rows"][0]["entries"]] == [
        107 if other == seat else 0 for other in range(3)
    ]


async def play_on(guests: list[Guest], game: Json) -> Json:
    """Move to the end of the hand."""
    number = game["hand"]["number"]
    while game["status"] == "playing" and game["hand"]["number"] == number:
        guest, view = await on_turn(guests, await guests[0].look(game["game_id"]))
        game = (await guest.move(view))["game"]
    return game


async def checked(guests: list[Guest], game: Json) -> Any:
    """Return the sheet as JSON, every total of it added up again."""
    response = await sheet_of(guests[0], game)
    sheet = response.json()
    msgspec.json.decode(response.content, type=ScoreSheet)
    assert sheet["totals"] == [score["points"] for score in game["scores"]]
    for seat, total in enumerate(sheet["totals"]):
        so_far = 0
        for row in sheet["rows"]:
            entry = row["entries"][seat]
            so_far += entry["points"] - entry.get("penalty", 0)
            assert entry["total"] == so_far
        assert total == so_far - sheet.get("open_penalties", [0, 0, 0])[seat]
    return sheet
