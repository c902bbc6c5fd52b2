"""Short codes by which people join what others show them on a screen."""

from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

import msgspec


class Joined(StrEnum):
    """What a code leads to."""

    GAME = "game"
    SCORE_KEEPER = "score-keeper"


class JoinCode(msgspec.Struct, frozen=True):
    """A code, valid in one tenant until `expires_at`, and what it leads to."""

    tenant: str
    code: str
    kind: Joined
    target: UUID
    expires_at: datetime


class JoinCodes(Protocol):
    """The valid codes. Every method may raise `StoreUnavailable`."""

    async def issue(self, code: JoinCode, now: datetime) -> JoinCode | None:
        """Store the code, unless its target has a valid one, and return the target's code; None if another target has this code."""
        ...

    async def find(self, tenant: str, code: str, now: datetime) -> JoinCode | None:
        """Return a valid code; None if there is none."""
        ...
