"""Commits to write in tests."""

from datetime import UTC, datetime
from itertools import count
from uuid import UUID, uuid4

from domain.cards import Card
from domain.pocha.model.events import BidMade, CardPlayed, Event
from service.application.ids import new_game_id
from service.application.ports import Listing, NewCommit

WHEN = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)
EVENTS: tuple[Event, ...] = (BidMade(seat=1, bid=2), CardPlayed(seat=0, card=Card.OROS_1))


def commit(
    game_id: UUID,
    expected: int = 0,
    *,
    command_id: UUID | None = None,
    fingerprint: bytes = b"asked",
    listing: Listing | None = None,
    events: tuple[Event, ...] = EVENTS,
) -> NewCommit:
    return NewCommit(game_id, expected, command_id or uuid4(), fingerprint, WHEN, events, listing)


def listing(
    *,
    status: str = "waiting",
    visibility: str = "public",
    ruleset_id: str = "clasica",
    deadline: datetime | None = None,
    free_seats: int = 3,
    player_ids: tuple[str, ...] = (),
    tenant: str = "",
) -> Listing:
    return Listing(status, visibility, ruleset_id, 4, free_seats, b'{"seats":[]}', deadline, player_ids, tenant)


def ascending_ids(number: int) -> list[UUID]:
    """Ids as they follow one another in time."""
    first = new_game_id().int
    return [UUID(int=first + step) for step, _ in zip(count(), range(number), strict=False)]
