"""Queue of unsent hints, the newest one of each game and player and all reactions, and their encoding in notifications."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar, assert_never
from uuid import UUID

import msgspec

from service.application.ports import Hint, PlayerHint, PresenceBeacon, ReactionHint, VersionHint

MOST_WAITING = 10_000
"""Limit of queued hints of games, of players, and of reactions; the oldest are dropped, since hints may be lost."""
LARGEST_PAYLOAD = 7_900
"""Limit of bytes in a notification; that of Postgres is just below 8,000."""

_Key = TypeVar("_Key")
_Hint = TypeVar("_Hint")

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(tuple[Hint, ...])


class HintQueue:
    """The unsent hints. A hint stays until it is sent or replaced."""

    def __init__(self) -> None:
        self._versions: dict[UUID, VersionHint] = {}
        self._sightings: dict[str, PresenceBeacon] = {}
        self._players: dict[str, PlayerHint] = {}
        self._reactions: dict[UUID, ReactionHint] = {}

    def __len__(self) -> int:
        return len(self._versions) + len(self._players) + len(self._sightings) + len(self._reactions)

    def put(self, hint: Hint) -> None:
        """Add a hint, replacing an older one of the same game or player."""
        match hint:
            case VersionHint(game_id=game_id, version=version):
                known = self._versions.get(game_id)
                if known is None or known.version < version:
                    _put(self._versions, game_id, hint)
            case PresenceBeacon(player_id=player_id):
                _put(self._sightings, player_id, hint)
            case ReactionHint(reaction_id=reaction_id):
                _put(self._reactions, reaction_id, hint)
            case PlayerHint(player_id=player_id):
                _put(self._players, player_id, hint)
            case _:
                assert_never(hint)

    def waiting(self) -> Sequence[Hint]:
        """Return all queued hints, those of games first."""
        return [
            *self._versions.values(),
            *self._players.values(),
            *self._sightings.values(),
            *self._reactions.values(),
        ]

    def sent(self, hints: Iterable[Hint]) -> None:
        """Remove the sent hints, except for those replaced in the meantime."""
        for hint in hints:
            match hint:
                case VersionHint(game_id=game_id):
                    _take(self._versions, game_id, hint)
                case PresenceBeacon(player_id=player_id):
                    _take(self._sightings, player_id, hint)
                case ReactionHint(reaction_id=reaction_id):
                    _take(self._reactions, reaction_id, hint)
                case PlayerHint(player_id=player_id):
                    _take(self._players, player_id, hint)
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
    """Return the hints in a notification; none if it is not one of ours."""
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
