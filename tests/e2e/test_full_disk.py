"""Postgres has no room left: what docs/operations.md says of that holds."""

import random

import httpx

from service.adapters.embedded_postgres import EmbeddedPostgres, temporary_server
from service.adapters.postgres import migrate
from tests.e2e.small_disk import SmallDisk, database_on, small_disk, write_ahead
from tests.e2e.test_whole_games import play_to_the_end
from tests.kit.player import Api, Guest, Json, all_events, legal_moves, without_presence
from tests.kit.service_process import ServiceProcess

LONG = {"schedule": {"blocks": [{"kind": "normal", "first": "9", "last": "9", "times": "9"}]}}
SMALL_LOG = {"max_wal_size": "32MB", "min_wal_size": "32MB"}
MOST_MOVES = 2000
"""By far more than what fits into the pages that Postgres has already, when the disk fills up."""


class Played:
    """A game at a table with two robots, all of whose answers are remembered."""

    def __init__(self, guest: Guest, game: Json) -> None:
        self.guest = guest
        self.game = game
        self.events: list[Json] = []

    async def move(self) -> httpx.Response:
        """Ask for a move, the same one as long as the game stands as it does, and under the same key."""
        path, body = legal_moves(self.game)[0]
        key = {"Idempotency-Key": f"move-{self.game['version']}"}
        answer = await self.guest.ask("POST", f"/v1/games/{self.game['game_id']}/{path}", body, key)
        if answer.status_code == 200:
            self.game = answer.json()["game"]
            self.events += answer.json()["events"]
        return answer

    async def is_as_acknowledged(self) -> bool:
        """Tell whether reading the game gives just what was answered."""
        events = [event for event in await all_events(self.guest, self.game["game_id"]) if event["version"] > 1]
        read = await self.guest.look(self.game["game_id"])
        found, known = ({**without_presence(game), "server_time": ""} for game in (read, self.game))
        return events == self.events and found == known

    async def goes_on(self) -> bool:
        """Send the move that was refused again, find all that was acknowledged, and play to the end."""
        assert (await self.move()).status_code == 200
        assert await self.is_as_acknowledged()
        return (await play_to_the_end([self.guest] * 3, self.game, random.Random(1)))["status"] == "finished"


async def begun(client: httpx.AsyncClient) -> Played:
    guest = await Api(client).guest()
    return Played(guest, await guest.create(robots=2, house_rules=LONG))


async def played_until_refused(client: httpx.AsyncClient, disk: SmallDisk) -> Played:
    """Fill the disk, and move until it is refused, at one table after the other; return the last game."""
    played = await begun(client)
    disk.fill()
    for _ in range(MOST_MOVES):
        if (await played.move()).status_code != 200:
            return played
        if played.game["status"] != "playing":
            disk.make_room()
            played = await begun(client)
            disk.fill()
    raise AssertionError("there is still room")


def require_overloaded(answer: httpx.Response) -> None:
    """Hold an answer to it that it says to come again."""
    assert (answer.status_code, answer.json()["code"]) == (503, "overloaded")
    assert int(answer.headers["Retry-After"]) >= 1


async def test_without_room_for_tables_commands_wait_and_reads_go_on_and_nothing_is_lost(
    environment: dict[str, str],
) -> None:
    with small_disk(64) as disk, temporary_server() as server:
        database = await database_on(disk, server)
        await migrate.migrate(database)
        with ServiceProcess({**environment, "POCHA_DATABASE_URL": database}) as service:
            async with httpx.AsyncClient(base_url=service.url) as client:
                played = await played_until_refused(client, disk)
                require_overloaded(await played.move())
                require_overloaded(await played.guest.ask("POST", "/v1/games", {"players": 3}))
                assert await played.is_as_acknowledged()
                assert (await client.get("/readyz")).status_code == 200
                disk.make_room()
                assert await played.goes_on()


async def test_without_room_for_its_own_log_postgres_stops_and_with_room_all_goes_on_by_itself(
    environment: dict[str, str],
) -> None:
    with small_disk(150) as disk:
        first, again = (EmbeddedPostgres(disk.path / "data", settings=SMALL_LOG) for _ in range(2))
        with first as database:
            await migrate.migrate(database)
            with ServiceProcess({**environment, "POCHA_DATABASE_URL": database}) as service:
                async with httpx.AsyncClient(base_url=service.url, timeout=30) as client:
                    played = await begun(client)
                    for _ in range(5):
                        assert (await played.move()).status_code == 200
                    disk.fill()
                    await write_ahead(database)
                    require_overloaded(await played.move())
                    assert (await client.get("/readyz")).status_code == 503
                    assert (await client.get("/healthz")).status_code == 200
                    disk.make_room()
                    first.stop()
                    with again:
                        assert await played.goes_on()
