"""Commitments fetched before a table is made: the server's seed and the game's id are fixed when the maker gives a seed."""

import asyncio
import hashlib
from datetime import UTC, datetime, timedelta

import httpx
import msgspec

from service.adapters.memory.store import MemoryStore
from service.application.record.verify import verify
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.rest.auth.config import AuthConfig
from tests.kit.clock import SetClock
from tests.kit.player import Api, Guest, Json, client_of
from tests.rest.conftest import SECRET

ROBOTS: Json = {"players": 3, "robots": [{"level": "easy"}] * 2}
ONE_HAND: Json = {"schedule": {"blocks": [{"kind": "normal", "first": "1", "last": "1", "times": "1"}]}}
KEY = {"Idempotency-Key": "once"}


async def commitment_of(guest: Guest) -> Json:
    answer = await guest.ask("POST", "/v1/commitments")
    assert answer.status_code == 201, answer.text
    return answer.json()


async def made_with(
    guest: Guest, commitment: str, headers: dict[str, str] | None = None, **more: object
) -> httpx.Response:
    return await guest.ask("POST", "/v1/games", {**ROBOTS, "commitment": commitment, **more}, headers)


def refusal(answer: httpx.Response) -> tuple[int, str, str]:
    return answer.status_code, answer.json()["code"], answer.json().get("reason")


UNKNOWN = (422, "illegal-table", "unknown-commitment")
USED = (422, "illegal-table", "commitment-used")


async def test_a_table_has_the_commitment_and_the_id_that_its_maker_fetched(api: Api) -> None:
    ana = await api.guest()
    fetched = await commitment_of(ana)
    game = (await made_with(ana, fetched["commitment"], client_seed="mine", house_rules=ONE_HAND)).json()
    assert (game["commitment"], game["game_id"]) == (fetched["commitment"], fetched["game_id"])
    while game["status"] == "playing":
        game = (await ana.move(game))["game"]
    record = (await ana.ask("GET", f"/v1/games/{game['game_id']}/record")).json()
    assert hashlib.sha256(bytes.fromhex(record["server_seed"])).hexdigest() == fetched["commitment"]
    assert record["client_seeds"] == [{"seat": 0, "client_seed": "mine"}]
    assert verify(msgspec.json.encode(record)).hands >= 1


async def test_every_commitment_is_to_another_seed(api: Api) -> None:
    ana = await api.guest()
    fetched = [await commitment_of(ana) for _ in range(5)]
    assert len({each["commitment"] for each in fetched}) == len({each["game_id"] for each in fetched}) == 5


async def test_a_commitment_makes_one_table(api: Api) -> None:
    ana = await api.guest()
    fetched = (await commitment_of(ana))["commitment"]
    answers = await asyncio.gather(*(made_with(ana, fetched) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [201, 422, 422, 422]
    assert refusal(await made_with(ana, fetched)) == USED
    assert len((await ana.ask("GET", "/v1/games")).json()["items"]) == 1


async def test_a_table_that_is_refused_leaves_the_commitment_unused(api: Api) -> None:
    ana = await api.guest()
    fetched = (await commitment_of(ana))["commitment"]
    assert (await made_with(ana, fetched, players=2)).json()["reason"] == "wrong-number-of-players"
    assert (await made_with(ana, fetched)).status_code == 201


async def test_a_repeated_request_gets_the_first_answer_even_when_the_commitment_has_expired(
    api: Api, clock: SetClock
) -> None:
    ana = await api.guest()
    fetched = (await commitment_of(ana))["commitment"]
    first = await made_with(ana, fetched, KEY)
    clock.time = datetime.now(UTC) + timedelta(hours=2)
    again = await made_with(ana, fetched, KEY)
    assert (again.status_code, again.headers["idempotency-replayed"]) == (201, "true")
    assert again.json()["game_id"] == first.json()["game_id"]


async def test_an_idempotency_key_is_for_one_commitment(api: Api) -> None:
    ana = await api.guest()
    one, other = [(await commitment_of(ana))["commitment"] for _ in range(2)]
    assert (await made_with(ana, one, KEY)).status_code == 201
    assert refusal(await made_with(ana, other, KEY))[:2] == (422, "idempotency-key-reused")
    assert (await made_with(ana, other)).status_code == 201


async def test_a_key_that_stood_for_a_refused_table_gives_a_commitment_no_other_id(api: Api) -> None:
    ana = await api.guest()
    await ana.ask("POST", "/v1/games", {**ROBOTS, "players": 2}, KEY)
    fetched = await commitment_of(ana)
    assert refusal(await made_with(ana, fetched["commitment"], KEY))[:2] == (422, "idempotency-key-reused")
    assert (await made_with(ana, fetched["commitment"])).json()["game_id"] == fetched["game_id"]


async def test_what_was_given_to_somebody_else_or_to_nobody_is_unknown(api: Api) -> None:
    ana, eva = await api.guest(), await api.guest()
    fetched = (await commitment_of(ana))["commitment"]
    assert refusal(await made_with(eva, fetched)) == UNKNOWN
    assert refusal(await made_with(ana, "0" * 64)) == UNKNOWN
    game = (await made_with(ana, fetched)).json()
    assert refusal(await made_with(eva, game["commitment"])) == UNKNOWN


async def test_an_hour_later_it_is_unknown(api: Api, clock: SetClock) -> None:
    ana = await api.guest()
    clock.time = datetime.now(UTC)
    fetched = await commitment_of(ana)
    assert fetched["expires_at"] == (clock.time + timedelta(hours=1)).isoformat().replace("+00:00", "Z")
    clock.time += timedelta(minutes=59)
    later = (await commitment_of(ana))["commitment"]
    assert (await made_with(ana, fetched["commitment"])).status_code == 201
    clock.time += timedelta(minutes=2)
    assert refusal(await made_with(ana, later)) == UNKNOWN


async def test_any_process_finds_the_seed_also_after_a_change_of_the_secret(
    api: Api, log: MemoryStore, clock: SetClock
) -> None:
    ana = await api.guest()
    fetched = [await commitment_of(ana) for _ in range(3)]
    new = b"another secret of the tests, long enough for every algorithm"
    for secret, previous, status in ((SECRET, None, 201), (new, SECRET, 201), (new, None, 401)):
        trust = AuthConfig(secret_previous=previous)
        service = Service(log, clock, SeededShuffler(), secret, trust=trust)
        async with client_of(service.asgi) as client:
            other = Guest(client, {"player_id": ana.player_id, "token": ana.token})
            commitment = fetched.pop()
            answer = await made_with(other, commitment["commitment"])
            assert answer.status_code == status
            assert status != 201 or answer.json()["commitment"] == commitment["commitment"]
