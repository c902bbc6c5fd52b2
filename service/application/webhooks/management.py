"""The web hooks of an app: create, change, rotate the secret, test, and deliver again what failed."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import msgspec
from msgspec.structs import replace

from service.application import idempotency, ids
from service.application.caller import Caller
from service.application.command_handler import KeyReused
from service.application.idempotency import RequestKey
from service.application.ports import (
    Clock,
    Delivery,
    DeliveryStatus,
    HookEventType,
    HookPositions,
    HookSecret,
    Receipt,
    Webhook,
    Webhooks,
)
from service.application.repository import GameRepository
from service.application.webhooks import messages, signing, targets
from service.application.webhooks.courier import Courier
from service.application.webhooks.deliverer import Deliverer
from service.application.webhooks.messages import HookMessage, WebhookTestData, WebhookTestMessage

MAX_HOOKS = 10
"""How many web hooks an app may have."""
OLD_SECRET_SIGNS = timedelta(days=1)
"""How long a secret that was replaced signs beside the new one."""
_MAX_SECRETS = 3


class NoSuchWebhook(Exception):
    """There is no such web hook, or it is another app's."""


class NoSuchDelivery(Exception):
    """There is no such failed delivery, or its game was deleted."""


class TooManyWebhooks(Exception):
    """The app has `MAX_HOOKS` already."""


class WebhookTest(msgspec.Struct, frozen=True):
    """A message that was sent to test a web hook, and what came of it."""

    message_id: UUID
    receipt: Receipt


class WebhookManagement:
    """Use cases of the web hooks of apps. A player's caller is refused with `AppRequired`; a hook of another app is `NoSuchWebhook`."""

    def __init__(
        self,
        *,
        webhooks: Webhooks,
        positions: HookPositions,
        repository: GameRepository,
        courier: Courier,
        deliverer: Deliverer,
        clock: Clock,
        allows_private: bool,
    ) -> None:
        self._webhooks = webhooks
        self._positions = positions
        self._repository = repository
        self._courier = courier
        self._deliverer = deliverer
        self._clock = clock
        self._allows_private = allows_private

    async def create(
        self, caller: Caller, url: str, events: Sequence[HookEventType], key: RequestKey | None
    ) -> tuple[Webhook, bool]:
        """Create a hook; return it, and whether the same request created it before.

        Raises:
            AppRequired, TooManyWebhooks, ForbiddenTarget, KeyReused: as the names say.
        """
        caller.require_app()
        targets.require_target(url, allows_private=self._allows_private)
        key = key or idempotency.random_key()
        now = self._clock.now()
        new = Webhook(
            webhook_id=ids.new_game_id(),
            tenant=caller.tenant,
            command_id=key.command_id,
            fingerprint=key.fingerprint,
            created_at=now,
            url=url,
            events=_sorted(events),
            secrets=(HookSecret(signing.new_secret(), key.command_id, key.fingerprint),),
        )
        known = await self._webhooks.listed(caller.tenant, None, MAX_HOOKS)
        if len(known) >= MAX_HOOKS and all(hook.command_id != key.command_id for hook in known):
            raise TooManyWebhooks
        hook = await self._webhooks.create(new)
        if hook.fingerprint != key.fingerprint:
            raise KeyReused
        await self._courier.refresh()
        return hook, hook.webhook_id != new.webhook_id

    async def list(self, caller: Caller, before: UUID | None, limit: int) -> Sequence[Webhook]:
        """Return at most `limit` hooks of the app, newest first.

        Raises:
            AppRequired: the caller is a player.
        """
        caller.require_app()
        return await self._webhooks.listed(caller.tenant, before, limit)

    async def get(self, webhook_id: UUID, caller: Caller) -> Webhook:
        """Return a hook of the app.

        Raises:
            AppRequired, NoSuchWebhook: as the names say.
        """
        caller.require_app()
        hook = await self._webhooks.read(webhook_id)
        if hook is None or hook.tenant != caller.tenant:
            raise NoSuchWebhook
        return hook

    async def change(
        self, webhook_id: UUID, caller: Caller, url: str | None, events: Sequence[HookEventType] | None
    ) -> Webhook:
        """Change the address or the events of a hook (None: as it is); return it.

        Raises:
            AppRequired, NoSuchWebhook, ForbiddenTarget: as the names say.
        """
        hook = await self.get(webhook_id, caller)
        if url is not None:
            targets.require_target(url, allows_private=self._allows_private)
        changed = replace(hook, url=url or hook.url, events=hook.events if events is None else _sorted(events))
        await self._webhooks.change(webhook_id, changed.url, changed.events)
        await self._courier.refresh()
        return changed

    async def delete(self, webhook_id: UUID, caller: Caller) -> None:
        """Delete a hook of the app: what it lacks is not delivered any more.

        Raises:
            AppRequired, NoSuchWebhook: as the names say.
        """
        await self.get(webhook_id, caller)
        await self._webhooks.delete(webhook_id)
        await self._courier.refresh()
        await self._positions.forget_hook(webhook_id)

    async def rotate_secret(
        self, webhook_id: UUID, caller: Caller, key: RequestKey | None
    ) -> tuple[Webhook, HookSecret, bool]:
        """Give a hook a new secret; the old one signs beside it for a day.

        Return the hook, the secret that this request made, and whether it had made it before.

        Raises:
            AppRequired, NoSuchWebhook, KeyReused: as the names say.
        """
        key = key or idempotency.random_key()
        while True:
            hook = await self.get(webhook_id, caller)
            for known in hook.secrets:
                if known.command_id == key.command_id:
                    if known.fingerprint != key.fingerprint:
                        raise KeyReused
                    return hook, known, True
            new = HookSecret(signing.new_secret(), key.command_id, key.fingerprint)
            secrets = (new, *self._ending(hook.secrets))
            if await self._webhooks.replace_secrets(hook, secrets):
                await self._courier.refresh()
                return replace(hook, secrets=secrets), new, False

    async def test(self, webhook_id: UUID, caller: Caller) -> WebhookTest:
        """Send the hook a test message now, once; return what came of it.

        Raises:
            AppRequired, NoSuchWebhook: as the names say.
        """
        hook = await self.get(webhook_id, caller)
        message_id, now = ids.new_game_id(), self._clock.now()
        message = WebhookTestMessage(now, WebhookTestData(str(webhook_id)))
        return WebhookTest(message_id, await self._deliverer.deliver(hook, message_id, message))

    async def deliveries(
        self, webhook_id: UUID, caller: Caller, status: DeliveryStatus | None, before: UUID | None, limit: int
    ) -> Sequence[Delivery]:
        """Return at most `limit` deliveries that failed, newest first.

        Raises:
            AppRequired, NoSuchWebhook: as the names say.
        """
        await self.get(webhook_id, caller)
        return await self._webhooks.deliveries(webhook_id, status, before, limit)

    async def redeliver(self, webhook_id: UUID, delivery_id: UUID, caller: Caller) -> Delivery:
        """Send a failed delivery again now, once, under its own id, and return it; one that was delivered since is returned as it is.

        Raises:
            AppRequired, NoSuchWebhook, NoSuchDelivery: as the names say.
        """
        hook = await self.get(webhook_id, caller)
        failed = await self._webhooks.delivery(webhook_id, delivery_id)
        if failed is None:
            raise NoSuchDelivery
        if failed.status is DeliveryStatus.DELIVERED:
            return failed
        receipt = await self._deliverer.deliver(hook, delivery_id, await self._message(failed))
        done = replace(
            failed,
            attempts=failed.attempts + 1,
            attempted_at=self._clock.now(),
            receipt=receipt,
            status=DeliveryStatus.DELIVERED if receipt.failure is None else DeliveryStatus.FAILED,
        )
        await self._webhooks.record(done)
        return done

    async def _message(self, failed: Delivery) -> HookMessage:
        """Return what is to be delivered, from the log of its game."""
        before = await self._repository.at_version(failed.game_id, failed.version - 1)
        if before is None or not (steps := await self._repository.commits_after(before, 1)):
            raise NoSuchDelivery
        return messages.messages_of(before.state, steps[0])[failed.place]

    def _ending(self, secrets: Sequence[HookSecret]) -> Sequence[HookSecret]:
        """Return the secrets that still sign for a while, the newest ones."""
        now = self._clock.now()
        end = now + OLD_SECRET_SIGNS
        ending = [replace(each, expires_at=min(each.expires_at or end, end)) for each in secrets]
        return [each for each in ending if each.expires_at is not None and each.expires_at > now][: _MAX_SECRETS - 1]


def _sorted(events: Sequence[HookEventType]) -> tuple[HookEventType, ...]:
    return tuple(kind for kind in HookEventType if kind in events)
