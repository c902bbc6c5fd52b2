"""Bids and plays over HTTP: what is refused, and how."""

from typing import Any

import pytest

from tests.kit.player import Api, Guest, on_turn, play_until

CARDS = [f"{suit}-{number}" for suit in ("oros", "copas", "espadas", "bastos") for number in range(1, 13)]


async def test_a_move_answers_with_the_new_version_what_happened_and_the_view(api: Api) -> None:
    guests, game = await api.full_table()
    guest, view = await on_turn(guests, game)
    done = await guest.move(view)
    assert done["version"] == view["version"] + 1
    assert done["events"] == [
        {
            "type": "bid_made",
            "version": done["version"],
            "at": done["game"]["server_time"],
            "seat": view["my_seat"],
            "bid": 0,
        }
    ]
    assert done["game"] == await guest.look(game["game_id"])


async def test_robots_answer_in_the_same_commit(api: Api) -> None:
    ana = await api.guest()
    game = await ana.create(robots=2)
    done = await ana.move(game)
    assert {event["version"] for event in done["events"]} == {done["version"]}
    assert done["game"]["turn"]["seat"] == 0


async def test_a_bid_out_of_turn_is_refused_and_tells_whose_turn_it_is(api: Api) -> None:
    guests, game = await api.full_table()
    other = guests[int(game["turn"]["seat"] + 1) % 3]
    response = await other.bid(game["game_id"], 0)
    assert (response.status_code, response.json()["code"]) == (409, "not-your-turn")
    assert response.json()["seat_on_turn"] == game["turn"]["seat"]


async def test_a_spectator_cannot_move(api: Api) -> None:
    _, game = await api.full_table()
    stranger = await api.guest("Stranger")
    response = await stranger.bid(game["game_id"], 0)
    assert (response.status_code, response.json()["code"]) == (403, "not-your-seat")


async def test_a_bid_above_the_cards_is_refused_with_the_legal_bids(api: Api) -> None:
    guests, game = await api.full_table()
    guest, view = await on_turn(guests, game)
    response = await guest.bid(game["game_id"], 13)
    problem = response.json()
    assert (response.status_code, problem["code"], problem["reason"]) == (422, "illegal-bid", "out-of-range")
    assert problem["legal_bids"] == view["turn"]["legal_bids"]


async def test_the_hook_forbids_the_dealer_one_bid(api: Api) -> None:
    guests, game = await api.full_table()
    for _ in range(2):
        guest, view = await on_turn(guests, game)
        await guest.bid(game["game_id"], 4)
        game = await guests[0].look(game["game_id"])
    dealer, view = await on_turn(guests, game)
    assert view["turn"]["forbidden_bid"] == 4
    response = await dealer.bid(game["game_id"], 4)
    problem = response.json()
    assert (response.status_code, problem["code"], problem["reason"]) == (422, "illegal-bid", "hook")
    assert problem["forbidden_bid"] == 4
    assert 4 not in problem["legal_bids"]


async def test_a_play_while_bids_are_made_is_the_wrong_phase(api: Api) -> None:
    guests, game = await api.full_table()
    guest, view = await on_turn(guests, game)
    response = await guest.play(game["game_id"], view["hand"]["my_cards"][0])
    assert (response.status_code, response.json()["code"]) == (409, "wrong-phase")
    assert response.json()["phase"] == "bidding"


async def test_a_bid_while_seats_are_free_is_the_wrong_phase(api: Api) -> None:
    ana = await api.guest()
    response = await ana.bid((await ana.create())["game_id"], 0)
    assert (response.status_code, response.json()["code"]) == (409, "wrong-phase")


async def test_every_card_that_is_not_legal_is_refused_with_a_reason_and_the_legal_cards(api: Api) -> None:
    guests, game = await api.full_table()
    game = await play_until(guests, game, "play")
    seen: set[str] = set()
    for _ in range(9):
        guest, view = await on_turn(guests, game)
        legal, mine = view["turn"]["legal_cards"], view["hand"]["my_cards"]
        for card in [card for card in CARDS if card not in legal]:
            problem = (await guest.play(game["game_id"], card)).json()
            assert (problem["status"], problem["code"]) == (422, "illegal-card")
            assert problem["legal_cards"] == legal
            assert (problem["reason"] == "not-in-hand") == (card not in mine)
            seen.add(problem["reason"])
        await guest.move(view)
        game = await guests[0].look(game["game_id"])
    assert "not-in-hand" in seen
    assert len(seen) > 1


async def test_a_stale_version_is_a_conflict_that_tells_the_current_one(api: Api) -> None:
    guests, game = await api.full_table()
    guest, view = await on_turn(guests, game)
    response = await guest.bid(game["game_id"], 0, expected_version=view["version"] - 1)
    assert (response.status_code, response.json()["code"]) == (409, "version-conflict")
    assert response.json()["current_version"] == view["version"]


async def test_the_version_is_judged_before_turn_and_rules(api: Api) -> None:
    guests, game = await api.full_table()
    other = guests[int(game["turn"]["seat"] + 1) % 3]
    response = await other.bid(game["game_id"], 24, expected_version=1)
    assert response.json()["code"] == "version-conflict"


async def test_the_phase_is_judged_before_the_turn_and_the_turn_before_the_rules(api: Api) -> None:
    guests, game = await api.full_table()
    other = guests[int(game["turn"]["seat"] + 1) % 3]
    assert (await other.play(game["game_id"], "oros-8")).json()["code"] == "wrong-phase"
    assert (await other.bid(game["game_id"], 24)).json()["code"] == "not-your-turn"


async def test_the_right_version_is_accepted(api: Api) -> None:
    guests, game = await api.full_table()
    guest, view = await on_turn(guests, game)
    response = await guest.bid(game["game_id"], 0, expected_version=view["version"])
    assert response.status_code == 200


async def test_a_refused_move_changes_nothing(api: Api) -> None:
    guests, game = await api.full_table()
    before = [(await guest.look(game["game_id"])) for guest in guests]
    for guest in guests:
        await guest.bid(game["game_id"], 24)
        await guest.play(game["game_id"], "oros-8")
    assert [(await guest.look(game["game_id"])) for guest in guests] == before


async def finish(guests: list[Guest], game: dict[str, Any]) -> dict[str, Any]:
    while game["status"] == "playing":
        guest, view = await on_turn(guests, game)
        game = (await guest.move(view))["game"]
    return game


async def test_a_finished_game_takes_no_more_moves(api: Api) -> None:
    guests, game = await api.full_table()
    await finish(guests, game)
    for response in (await guests[0].bid(game["game_id"], 0), await guests[0].play(game["game_id"], "oros-1")):
        assert (response.status_code, response.json()["code"]) == (409, "game-over")


async def test_the_score_sheet_has_a_row_a_hand_and_adds_up_to_the_scores(api: Api) -> None:
    guests, game = await api.full_table()
    game = await finish(guests, game)
    sheet = (await guests[0].ask("GET", f"/v1/games/{game['game_id']}/score-sheet")).json()
    assert [row["number"] for row in sheet["rows"]] == [1, 2, 3]
    assert sheet["totals"] == [score["points"] for score in game["scores"]]
    for seat in range(3):
        total = 0
        for row in sheet["rows"]:
            entry = row["entries"][seat]
            hit = entry["bid"] == entry["tricks"]
            expected = 10 + 5 * entry["tricks"] if hit else -5 * abs(entry["bid"] - entry["tricks"])
            total += expected
            assert (entry["points"], entry["total"]) == (expected, total)


async def test_the_score_sheet_of_a_table_that_waits_is_empty(api: Api) -> None:
    ana = await api.guest()
    game = await ana.create()
    sheet = (await ana.ask("GET", f"/v1/games/{game['game_id']}/score-sheet")).json()
    assert (sheet["rows"], sheet["totals"]) == ([], [0, 0, 0])


@pytest.mark.parametrize("limit", [1, 3, 1000])
async def test_pages_of_events_join_without_gap_or_repetition(api: Api, limit: int) -> None:
    guests, game = await api.full_table()
    game = await finish(guests, game)
    path = f"/v1/games/{game['game_id']}/events"
    events: list[dict[str, Any]] = []
    after = 0
    while True:
        page = (await guests[1].ask("GET", f"{path}?after={after}&limit={limit}")).json()
        assert page["version"] == game["version"]
        if not page["items"]:
            break
        assert len({event["version"] for event in page["items"]}) <= limit
        events += page["items"]
        after = page["next_after"]
    versions = [event["version"] for event in events]
    assert versions == sorted(versions)
    assert set(versions) == set(range(1, game["version"] + 1))
    assert events[0]["type"] == "game_created"
    assert events[-1]["type"] == "game_over"
