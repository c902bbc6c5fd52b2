"""Schemas of web hooks."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.pocha.view.schema import Id, Moment, Version
from service.application.ports import Delivery, DeliveryStatus, Failure, HookEventType, HookSecret, Receipt
from service.application.ports import Webhook as KnownWebhook
from service.application.webhooks.management import WebhookTest
from service.application.webhooks.targets import MAX_URL_LENGTH
from service.rest.schemas.responses import Cursor

HookUrl = Annotated[str, Meta(min_length=1, max_length=MAX_URL_LENGTH)]
SecretText = Annotated[str, Meta(pattern=r"^whsec_[A-Za-z0-9+/=]+\Z", max_length=100)]
HookEvents = Annotated[tuple[HookEventType, ...], Meta(min_length=1, max_length=6)]
Attempts = Annotated[int, Meta(ge=1, le=1_000_000)]
HttpStatus = Annotated[int, Meta(ge=100, le=999)]


class NewWebhook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The address of a new web hook, and what it is told of."""

    url: HookUrl
    events: HookEvents


class WebhookChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be changed of a web hook."""

    url: HookUrl | UnsetType = UNSET
    events: HookEvents | UnsetType = UNSET


class Webhook(msgspec.Struct, frozen=True):
    """A web hook."""

    webhook_id: Id
    url: HookUrl
    events: tuple[HookEventType, ...]
    created_at: Moment


class CreatedWebhook(Webhook, frozen=True):
    """A new web hook, with its secret, which is told this once."""

    secret: SecretText


class WebhookSecret(msgspec.Struct, frozen=True):
    """A new secret, which is told this once; the one before signs beside it until `previous_expires_at`."""

    webhook_id: Id
    secret: SecretText
    previous_expires_at: Moment | UnsetType = UNSET


class WebhookList(msgspec.Struct, frozen=True):
    """A page of web hooks, newest first."""

    items: tuple[Webhook, ...]
    next_cursor: Cursor | UnsetType = UNSET


class WebhookDelivery(msgspec.Struct, frozen=True, kw_only=True):
    """A delivery that had failed for days, and what came of its last attempt."""

    delivery_id: Id
    type: HookEventType
    game_id: Id
    version: Version
    occurred_at: Moment
    status: DeliveryStatus
    attempts: Attempts
    attempted_at: Moment
    failure: Failure | UnsetType = UNSET
    response_status: HttpStatus | UnsetType = UNSET


class WebhookDeliveryList(msgspec.Struct, frozen=True):
    """A page of deliveries, newest first."""

    items: tuple[WebhookDelivery, ...]
    next_cursor: Cursor | UnsetType = UNSET


class WebhookTestResult(msgspec.Struct, frozen=True):
    """What came of a test message."""

    message_id: Id
    status: DeliveryStatus
    failure: Failure | UnsetType = UNSET
    response_status: HttpStatus | UnsetType = UNSET


def webhook(hook: KnownWebhook) -> Webhook:
    """Return a web hook without its secrets."""
    return Webhook(str(hook.webhook_id), hook.url, hook.events, hook.created_at)


def created_webhook(hook: KnownWebhook) -> CreatedWebhook:
    """Return a new web hook with the secret that it was created with, or the newest where that signs no more."""
    secret = next((each for each in hook.secrets if each.command_id == hook.command_id), hook.secrets[0])
    return CreatedWebhook(str(hook.webhook_id), hook.url, hook.events, hook.created_at, secret.text)


def webhook_secret(hook: KnownWebhook, secret: HookSecret) -> WebhookSecret:
    """Return a new secret of a web hook."""
    older = hook.secrets[hook.secrets.index(secret) + 1 :]
    expires_at = older[0].expires_at if older else None
    return WebhookSecret(str(hook.webhook_id), secret.text, UNSET if expires_at is None else expires_at)


def delivery(of: Delivery) -> WebhookDelivery:
    """Return a delivery."""
    failure, status = _outcome(of.receipt)
    return WebhookDelivery(
        delivery_id=str(of.delivery_id),
        type=of.type,
        game_id=str(of.game_id),
        version=of.version,
        occurred_at=of.occurred_at,
        status=of.status,
        attempts=of.attempts,
        attempted_at=of.attempted_at,
        failure=failure,
        response_status=status,
    )


def test_result(of: WebhookTest) -> WebhookTestResult:
    """Return what came of a test."""
    failure, status = _outcome(of.receipt)
    done = DeliveryStatus.DELIVERED if of.receipt.failure is None else DeliveryStatus.FAILED
    return WebhookTestResult(str(of.message_id), done, failure, status)


def _outcome(receipt: Receipt) -> tuple[Failure | UnsetType, int | UnsetType]:
    return (
        UNSET if receipt.failure is None else receipt.failure,
        UNSET if receipt.status is None else receipt.status,
    )
