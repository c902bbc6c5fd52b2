"""A client as a user would write one: no rules, only what the service says."""

from collections.abc import Mapping
from typing import Any, cast

import httpx
from litestar.types import ASGIApp

Json = dict[str, Any]


def client_of(app: ASGIApp) -> httpx.AsyncClient:
    """Return a client of an app in this process."""
    # Litestar's and httpx's names for the same ASGI types do not agree.
    transport = httpx.ASGITransport(cast("Any", app), raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://pocha")


class Guest:
    """Somebody with a token."""

    def __init__(self, client: httpx.AsyncClient, player: Json) -> None:
        self._client = client
        self.player_id: str = player["player_id"]
        self.token: str = player["token"]

    async def ask(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        """Send a request in this guest's name."""
        everything = {"Authorization": f"Bearer {self.token}", **(headers or {})}
        return await self._client.request(method, path, json=body, headers=everything)

    async def create(self, ruleset: str = "ludoteka-express-3", players: int = 3, robots: int = 0, **more: Any) -> Json:
        """Make a table, and return its view."""
        body = {"ruleset": ruleset, "players": players, "robots": [{"level": "easy"}] * robots, **more}
        return self._ok(await self.ask("POST", "/v1/games", body), 201)

    async def join(self, game_id: str, **body: Any) -> Json:
        """Take a seat, and return the view."""
        return self._ok(await self.ask("POST", f"/v1/games/{game_id}/seats", body), 201)

    async def look(self, game_id: str) -> Json:
        """Return this guest's view."""
        return self._ok(await self.ask("GET", f"/v1/games/{game_id}"), 200)

    async def bid(self, game_id: str, bid: int, **more: Any) -> httpx.Response:
        """Bid."""
        return await self.ask("POST", f"/v1/games/{game_id}/bids", {"bid": bid, **more})

    async def play(self, game_id: str, card: str, **more: Any) -> httpx.Response:
        """Play a card."""
        return await self.ask("POST", f"/v1/games/{game_id}/plays", {"card": card, **more})

    async def move(self, view: Json, choice: int = 0) -> Json:
        """Make a legal move in the turn that `view` shows to be this guest's, and return the move's answer."""
        turn, game_id = view["turn"], view["game_id"]
        if turn["action"] == "bid":
            return self._ok(await self.bid(game_id, turn["legal_bids"][choice % len(turn["legal_bids"])]), 200)
        return self._ok(await self.play(game_id, turn["legal_cards"][choice % len(turn["legal_cards"])]), 200)

    @staticmethod
    def _ok(response: httpx.Response, status: int) -> Json:
        assert response.status_code == status, response.text
        return response.json()


class Api:
    """The service, as seen by strangers."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client

    async def guest(self, name: str = "Ana") -> Guest:
        """Return a new guest."""
        response = await self.client.post("/v1/players", json={"display_name": name})
        assert response.status_code == 201, response.text
        return Guest(self.client, response.json())

    async def full_table(self, ruleset: str = "ludoteka-express-3", players: int = 3) -> tuple[list[Guest], Json]:
        """Return guests, by seat, and the view of the first of them at a game that has just started."""
        guests = [await self.guest(f"Guest {seat}") for seat in range(players)]
        game = await guests[0].create(ruleset, players)
        for guest in guests[1:]:
            await guest.join(game["game_id"])
        return guests, await guests[0].look(game["game_id"])


async def on_turn(guests: list[Guest], game: Json) -> tuple[Guest, Json]:
    """Return the guest whose turn it is, and that guest's view."""
    guest = guests[int(game["turn"]["seat"])]
    return guest, await guest.look(game["game_id"])


async def play_until(guests: list[Guest], game: Json, action: str) -> Json:
    """Move legally until the game waits for `action`, and return the view of seat 0."""
    while game["turn"]["action"] != action:
        guest, view = await on_turn(guests, game)
        await guest.move(view)
        game = await guests[0].look(game["game_id"])
    return game
