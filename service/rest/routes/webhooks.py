"""Web hooks of apps."""

from typing import Annotated
from uuid import UUID

from litestar import delete, get, patch, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from service.application.ports import DeliveryStatus
from service.application.webhooks.management import WebhookManagement
from service.rest.idempotency_key import idempotency_key
from service.rest.pagination import PageCursor, PageSize, cursor_after, read_cursor
from service.rest.parameters import WebhookId
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response, replay_header
from service.rest.routing import Router
from service.rest.schemas import webhooks as schemas
from service.rest.schemas.requests import value_or_none
from service.rest.schemas.webhooks import NewWebhook, WebhookChange, WebhookDeliveryList, WebhookList

DeliveryId = Annotated[UUID, PathParameter()]
StatusFilter = Annotated[DeliveryStatus | None, QueryParameter()]

_NO_CHANGE = WebhookChange()

_SENDS = rate_limit(Policy.COMMANDS, cost=10)
"""The caller waits for another server's answer."""


def router(management: WebhookManagement) -> Router:
    """Return the routes of `/v1/webhooks`."""

    @post("/", opt=rate_limit(Policy.CREATION))
    async def create_webhook(request: ApiRequest, data: JSONBody[NewWebhook]) -> EncodedResponse:
        key = idempotency_key(request, data)
        hook, is_replay = await management.create(request.user, data.url, data.events, key)
        location = {"Location": f"/v1/webhooks/{hook.webhook_id}"}
        headers = {**PRIVATE, **location, **replay_header(is_replay=is_replay)}
        return json_response(schemas.created_webhook(hook), 201, headers)

    @get("/", opt=rate_limit(Policy.READS))
    async def list_webhooks(request: ApiRequest, cursor: PageCursor = None, limit: PageSize = 20) -> EncodedResponse:
        found = await management.list(request.user, read_cursor(cursor), limit + 1)
        next_cursor = cursor_after([hook.webhook_id for hook in found], limit)
        return json_response(WebhookList(tuple(map(schemas.webhook, found[:limit])), next_cursor), headers=PRIVATE)

    @get("/{webhook_id:str}", opt=rate_limit(Policy.READS))
    async def get_webhook(request: ApiRequest, webhook_id: WebhookId) -> EncodedResponse:
        return json_response(schemas.webhook(await management.get(webhook_id, request.user)), headers=PRIVATE)

    @patch("/{webhook_id:str}", opt=rate_limit(Policy.COMMANDS))
    async def update_webhook(
        request: ApiRequest, webhook_id: WebhookId, data: JSONBody[WebhookChange] = _NO_CHANGE
    ) -> EncodedResponse:
        url, events = value_or_none(data.url), value_or_none(data.events)
        hook = await management.change(webhook_id, request.user, url, events)
        return json_response(schemas.webhook(hook), headers=PRIVATE)

    @delete("/{webhook_id:str}", status_code=200, opt=rate_limit(Policy.COMMANDS))
    async def delete_webhook(request: ApiRequest, webhook_id: WebhookId) -> EncodedResponse:
        await management.delete(webhook_id, request.user)
        return EncodedResponse(b"", 204)

    @post("/{webhook_id:str}/secrets", opt=rate_limit(Policy.COMMANDS))
    async def rotate_webhook_secret(request: ApiRequest, webhook_id: WebhookId) -> EncodedResponse:
        key = idempotency_key(request)
        hook, secret, is_replay = await management.rotate_secret(webhook_id, request.user, key)
        headers = {**PRIVATE, **replay_header(is_replay=is_replay)}
        return json_response(schemas.webhook_secret(hook, secret), 201, headers)

    @post("/{webhook_id:str}/test", status_code=200, opt=_SENDS)
    async def test_webhook(request: ApiRequest, webhook_id: WebhookId) -> EncodedResponse:
        result = await management.test(webhook_id, request.user)
        return json_response(schemas.test_result(result), headers=PRIVATE)

    @get("/{webhook_id:str}/deliveries", opt=rate_limit(Policy.READS))
    async def list_webhook_deliveries(
        request: ApiRequest,
        webhook_id: WebhookId,
        status: StatusFilter = None,
        cursor: PageCursor = None,
        limit: PageSize = 20,
    ) -> EncodedResponse:
        found = await management.deliveries(webhook_id, request.user, status, read_cursor(cursor), limit + 1)
        next_cursor = cursor_after([each.delivery_id for each in found], limit)
        page = WebhookDeliveryList(tuple(map(schemas.delivery, found[:limit])), next_cursor)
        return json_response(page, headers=PRIVATE)

    @post("/{webhook_id:str}/deliveries/{delivery_id:str}/redeliver", status_code=200, opt=_SENDS)
    async def redeliver_webhook(request: ApiRequest, webhook_id: WebhookId, delivery_id: DeliveryId) -> EncodedResponse:
        done = await management.redeliver(webhook_id, delivery_id, request.user)
        return json_response(schemas.delivery(done), headers=PRIVATE)

    return Router(
        "/v1/webhooks",
        route_handlers=[
            create_webhook,
            list_webhooks,
            get_webhook,
            update_webhook,
            delete_webhook,
            rotate_webhook_secret,
            test_webhook,
            list_webhook_deliveries,
            redeliver_webhook,
        ],
    )
