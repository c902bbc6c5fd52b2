"""Score sheets of tables with real cards over HTTP: who may see and write them, what is refused, and what is told next."""

import asyncio
from typing import Any

import httpx

from service.application.draining import Draining
from service.bootstrap.service import Service
from tests.kit.player import Api, Guest, Json
from tests.kit.waiting import until

NAMES = ["Ana", "Beto", "Carmen", "Diego"]
SHEETS = "/v1/score-keepers"


async def new_sheet(guest: Guest, **more: Any) -> Json:
    body = {"players": NAMES, "ruleset": "ludoteka-express-4", **more}
    answer = await guest.ask("POST", SHEETS, body)
    assert answer.status_code == 201, answer.text
    sheet: Json = answer.json()
    assert answer.headers["location"] == f"{SHEETS}/{sheet['score_keeper_id']}"
    return sheet


async def write(guest: Guest, sheet: Json, what: str, **body: Any) -> Json:
    answer = await ask(guest, sheet, what, **body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def ask(guest: Guest, sheet: Json, what: str, **body: Any) -> httpx.Response:
    return await guest.ask("POST", f"{SHEETS}/{sheet['score_keeper_id']}/{what}", body)


async def refused(guest: Guest, sheet: Json, what: str, **body: Any) -> Json:
    answer = await ask(guest, sheet, what, **body)
    assert answer.status_code >= 400, answer.text
    return answer.json()


async def write_hand(guest: Guest, sheet: Json, bids: list[int], tricks: list[int]) -> Json:
    """Write a hand from its bids, in the order of bidding, to its tricks."""
    if sheet["next"]["action"] == "auction":
        sheet = await write(guest, sheet, "auction", seat=0, bid=1, suit="copas")
    for bid in bids:
        sheet = await write(guest, sheet, "bids", seat=sheet["next"]["seat"], bid=bid)
    if sheet["next"]["action"] == "trump":
        sheet = await write(guest, sheet, "trump", turn_up="bastos-7")
    return await write(guest, sheet, "tricks", tricks=tricks)


async def test_a_sheet_tells_who_bids_next_and_what_the_hook_forbids(api: Api) -> None:
    ana = await api.guest("Ana")
    sheet = await new_sheet(ana, first_dealer=1)
    cards = sheet["hand"]["cards"]
    assert (sheet["version"], sheet["status"], sheet["players"]) == (1, "playing", NAMES)
    assert (sheet["hand"]["number"], sheet["hand"]["dealer"], sheet["hand"]["mano"]) == (1, 1, 2)
    assert sheet["next"] == {"action": "bid", "seat": 2, "legal_bids": list(range(cards + 1))}
    assert (await refused(ana, sheet, "bids", seat=0, bid=1))["seat_on_turn"] == 2
    for seat in (2, 3, 0):
        sheet = await write(ana, sheet, "bids", seat=seat, bid=1)
    assert sheet["next"]["forbidden_bid"] == cards - 3
    assert sheet["hand"]["bids"] == [{"seat": seat, "bid": 1} for seat in (2, 3, 0)]
    problem = await refused(ana, sheet, "bids", seat=1, bid=cards - 3)
    assert (problem["code"], problem["reason"]) == ("illegal-bid", "hook")
    sheet = await write(ana, sheet, "bids", seat=1, bid=1)
    assert sheet["next"] == {"action": "tricks"}
    problem = await refused(ana, sheet, "tricks", tricks=[1, 1, 1, 1])
    assert (problem["code"], problem["reason"]) == ("illegal-entry", "tricks-do-not-add-up")
    sheet = await write(ana, sheet, "tricks", tricks=[1, 1, 1, cards - 3])
    assert [score["exact"] for score in sheet["scores"]] == [1, 1, 1, 0]
    assert sheet["hand"]["number"] == 2


async def test_a_sheet_is_kept_to_its_end_and_shows_it_in_all_forms(api: Api) -> None:
    ana = await api.guest("Ana")
    sheet = await new_sheet(ana)
    while sheet["status"] == "playing":
        cards = sheet["hand"]["cards"]
        sheet = await write_hand(ana, sheet, [0, 0, 0, 0], [cards, 0, 0, 0])
    assert sheet["result"]["winners"] == [1, 2, 3]
    assert "hand" not in sheet
    assert "next" not in sheet
    assert (await refused(ana, sheet, "bids", seat=0, bid=0))["code"] == "game-over"
    path = f"{SHEETS}/{sheet['score_keeper_id']}/score-sheet"
    table = (await ana.ask("GET", path)).json()
    assert [score["points"] for score in sheet["scores"]] == table["totals"]
    assert table["rows"][-1]["entries"][0]["total"] == table["totals"][0]
    csv = await ana.ask("GET", f"{path}.csv")
    assert csv.headers["content-type"].startswith("text/csv")
    assert "Ana bid,Ana tricks" in csv.text
    assert len(csv.text.splitlines()) == len(table["rows"]) + 1
    excel = await ana.ask("GET", f"{path}.csv?dialect=excel")
    assert excel.content.startswith(b"\xef\xbb\xbfnumber;cards;kind;")
    page = await ana.ask("GET", f"{path}.html", headers={"Accept-Language": "de"})
    assert (page.headers["content-language"], page.headers["content-type"]) == ("de", "text/html; charset=utf-8")
    assert all(name in page.text for name in NAMES)


async def test_trump_is_asked_for_where_points_depend_on_it(api: Api) -> None:
    ana = await api.guest("Ana")
    sheet = await new_sheet(ana, ruleset="clasica", players=NAMES[:3], first_dealer=2)
    sheet = await write(ana, sheet, "trump", suit="oros")
    assert (sheet["hand"]["trump"], sheet["hand"]["multiplier"]) == ("oros", 3)
    for bid in (1, 0, 1):
        sheet = await write(ana, sheet, "bids", seat=sheet["next"]["seat"], bid=bid)
    assert sheet["next"] == {"action": "trump"}
    assert (await refused(ana, sheet, "tricks", tricks=[1, 0, 0]))["reason"] == "trump-unknown"
    assert (await refused(ana, sheet, "trump", turn_up="oros-8"))["reason"] == "not-in-pack"
    assert (await refused(ana, sheet, "trump"))["reason"] == "trump-unknown"
    sheet = await write(ana, sheet, "trump", turn_up="oros-4")
    assert (sheet["hand"]["turn_up"], sheet["hand"]["multiplier"]) == ("oros-4", 4)
    sheet = await write(ana, sheet, "tricks", tricks=[1, 0, 0])
    assert [score["points"] for score in sheet["scores"]] == [60, 40, -20]


async def test_penalties_cost_what_the_ruleset_or_the_table_says(api: Api) -> None:
    ana = await api.guest("Ana")
    sheet = await new_sheet(ana)
    problem = await refused(ana, sheet, "penalties", seat=1)
    assert (problem["code"], problem["reason"]) == ("illegal-entry", "no-penalty")
    sheet = await write(ana, sheet, "penalties", seat=1, points=30, wrong_claim=True)
    assert sheet["scores"][1]["points"] == -30
    table = (await ana.ask("GET", f"{SHEETS}/{sheet['score_keeper_id']}/score-sheet")).json()
    assert table["open_penalties"] == [0, 30, 0, 0]
    assert (await refused(ana, sheet, "penalties", seat=4, points=1))["reason"] == "no-such-seat"


async def test_corrections_take_entries_back_and_keep_the_history(api: Api) -> None:
    ana = await api.guest("Ana")
    sheet = await new_sheet(ana)
    for bid in (0, 1, 2):
        sheet = await write(ana, sheet, "bids", seat=sheet["next"]["seat"], bid=bid)
    sheet = await write(ana, sheet, "corrections", entries=2)
    assert sheet["hand"]["bids"] == [{"seat": 1, "bid": 0}]
    assert (await refused(ana, sheet, "corrections", entries=2))["reason"] == "nothing-to-correct"
    sheet = await write(ana, sheet, "bids", seat=2, bid=3)
    path = f"{SHEETS}/{sheet['score_keeper_id']}/entries"
    first = (await ana.ask("GET", f"{path}?limit=3")).json()
    rest = (await ana.ask("GET", f"{path}?limit=3&cursor={first['next_cursor']}")).json()
    assert "next_cursor" not in rest
    told = [(each["version"], each["type"], each["counts"]) for each in (*first["items"], *rest["items"])]
    assert told == [
        (6, "bid", True),
        (5, "correction", False),
        (4, "bid", False),
        (3, "bid", False),
        (2, "bid", True),
    ]
    assert first["items"][0] | {"at": ""} == {
        "version": 6,
        "at": "",
        "player_id": ana.player_id,
        "type": "bid",
        "counts": True,
        "seat": 2,
        "bid": 3,
    }


async def test_a_sheet_does_not_exist_for_those_who_do_not_have_its_code(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    sheet = await new_sheet(ana)
    path = f"{SHEETS}/{sheet['score_keeper_id']}"
    for method, suffix in (("GET", ""), ("GET", "/score-sheet.csv"), ("POST", "/join-code"), ("DELETE", "")):
        answer = await eva.ask(method, path + suffix)
        assert (answer.status_code, answer.json()["detail"]) == (404, "There is no such score sheet.")
    assert (await refused(eva, sheet, "bids", seat=1, bid=0))["code"] == "not-found"
    assert (await eva.ask("GET", SHEETS)).json() == {"items": []}
    code = (await ana.ask("POST", f"{path}/join-code")).json()
    assert (await ana.ask("POST", f"{path}/join-code")).json() == code
    for text in (code["code"].lower(), code["code"]):
        joined = await eva.ask("POST", "/v1/joins", {"code": text})
        assert joined.json() == {"type": "score_keeper", "score_keeper": sheet}
    sheet = await write(eva, sheet, "bids", seat=1, bid=0)
    assert (await ana.ask("GET", path)).json() == sheet
    assert [each["score_keeper_id"] for each in (await eva.ask("GET", SHEETS)).json()["items"]] == [
        sheet["score_keeper_id"]
    ]
    assert (await eva.ask("DELETE", path)).json()["code"] == "not-the-host"
    assert (await ana.ask("DELETE", path)).status_code == 204
    assert (await eva.ask("GET", path)).status_code == 404
    assert (await eva.ask("POST", "/v1/joins", {"code": code["code"]})).json()["code"] == "not-found"


async def test_a_wrong_code_is_not_found(api: Api) -> None:
    ana = await api.guest("Ana")
    answer = await ana.ask("POST", "/v1/joins", {"code": "CDFGHJ"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
    for code in ("CDFGH", "CDFGHJK", "CDFG-J", "\u0660" * 6):
        assert (await ana.ask("POST", "/v1/joins", {"code": code})).json()["code"] == "invalid-request"


async def test_a_request_that_is_repeated_under_its_key_is_carried_out_once(api: Api) -> None:
    ana = await api.guest("Ana")
    key, body = {"Idempotency-Key": "one"}, {"players": NAMES, "ruleset": "ludoteka-express-4"}
    answers = [await ana.ask("POST", SHEETS, body, key) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert [answer.headers.get("idempotency-replayed") for answer in answers] == [None, "true"]
    assert (await ana.ask("POST", SHEETS, {**body, "first_dealer": 1}, key)).json()["code"] == "idempotency-key-reused"
    path = f"{SHEETS}/{answers[0].json()['score_keeper_id']}/bids"
    bid = {"seat": 1, "bid": 0}
    answers = [await ana.ask("POST", path, bid, key) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert [answer.headers.get("idempotency-replayed") for answer in answers] == [None, "true"]
    assert (await ana.ask("POST", path, {"seat": 1, "bid": 1}, key)).json()["code"] == "idempotency-key-reused"


async def test_an_expected_version_is_heeded(api: Api) -> None:
    ana = await api.guest("Ana")
    sheet = await new_sheet(ana)
    sheet = await write(ana, sheet, "bids", seat=1, bid=0, expected_version=1)
    problem = await refused(ana, sheet, "bids", seat=2, bid=0, expected_version=1)
    assert (problem["code"], problem["current_version"]) == ("version-conflict", 2)


async def test_names_are_cleaned_and_tables_must_be_possible(api: Api) -> None:
    ana = await api.guest("Ana")
    sheet = await new_sheet(ana, players=[" Ana ", "B", "C", "D"])
    assert sheet["players"][0] == "Ana"
    for body, code in (
        ({"players": [" ", "B", "C", "D"]}, "invalid-request"),
        ({"players": ["A", "B"]}, "illegal-table"),
        ({"players": NAMES, "first_dealer": 4}, "not-found"),
        ({"players": NAMES, "ruleset": "no-such"}, "illegal-table"),
    ):
        answer = await ana.ask("POST", SHEETS, {"ruleset": "ludoteka-express-4", **body})
        assert answer.json()["code"] == code, answer.text


async def test_a_waiting_read_gets_the_next_entry(api: Api, service: Service) -> None:
    ana = await api.guest("Ana")
    sheet = await new_sheet(ana)
    path = f"{SHEETS}/{sheet['score_keeper_id']}?after_version=1"
    waiting = asyncio.create_task(ana.ask("GET", f"{path}&wait=30"))
    await until(lambda: len(service.waiters) == 1)
    sheet = await write(ana, sheet, "bids", seat=1, bid=0)
    assert (await waiting).json() == sheet


async def test_sheets_are_listed_page_by_page(api: Api) -> None:
    ana = await api.guest("Ana")
    made = [(await new_sheet(ana))["score_keeper_id"] for _ in range(3)]
    first = (await ana.ask("GET", f"{SHEETS}?limit=2")).json()
    rest = (await ana.ask("GET", f"{SHEETS}?limit=2&cursor={first['next_cursor']}")).json()
    assert [each["score_keeper_id"] for each in (*first["items"], *rest["items"])] == made[::-1]
    assert "next_cursor" not in rest


async def test_a_waiting_read_is_sent_away_when_the_process_drains(
    api: Api, service: Service, draining: Draining
) -> None:
    ana = await api.guest("Ana")
    sheet = await new_sheet(ana)
    background = asyncio.create_task(service.waiters.run())
    waiting = asyncio.create_task(ana.ask("GET", f"{SHEETS}/{sheet['score_keeper_id']}?after_version=1&wait=30"))
    await until(lambda: len(service.waiters) == 1)
    draining.begin()
    assert (await waiting).json() == sheet
    await background
