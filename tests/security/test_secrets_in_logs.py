"""Nothing that opens a door is ever logged, however much is logged."""

import asyncio
import logging
import traceback
from collections.abc import Generator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from service.rest.auth import api_keys
from tests.e2e.test_cli import pocha
from tests.kit.service_process import ServiceProcess
from tests.security.every_operation import of_every_operation
from tests.security.test_tenants import people, tables
from tests.security.world import AUDIENCE, ISSUER, SECRET, SHOP, World


class Everything(logging.Handler):
    """Keeps all that is logged, with every value that could be written of it."""

    def __init__(self) -> None:
        super().__init__(logging.NOTSET)
        self.written: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        raised = "".join(traceback.format_exception(*record.exc_info)) if record.exc_info else ""
        self.written.append(f"{record.getMessage()} {record.__dict__!r} {raised}")


@pytest.fixture
def logged() -> Generator[list[str]]:
    """All that is logged from here on, by whomever, at every level."""
    handler, root = Everything(), logging.getLogger()
    named = [logger for logger in root.manager.loggerDict.values() if isinstance(logger, logging.Logger)]
    levels = {logger: logger.level for logger in (root, *named)}
    for logger in levels:
        logger.setLevel(logging.DEBUG)
    root.addHandler(handler)
    yield handler.written
    root.removeHandler(handler)
    for logger, level in levels.items():
        logger.setLevel(level)


async def test_a_whole_run_logs_no_credential(world: World, shop: str, mall: str, logged: list[str]) -> None:
    everybody = await people(world, shop, mall)
    credentials = [credential for kinds in everybody.values() for credential in kinds.values()]
    games = await tables(world, everybody["shop"]["host"], everybody["shop"]["other"])
    wrong = [f"{credential[:-2]}xx" for credential in credentials]
    for credential in [*credentials, *wrong]:
        for asked in of_every_operation():
            await ask(world, credential, asked.method, asked.of(games["private"]["game_id"]), asked.body, asked.headers)
    world.clock.pass_by(hours=800)
    await world.apps.revoke(SHOP, world.clock.now())
    for credential in credentials:
        await ask(world, credential, "GET", "/v1/games", None, {})
        await ask(world, credential, "POST", "/v1/me/token", None, {})
    assert len(logged) > 500
    _require_untold(logged, [*credentials, *wrong, games["private"]["invite_code"], SECRET.decode(), SECRET.hex()])


async def ask(world: World, credential: str, method: str, path: str, body: Any, headers: dict[str, str]) -> None:
    if path.endswith("/stream"):
        method = "HEAD"
    told = {"Authorization": f"Bearer {credential}", **headers}
    await world.client.request(method, path, json=body, headers=told)


async def test_a_fault_logs_no_credential(
    world: World, shop: str, logged: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault is logged with its traceback, and its message may quote what it met."""
    token = (await world.player(shop))["token"]

    async def broken(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(world.log, "read", broken)
    monkeypatch.setattr(world.log, "listed", broken)
    for credential in (token, shop):
        for path in ("/v1/games", "/v1/games/01a22b65-9f82-74a4-86b2-99ff9c4cab8e"):
            answer = await world.client.get(path, headers={"Authorization": f"Bearer {credential}"})
            assert answer.status_code == 500
            assert credential not in answer.text
    assert any("broken" in line for line in logged)
    _require_untold(logged, [token, shop])


async def test_keys_that_cannot_be_read_are_logged_without_any(world: World, shop: str, logged: list[str]) -> None:
    world.issuer.path.write_text("{")
    async with world.client_of_service() as client:
        assert not await world.is_let_in(world.issuer.token(), client)
    await world.apps.close()
    async with world.client_of_service() as client:
        answer = await client.get("/v1/games", headers={"Authorization": f"Bearer {shop}"})
        assert (answer.status_code, answer.json()["code"]) == (503, "overloaded")
    assert any("cannot read the issuer's key set" in line for line in logged)
    _require_untold(logged, [shop, world.issuer.token()])


async def test_a_process_says_no_credential_however_it_logs(world: World, database_url: str) -> None:
    """The same from outside: all that a process writes, with every credential it was given shown to it."""
    secrets = {
        "POCHA_SECRET": "the secret of this very process, by itself",
        "POCHA_SECRET_PREVIOUS": "and the one that it had before, as long",
    }
    environment = {
        **secrets,
        "POCHA_DATABASE_URL": database_url,
        "POCHA_LOG_LEVEL": "debug",
        "POCHA_JWT_ISSUER": ISSUER,
        "POCHA_JWT_AUDIENCE": AUDIENCE,
        "POCHA_JWT_JWKS": str(world.issuer.path),
    }
    world.clock.time = datetime.now(UTC)
    key = (await asyncio.to_thread(pocha, "apps", "create", "shop", environment=environment)).stdout.strip()
    with ServiceProcess(environment) as service:
        async with httpx.AsyncClient(base_url=service.url) as world.client:
            user = (await world.player(key))["token"]
            credentials = [key, user, (await world.player())["token"], world.issuer.token()]
            assert [await world.is_let_in(credential) for credential in credentials] == [True] * 4
            wrong = [f"{credential[:-2]}xx" for credential in credentials]
            assert [await world.is_let_in(credential) for credential in wrong] == [False] * 4
            game = await world.table(user, visibility="private")
            await world.ask(user, "GET", f"/v1/games/{game['game_id']}?token={user}")
            await world.ask(user, "GET", f"/{key}/{user}")
            await world.ask(key, "DELETE", f"/v1/games/{game['game_id']}")
    assert len(service.output) > 10
    _require_untold(service.output, [*credentials, *wrong, *secrets.values(), game["invite_code"]])


def _require_untold(logged: list[str], secrets: list[str]) -> None:
    everything = "\n".join(logged)
    for secret in secrets:
        assert secret not in everything
        for part in _telling_parts(secret):
            assert part not in everything


def _telling_parts(secret: str) -> list[str]:
    """Return the parts of a credential that must not be told by themselves."""
    if secret.startswith(api_keys.PREFIX):
        return [secret.split("_")[2]]
    parts = secret.split(".")
    return [parts[2]] if len(parts) == 3 else []
