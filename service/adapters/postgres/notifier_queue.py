"""Notifier that wait to be sent, the newest of each game and player, and how they are written in a notification."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar, assert_never
from uuid import UUID

import msgspec

from service.application.ports import Hint, PresenceBeacon, VersionHint

MOST_WAITING = 10_000
"""How many hints of games wait at most, and as many of players; the oldest are dropped, for nobody relies on hints."""
LARGEST_PAYLOAD = 7_900
"""How many bytes a notification holds at most; Postgres takes fewer than 8,000."""

_Key = TypeVar("_Key")
_Hint = TypeVar("_Hint")

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(tuple[Hint, ...])


class HintQueue:
    """The hints that are not sent yet. One stays until it is known to be sent, or replaced."""

    def __init__(self) -> None:
        self._versions: dict[UUID, VersionHint] = {}
        self._sightings: dict[str, PresenceBeacon] = {}

    def __len__(self) -> int:
        return len(self._versions) + len(self._sightings)

    def put(self, hint: Hint) -> None:
        """Add a hint, in the place of an older one of the same game or player."""
        match hint:
            case VersionHint(game_id=game_id, version=version):
                known = self._versions.get(game_id)
                if known is None or known.version < version:
                    _put(self._versions, game_id, hint)
            case PresenceBeacon(player_id=player_id):
                _put(self._sightings, player_id, hint)
            case _:
                assert_never(hint)

    def waiting(self) -> Sequence[Hint]:
        """Return all hints that wait: first those of games."""
        return [*self._versions.values(), *self._sightings.values()]

    def sent(self, hints: Iterable[Hint]) -> None:
        """Take out what was sent; what has replaced it meanwhile stays."""
        for hint in hints:
            match hint:
                case VersionHint(game_id=game_id):
                    _take(self._versions, game_id, hint)
                case PresenceBeacon(player_id=player_id):
                    _take(self._sightings, player_id, hint)
                case _:
                    assert_never(hint)


def payloads(hints: Iterable[Hint]) -> Iterator[str]:
    """Yield texts of at most `LARGEST_PAYLOAD` bytes that hold the hints, several each; one too long for a text is left out."""
    parts: list[bytes] = []
    size = 1
    for part in map(_ENCODER.encode, hints):
        if len(part) + 2 > LARGEST_PAYLOAD:
            continue
        if size + len(part) + 1 > LARGEST_PAYLOAD:
            yield _payload(parts)
            parts, size = [], 1
        parts.append(part)
        size += len(part) + 1
    if parts:
        yield _payload(parts)


def hints_of(payload: str) -> Sequence[Hint]:
    """Return the hints that a notification holds; none when it is none of ours."""
    try:
        return _DECODER.decode(payload)
    except msgspec.DecodeError:
        return ()


def _payload(parts: Iterable[bytes]) -> str:
    return f"[{b','.join(parts).decode()}]"


def _put(waiting: dict[_Key, _Hint], key: _Key, hint: _Hint) -> None:
    waiting[key] = hint
    if len(waiting) > MOST_WAITING:
        del waiting[next(iter(waiting))]


def _take(waiting: dict[_Key, _Hint], key: _Key, hint: _Hint) -> None:
    if waiting.get(key) is hint:
        del waiting[key]
