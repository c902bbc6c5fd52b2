"""The limit: what any service in Python on this server and this log would cost.

An ASGI program without a framework. To each POST it writes one durable row, as large as a usual move's, by the same group commit, and
answers a few fixed bytes.
"""

from collections import defaultdict
from datetime import UTC, datetime
from uuid import UUID, uuid4

from litestar.types import Receive, Scope, Send

from domain.cards import Card
from domain.pocha.model.events import CardPlayed
from service.application.ids import new_game_id
from service.application.ports import Appended, GameStore, Listing, NewCommit

_EVENTS = (CardPlayed(0, Card.OROS_1),)
_FINGERPRINT = bytes(32)
_LISTING = Listing("playing", "private", "limit", 3, 0, b"{}")
_BODY = b'{"version":1}'
_HEADERS = [(b"content-type", b"application/json"), (b"content-length", str(len(_BODY)).encode())]


class Limit:
    """The program. Each path is a game of its own; of one path the requests must come one after the other."""

    def __init__(self, log: GameStore) -> None:
        self._log = log
        self._games: defaultdict[str, UUID] = defaultdict(new_game_id)
        self._versions: defaultdict[str, int] = defaultdict(int)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            return
        await receive()
        outcome = await self._log.append(self._next(scope["path"]))
        status = 200 if isinstance(outcome, Appended) else 500
        await send({"type": "http.response.start", "status": status, "headers": _HEADERS})
        await send({"type": "http.response.body", "body": _BODY, "more_body": False})

    def _next(self, path: str) -> NewCommit:
        expected = self._versions[path]
        self._versions[path] += 1
        return commit(self._games[path], expected)


def commit(game_id: UUID, expected: int) -> NewCommit:
    """Return a commit like that of a card played."""
    listing = None if expected else _LISTING
    return NewCommit(game_id, expected, uuid4(), _FINGERPRINT, datetime.now(UTC), _EVENTS, listing)
