"""Commitments fetched beforehand, on Postgres: any process makes the table, after the first one has stopped too, and only once."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import msgspec
import pytest

from domain.pocha.model.refusals import Reason, Refused
from service.adapters.clock import SystemClock
from service.adapters.postgres.store import PostgresStore
from service.application.caller import player_caller
from service.application.commitments import Commitments
from service.application.record.verify import verify
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import create_app
from tests.contract.kinds import hands
from tests.kit.player import Api, Guest, Json, client_of

SECRET = b"a secret of the tests of commitments, 32 bytes"
TABLE: Json = {"players": 3, "robots": [{"level": "easy"}] * 2, "house_rules": hands(("normal", "1", "1"))}


@asynccontextmanager
async def process(database_url: str) -> AsyncGenerator[Api]:
    """A service with connections of its own."""
    store = await PostgresStore.open(database_url)
    try:
        async with client_of(create_app(store, SystemClock(), SeededShuffler(), SECRET)) as client:
            yield Api(client)
    finally:
        await store.close()


async def test_a_commitment_of_a_process_that_has_stopped_makes_a_table_at_another_one(database_url: str) -> None:
    async with process(database_url) as api:
        ana = await api.guest()
        fetched = (await ana.ask("POST", "/v1/commitments")).json()
    async with process(database_url) as api:
        ana = Guest(api.client, {"player_id": ana.player_id, "token": ana.token})
        made = await ana.ask("POST", "/v1/games", {**TABLE, "commitment": fetched["commitment"], "client_seed": "mine"})
        game = made.json()
        assert (game["game_id"], game["commitment"]) == (fetched["game_id"], fetched["commitment"])
        while game["status"] == "playing":
            game = (await ana.move(game))["game"]
        record = (await ana.ask("GET", f"/v1/games/{game['game_id']}/record")).json()
    assert hashlib.sha256(bytes.fromhex(record["server_seed"])).hexdigest() == fetched["commitment"]
    assert verify(msgspec.json.encode(record)).hands >= 1


async def test_of_requests_to_two_processes_one_makes_the_table(database_url: str) -> None:
    async with process(database_url) as one, process(database_url) as two:
        ana = await one.guest()
        elsewhere = Guest(two.client, {"player_id": ana.player_id, "token": ana.token})
        commitment = (await ana.ask("POST", "/v1/commitments")).json()["commitment"]
        asked = (who.ask("POST", "/v1/games", {**TABLE, "commitment": commitment}) for who in (ana, elsewhere) * 3)
        answers = await asyncio.gather(*asked)
        assert sorted(answer.status_code for answer in answers) == [201, *[422] * 5]
        assert {answer.json().get("reason") for answer in answers} == {None, "commitment-used"}
        # The retry of a request under a key is no second table, wherever it arrives.
        key, fetched = {"Idempotency-Key": "once"}, (await ana.ask("POST", "/v1/commitments")).json()
        body = {**TABLE, "commitment": fetched["commitment"]}
        again = [await who.ask("POST", "/v1/games", body, key) for who in (ana, elsewhere)]
        assert [(answer.status_code, answer.json()["game_id"]) for answer in again] == [(201, fetched["game_id"])] * 2


@pytest.mark.parametrize(("tenant", "player"), [("mall", "ana"), ("", "ana"), ("shop", "eva")])
async def test_a_commitment_is_for_one_player_of_one_tenant(database_url: str, tenant: str, player: str) -> None:
    store = await PostgresStore.open(database_url)
    try:
        commitments = Commitments(store, SeededShuffler(), SystemClock(), [SECRET])
        maker = player_caller("shop", "ana", "Ana")
        fetched = await commitments.issue(maker)
        assert (await commitments.find(maker, fetched.commitment)).game_id == fetched.game_id
        with pytest.raises(Refused) as refusal:
            await commitments.find(player_caller(tenant, player, "Somebody"), fetched.commitment)
        assert refusal.value.reason is Reason.UNKNOWN_COMMITMENT
    finally:
        await store.close()
