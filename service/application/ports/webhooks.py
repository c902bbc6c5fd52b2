"""Web hooks: the addresses to which an app has its games' events sent, and the deliveries that failed."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

import msgspec


class HookEventType(StrEnum):
    """What a web hook may be told of."""

    GAME_STARTED = "game.started"
    TURN_STARTED = "turn.started"
    TURN_EXPIRING = "turn.expiring"
    GAME_FINISHED = "game.finished"
    GAME_ABANDONED = "game.abandoned"
    PLAYER_REMOVED = "player.removed"


class HookSecret(msgspec.Struct, frozen=True):
    """A secret (`whsec_` and Base64) that signs until `expires_at` (None: until it is replaced), and the command that made it."""

    text: str
    command_id: UUID
    fingerprint: bytes
    expires_at: datetime | None = None


class Webhook(msgspec.Struct, frozen=True):
    """A web hook of a tenant. `secrets` has the newest first. It follows what happens from `created_at` on."""

    webhook_id: UUID
    tenant: str
    command_id: UUID
    fingerprint: bytes
    created_at: datetime
    url: str
    events: tuple[HookEventType, ...]
    secrets: tuple[HookSecret, ...]


class DeliveryStatus(StrEnum):
    """What became of a delivery that had failed for days: it is still failed, or was delivered when it was asked for again."""

    FAILED = "failed"
    DELIVERED = "delivered"


class Failure(StrEnum):
    """Why a delivery was not taken."""

    STATUS = "status"
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    FORBIDDEN_ADDRESS = "forbidden-address"


class Receipt(msgspec.Struct, frozen=True):
    """What came of an attempt: the status of the answer, if there was one, and why that is a failure (None: it was delivered)."""

    status: int | None = None
    failure: Failure | None = None


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """An event that a web hook did not take in days. Its body is not kept: it follows from the log of its game.

    `place` numbers the events of one commit. Ids sort by `occurred_at`.
    """

    delivery_id: UUID
    webhook_id: UUID
    type: HookEventType
    game_id: UUID
    version: int
    place: int
    occurred_at: datetime
    attempts: int
    attempted_at: datetime
    receipt: Receipt
    status: DeliveryStatus = DeliveryStatus.FAILED


class Webhooks(Protocol):
    """The web hooks of all apps. Every method may raise `StoreUnavailable`."""

    async def create(self, hook: Webhook) -> Webhook:
        """Store the hook, unless its `command_id` stored one already; return the stored one."""
        ...

    async def read(self, webhook_id: UUID) -> Webhook | None:
        """Return a hook; None if there is none."""
        ...

    async def listed(self, tenant: str, before: UUID | None, limit: int) -> Sequence[Webhook]:
        """Return at most `limit` hooks of a tenant, newest first, with ids below `before`."""
        ...

    async def every(self) -> Sequence[Webhook]:
        """Return all hooks."""
        ...

    async def change(self, webhook_id: UUID, url: str, events: tuple[HookEventType, ...]) -> None:
        """Set the address and the events of a hook, if there is such a hook."""
        ...

    async def replace_secrets(self, before: Webhook, secrets: tuple[HookSecret, ...]) -> bool:
        """Set the secrets of a hook that has those of `before`; return false, and change nothing, if it has others now."""
        ...

    async def delete(self, webhook_id: UUID) -> None:
        """Delete a hook and its failed deliveries."""
        ...

    async def record(self, delivery: Delivery) -> None:
        """Store a delivery, or what became of it."""
        ...

    async def delivery(self, webhook_id: UUID, delivery_id: UUID) -> Delivery | None:
        """Return a delivery of a hook; None if there is none."""
        ...

    async def deliveries(
        self, webhook_id: UUID, status: DeliveryStatus | None, before: UUID | None, limit: int
    ) -> Sequence[Delivery]:
        """Return at most `limit` deliveries of a hook, newest first, of one status (None: any), with ids below `before`."""
        ...

    async def delete_old_deliveries(self, before: datetime) -> None:
        """Delete deliveries that were attempted last before a time."""
        ...


class HookSender(Protocol):
    """Sends the requests of web hooks."""

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Receipt:
        """Send one request, and return what came of it, within some seconds. Never follows a redirect."""
        ...
