"""What every `Webhooks` promises. Each adapter's test class inherits `WebhooksContract`, and provides `webhooks`."""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

from msgspec.structs import replace

from service.application.ids import new_game_id
from service.application.ports import (
    Delivery,
    DeliveryStatus,
    Failure,
    HookEventType,
    HookSecret,
    Receipt,
    Webhook,
    Webhooks,
)
from tests.adapters.samples import WHEN, ascending_ids

DAY = timedelta(days=1)


def hook(tenant: str = "app:shop", webhook_id: UUID | None = None) -> Webhook:
    return Webhook(
        webhook_id=webhook_id or new_game_id(),
        tenant=tenant,
        command_id=uuid4(),
        fingerprint=b"\x00asked",
        created_at=WHEN,
        url="https://shop.example/hooks",
        events=(HookEventType.GAME_STARTED, HookEventType.TURN_STARTED),
        secrets=(HookSecret("whsec_bmV3", uuid4(), b"\x00"), HookSecret("whsec_b2xk", uuid4(), b"", WHEN + DAY)),
    )


def delivery(of: Webhook, delivery_id: UUID | None = None) -> Delivery:
    return Delivery(
        delivery_id=delivery_id or new_game_id(),
        webhook_id=of.webhook_id,
        type=HookEventType.TURN_STARTED,
        game_id=uuid4(),
        version=7,
        place=1,
        occurred_at=WHEN,
        attempts=14,
        attempted_at=WHEN + 3 * DAY,
        receipt=Receipt(503, Failure.STATUS),
    )


class WebhooksContract:
    async def test_a_hook_is_read_as_it_was_created(self, webhooks: Webhooks) -> None:
        new = hook()
        assert await webhooks.read(new.webhook_id) is None
        assert await webhooks.create(new) == new
        assert await webhooks.read(new.webhook_id) == new
        assert new in await webhooks.every()

    async def test_a_command_creates_one_hook(self, webhooks: Webhooks) -> None:
        first = hook()
        again = [replace(first, webhook_id=uuid4()) for _ in range(4)]
        made = await asyncio.gather(*(webhooks.create(each) for each in (first, *again)))
        assert len({each.webhook_id for each in made}) == 1

    async def test_hooks_are_listed_by_tenant_the_newest_first(self, webhooks: Webhooks) -> None:
        tenant = f"app:{uuid4()}"
        ids = ascending_ids(3)
        for webhook_id in ids:
            await webhooks.create(hook(tenant, webhook_id))
        await webhooks.create(hook())
        assert [each.webhook_id for each in await webhooks.listed(tenant, None, 2)] == [ids[2], ids[1]]
        assert [each.webhook_id for each in await webhooks.listed(tenant, ids[1], 2)] == [ids[0]]

    async def test_address_and_events_can_be_changed(self, webhooks: Webhooks) -> None:
        new = await webhooks.create(hook())
        changed = replace(new, url="https://other.example/", events=(HookEventType.GAME_FINISHED,))
        await webhooks.change(new.webhook_id, changed.url, changed.events)
        assert await webhooks.read(new.webhook_id) == changed

    async def test_of_two_who_replace_the_secrets_one_does(self, webhooks: Webhooks) -> None:
        new = await webhooks.create(hook())
        secrets = [(HookSecret(f"whsec_{number}", uuid4(), b""), *new.secrets) for number in range(4)]
        done = await asyncio.gather(*(webhooks.replace_secrets(new, each) for each in secrets))
        assert sorted(done) == [False, False, False, True]
        assert await webhooks.read(new.webhook_id) == replace(new, secrets=secrets[done.index(True)])

    async def test_a_deleted_hook_is_gone_with_its_deliveries(self, webhooks: Webhooks) -> None:
        new, other = await webhooks.create(hook()), await webhooks.create(hook())
        failed = [delivery(new), delivery(other)]
        for each in failed:
            await webhooks.record(each)
        await webhooks.delete(new.webhook_id)
        assert await webhooks.read(new.webhook_id) is None
        assert await webhooks.delivery(new.webhook_id, failed[0].delivery_id) is None
        assert await webhooks.delivery(other.webhook_id, failed[1].delivery_id) == failed[1]

    async def test_a_delivery_is_read_as_it_was_recorded_last(self, webhooks: Webhooks) -> None:
        new = await webhooks.create(hook())
        first = delivery(new)
        await webhooks.record(first)
        assert await webhooks.delivery(new.webhook_id, first.delivery_id) == first
        assert await webhooks.delivery(uuid4(), first.delivery_id) is None
        second = replace(
            first,
            attempts=15,
            attempted_at=WHEN + 4 * DAY,
            receipt=Receipt(204),
            status=DeliveryStatus.DELIVERED,
        )
        await webhooks.record(second)
        assert await webhooks.delivery(new.webhook_id, first.delivery_id) == second

    async def test_deliveries_are_listed_by_status_the_newest_first(self, webhooks: Webhooks) -> None:
        new, ids = await webhooks.create(hook()), ascending_ids(4)
        for number, delivery_id in enumerate(ids):
            status = DeliveryStatus.DELIVERED if number == 1 else DeliveryStatus.FAILED
            await webhooks.record(replace(delivery(new, delivery_id), status=status))
        await webhooks.record(delivery(await webhooks.create(hook())))

        async def listed(status: DeliveryStatus | None, before: UUID | None = None) -> list[UUID]:
            return [each.delivery_id for each in await webhooks.deliveries(new.webhook_id, status, before, 2)]

        assert await listed(None) == [ids[3], ids[2]]
        assert await listed(None, ids[2]) == [ids[1], ids[0]]
        assert await listed(DeliveryStatus.FAILED, ids[2]) == [ids[0]]
        assert await listed(DeliveryStatus.DELIVERED) == [ids[1]]

    async def test_old_deliveries_are_deleted(self, webhooks: Webhooks) -> None:
        new = await webhooks.create(hook())
        old, young = delivery(new), replace(delivery(new), attempted_at=WHEN + 9 * DAY)
        for each in (old, young):
            await webhooks.record(each)
        await webhooks.delete_old_deliveries(WHEN + 4 * DAY)
        assert await webhooks.deliveries(new.webhook_id, None, None, 9) == [young]
