"""Web hooks hear of everything that they asked for: in order for each game, at least once, whatever fails."""

import asyncio
from datetime import timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID

from service.application.ports import Failure
from tests.kit.clock import SetClock
from tests.kit.hook_receiver import Message, Receiver, receiving
from tests.kit.player import Json
from tests.kit.waiting import until
from tests.webhooks.conftest import MakeShop, Shop


def types(receiver: Receiver) -> list[str]:
    return [message.json["type"] for message in receiver.messages]


def value(shop: Shop, name: str, **labels: str) -> float:
    return shop.metrics.registry.get_sample_value(name, labels) or 0


async def test_a_game_is_told_from_its_start_to_its_end(shop: Shop, receiver: Receiver) -> None:
    hook = await shop.hook(receiver.url)
    ana = await shop.user()
    game = await ana.create(robots=2)
    end = await shop.finish(ana, game_id=game["game_id"])
    await shop.courier.run_once()
    told = [message.verified(hook["secret"]) for message in receiver.messages]
    assert types(receiver)[:2] == ["game.started", "turn.started"]
    assert types(receiver)[-1] == "game.finished"
    assert set(types(receiver)[1:-1]) == {"turn.started"}
    versions = [message["data"]["version"] for message in told]
    assert versions == sorted(versions)
    assert versions[-1] == end["version"]
    start, turn, finish = told[0]["data"], told[1]["data"], told[-1]["data"]
    assert start["seats"] == [{"seat": 0, "player_id": ana.player_id}, {"seat": 1}, {"seat": 2}]
    assert {name: turn[name] for name in ("game_id", "seat", "player_id", "action")} == {
        "game_id": game["game_id"],
        "seat": 0,
        "player_id": ana.player_id,
        "action": "bid",
    }
    assert finish["winners"] == end["result"]["winners"]
    assert [(score["seat"], score["points"], score["rank"]) for score in finish["scores"]] == [
        (score["seat"], score["points"], score["rank"]) for score in end["scores"]
    ]
    assert finish["scores"][0]["player_id"] == ana.player_id
    assert len({message.headers["webhook-id"] for message in receiver.messages}) == len(told)
    await shop.courier.run_once()
    assert len(receiver.messages) == len(told)
    assert value(shop, "pocha_webhook_attempts_total", outcome="delivered") == len(told)


async def test_a_commit_of_this_process_is_told_at_once(shop: Shop, receiver: Receiver) -> None:
    await shop.hook(receiver.url, ["game.started"])
    await shop.courier.refresh()
    running = asyncio.create_task(shop.courier.run())
    await (await shop.user()).create(robots=2)
    await until(lambda: receiver.messages)
    running.cancel()
    assert types(receiver) == ["game.started"]


async def test_a_hook_hears_of_what_it_asked_for_in_games_of_its_app_from_its_creation_on(
    shop: Shop, shops: MakeShop, clock: SetClock, receiver: Receiver
) -> None:
    ana = await shop.user()
    before = await ana.create(robots=2)
    clock.pass_by(seconds=1)
    await shop.hook(f"{receiver.url}/ours", ["game.started", "game.abandoned"])
    mall = await shops("mall")
    await mall.hook(f"{receiver.url}/theirs")
    game = await ana.create(robots=2)
    for each in (before, game):
        assert (await shop.ask("DELETE", f"/v1/games/{each['game_id']}")).status_code < 300
    await shop.courier.run_once()
    assert receiver.of(before["game_id"]) == [("game.abandoned", 2)]
    assert receiver.of(game["game_id"]) == [("game.started", 1), ("game.abandoned", 2)]
    assert len(receiver.messages) == 3


async def test_no_body_has_a_card_a_name_or_a_secret_of_the_table(shop: Shop, receiver: Receiver) -> None:
    await shop.hook(receiver.url)
    ana = await shop.user("user-4711", "Ana la Pochera")
    game = await ana.create(robots=2, visibility="private", client_seed="my-own-luck")
    await shop.finish(ana, game_id=game["game_id"])
    await shop.courier.run_once()
    text = b"".join(message.body for message in receiver.messages).decode()
    words = ["oros", "copas", "espadas", "bastos", "Pochera", "user-4711", "my-own-luck", game["invite_code"]]
    assert [word for word in words if word in text] == []
    assert {name for message in receiver.messages for name in message.json["data"]} == {
        *("game_id", "version", "seats", "seat", "player_id", "action", "winners", "scores")
    }


async def test_a_turn_is_told_to_expire_with_a_quarter_of_its_time_left_and_a_seat_to_be_lost(
    shop: Shop, clock: SetClock, receiver: Receiver
) -> None:
    await shop.hook(receiver.url)
    ana, beto = await shop.user("ana"), await shop.user("beto")
    game = await ana.create(robots=1, turn_seconds=60)
    await beto.join(game["game_id"])
    await shop.courier.run_once()
    assert types(receiver) == ["game.started", "turn.started"]
    turn = receiver.messages[1].json["data"]
    assert turn["deadline"] == "2026-11-30T12:01:00Z"
    clock.pass_by(seconds=44)
    await shop.courier.run_once()
    assert len(receiver.messages) == 2
    for _ in range(2):
        clock.pass_by(seconds=1)
        await shop.courier.run_once()
        assert [message.json for message in receiver.messages[2:]] == [
            {"type": "turn.expiring", "timestamp": "2026-11-30T12:00:45Z", "data": turn}
        ]
    await _expire_turns(shop, clock, receiver, until_type="player.removed")
    removed: Json = receiver.messages[types(receiver).index("player.removed")].json["data"]
    assert removed["player_id"] in (ana.player_id, beto.player_id)
    assert removed.keys() == {"game_id", "version", "seat", "player_id"}


async def _expire_turns(shop: Shop, clock: SetClock, receiver: Receiver, until_type: str) -> None:
    for _ in range(20):
        clock.pass_by(seconds=61)
        await shop.service.deadline_worker.run_once()
        await shop.courier.run_once()
        if until_type in types(receiver):
            return
    raise AssertionError


async def test_a_turn_that_is_over_is_not_told_to_expire(shop: Shop, clock: SetClock, receiver: Receiver) -> None:
    await shop.hook(receiver.url, ["turn.expiring"])
    ana = await shop.user()
    game = await ana.create(robots=2, turn_seconds=60)
    await shop.courier.run_once()
    clock.pass_by(seconds=50)
    await shop.finish(ana, game_id=game["game_id"], moves=1)
    await shop.courier.run_once()
    assert receiver.messages == []


async def test_whom_the_host_removes_is_told(shop: Shop, receiver: Receiver) -> None:
    await shop.hook(receiver.url, ["player.removed"])
    ana, beto = await shop.user("ana"), await shop.user("beto")
    game = await ana.create()
    game = await beto.join(game["game_id"])
    assert (await ana.ask("DELETE", f"/v1/games/{game['game_id']}/seats/{game['my_seat']}")).status_code == 200
    await shop.courier.run_once()
    data = {"game_id": game["game_id"], "version": 3, "seat": game["my_seat"], "player_id": beto.player_id}
    assert [message.json["data"] for message in receiver.messages] == [data]


async def test_who_leaves_is_not_said_to_be_removed(shop: Shop, receiver: Receiver) -> None:
    await shop.hook(receiver.url, ["player.removed", "game.abandoned"])
    ana = await shop.user()
    game = await ana.create(robots=2)
    assert (await ana.ask("DELETE", f"/v1/games/{game['game_id']}/seats/0")).status_code == 200
    await shop.courier.run_once()
    assert receiver.messages == []


async def test_what_fails_is_tried_again_and_holds_back_what_follows_in_its_game_alone(
    shop: Shop, clock: SetClock, receiver: Receiver
) -> None:
    await shop.hook(receiver.url, ["game.started", "game.abandoned"])
    ana = await shop.user()
    broken = (await ana.create(robots=2))["game_id"]
    receiver.answer = lambda message: 500 if broken in message.body.decode() else 204
    await shop.courier.run_once()
    other = (await ana.create(robots=2))["game_id"]
    await shop.ask("DELETE", f"/v1/games/{broken}")
    await shop.courier.run_once()
    assert receiver.of(broken) == [("game.started", 1)]
    assert receiver.of(other) == [("game.started", 1)]
    await shop.courier.run_once()
    assert value(shop, "pocha_webhooks_behind") == 1
    clock.pass_by(seconds=7)
    await shop.courier.run_once()
    assert receiver.of(broken) == [("game.started", 1)] * 2
    assert value(shop, "pocha_webhook_oldest_seconds") == 7
    receiver.answer = lambda _: 204
    clock.pass_by(hours=1)
    await shop.courier.run_once()
    assert receiver.of(broken) == [("game.started", 1)] * 3 + [("game.abandoned", 2)]
    assert len({message.headers["webhook-id"] for message in receiver.messages if broken in str(message.body)}) == 2
    await shop.courier.run_once()
    assert value(shop, "pocha_webhooks_behind") == value(shop, "pocha_webhook_oldest_seconds") == 0


async def test_pauses_grow_for_three_days_then_the_event_is_listed_and_the_next_one_told(
    shop: Shop, clock: SetClock, receiver: Receiver
) -> None:
    hook = await shop.hook(receiver.url, ["game.started", "game.abandoned"])
    receiver.answer = lambda message: 204 if b"abandoned" in message.body else 503
    game_id = (await (await shop.user()).create(robots=2))["game_id"]
    await shop.ask("DELETE", f"/v1/games/{game_id}")
    began, tried = clock.time, list[timedelta]()
    while not await shop.failed(hook):
        count = len(receiver.messages)
        await shop.courier.run_once()
        if len(receiver.messages) > count:
            tried.append(clock.time - began)
        clock.pass_by(seconds=(clock.time - began).total_seconds() / 4 + 2 if len(tried) < 8 else 1800)
    pauses = [later - earlier for earlier, later in pairwise(tried)]
    assert timedelta(days=3, minutes=30) > tried[-1] > timedelta(days=2, hours=20)  # looked after each half hour
    assert pauses[:3] == sorted(pauses[:3])
    assert max(pauses) < timedelta(hours=3)
    assert receiver.of(game_id)[-2:] == [("game.started", 1), ("game.abandoned", 2)]
    [failed] = await shop.failed(hook)
    assert failed == {
        "delivery_id": receiver.messages[0].headers["webhook-id"],
        "type": "game.started",
        "game_id": game_id,
        "version": 1,
        "occurred_at": "2026-11-30T12:00:00Z",
        "status": "failed",
        "attempts": len(tried),
        "attempted_at": failed["attempted_at"],
        "failure": "status",
        "response_status": 503,
    }


async def test_a_failed_event_can_be_delivered_again_with_the_body_that_it_had(
    shop: Shop, clock: SetClock, receiver: Receiver
) -> None:
    hook = await shop.hook(receiver.url, ["turn.started"])
    receiver.answer = lambda _: 500
    ana = await shop.user()
    for _ in range(2):
        await ana.create(robots=2)
    for _ in range(20):
        await shop.courier.run_once()
        clock.pass_by(hours=4)
    other, failed = await shop.failed(hook)
    path = f"/v1/webhooks/{hook['webhook_id']}/deliveries/{failed['delivery_id']}/redeliver"
    again: Json = (await shop.ask("POST", path)).json()
    assert (again["status"], again["attempts"]) == ("failed", failed["attempts"] + 1)
    receiver.answer = lambda _: 204
    done: Json = (await shop.ask("POST", path)).json()
    assert (done["status"], done["attempts"]) == ("delivered", failed["attempts"] + 2)
    assert "failure" not in done
    assert (await shop.ask("POST", path)).json() == done
    same = [each for each in receiver.messages if each.headers["webhook-id"] == failed["delivery_id"]]
    assert (len(same), len({each.body for each in same})) == (done["attempts"], 1)
    assert [each["delivery_id"] for each in await shop.failed(hook)] == [other["delivery_id"]]
    assert [each["delivery_id"] for each in await shop.failed(hook, "?status=delivered")] == [failed["delivery_id"]]


async def test_a_process_that_dies_after_a_delivery_tells_it_again_and_loses_nothing(
    shops: MakeShop, clock: SetClock, receiver: Receiver
) -> None:
    dying, living = await shops(), await shops()
    await dying.hook(receiver.url, ["game.started", "game.abandoned"])
    game_id = (await (await dying.user()).create(robots=2))["game_id"]
    receiver.hold.clear()  # delivered, but the process never learns of it
    run = asyncio.create_task(dying.courier.run_once())
    await until(lambda: receiver.messages)
    run.cancel()
    await asyncio.wait([run])
    receiver.hold.set()
    await living.ask("DELETE", f"/v1/games/{game_id}")
    await living.courier.run_once()
    assert receiver.of(game_id) == [("game.started", 1)]
    clock.pass_by(minutes=1)
    await living.courier.run_once()
    assert receiver.of(game_id) == [("game.started", 1), ("game.started", 1), ("game.abandoned", 2)]
    assert receiver.messages[0].headers["webhook-id"] == receiver.messages[1].headers["webhook-id"]


async def test_several_processes_deliver_once_and_in_order(shops: MakeShop, receiver: Receiver) -> None:
    processes: list[Shop] = [await shops() for _ in range(3)]
    await processes[0].hook(receiver.url)
    ana = await processes[0].user()
    games = [(await ana.create(robots=2))["game_id"] for _ in range(4)]
    for _ in range(3):
        for game_id in games:
            await processes[0].finish(ana, game_id=game_id, moves=2)
        await asyncio.gather(*(process.courier.run_once() for process in processes))
    await asyncio.gather(*(process.courier.run_once() for process in processes))
    for game_id in games:
        told = receiver.of(game_id)
        assert len(told) == len(set(told)) == 2 + 6
        assert [version for _, version in told] == sorted(version for _, version in told)


async def test_a_hook_that_hangs_delays_no_other(shop: Shop, receiver: Receiver) -> None:
    async with receiving() as hanging:
        hanging.hold.clear()
        for each in (hanging, receiver):
            await shop.hook(each.url, ["game.started"])
        ana = await shop.user()
        for _ in range(20):
            await ana.create(robots=2)
        running = asyncio.create_task(shop.courier.run_once())
        await until(lambda: len(receiver.messages) == 20)
        assert 0 < len(hanging.messages) <= 8
        hanging.hold.set()
        await running
        assert len(hanging.messages) == 20


async def test_a_secret_that_was_replaced_signs_for_a_day(shop: Shop, clock: SetClock, receiver: Receiver) -> None:
    hook = await shop.hook(receiver.url, ["game.started"])
    ana = await shop.user()
    new: Json = (await shop.ask("POST", f"/v1/webhooks/{hook['webhook_id']}/secrets")).json()
    assert new["previous_expires_at"] == "2026-12-01T12:00:00Z"

    async def signed_by() -> list[bool]:
        await ana.create(robots=2)
        await shop.courier.run_once()
        return [_is_signed_by(receiver.messages[-1], secret) for secret in (hook["secret"], new["secret"])]

    assert await signed_by() == [True, True]
    clock.pass_by(hours=24)
    assert await signed_by() == [False, True]


def _is_signed_by(message: Message, secret: Any) -> bool:
    try:
        message.verified(secret)
    except AssertionError:
        return False
    return True


async def test_a_deleted_hook_hears_no_more(shop: Shop, clock: SetClock, receiver: Receiver) -> None:
    hook = await shop.hook(receiver.url)
    receiver.answer = lambda _: 500
    game = await (await shop.user()).create(robots=2)
    await shop.courier.run_once()
    assert (await shop.ask("DELETE", f"/v1/webhooks/{hook['webhook_id']}")).status_code == 204
    clock.pass_by(days=1)
    await shop.ask("DELETE", f"/v1/games/{game['game_id']}")
    await shop.courier.run_once()
    assert len(receiver.messages) == 1


async def test_a_settled_game_is_not_told_again_to_anybody(
    shop: Shop, shops: MakeShop, clock: SetClock, receiver: Receiver
) -> None:
    hook = await shop.hook(receiver.url)
    game = await (await shop.user()).create(robots=2)
    await shop.ask("DELETE", f"/v1/games/{game['game_id']}")
    for _ in range(2):
        await shop.courier.run_once()
        clock.pass_by(minutes=2)
    other: Shop = await shops()
    for process in (shop, other):
        process.courier.wake(UUID(game["game_id"]), UUID(hook["webhook_id"]))
        await process.courier.run_once()
    assert types(receiver) == ["game.started", "turn.started", "game.abandoned"]


async def test_a_private_target_is_refused_when_it_is_connected_to(shops: MakeShop, receiver: Receiver) -> None:
    lax, strict = await shops(), await shops(allows_private=False)
    hook = await lax.hook(receiver.url)
    answer = await strict.ask("POST", f"/v1/webhooks/{hook['webhook_id']}/test")
    assert (answer.json()["status"], answer.json()["failure"]) == ("failed", Failure.FORBIDDEN_ADDRESS)
    assert receiver.messages == []
