"""What callers hear of limits: counted apart by policy, caller and address, and never in the way of a legal move."""

import re
from datetime import UTC, datetime
from uuid import uuid4

import httpx
import pytest

from service.rest.auth.api_keys import new_key
from service.rest.jitter import MAX_RETRY_AFTER_SECONDS
from service.rest.rate_limit.memory import MemoryRateStore
from service.rest.rate_limit.policies import APP_FACTOR, BY_ADDRESS, Policy
from tests.contract.document import contract
from tests.kit.asgi_stream import Reading
from tests.kit.player import Guest, Json, on_turn
from tests.rate_limit.conftest import LimitedServices
from tests.rate_limit.test_memory import SetTime

HOUR = 3600
CREATED = {"display_name": "Ana"}


def counted(response: httpx.Response) -> tuple[str, int] | None:
    """Return the policy that an answer was counted in, and what is left of it; none when it was not counted."""
    if "ratelimit" not in response.headers:
        assert "ratelimit-policy" not in response.headers
        return None
    for name, header in (("ratelimit", "RateLimit"), ("ratelimit-policy", "RateLimitPolicy")):
        assert re.search(contract()["components"]["headers"][header]["schema"]["pattern"], response.headers[name])
    told = re.fullmatch(r'"([a-z-]+)";r=(\d+);t=(\d+)', response.headers["ratelimit"])
    policy = re.fullmatch(r'"([a-z-]+)";q=(\d+);w=(\d+)', response.headers["ratelimit-policy"])
    assert told
    assert policy
    assert told[1] == policy[1]
    assert int(told[2]) <= int(policy[2])
    assert int(told[3]) <= int(policy[3])
    return told[1], int(told[2])


def require_limited(response: httpx.Response, policy: str) -> None:
    """Require the whole of a 429."""
    problem: Json = response.json()
    assert (response.status_code, problem["code"], problem["title"]) == (429, "rate-limited", "Too many requests")
    assert response.headers["retry-after"] == str(problem["retry_after"])
    assert 1 <= problem["retry_after"] <= HOUR
    assert counted(response) == (policy, 0)
    [until_allowed] = re.findall(r";t=(\d+)$", response.headers["ratelimit"])
    extra = problem["retry_after"] - int(until_allowed)
    assert extra in (range(1, MAX_RETRY_AFTER_SECONDS + 1) if policy.endswith(BY_ADDRESS) else [0])


async def test_guesses_of_codes_are_counted_before_they_are_looked_up(services: LimitedServices) -> None:
    ana, eva = [await (await services.open({Policy.JOINS: f"3/{HOUR}"})).guest() for _ in range(2)]
    body = {"players": ["Ana", "Beto", "Carmen"]}
    sheet: Json = (await ana.ask("POST", "/v1/score-keepers", body)).json()
    code: Json = (await ana.ask("POST", f"/v1/score-keepers/{sheet['score_keeper_id']}/join-code")).json()
    guesses = [await eva.ask("POST", "/v1/joins", {"code": guess}) for guess in ("CDFGHJ", "CDFGHK", "!")]
    assert [counted(answer) for answer in guesses] == [("joins", left) for left in (2, 1, 0)]
    require_limited(await eva.ask("POST", "/v1/joins", {"code": code["code"]}), "joins")
    assert (await ana.ask("POST", "/v1/joins", {"code": code["code"]})).status_code == 200


async def test_reads_are_counted_and_told_until_there_are_none_left(services: LimitedServices) -> None:
    ana, eva = [await (await services.open({Policy.READS: f"3/{HOUR}"})).guest() for _ in range(2)]
    answers = [await ana.ask("GET", path) for path in ("/v1/games", "/v1/me/turns", "/v1/rulesets", "/v1/games")]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [counted(answer) for answer in answers] == [("reads", left) for left in (2, 1, 0, 0)]
    require_limited(answers[3], "reads")
    require_limited(await ana.ask("GET", f"/v1/games/{uuid4()}"), "reads")
    assert (await ana.ask("HEAD", "/v1/games")).status_code == 429
    assert counted(await eva.ask("GET", "/v1/games")) == ("reads", 2)


async def test_the_wait_is_told_in_the_callers_language(services: LimitedServices) -> None:
    ana = await (await services.open({Policy.READS: f"1/{HOUR}"})).guest()
    await ana.ask("GET", "/v1/games")
    answer = await ana.ask("GET", "/v1/games", headers={"Accept-Language": "es"})
    assert (answer.json()["title"], answer.headers["content-language"]) == ("Demasiadas peticiones", "es")


async def test_what_is_asked_again_after_the_wait_is_answered(services: LimitedServices) -> None:
    time = SetTime()
    ana = await (await services.open({Policy.READS: f"1/{HOUR}"}, store=MemoryRateStore(time))).guest()
    assert (await ana.ask("GET", "/v1/games")).status_code == 200
    refused = await ana.ask("GET", "/v1/games")
    await time.elapse(int(refused.headers["retry-after"]) - 10)
    assert (await ana.ask("GET", "/v1/games")).status_code == 429
    await time.elapse(10)
    assert (await ana.ask("GET", "/v1/games")).status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
async def test_probes_are_exempt(services: LimitedServices, path: str) -> None:
    api = await services.open({Policy.READS: f"1/{HOUR}"}, 1)
    answers = [await api.client.get(path) for _ in range(5)]
    assert len({answer.status_code for answer in answers}) == 1
    assert [counted(answer) for answer in answers] == [None] * 5


async def test_players_and_tables_are_made_by_one_policy(services: LimitedServices) -> None:
    api = await services.open({Policy.CREATION: f"3/{HOUR}"})
    ana = await api.guest()
    table = {"ruleset": "ludoteka-express-3", "players": 3}
    answers = [await ana.ask("POST", "/v1/games", table) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
    require_limited(answers[3], "creation")
    require_limited(await ana.ask("POST", f"/v1/games/{uuid4()}/rematch"), "creation")
    require_limited(await ana.ask("POST", "/v1/players", CREATED), "creation")
    assert counted(await api.client.post("/v1/players", json=CREATED)) == ("creation-by-address", 30 - 5)


async def test_streams_are_counted_when_they_are_opened_and_pages_of_events_are_reads(
    services: LimitedServices,
) -> None:
    api = await services.open({Policy.STREAMS: f"2/{HOUR}", Policy.READS: f"9/{HOUR}"})
    ana = await api.guest()
    path = f"/v1/games/{(await ana.create())['game_id']}/stream"
    for left in (1, 0):
        async with Reading(services.app, ana, path, {}) as stream:
            assert (stream.status, stream.headers["ratelimit"].partition(";t")[0]) == (200, f'"streams";r={left}')
    require_limited(await ana.ask("GET", path), "streams")
    assert counted(await ana.ask("GET", path.replace("stream", "events"))) == ("reads", 4)


@pytest.mark.parametrize(
    ("what", "cost"),
    [("", 1), ("/fairness", 20), ("/score-sheet", 3), ("/events", 5), ("/events?limit=1", 5), ("/record", 20)],
)
async def test_what_is_dear_to_make_costs_more(services: LimitedServices, what: str, cost: int) -> None:
    ana = await (await services.open({Policy.READS: f"{2 * cost + 1}/{HOUR}"}, 1)).guest()
    path = f"/v1/games/{(await ana.create())['game_id']}{what}"
    answers = [await ana.ask(method, path) for method in ("GET", "HEAD")]
    assert [counted(answer) for answer in answers] == [("reads", cost + 1), ("reads", 1)]
    assert answers[1].status_code == answers[0].status_code != 429
    assert (await ana.ask("GET", "/v1/games")).status_code == 200
    assert (await ana.ask("GET", path)).status_code == 429


async def test_who_has_too_little_left_for_something_dear_is_told_when_and_may_ask_for_less(
    services: LimitedServices,
) -> None:
    ana = await (await services.open({Policy.READS: f"30/{HOUR}"}, 0)).guest()
    path = f"/v1/games/{uuid4()}/record"
    assert counted(await ana.ask("GET", path)) == ("reads", 10)
    refused = await ana.ask("GET", path)
    assert (refused.status_code, counted(refused)) == (429, ("reads", 10))
    assert HOUR / 3 - 5 <= int(refused.headers["retry-after"]) <= HOUR / 3
    assert counted(await ana.ask("GET", "/v1/games")) == ("reads", 9)


async def test_what_costs_more_than_there_ever_is_takes_all(services: LimitedServices) -> None:
    ana = await (await services.open({Policy.READS: f"7/{HOUR}"}, 0)).guest()
    path = f"/v1/games/{uuid4()}/record"
    answers = [await ana.ask("GET", path) for _ in range(2)]
    assert [(answer.status_code, counted(answer)) for answer in answers] == [(404, ("reads", 0)), (429, ("reads", 0))]


async def test_other_commands_are_counted_beforehand(services: LimitedServices) -> None:
    """House rules take more to check than a move does, and strangers may ask: each counts three times."""
    api = await services.open({Policy.COMMANDS: f"6/{HOUR}"}, 1)
    answers = [await api.client.post("/v1/rulesets/validate", json={}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    require_limited(answers[2], "commands-by-address")
    assert (await api.client.post("/v1/nowhere")).status_code == 404  # without a route there is no policy


async def flood(guest: Guest, game: Json, times: int) -> list[int]:
    """Ask so often for a bid that nobody may make; return the statuses."""
    return [(await guest.bid(game["game_id"], 99)).status_code for _ in range(times)]


def spent(view: Json) -> int:
    """Return how many commands it took to sit down: none who made the table."""
    return int(view["my_seat"] != 0)


async def test_a_legal_move_passes_in_the_middle_of_a_flood_and_nobody_else_notices(services: LimitedServices) -> None:
    api = await services.open({Policy.COMMANDS: f"5/{HOUR}"})
    guests, game = await api.full_table()
    flooder, view = await on_turn(guests, game)
    left = 5 - spent(view)
    assert await flood(flooder, game, 50) == [400] * left + [429] * (50 - left)
    require_limited(await flooder.bid(game["game_id"], 99), "commands")
    moved = await flooder.bid(game["game_id"], view["turn"]["legal_bids"][0])
    assert (moved.status_code, counted(moved)) == (200, None)
    assert set(await flood(flooder, game, 10)) == {429}
    for _ in range(20):
        guest, view = await on_turn(guests, await guests[0].look(game["game_id"]))
        await guest.move(view)
        assert set(await flood(flooder, game, 2)) == {429}


async def test_what_the_game_refuses_costs_and_what_it_accepts_does_not(services: LimitedServices) -> None:
    api = await services.open({Policy.COMMANDS: f"5/{HOUR}"})
    guests, game = await api.full_table()
    guest, view = await on_turn(guests, game)
    other = next(each for each in guests if each is not guest)
    assert counted(await other.bid(game["game_id"], 0)) == ("commands", 4 - spent(await other.look(game["game_id"])))
    await guest.move(view)
    left = 5 - spent(view)
    stale = await guest.bid(game["game_id"], 0, expected_version=1)
    assert (stale.status_code, counted(stale)) == (409, ("commands", left - 1))
    assert counted(await guest.bid(str(uuid4()), 0)) == ("commands", left - 2)
    assert counted(await guest.ask("POST", f"/v1/games/{game['game_id']}/bids", {"bid": "x"})) == ("commands", left - 3)


async def test_sitting_down_and_getting_up_again_and_again_is_limited(services: LimitedServices) -> None:
    api = await services.open({Policy.COMMANDS: f"4/{HOUR}"})
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create()
    path = f"/v1/games/{game['game_id']}/seats"
    answers: list[httpx.Response] = []
    for _ in range(3):
        answers += [await eva.ask("POST", path, {}), await eva.ask("DELETE", f"{path}/1")]
    assert [answer.status_code for answer in answers] == [201, 200, 201, 200, 429, 429]
    assert [counted(answer) for answer in answers[:4]] == [("commands", left) for left in (3, 2, 1, 0)]
    require_limited(answers[4], "commands")


async def test_to_repeat_what_was_done_costs_too(services: LimitedServices) -> None:
    """Otherwise a request that was accepted once could be sent for ever."""
    api = await services.open({Policy.COMMANDS: f"2/{HOUR}"})
    guest = await api.guest()
    view = game = await guest.create(robots=2)
    bid = {"bid": view["turn"]["legal_bids"][0]}
    path = f"/v1/games/{game['game_id']}/bids"
    answers = [await guest.ask("POST", path, bid, {"Idempotency-Key": "one"}) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [counted(answer) for answer in answers[:3]] == [None, ("commands", 1), ("commands", 0)]
    require_limited(answers[3], "commands")


async def test_strangers_and_forgers_count_by_their_address(services: LimitedServices) -> None:
    api = await services.open({Policy.READS: f"3/{HOUR}", Policy.COMMANDS: f"2/{HOUR}"}, 1)
    forged = {"Authorization": "Bearer x.y.z"}
    statuses = [(await api.client.get("/v1/games", headers=headers)).status_code for headers in ({}, forged, {}, {})]
    assert statuses == [401, 401, 401, 429]
    moves = [await api.client.post(f"/v1/games/{uuid4()}/bids", json={"bid": 1}, headers=forged) for _ in range(3)]
    assert [move.status_code for move in moves] == [401, 401, 429]
    require_limited(moves[2], "commands-by-address")
    elsewhere = await api.client.get("/v1/games", headers={"X-Forwarded-For": "198.51.100.1"})
    assert (elsewhere.status_code, counted(elsewhere)) == (401, ("reads-by-address", 2))


async def test_many_guests_at_one_address_share_what_the_address_may_have(services: LimitedServices) -> None:
    api = await services.open({Policy.READS: f"2/{HOUR}"}, 2)
    guests = [await api.guest() for _ in range(3)]
    statuses = [(await guest.ask("GET", "/v1/games")).status_code for guest in guests + guests]
    assert statuses == [200, 200, 200, 200, 429, 429]
    require_limited(await guests[0].ask("GET", "/v1/games"), "reads")
    require_limited(await guests[2].ask("GET", "/v1/games"), "reads-by-address")
    assert (await guests[2].ask("GET", "/v1/games", headers={"X-Forwarded-For": "198.51.100.1"})).status_code == 200


async def test_addresses_may_go_uncounted(services: LimitedServices) -> None:
    api = await services.open({Policy.READS: f"1/{HOUR}"}, 0)
    answers = [await api.client.get("/v1/rulesets") for _ in range(5)]
    assert [(answer.status_code, counted(answer)) for answer in answers] == [(200, None)] * 5
    ana = await api.guest()
    assert [(await ana.ask("GET", "/v1/games")).status_code for _ in range(2)] == [200, 429]


async def test_an_app_has_more_by_its_key_and_neither_it_nor_its_players_count_by_address(
    services: LimitedServices,
) -> None:
    written, key = new_key("casino", datetime.now(UTC))
    await services.apps.create(key)
    api = await services.open({Policy.CREATION: f"1/{HOUR}", Policy.READS: f"2/{HOUR}"}, 1)
    headers = {"Authorization": f"Bearer {written}"}
    players = [
        await api.client.post("/v1/players", json={**CREATED, "external_id": str(number)}, headers=headers)
        for number in range(APP_FACTOR + 1)
    ]
    assert [answer.status_code for answer in players] == [201] * APP_FACTOR + [429]
    assert counted(players[0]) == ("creation", APP_FACTOR - 1)
    guests = [Guest(api.client, answer.json()) for answer in players[:5]]
    reads = [await guest.ask("GET", "/v1/games") for guest in guests * 3]
    assert [answer.status_code for answer in reads] == [200] * 10 + [429] * 5
    assert counted(reads[0]) == ("reads", 1)


async def test_what_is_off_is_not_counted(services: LimitedServices) -> None:
    api = await services.open({})
    ana = await api.guest()
    game = await ana.create()
    assert counted(await ana.ask("GET", "/v1/games")) is None
    assert await flood(ana, game, 20) == [400] * 20


async def test_replicas_that_share_a_store_share_the_limits(services: LimitedServices) -> None:
    store = MemoryRateStore()
    first, second = [await services.open({Policy.READS: f"3/{HOUR}"}, store=store) for _ in range(2)]
    ana = await first.guest()
    there = Guest(second.client, {"player_id": ana.player_id, "token": ana.token})
    statuses = [(await guest.ask("GET", "/v1/games")).status_code for guest in (ana, there, ana, there)]
    assert statuses == [200, 200, 200, 429]
