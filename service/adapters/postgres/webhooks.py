"""Web hooks in Postgres."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from service.adapters.postgres.connection import Row
from service.adapters.postgres.pool import Pool
from service.adapters.postgres.queries import AFTER_ALL
from service.application.ports import (
    Delivery,
    DeliveryStatus,
    Failure,
    HookEventType,
    HookSecret,
    Receipt,
    Webhook,
)

_HOOK = "webhook_id, tenant, command_id, request_fp, created_at, url, events, secrets"
_DELIVERY = """
    delivery_id, webhook_id, type, game_id, version, place, occurred_at, attempts, attempted_at, response_status, failure, status
"""

_CREATE = f"INSERT INTO webhook ({_HOOK}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING"  # noqa: S608 - constants
CREATED = f"SELECT {_HOOK} FROM webhook WHERE command_id = $1"  # noqa: S608 - constants
READ = f"SELECT {_HOOK} FROM webhook WHERE webhook_id = $1"  # noqa: S608 - constants
LISTED = f"SELECT {_HOOK} FROM webhook WHERE tenant = $1 AND webhook_id < $2 ORDER BY webhook_id DESC LIMIT $3"  # noqa: S608 - constants
# In the order of an index, as no statement of a session scans a whole table.
EVERY = f"SELECT {_HOOK} FROM webhook ORDER BY webhook_id"  # noqa: S608 - constants
_CHANGE = "UPDATE webhook SET url = $2, events = $3 WHERE webhook_id = $1"
_REPLACE_SECRETS = """
    UPDATE webhook SET secrets = $3 WHERE webhook_id = $1 AND secrets IN ($2, $3) RETURNING webhook_id
"""
DELETE = """
    WITH failed AS (DELETE FROM webhook_delivery WHERE webhook_id = $1) DELETE FROM webhook WHERE webhook_id = $1
"""
_RECORD = f"""
    INSERT INTO webhook_delivery ({_DELIVERY}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    ON CONFLICT (delivery_id) DO UPDATE SET attempts = excluded.attempts, attempted_at = excluded.attempted_at,
        response_status = excluded.response_status, failure = excluded.failure, status = excluded.status
"""  # noqa: S608 - constants
ONE_DELIVERY = f"SELECT {_DELIVERY} FROM webhook_delivery WHERE delivery_id = $1 AND webhook_id = $2"  # noqa: S608 - constants
DELIVERIES = f"""
    SELECT {_DELIVERY} FROM webhook_delivery WHERE webhook_id = $1 AND status = ANY ($2::text[]) AND delivery_id < $3
    ORDER BY delivery_id DESC LIMIT $4
"""  # noqa: S608 - constants
DELETE_OLD = """
    DELETE FROM webhook_delivery WHERE delivery_id = ANY (ARRAY(
        SELECT delivery_id FROM webhook_delivery WHERE attempted_at < $1 ORDER BY attempted_at LIMIT 1000 FOR UPDATE SKIP LOCKED))
"""

_encode = msgspec.json.Encoder().encode
_secrets = msgspec.json.Decoder(tuple[HookSecret, ...]).decode


class PostgresWebhooks:
    """Adapter of `service.application.ports.Webhooks`. Every statement may run twice (`Pool.fetch`).

    Secrets are kept as they are: whoever signs needs them.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def create(self, hook: Webhook) -> Webhook:
        """See `Webhooks.create`."""
        await self._pool.fetch(
            _CREATE,
            hook.webhook_id,
            hook.tenant,
            hook.command_id,
            hook.fingerprint,
            hook.created_at,
            hook.url,
            hook.events,
            _encode(hook.secrets),
        )
        [row] = await self._pool.fetch(CREATED, hook.command_id)
        return _hook(row)

    async def read(self, webhook_id: UUID) -> Webhook | None:
        """See `Webhooks.read`."""
        rows = await self._pool.fetch(READ, webhook_id)
        return _hook(rows[0]) if rows else None

    async def listed(self, tenant: str, before: UUID | None, limit: int) -> Sequence[Webhook]:
        """See `Webhooks.listed`."""
        return [_hook(row) for row in await self._pool.fetch(LISTED, tenant, before or AFTER_ALL, limit)]

    async def every(self) -> Sequence[Webhook]:
        """See `Webhooks.every`."""
        return [_hook(row) for row in await self._pool.fetch(EVERY)]

    async def change(self, webhook_id: UUID, url: str, events: tuple[HookEventType, ...]) -> None:
        """See `Webhooks.change`."""
        await self._pool.fetch(_CHANGE, webhook_id, url, events)

    async def replace_secrets(self, before: Webhook, secrets: tuple[HookSecret, ...]) -> bool:
        """See `Webhooks.replace_secrets`."""
        replaced = await self._pool.fetch(
            _REPLACE_SECRETS, before.webhook_id, _encode(before.secrets), _encode(secrets)
        )
        return bool(replaced)

    async def delete(self, webhook_id: UUID) -> None:
        """See `Webhooks.delete`."""
        await self._pool.fetch(DELETE, webhook_id)

    async def record(self, delivery: Delivery) -> None:
        """See `Webhooks.record`."""
        await self._pool.fetch(
            _RECORD,
            delivery.delivery_id,
            delivery.webhook_id,
            delivery.type,
            delivery.game_id,
            delivery.version,
            delivery.place,
            delivery.occurred_at,
            delivery.attempts,
            delivery.attempted_at,
            delivery.receipt.status,
            delivery.receipt.failure,
            delivery.status,
        )

    async def delivery(self, webhook_id: UUID, delivery_id: UUID) -> Delivery | None:
        """See `Webhooks.delivery`."""
        rows = await self._pool.fetch(ONE_DELIVERY, delivery_id, webhook_id)
        return _delivery(rows[0]) if rows else None

    async def deliveries(
        self, webhook_id: UUID, status: DeliveryStatus | None, before: UUID | None, limit: int
    ) -> Sequence[Delivery]:
        """See `Webhooks.deliveries`."""
        wanted = list(DeliveryStatus) if status is None else [status]
        rows = await self._pool.fetch(DELIVERIES, webhook_id, wanted, before or AFTER_ALL, limit)
        return [_delivery(row) for row in rows]

    async def delete_old_deliveries(self, before: datetime) -> None:
        """See `Webhooks.delete_old_deliveries`."""
        await self._pool.fetch(DELETE_OLD, before)


def _hook(row: Row) -> Webhook:
    return Webhook(
        webhook_id=row["webhook_id"],
        tenant=row["tenant"],
        command_id=row["command_id"],
        fingerprint=row["request_fp"],
        created_at=row["created_at"],
        url=row["url"],
        events=tuple(map(HookEventType, row["events"])),
        secrets=_secrets(row["secrets"]),
    )


def _delivery(row: Row) -> Delivery:
    failure = row["failure"]
    return Delivery(
        delivery_id=row["delivery_id"],
        webhook_id=row["webhook_id"],
        type=HookEventType(row["type"]),
        game_id=row["game_id"],
        version=row["version"],
        place=row["place"],
        occurred_at=row["occurred_at"],
        attempts=row["attempts"],
        attempted_at=row["attempted_at"],
        receipt=Receipt(row["response_status"], None if failure is None else Failure(failure)),
        status=DeliveryStatus(row["status"]),
    )
