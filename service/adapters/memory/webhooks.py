"""Web hooks in this process's memory."""

import heapq
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from service.application.ports import Delivery, DeliveryStatus, HookEventType, HookSecret, Webhook


class MemoryWebhooks:
    """Adapter of `service.application.ports.Webhooks` that forgets everything when the process ends."""

    def __init__(self) -> None:
        self._hooks: dict[UUID, Webhook] = {}
        self._deliveries: dict[UUID, Delivery] = {}

    async def create(self, hook: Webhook) -> Webhook:
        """See `Webhooks.create`."""
        for known in self._hooks.values():
            if known.command_id == hook.command_id:
                return known
        self._hooks[hook.webhook_id] = hook
        return hook

    async def read(self, webhook_id: UUID) -> Webhook | None:
        """See `Webhooks.read`."""
        return self._hooks.get(webhook_id)

    async def listed(self, tenant: str, before: UUID | None, limit: int) -> Sequence[Webhook]:
        """See `Webhooks.listed`."""
        found = [
            hook
            for hook in self._hooks.values()
            if hook.tenant == tenant and (before is None or hook.webhook_id < before)
        ]
        return heapq.nlargest(limit, found, key=lambda hook: hook.webhook_id)

    async def every(self) -> Sequence[Webhook]:
        """See `Webhooks.every`."""
        return list(self._hooks.values())

    async def change(self, webhook_id: UUID, url: str, events: tuple[HookEventType, ...]) -> None:
        """See `Webhooks.change`."""
        if webhook_id in self._hooks:
            self._hooks[webhook_id] = replace(self._hooks[webhook_id], url=url, events=events)

    async def replace_secrets(self, before: Webhook, secrets: tuple[HookSecret, ...]) -> bool:
        """See `Webhooks.replace_secrets`."""
        known = self._hooks.get(before.webhook_id)
        if known is None or known.secrets != before.secrets:
            return False
        self._hooks[before.webhook_id] = replace(known, secrets=secrets)
        return True

    async def delete(self, webhook_id: UUID) -> None:
        """See `Webhooks.delete`."""
        self._hooks.pop(webhook_id, None)
        self._deliveries = {key: each for key, each in self._deliveries.items() if each.webhook_id != webhook_id}

    async def record(self, delivery: Delivery) -> None:
        """See `Webhooks.record`."""
        self._deliveries[delivery.delivery_id] = delivery

    async def delivery(self, webhook_id: UUID, delivery_id: UUID) -> Delivery | None:
        """See `Webhooks.delivery`."""
        found = self._deliveries.get(delivery_id)
        return found if found is not None and found.webhook_id == webhook_id else None

    async def deliveries(
        self, webhook_id: UUID, status: DeliveryStatus | None, before: UUID | None, limit: int
    ) -> Sequence[Delivery]:
        """See `Webhooks.deliveries`."""
        found = [
            each
            for each in self._deliveries.values()
            if each.webhook_id == webhook_id
            and status in {None, each.status}
            and (before is None or each.delivery_id < before)
        ]
        return heapq.nlargest(limit, found, key=lambda each: each.delivery_id)

    async def delete_old_deliveries(self, before: datetime) -> None:
        """See `Webhooks.delete_old_deliveries`."""
        self._deliveries = {key: each for key, each in self._deliveries.items() if each.attempted_at >= before}
