"""Apps with web hooks, over the memory store or Postgres, and receivers on real sockets."""

from collections.abc import AsyncGenerator, Callable
from datetime import timedelta
from typing import Any

import pytest

from service.adapters.memory.apps import MemoryApps
from service.adapters.memory.store import MemoryStore
from service.application.ports import GameStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.bootstrap.side_stores import SideStores
from service.observability.metrics import Metrics
from service.rest.auth import api_keys
from service.rest.auth.config import AuthConfig
from tests.kit.clock import SetClock
from tests.kit.hook_receiver import Receiver, receiving
from tests.kit.player import Guest, Json, client_of

SECRET = b"a secret of the tests, long enough for every algorithm that they try"
EVERYTHING = [
    *("game.started", "turn.started", "turn.expiring", "game.finished", "game.abandoned"),
    "player.removed",
]


class Shop(Guest):
    """An app in a process of the service, called with its key in the place of a token."""

    def __init__(self, service: Service, key: str, metrics: Metrics) -> None:
        super().__init__(client_of(service.asgi), {"player_id": "none", "token": key})
        self.service = service
        self.metrics = metrics
        self.courier = service.courier

    async def user(self, external_id: str = "ana", name: str = "Ana") -> Guest:
        """Return one of the app's users."""
        answer = await self.ask("POST", "/v1/players", {"display_name": name, "external_id": external_id})
        return Guest(self._client, self._ok(answer, 201))

    async def hook(self, url: str, events: list[str] | None = None) -> Json:
        """Create a web hook, and return it with its secret."""
        return self._ok(await self.ask("POST", "/v1/webhooks", {"url": url, "events": events or EVERYTHING}), 201)

    async def failed(self, hook: Json, query: str = "?status=failed") -> list[Json]:
        """Return the deliveries of a hook."""
        answer = await self.ask("GET", f"/v1/webhooks/{hook['webhook_id']}/deliveries{query}")
        return self._ok(answer, 200)["items"]

    async def finish(self, *players: Guest, game_id: str, moves: int = 10**6) -> Json:
        """Make moves until there are no more, and return the view of the first player."""
        for _ in range(moves):
            views = [await player.look(game_id) for player in players]
            on_turn = [
                (player, view)
                for player, view in zip(players, views, strict=True)
                if view["status"] == "playing" and view["turn"]["action"] != "wait"
            ]
            if not on_turn:
                break
            player, view = on_turn[0]
            await player.move(view)
        return await players[0].look(game_id)

    async def close(self) -> None:
        """Close the client."""
        await self._client.aclose()


MakeShop = Callable[..., Any]


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def log() -> GameStore:
    return MemoryStore()


@pytest.fixture
def side_stores() -> SideStores:
    return SideStores.in_memory()


@pytest.fixture
async def shops(log: GameStore, side_stores: SideStores, clock: SetClock) -> AsyncGenerator[Callable[..., Any]]:
    """Makes processes of one service, each as one of its apps."""
    apps, made = MemoryApps(), list[Shop]()

    async def make(name: str = "shop", *, allows_private: bool = True) -> Shop:
        written, key = api_keys.new_key(name, clock.now())
        if not await apps.create(key):
            await apps.rotate(key, clock.now() + timedelta(days=99))
        metrics = Metrics()
        service = Service(
            log,
            clock,
            SeededShuffler(),
            SECRET,
            trust=AuthConfig(apps=apps),
            side_stores=side_stores,
            metrics=metrics,
            allows_private_hooks=allows_private,
        )
        made.append(Shop(service, written, metrics))
        return made[-1]

    yield make
    for shop in made:
        await shop.close()


@pytest.fixture
async def shop(shops: MakeShop) -> Shop:
    return await shops()


@pytest.fixture
async def receiver() -> AsyncGenerator[Receiver]:
    async with receiving() as receiver:
        yield receiver
