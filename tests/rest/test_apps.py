"""What an app does with its API key: tokens for its users, its own tables."""

import asyncio
from collections.abc import AsyncGenerator

import httpx
import pytest

from service.adapters.memory.apps import MemoryApps
from service.adapters.memory.store import MemoryStore
from service.application.record import verify
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.rest.auth import api_keys
from service.rest.auth.config import AuthConfig
from service.rest.streaming.waiters import MAX_PER_PLAYER
from tests.kit.clock import SetClock
from tests.kit.player import Guest, Json, client_of
from tests.kit.waiting import until
from tests.rest.conftest import SECRET


class App(Guest):
    """An app, with its key in the place of a token."""

    def __init__(self, service: Service, client: httpx.AsyncClient, key: str) -> None:
        super().__init__(client, {"player_id": "none", "token": key})
        self.service = service
        self.client = client

    async def user(self, external_id: str, name: str = "Ana") -> Guest:
        """Return one of the app's users."""
        answer = await self.ask("POST", "/v1/players", {"display_name": name, "external_id": external_id})
        assert answer.status_code == 201, answer.text
        return Guest(self._client, answer.json())

    async def guest(self) -> Guest:
        """Return somebody who is none of its users."""
        return Guest(self._client, (await self._client.post("/v1/players", json={"display_name": "Eva"})).json())

    async def listed(self, query: str = "") -> list[Json]:
        """Return the tables that the app is shown."""
        return (await self.ask("GET", f"/v1/games{query}")).json()["items"]


@pytest.fixture
async def app(log: MemoryStore, clock: SetClock) -> AsyncGenerator[App]:
    apps = MemoryApps()
    written, key = api_keys.new_key("shop", clock.now())
    await apps.create(key)
    service = Service(log, clock, SeededShuffler(), SECRET, trust=AuthConfig(apps=apps))
    async with client_of(service.asgi) as client:
        yield App(service, client, written)


async def test_an_app_lists_all_of_its_tables_and_those_of_a_visibility(app: App) -> None:
    user = await app.user("user-1")
    public, private = await user.create(), await user.create(visibility="private")
    assert [item["game_id"] for item in await app.listed()] == [private["game_id"], public["game_id"]]
    assert [item["game_id"] for item in await app.listed("?visibility=private")] == [private["game_id"]]
    assert [item["game_id"] for item in await app.listed("?visibility=public&status=waiting")] == [public["game_id"]]
    assert (await user.ask("GET", "/v1/games?visibility=private")).json() == {"items": []}
    assert len((await user.ask("GET", "/v1/games")).json()["items"]) == 1
    refused = await app.ask("GET", "/v1/games?visibility=secret")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "query/visibility")


async def test_an_app_turns_the_pages_of_its_tables(app: App) -> None:
    user = await app.user("user-1")
    made = [(await user.create(visibility=each))["game_id"] for each in ("public", "private") * 3]
    seen, query = list[str](), "?limit=2"
    while query:
        page = (await app.ask("GET", f"/v1/games{query}")).json()
        seen += [item["game_id"] for item in page["items"]]
        query = f"?limit=2&cursor={page['next_cursor']}" if "next_cursor" in page else ""
    assert seen == made[::-1]


async def test_an_app_reads_its_private_tables_as_a_spectator(app: App) -> None:
    user = await app.user("user-1")
    game = await user.create(robots=2, visibility="private")
    seen = await app.look(game["game_id"])
    assert "my_seat" not in seen
    assert "my_cards" not in seen["hand"]
    assert "invite_code" not in seen
    stranger = await app.user("user-2")
    assert (await stranger.ask("GET", f"/v1/games/{game['game_id']}")).status_code == 404


async def test_an_app_follows_a_private_table_to_its_end(app: App) -> None:
    user = await app.user("user-1")
    game = await user.create(robots=2, visibility="private")
    await app.ask("DELETE", f"/v1/games/{game['game_id']}")
    stream = await app.ask("GET", f"/v1/games/{game['game_id']}/stream")
    assert stream.status_code == 200
    assert "event: game_over" in stream.text


@pytest.mark.parametrize("robots", [0, 2])
async def test_an_app_gives_a_table_up_whether_it_waits_or_is_played(app: App, robots: int) -> None:
    user = await app.user("user-1")
    game = await user.create(robots=robots)
    answer = await app.ask("DELETE", f"/v1/games/{game['game_id']}")
    assert answer.status_code == 200
    assert (answer.json()["status"], answer.json()["version"]) == ("abandoned", game["version"] + 1)
    assert (await user.look(game["game_id"]))["status"] == "abandoned"
    events = (await user.ask("GET", f"/v1/games/{game['game_id']}/events")).json()["items"]
    assert events[-1]["type"] == "game_abandoned"
    assert [item["status"] for item in await app.listed()] == ["abandoned"]
    again = await app.ask("DELETE", f"/v1/games/{game['game_id']}")
    assert (again.status_code, again.json()["code"]) == (409, "game-over")


async def test_a_table_given_up_twice_with_one_key_was_given_up_once(app: App) -> None:
    user = await app.user("user-1")
    game, other = await user.create(), await user.create()
    key = {"Idempotency-Key": "give up"}
    first = await app.ask("DELETE", f"/v1/games/{game['game_id']}", headers=key)
    again = await app.ask("DELETE", f"/v1/games/{game['game_id']}", headers=key)
    assert again.status_code == first.status_code == 200
    assert again.headers["idempotency-replayed"] == "true"
    assert again.json() == first.json()
    assert (await app.ask("DELETE", f"/v1/games/{other['game_id']}", headers=key)).status_code == 200


async def test_an_apps_users_have_a_leaderboard_of_their_own(app: App) -> None:
    user, guest = await app.user("user-1"), await app.guest()
    one_card = {"schedule": {"blocks": [{"kind": "normal", "first": "1", "last": "1", "times": "1"}]}}
    for player in (user, guest):
        game = await player.create(robots=2, house_rules=one_card)
        while game["status"] == "playing":
            game = (await player.move(game))["game"]
    await app.service.deadline_worker.run_once()
    for of, others in ((user, guest), (guest, user)):
        board = (await of.ask("GET", "/v1/leaderboards/ludoteka-express-3")).json()["items"]
        assert [each["player_id"] for each in board] == [of.player_id]
        assert len((await of.ask("GET", f"/v1/players/{of.player_id}/stats")).json()["items"]) == 1
        assert (await others.ask("GET", f"/v1/players/{of.player_id}/stats")).json()["items"] == []
    assert len((await app.ask("GET", "/v1/leaderboards/ludoteka-express-3")).json()["items"]) == 1


async def test_players_give_no_started_game_up(app: App) -> None:
    host, other = await app.user("user-1"), await app.user("user-2")
    guest = await app.guest()
    for host_of_it, player in ((host, host), (host, other), (guest, guest)):
        game = await host_of_it.create(robots=2)
        answer = await player.ask("DELETE", f"/v1/games/{game['game_id']}")
        assert (answer.status_code, answer.json()["code"]) == (403, "not-the-host")
        assert (
            answer.json()["detail"]
            == "Once the game has started, only the app that the table belongs to may give it up."
        )
        assert (await host_of_it.look(game["game_id"]))["version"] == game["version"]


async def test_a_user_goes_on_where_they_were_with_every_new_token(app: App) -> None:
    game = await (await app.user("user-1")).create(robots=2)
    again = await app.user("user-1", "Ana Maria")
    assert (await again.look(game["game_id"]))["my_seat"] == 0
    turns = (await again.ask("GET", "/v1/me/turns")).json()["items"]
    assert [item["game_id"] for item in turns] == [game["game_id"]]
    assert (await again.move(game))["version"] == game["version"] + 1


async def test_an_app_has_no_turns(app: App) -> None:
    refused = await app.ask("GET", "/v1/me/turns?wait=30")
    assert (refused.status_code, refused.json()["code"]) == (403, "not-your-seat")


async def test_users_of_an_app_play_a_rematch_among_themselves(app: App) -> None:
    users = [await app.user(f"user-{number}") for number in range(2)]
    game = await users[0].create(players=3, robots=1)
    await users[1].join(game["game_id"])
    await app.ask("DELETE", f"/v1/games/{game['game_id']}")
    made = [await user.ask("POST", f"/v1/games/{game['game_id']}/rematch") for user in users]
    assert [answer.status_code for answer in made] == [201, 200]
    assert made[1].json()["game_id"] in {item["game_id"] for item in await app.listed()}


async def test_the_record_of_a_game_of_an_app_is_right_and_tells_nobody_whose_it_was(app: App) -> None:
    user = await app.user("user-1")
    game = await user.create(robots=2)
    while game["status"] == "playing":
        game = (await user.move(game))["game"]
    record = await app.ask("GET", f"/v1/games/{game['game_id']}/record")
    assert verify.verify(record.content).hands == 3
    assert "shop" not in record.text
    assert "user-1" not in record.text


async def test_an_app_may_wait_at_more_tables_than_a_player(app: App) -> None:
    user = await app.user("user-1")
    game = await user.create(robots=2)
    path = f"/v1/games/{game['game_id']}?after_version={game['version']}&wait=30"
    waiting = [asyncio.create_task(app.ask("GET", path)) for _ in range(MAX_PER_PLAYER + 1)]
    await until(lambda: len(app.service.waiters) == len(waiting))
    await user.move(game)
    assert {answer.status_code for answer in await asyncio.gather(*waiting)} == {200}
