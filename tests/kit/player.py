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


def legal_moves(view: Json) -> list[tuple[str, Json]]:
    """Return every move that the view says may be made: where to post it, and its body."""
    turn: Json = view["turn"]
    match turn["action"]:
        case "blind_pick":
            return [("blind-pick", {"position": position}) for position in turn["positions"]]
        case "auction_bid":
            passes: list[tuple[str, Json]] = [("auction-passes", {})] if turn["may_pass"] else []
            return [("auction-bids", {"bid": bid}) for bid in turn["legal_bids"]] + passes
        case "choose_trump":
            return [("trump", {"suit": suit}) for suit in turn["legal_suits"]]
        case "bid":
            return [("bids", {"bid": bid}) for bid in turn["legal_bids"]]
        case _:
            return [("plays", {"card": card}) for card in turn["legal_cards"]]


def without_presence(game: Json) -> Json:
    """Return a view without what it tells of who is there just now, which is not of the game."""
    seats = [{name: value for name, value in seat.items() if name != "presence"} for seat in game["seats"]]
    return {**game, "seats": seats}


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
        moves = legal_moves(view)
        path, body = moves[choice % len(moves)]
        return self._ok(await self.ask("POST", f"/v1/games/{view['game_id']}/{path}", body), 200)

    @staticmethod
    def _ok(response: httpx.Response, status: int) -> Json:
        assert response.status_code == status, response.text
        return response.json()


async def all_events(guest: Guest, game_id: str) -> list[Json]:
    """Return the events of a game that the guest may see, from all pages."""
    events: list[Json] = []
    after = 0
    while True:
        page = (await guest.ask("GET", f"/v1/games/{game_id}/events?after={after}&limit=1000")).json()
        if not page["items"]:
            return events
        events += page["items"]
        after = page["next_after"]


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

    async def table_of_two(self, ruleset: str, players: int) -> tuple[list[Guest], Json]:
        """Return the guests at seats 0 and 1 of a game that has just started, robots at the others, and the view of the first."""
        guests = [await self.guest("Ana"), await self.guest("Eva")]
        game = await guests[0].create(ruleset, players, players - 2)
        await guests[1].join(game["game_id"])
        return guests, await guests[0].look(game["game_id"])


async def on_turn(guests: list[Guest], game: Json) -> tuple[Guest, Json]:
    """Return the guest whose turn it is, and that guest's view."""
    guest = guests[int(game["turn"]["seat"])]
    return guest, await guest.look(game["game_id"])


async def play_until(guests: list[Guest], game: Json, action: str) -> Json:
    """Move legally until the game waits for `action`, and return the view of seat 0."""
    while game["turn"].get("awaits", game["turn"]["action"]) != action:
        guest, view = await on_turn(guests, game)
        await guest.move(view)
        game = await guests[0].look(game["game_id"])
    return game
