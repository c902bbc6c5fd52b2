"""A backup is taken while games are played, and the service goes on from it, as docs/operations.md says."""

import asyncio
import random
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest

from service.adapters.postgres import migrate
from tests.conftest import Databases
from tests.e2e.test_whole_games import play_to_the_end
from tests.kit import postgres_programs as programs
from tests.kit.player import Api, Guest, Json, all_events
from tests.kit.service_process import ServiceProcess
from tests.kit.stream import watching
from tests.kit.waiting import until

TABLES = 8
LONG = {"schedule": {"blocks": [{"kind": "normal", "first": "9", "last": "9", "times": "3"}]}}


class Saved:
    """A player at a table with two robots, who remembers what was acknowledged, and how far the game was when the backup began."""

    def __init__(self, guest: Guest, game: Json) -> None:
        self.guest = guest
        self.game = game
        self.game_id: str = game["game_id"]
        self.events: list[Json] = []
        self.before = 0

    async def move(self) -> None:
        """Make a move."""
        done = await self.guest.move(self.game, len(self.events))
        self.events += done["events"]
        self.game = done["game"]

    async def play(self, until: asyncio.Event) -> None:
        """Make moves until the game is over, or it is time to stop."""
        while self.game["status"] == "playing" and not until.is_set():
            await self.move()

    def acknowledged(self, up_to: int) -> list[Json]:
        """Return the events that were acknowledged, up to a version."""
        return [event for event in self.events if event["version"] <= up_to]


async def sit_down(client: httpx.AsyncClient) -> Saved:
    guest = await Api(client).guest()
    return Saved(guest, await guest.create(robots=2, house_rules=LONG))


@pytest.fixture
async def saved(environment: dict[str, str], tmp_path: Path) -> list[Saved]:
    """Players in the midst of their games when `pg_dump` began, who went on while it ran; the first made one move before, one after it."""
    with ServiceProcess(environment) as service:
        async with httpx.AsyncClient(base_url=service.url, limits=httpx.Limits(max_connections=None)) as client:
            first, *others = playing = [await sit_down(client) for _ in range(TABLES)]
            await first.move()
            stop = asyncio.Event()
            tasks = [asyncio.create_task(each.play(stop)) for each in others]
            await until(lambda: all(each.events for each in playing))
            for each in playing:
                each.before = each.game["version"]
            await asyncio.to_thread(_dump, environment["POCHA_DATABASE_URL"], tmp_path / "pocha.dump")
            await first.move()
            await until(lambda: sum(each.game["version"] > each.before for each in playing) > TABLES / 2)
            stop.set()
            await asyncio.gather(*tasks)
    return playing


@pytest.fixture
async def restored(
    saved: list[Saved], environment: dict[str, str], databases: Databases, tmp_path: Path
) -> AsyncGenerator[httpx.AsyncClient]:
    """A client of a service over a fresh database, into which the backup was restored; the old one is gone."""
    assert saved
    await databases.drop(environment["POCHA_DATABASE_URL"])
    fresh = await databases.make_empty()
    await asyncio.to_thread(
        programs.run, "pg_restore", "--exit-on-error", "--no-owner", f"--dbname={fresh}", str(tmp_path / "pocha.dump")
    )
    assert await migrate.migrate(fresh) == []
    with ServiceProcess({**environment, "POCHA_DATABASE_URL": fresh}) as service:
        async with httpx.AsyncClient(base_url=service.url) as client:
            yield client


def _dump(database: str, file: Path) -> None:
    programs.run("pg_dump", "--format=custom", f"--file={file}", database)


def same(client: httpx.AsyncClient, guest: Guest) -> Guest:
    """Return the same person, with the same token, before another service."""
    return Guest(client, {"player_id": guest.player_id, "token": guest.token})


async def test_every_move_acknowledged_before_the_backup_is_there_and_games_go_on(
    saved: list[Saved], restored: httpx.AsyncClient
) -> None:
    for each in saved:
        guest = same(restored, each.guest)
        events = await all_events(guest, each.game_id)
        head = events[-1]["version"]
        assert each.before <= head <= each.game["version"]
        assert [event for event in events if event["version"] > 1] == each.acknowledged(up_to=head)
        game = await guest.look(each.game_id)
        assert game["version"] == head
        assert (await play_to_the_end([guest] * 3, game, random.Random(1)))["status"] == "finished"


async def test_a_stream_resumes_where_the_backup_reaches_and_else_begins_with_a_snapshot(
    saved: list[Saved], restored: httpx.AsyncClient
) -> None:
    first = saved[0]
    guest = same(restored, first.guest)
    game = await guest.look(first.game_id)
    assert game["version"] == first.before < first.game["version"]
    async with watching(restored, guest, game, **{"Last-Event-ID": str(first.game["version"])}) as stream:
        name, data = await stream.next()
        assert (name, data["version"]) == ("snapshot", first.before)
    async with watching(restored, guest, game, **{"Last-Event-ID": str(first.before)}) as stream:
        moved = await guest.move(game)
        name, data = await stream.next()
        assert (name, data["version"], data["events"]) == ("commit", moved["version"], moved["events"])
