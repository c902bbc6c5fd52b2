"""Web hooks as apps manage them: theirs alone, with secrets that are told once."""

import pytest

from tests.kit.clock import SetClock
from tests.kit.hook_receiver import Receiver
from tests.kit.player import Json
from tests.webhooks.conftest import MakeShop, Shop

URL = "https://shop.example/pocha"
BODY = {"url": URL, "events": ["turn.started", "game.started"]}


async def test_a_hook_is_created_listed_changed_and_deleted(shop: Shop, receiver: Receiver) -> None:
    created = await shop.ask("POST", "/v1/webhooks", BODY)
    hook: Json = created.json()
    path = f"/v1/webhooks/{hook['webhook_id']}"
    assert (created.status_code, created.headers["location"]) == (201, path)
    assert hook.pop("secret").startswith("whsec_")
    assert hook["events"] == ["game.started", "turn.started"]
    assert (await shop.ask("GET", path)).json() == hook
    assert (await shop.ask("GET", "/v1/webhooks")).json() == {"items": [hook]}
    changed: Json = (await shop.ask("PATCH", path, {"url": receiver.url})).json()
    assert changed == {**hook, "url": receiver.url}
    assert (await shop.ask("PATCH", path, {"events": ["game.finished"]})).json()["events"] == ["game.finished"]
    await (await shop.user()).create(robots=2)
    await shop.courier.run_once()
    assert receiver.messages == []
    assert (await shop.ask("DELETE", path)).status_code == 204
    assert (await shop.ask("GET", path)).status_code == 404
    assert (await shop.ask("GET", "/v1/webhooks")).json() == {"items": []}


async def test_hooks_are_listed_in_pages(shop: Shop) -> None:
    hooks = [await shop.hook(URL) for _ in range(3)]
    first: Json = (await shop.ask("GET", "/v1/webhooks?limit=2")).json()
    rest: Json = (await shop.ask("GET", f"/v1/webhooks?limit=2&cursor={first['next_cursor']}")).json()
    listed = [item["webhook_id"] for item in [*first["items"], *rest["items"]]]
    assert (listed, "next_cursor" in rest) == ([hook["webhook_id"] for hook in reversed(hooks)], False)


async def test_a_repeated_request_creates_one_hook_and_one_secret(shop: Shop) -> None:
    key = {"Idempotency-Key": "the-first"}
    first, again = [await shop.ask("POST", "/v1/webhooks", BODY, key) for _ in range(2)]
    assert (first.json(), "idempotency-replayed" in first.headers) == (again.json(), False)
    assert again.headers["idempotency-replayed"] == "true"
    other = await shop.ask("POST", "/v1/webhooks", {**BODY, "url": "https://other.example/"}, key)
    assert other.json()["code"] == "idempotency-key-reused"
    path = f"/v1/webhooks/{first.json()['webhook_id']}/secrets"
    assert (await shop.ask("POST", path, headers=key)).json()["code"] == "idempotency-key-reused"
    rotated, repeated = [await shop.ask("POST", path, headers={"Idempotency-Key": "the-second"}) for _ in range(2)]
    assert (rotated.status_code, rotated.json()) == (201, repeated.json())
    assert repeated.headers["idempotency-replayed"] == "true"
    assert (await shop.ask("POST", path)).json()["secret"] != rotated.json()["secret"]


async def test_an_app_has_ten_hooks_at_most(shop: Shop) -> None:
    key = {"Idempotency-Key": "the-tenth"}
    for _ in range(9):
        await shop.hook(URL)
    tenth = await shop.ask("POST", "/v1/webhooks", BODY, key)
    refused = await shop.ask("POST", "/v1/webhooks", BODY)
    assert (refused.status_code, refused.json()["code"]) == (422, "illegal-webhook")
    assert "10" in refused.json()["detail"]
    assert (await shop.ask("POST", "/v1/webhooks", BODY, key)).json() == tenth.json()


async def test_a_target_on_this_network_needs_the_setting(shops: MakeShop) -> None:
    strict: Shop = await shops(allows_private=False)
    hook = await strict.hook(URL)
    for url in ("http://shop.example/", "https://127.0.0.1/", "https://localhost/", "https://a:b@shop.example/", "x"):
        for method, path in (("POST", "/v1/webhooks"), ("PATCH", f"/v1/webhooks/{hook['webhook_id']}")):
            refused = await strict.ask(method, path, {**BODY, "url": url})
            assert (refused.status_code, refused.json()["code"]) == (422, "illegal-webhook"), url


@pytest.mark.parametrize(
    "body", [{}, {"url": URL}, {"url": URL, "events": []}, {"url": URL, "events": ["card.played"]}]
)
async def test_a_body_that_does_not_fit_is_refused(shop: Shop, body: Json) -> None:
    assert (await shop.ask("POST", "/v1/webhooks", body)).status_code == 400


async def test_a_hook_does_not_exist_for_other_apps_and_players_have_none(shop: Shop, shops: MakeShop) -> None:
    hook, mall, ana = await shop.hook(URL), await shops("mall"), await shop.user()
    path = f"/v1/webhooks/{hook['webhook_id']}"
    delivery = f"{path}/deliveries/{hook['webhook_id']}/redeliver"
    calls = [
        *(("GET", path), ("DELETE", path), ("POST", f"{path}/secrets"), ("POST", f"{path}/test")),
        *(("GET", f"{path}/deliveries"), ("POST", delivery)),
    ]
    for method, where in calls:
        assert (await mall.ask(method, where)).status_code == 404, where
        refused = await ana.ask(method, where)
        assert (refused.status_code, refused.json()["code"]) == (403, "app-required"), where
    assert (await mall.ask("PATCH", path, BODY)).status_code == 404
    assert (await mall.ask("GET", "/v1/webhooks")).json() == {"items": []}
    assert (await ana.ask("POST", "/v1/webhooks", BODY)).status_code == 403
    assert (await shop.ask("POST", delivery)).status_code == 404
    assert (await shop.ask("GET", path)).status_code == 200


async def test_a_test_is_sent_at_once_and_says_what_came_of_it(shop: Shop, receiver: Receiver, clock: SetClock) -> None:
    hook = await shop.hook(receiver.url)
    path = f"/v1/webhooks/{hook['webhook_id']}/test"
    result: Json = (await shop.ask("POST", path)).json()
    assert receiver.messages[0].verified(hook["secret"]) == {
        "type": "webhook.test",
        "timestamp": clock.time.isoformat().replace("+00:00", "Z"),
        "data": {"webhook_id": hook["webhook_id"]},
    }
    assert result == {
        "message_id": receiver.messages[0].headers["webhook-id"],
        "status": "delivered",
        "response_status": 204,
    }
    receiver.answer = lambda _: 404
    failed: Json = (await shop.ask("POST", path)).json()
    assert (failed["status"], failed["failure"], failed["response_status"]) == ("failed", "status", 404)
