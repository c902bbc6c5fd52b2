"""Whole games, with everything logged that anybody would log: no record tells what must not be told."""

import asyncio
import base64
import contextlib
import logging
import re
from collections.abc import AsyncGenerator, Iterator
from typing import NoReturn
from uuid import UUID

import pytest

from domain.pocha.model.events import GameCreated
from service.adapters.clock import SystemClock
from service.adapters.memory.apps import MemoryApps
from service.adapters.memory.store import MemoryStore
from service.adapters.postgres.connection import connect
from service.adapters.postgres.store import PostgresStore
from service.application.ports import Commit
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.rest.auth import api_keys
from service.rest.auth.config import AuthConfig
from tests.kit.player import Api, Guest, Json, client_of, legal_moves
from tests.observability.conftest import Written
from tests.rest.conftest import SECRET

PASSWORD = "hunter2-of-the-database"  # noqa: S105 - nobody's
CARD = re.compile(r"(?:oros|copas|espadas|bastos)[-_]\d", re.IGNORECASE)
TERMINATE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


class Raw(logging.Handler):
    """Keeps what records say before anything is hidden in it."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.said: list[str] = []
        self.setFormatter(logging.Formatter("%(name)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(f"{self.format(record)} {record.__dict__}")


class Secrets:
    """What must not be told."""

    def __init__(self) -> None:
        self.texts = {PASSWORD, SECRET.decode()}

    def of(self, guest: Guest) -> None:
        self.texts.add(guest.token)

    def of_log(self, commits: list[Commit]) -> None:
        for commit in commits:
            for event in commit.events:
                if isinstance(event, GameCreated):
                    self.texts.update(_written(event.seed))
                    self.texts.update(filter(None, [event.invite_code]))

    def told_in(self, text: str) -> set[str]:
        return {secret for secret in self.texts if secret in text} | set(CARD.findall(text))


def _written(seed: bytes) -> Iterator[str]:
    yield seed.hex()
    yield base64.b64encode(seed).decode().rstrip("=")
    yield repr(seed)[2:-1]


@pytest.fixture
def raw(written: Written) -> Raw:  # noqa: ARG001 - which sets logging up
    raw = Raw()
    logging.getLogger().addHandler(raw)
    return raw


@contextlib.asynccontextmanager
async def living(service: Service) -> AsyncGenerator[Api]:
    async with client_of(service.asgi) as client:
        life = asyncio.create_task(service.run_background())
        yield Api(client)
        life.cancel()
        await asyncio.wait([life])


async def play_out(guests: list[Guest], game: Json) -> None:
    """Play a game to its end, and ask for all that can be asked for; some of it is refused."""
    path = f"/v1/games/{game['game_id']}"
    while game["status"] == "playing":
        guest = guests[int(game["turn"]["seat"])]
        view = await guest.look(game["game_id"])
        await guest.play(game["game_id"], "oros-1")
        game = (await guest.ask("GET", path)).json()
        if game["status"] == "playing" and game["turn"] == view["turn"]:
            resource, body = legal_moves(view)[0]
            await guest.ask("POST", f"{path}/{resource}", body, {"Idempotency-Key": f"k{view['version']}"})
            await guest.ask("POST", f"{path}/{resource}", body, {"Idempotency-Key": f"k{view['version']}"})
        game = await guests[0].look(game["game_id"])
    for rest in ("/events?limit=9", "/score-sheet", "/record", "/fairness"):
        await guests[0].ask("GET", path + rest)


async def ask_wrongly(api: Api, guest: Guest, game_id: str) -> None:
    """Ask as nobody should."""
    token = f"Bearer {guest.token}"
    for headers in (
        {"Authorization": token + "x"},
        {"Authorization": "Basic " + guest.token},
        {"X-Request-Id": guest.token},
    ):
        await api.client.get(f"/v1/games/{game_id}", headers=headers)
    await api.client.get(f"/v1/{guest.token}?token={guest.token}", headers={"Authorization": token})
    await api.client.get(f"/v1/games/{guest.token}", headers={"Authorization": token})
    await api.client.post(f"/v1/games/{game_id}/plays", content=b'{"card": "oros-99', headers={"Authorization": token})


async def test_whole_games_over_postgres_leave_no_secret_in_the_log(
    database_url: str, written: Written, raw: Raw
) -> None:
    address = database_url.replace("@", f":{PASSWORD}@", 1)
    secrets, killer = Secrets(), await connect(database_url)
    log = await PostgresStore.open(address)
    async with living(Service(log, SystemClock(), SeededShuffler(), SECRET)) as api:
        for ruleset, players in (("ludoteka-express-3", 3), ("ludoteka-express-4", 4)):
            guests = [await api.guest(f"Guest {number}") for number in range(players)]
            game = await guests[0].create(ruleset, players, visibility="private", client_seed="a-seed-of-Ana")
            for guest in guests[1:]:
                game = await guest.join(game["game_id"], invite_code=game["invite_code"])
            await killer.execute(TERMINATE)
            await play_out(guests, await guests[0].look(game["game_id"]))
            await ask_wrongly(api, guests[0], game["game_id"])
            for guest in guests:
                secrets.of(guest)
            secrets.of_log(list(await log.read(UUID(game["game_id"]))))
    await log.close()
    with pytest.raises(Exception, match="no connection"):
        await connect(address.replace("/test_", "/there_is_no_test_"))
    await killer.close()
    assert len(written.records()) > 100
    assert len(secrets.texts) > 10
    assert not secrets.told_in(written.text())
    # Nobody has tried to, either, before anything was hidden.
    assert not {secret for said in raw.said for secret in secrets.told_in(said)}


class Talkative(MemoryStore):
    """A log that breaks with all that it knows in what it says."""

    def __init__(self, *secrets: str) -> None:
        super().__init__()
        self.secrets = list(secrets)
        self.commits: list[Commit] = []

    async def check(self) -> NoReturn:
        """Fail."""
        raise ZeroDivisionError(f"{self.commits!r} {self.secrets!r} postgres://ana:{PASSWORD}@db/pocha", self.commits)


async def test_a_fault_that_quotes_all_it_knows_tells_no_secret(written: Written) -> None:
    log, secrets = Talkative(), Secrets()
    key, kept = api_keys.new_key("shop", SystemClock().now())
    apps = MemoryApps()
    await apps.create(kept)
    secrets.texts = {PASSWORD, key}
    service = Service(log, SystemClock(), SeededShuffler(), SECRET, trust=AuthConfig(apps=apps))
    async with living(service) as api:
        guests, game = await api.full_table()
        private = await guests[0].create(visibility="private")
        for guest in guests:
            secrets.of(guest)
        log.secrets = [key, *(guest.token for guest in guests)]
        for game_id in (game["game_id"], private["game_id"]):
            log.commits += await log.read(UUID(game_id))
        secrets.of_log(log.commits)
        assert (await api.client.get("/readyz")).status_code == 500
    [told] = [each for each in written.records() if each["level"] == "error"]
    assert told["logger"] == "pocha"
    assert "HandDealt" in told["exception"]
    assert told["request_id"]
    assert not secrets.told_in(written.text())


async def test_a_task_that_failed_and_was_forgotten_tells_no_secret(written: Written) -> None:
    async def forgotten() -> None:
        raise ValueError(f"postgres://ana:{PASSWORD}@db/pocha legal_cards=['oros-1', 'copas-12']")

    task = asyncio.create_task(forgotten())
    await asyncio.sleep(0.01)
    del task
    [told] = [each for each in written.records() if each["logger"] == "asyncio" and each["level"] == "error"]
    assert "never retrieved" in told["event"]
    assert not Secrets().told_in(written.text())
