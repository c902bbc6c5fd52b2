"""What both clients share: how answers are read, how long is waited, and what frames of a stream are."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar
from uuid import uuid4

import httpx
import msgspec

from pocha_client.errors import BY_CODE, PochaError
from pocha_client.models import UNIONS, MyGame, Problem, WaitTurn

T = TypeVar("T")

LONGEST_WAIT = 25
"""Seconds for which a read waits for news."""
READ_SECONDS = 10.0
SILENCE_SECONDS = 45.0
"""How long a stream may be silent before it counts as lost; there is a heartbeat every 15 seconds."""
OK, NO_CONTENT = 200, 204
OVER = frozenset({"finished", "abandoned"})
RETRIED = frozenset({429, 500, 502, 503, 504})

_FIRST_DELAY = 0.25
_LONGEST_DELAY = 15.0


class Frame(msgspec.Struct, frozen=True):
    """A server-sent event."""

    id: str
    event: str
    data: str


def new_key() -> str:
    """Return an idempotency key for a new command."""
    return str(uuid4())


def delay(attempt: int, retry_after: str | None) -> float:
    """Return the seconds to wait after a failed attempt (from 0): what the service says, or more each time; never the same for all."""
    if retry_after is not None and retry_after.isdigit():
        return int(retry_after) + random.uniform(0, 0.5)  # noqa: S311 - no secret
    return min(_LONGEST_DELAY, _FIRST_DELAY * 2**attempt) * random.uniform(0.5, 1)  # noqa: S311 - no secret


def decode(data: bytes | str, kind: type[T]) -> T:
    """Return an answer. Members that are newer than this client are ignored."""
    return _decoder(kind)(data)


@cache
def _decoder(kind: type[T]) -> Callable[[bytes | str], T]:
    return msgspec.json.Decoder(kind, dec_hook=_known).decode


def _known(kind: type, value: Any) -> Any:
    """Turns, events and the like by what they name; those that are newer than this client as they are."""
    union = UNIONS[kind]
    known = union.kinds.get(value.get(union.tag))
    return union.unknown(value) if known is None else msgspec.convert(value, known, dec_hook=_known)


def error_of(response: httpx.Response) -> PochaError:
    """Return the problem of a response that has been read."""
    request_id = response.headers.get("x-request-id", "")
    try:
        problem = decode(response.content, Problem)
    except msgspec.DecodeError:  # a proxy's page
        title = response.reason_phrase
        problem = Problem(type="about:blank", title=title, status=response.status_code, code="unknown", detail=title)
    after = response.headers.get("retry-after", "")
    return BY_CODE.get(problem.code, PochaError)(problem, request_id, float(after) if after.isdigit() else None)


def waits_for_caller(game: MyGame) -> bool:
    """Tell whether it is the caller's turn."""
    return game.turn is not None and not isinstance(game.turn, WaitTurn)


def news_of(known: Mapping[str, MyGame] | None, game: MyGame) -> Iterator[str]:
    """Yield what has happened in a game since the list before, as their stream names it; at first only whether it waits."""
    before = None if known is None else known.get(game.game_id)
    if known is not None:
        if game.status == "playing" and (before is None or before.status != "playing"):
            yield "started"
        if game.status in OVER and (before is None or before.status not in OVER):
            yield "ended"
    if waits_for_caller(game) and (before is None or before.version != game.version):
        yield "turn"


class FrameReader:
    """Puts the lines of a stream together to frames."""

    def __init__(self) -> None:
        self._fields: dict[str, str] = {}

    def feed(self, line: str) -> Frame | None:
        """Take a line; return the frame that it ends."""
        if line:
            name, _, value = line.partition(":")
            self._fields[name] = value.removeprefix(" ")
            return None
        fields, self._fields = self._fields, {}
        return Frame(fields.get("id", ""), fields["event"], fields["data"]) if "data" in fields else None


def query(parameters: Mapping[str, object]) -> dict[str, str]:
    """Return query parameters without those that are None."""
    return {name: str(value) for name, value in parameters.items() if value is not None}


def body(members: Mapping[str, object]) -> dict[str, object]:
    """Return a body without members that are None."""
    return {name: value for name, value in members.items() if value is not None}


def robots(levels: Iterable[str]) -> list[dict[str, str]]:
    """Return robots as `POST /v1/games` takes them."""
    return [{"level": level} for level in levels]
