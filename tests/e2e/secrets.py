"""What each viewer may know of the cards, told from the log; and whether the bytes that they received kept to it."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from domain.cards import Card
from domain.pocha.model import events as happened
from domain.pocha.rules.schedule import HandKind
from service.application.ports import Commit

_CARD = re.compile(rb"(?:oros|copas|espadas|bastos)-\d{1,2}")

Viewer = int | None
"""A seat, or none: a spectator."""


class Knowledge:
    """Follows a game's log, secrets and all, and says what a viewer may know of the present hand."""

    def __init__(self) -> None:
        self._hands: Sequence[Sequence[Card]] = ()
        self._open: set[Card] = set()
        self._played_last: set[Card] = set()
        self._judged: set[Card] = set()
        self._india = False
        self._face_down = False

    def add(self, event: happened.Event) -> None:
        """Take in what happened next."""
        self._judged = set()
        match event:
            case happened.HandDealt():
                self._hands = event.hands
                self._played_last = self._open
                self._open = {event.turn_up} if event.turn_up else set()
                self._india, self._face_down = event.kind is HandKind.INDIA, event.face_down
            case happened.BlindPickMade(card=card):
                self._open, self._face_down = {card}, False
            case happened.CardPlayed(card=card):
                self._open.add(card)
            case happened.RenuncioClaimed(card=card):
                # The claim may be about the hand before; what it names lay on the table.
                self._judged = {card} & (self._open | self._played_last)
            case _:
                pass

    def of(self, viewer: Viewer) -> frozenset[bytes]:
        """Return the cards that `viewer` may see in this hand, as they are written."""
        known = self._open | self._judged
        if viewer is not None and not self._face_down:
            for seat, cards in enumerate(self._hands):
                if (seat == viewer) != self._india:
                    known.update(cards)
        return frozenset(card.encode() for card in known)


class Ledger:
    """What each viewer may know at each version of a game, and after each event."""

    def __init__(self, commits: Iterable[Commit], players: int) -> None:
        self._viewers: list[Viewer] = [None, *range(players)]
        self._after_event: dict[Viewer, dict[int, list[frozenset[bytes]]]] = {viewer: {} for viewer in self._viewers}
        knowledge = Knowledge()
        for commit in commits:
            for viewer in self._viewers:
                self._after_event[viewer][commit.version] = []
            for event in commit.events:
                knowledge.add(event)
                for viewer in self._viewers:
                    self._after_event[viewer][commit.version].append(knowledge.of(viewer))

    def check(self, viewer: Viewer, body: bytes) -> int:
        """Fail if `body` tells `viewer` of a card that they may not know; return how many cards it tells of.

        It is an answer to a request, about this game alone, or what one frame of a stream says.
        """
        return self._check(viewer, json.loads(body))

    def check_stream(self, viewer: Viewer, received: bytes) -> int:
        """Fail if the frames of a stream of events tell `viewer` of a card that they may not know; return how many cards they tell of.

        The last frame may be cut off.
        """
        frames = received.replace(b"\r\n", b"\n").split(b"\n\n")[:-1]
        lines = (line for frame in frames for line in frame.split(b"\n"))
        return sum(self.check(viewer, line.removeprefix(b"data:")) for line in lines if line.startswith(b"data:"))

    def _check(self, viewer: Viewer, document: dict[str, Any]) -> int:
        match document:
            case {"items": [{"turn": _}, *_] as turns}:
                return sum(self._check_view(viewer, turn) for turn in turns)
            case {"items": events}:
                return self._check_events(viewer, events)
            case {"events": events, "game": view}:
                return self._check_events(viewer, events) + self._check_view(viewer, view)
            case {"events": events, "version": _}:
                rest = {name: part for name, part in document.items() if name != "events"}
                return self._check_events(viewer, events) + self._check_view(viewer, rest)
            case {"game_id": _, "server_time": _}:
                return self._check_view(viewer, document)
            case _:
                return 0

    def _check_view(self, viewer: Viewer, view: dict[str, object]) -> int:
        version = view["version"]
        assert isinstance(version, int)
        return _require(json.dumps(view).encode(), self._after_event[viewer][version][-1], viewer)

    def _check_events(self, viewer: Viewer, events: Sequence[dict[str, object]]) -> int:
        found = 0
        place: dict[int, int] = {}
        for event in events:
            version = event["version"]
            assert isinstance(version, int)
            known = self._after_event[viewer][version][place.get(version, 0)]
            place[version] = place.get(version, 0) + 1
            found += _require(json.dumps(event).encode(), known, viewer)
        return found


def _require(body: bytes, known: frozenset[bytes], viewer: Viewer) -> int:
    told = _CARD.findall(body)
    leaked = set(told) - known
    assert not leaked, f"viewer {viewer} was told of {leaked} by {body!r}"
    return len(told)
