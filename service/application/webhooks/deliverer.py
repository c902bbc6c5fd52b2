"""Signs messages and sends them to their web hook."""

from uuid import UUID

import msgspec

from service.application.ports import Clock, HookSender, Receipt, Webhook
from service.application.webhooks import signing
from service.application.webhooks.messages import HookMessage, WebhookTestMessage

_encode = msgspec.json.Encoder().encode


class Deliverer:
    """Sends messages, each under an id that stays the same however often it is sent."""

    def __init__(self, sender: HookSender, clock: Clock) -> None:
        self._sender = sender
        self._clock = clock

    async def deliver(self, hook: Webhook, message_id: UUID, message: HookMessage | WebhookTestMessage) -> Receipt:
        """Send a message to the hook once, signed with all of its secrets that are valid now."""
        now, body = self._clock.now(), _encode(message)
        keys = [secret.text for secret in hook.secrets if secret.expires_at is None or secret.expires_at > now]
        return await self._sender.send(hook.url, signing.headers(str(message_id), now, body, keys), body)
