"""What all clients of a run share: where the service is, how they behave, and the notes that the judge will read."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from uuid import UUID

import msgspec

from service.application import idempotency
from tests.chaos.lines import Lines
from tests.chaos.tally import Tally
from tests.chaos.wire import Answer, Place
from tests.kit.board import Json


class Request(msgspec.Struct, frozen=True):
    """A command as its caller names it: the same key for all its repetitions."""

    player_id: str
    key: str
    method: str
    path: str
    content: bytes

    @property
    def command_id(self) -> UUID:
        """The name under which the log keeps it."""
        named = idempotency.for_creation if self.path == "/v1/games" else idempotency.for_request
        return named(self.player_id, self.key, self.method, self.path, self.content).command_id


class Acknowledged(msgspec.Struct, frozen=True):
    """A command that was carried out, says the service, and how it was answered."""

    request: Request
    status: int
    answer: Json

    @property
    def view(self) -> Json:
        """The game after it."""
        return view_in(self.answer)


class Received(msgspec.Struct, frozen=True):
    """Something about a game that a player was told: an answer, or the data of a stream's frame."""

    player_id: str
    game_id: str
    body: bytes


class Run:
    """One run. Until `calm` is set, clients take their time, repeat themselves, fall asleep, leave, and cut their connections."""

    def __init__(self, seed: str, places: tuple[Place, Place]) -> None:
        self.seed = seed
        self.places = places
        self.lines = Lines()
        self.tally = Tally()
        self.calm = False
        self.asked: set[UUID] = set()
        self.rematches: set[str] = set()
        self._acknowledged = defaultdict[tuple[str, str], list[Acknowledged]](list)
        self.received: list[Received] = []

    def acknowledge(self, request: Request, status: int, answer: Json) -> None:
        """Keep what a player was told to be done."""
        done = Acknowledged(request, status, answer)
        self._acknowledged[request.player_id, done.view["game_id"]].append(done)

    def acknowledged(self) -> Iterator[Acknowledged]:
        """Yield all that was told to be done."""
        return chain.from_iterable(self._acknowledged.values())

    def acknowledged_to(self, player_id: str, game_id: str) -> Sequence[Acknowledged]:
        """Return what a player was told to be done in a game."""
        return self._acknowledged[player_id, game_id]

    def heard(self, player_id: str, game_id: str, body: bytes) -> None:
        """Keep what a player was told."""
        self.received.append(Received(player_id, game_id, body))


def is_replay(answer: Answer) -> bool:
    """Tell whether the service says that it had done this before."""
    return answer.headers.get("idempotency-replayed") == "true"


def view_in(document: Json) -> Json:
    """Return the view that an answer to a command is, or has in it."""
    return document.get("game", document)
