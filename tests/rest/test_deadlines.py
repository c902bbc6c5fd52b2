"""Turns that take too long, tables that nobody comes to, and whoever goes and comes back; the clock is the tests'."""

import asyncio
from datetime import datetime, timedelta
from itertools import permutations
from typing import Any

import pytest

from service.adapters.memory.notifier import MemoryBus, MemoryNotifier
from service.adapters.memory.store import MemoryStore
from service.application import deadlines
from service.application.ports import NewCommit, Outcome
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from tests.kit.clock import SetClock
from tests.kit.player import Api, Guest, Json, client_of, on_turn
from tests.rest.conftest import SECRET

SECONDS = 30
TIME = timedelta(seconds=SECONDS)
OVER = TIME + deadlines.GRACE
UNATTENDED = deadlines.AbandonAfter().unattended
HOST_GONE = deadlines.AbandonAfter().host_gone


async def timed(api: Api, **more: Any) -> tuple[list[Guest], Json]:
    """Return Ana and Eva at a started table with a robot, and turns of `SECONDS`."""
    guests = [await api.guest("Ana"), await api.guest("Eva")]
    game = await guests[0].create("ludoteka-express-3", robots=1, turn_seconds=SECONDS, **more)
    game = await guests[1].join(
        game["game_id"], **({"invite_code": game["invite_code"]} if "invite_code" in game else {})
    )
    return guests, game


async def events(guest: Guest, game: Json, after: int) -> list[Json]:
    return (await guest.ask("GET", f"/v1/games/{game['game_id']}/events?after={after}")).json()["items"]


def types(happened: list[Json]) -> list[str]:
    return [event["type"] for event in happened]


async def test_a_view_tells_until_when_a_turn_may_take(api: Api, clock: SetClock) -> None:
    guests, game = await timed(api)
    assert (game["turn_seconds"], game["on_timeout"]) == (SECONDS, {"robot": {"level": "easy"}, "takes_seat_after": 3})
    for viewer in (*guests, await api.guest("Stranger")):
        view = await viewer.look(game["game_id"])
        assert datetime.fromisoformat(view["turn"]["deadline"]) == clock.time + TIME
        assert datetime.fromisoformat(view["server_time"]) == clock.time


async def test_a_table_without_a_limit_has_no_deadlines(api: Api, service: Service, clock: SetClock) -> None:
    _, game = await api.full_table()
    assert not {"turn_seconds", "on_timeout"} & game.keys()
    assert "deadline" not in game["turn"]
    clock.time += timedelta(days=1)
    assert await service.deadline_worker.run_once() == 0


async def test_a_robot_makes_the_move_of_a_turn_that_is_over(api: Api, service: Service, clock: SetClock) -> None:
    guests, game = await timed(api)
    clock.time += OVER
    await service.deadline_worker.run_once()
    happened = await events(guests[0], game, game["version"])
    assert happened[0] | {"at": ""} == {
        "type": "turn_expired",
        "version": game["version"] + 1,
        "at": "",
        "seat": game["turn"]["seat"],
        "in_a_row": 1,
    }
    assert happened[1]["type"] == "bid_made"
    assert happened[1]["seat"] == game["turn"]["seat"]
    view = await guests[0].look(game["game_id"])
    assert view["version"] == game["version"] + 1
    assert datetime.fromisoformat(view["turn"]["deadline"]) == clock.time + TIME


@pytest.mark.parametrize("late", [timedelta(0), -timedelta(microseconds=1)])
async def test_a_turn_is_not_over_before_its_time_and_the_grace(
    api: Api, service: Service, clock: SetClock, late: timedelta
) -> None:
    guests, game = await timed(api)
    clock.time += OVER + late
    await service.deadline_worker.run_once()
    assert ((await guests[0].look(game["game_id"]))["version"] > game["version"]) == (late >= timedelta(0))


async def test_each_turn_has_its_own_time(api: Api, service: Service, clock: SetClock) -> None:
    guests, game = await timed(api)
    for _ in range(6):
        clock.time += TIME - timedelta(seconds=1)
        await service.deadline_worker.run_once()
        guest, view = await on_turn(guests, await guests[0].look(game["game_id"]))
        await guest.move(view)
    assert "turn_expired" not in types(await events(guests[0], game, 0))


async def test_somebody_elses_coming_back_does_not_prolong_a_turn(api: Api, clock: SetClock) -> None:
    guests, game = await timed(api)
    mover, view = await on_turn(guests, game)
    other = next(guest for guest in guests if guest is not mover)
    clock.time += timedelta(seconds=10)
    seat = (await other.look(game["game_id"]))["my_seat"]
    await other.ask("DELETE", f"/v1/games/{game['game_id']}/seats/{seat}")
    await other.join(game["game_id"])
    assert (await mover.look(game["game_id"]))["turn"]["deadline"] == view["turn"]["deadline"]


async def test_after_three_turns_in_a_row_a_robot_has_the_seat_until_its_player_comes_back(
    api: Api, service: Service, clock: SetClock
) -> None:
    guests, game = await timed(api, visibility="private")
    ana, eva = guests
    while (await eva.look(game["game_id"])).get("my_seat") is not None:
        view = await ana.look(game["game_id"])
        if view["turn"]["seat"] == 0:
            await ana.move(view)
        else:
            clock.time += OVER
            await service.deadline_worker.run_once()
    happened = await events(ana, game, 0)
    assert [event["in_a_row"] for event in happened if event["type"] == "turn_expired"] == [1, 2, 3]
    assert types(happened)[-1] != "turn_expired"
    shown = (await ana.look(game["game_id"]))["seats"][1]
    assert (shown["robot"], shown["away"]["player_id"]) == ({"level": "easy"}, eva.player_id)
    assert "player" not in shown
    away = await eva.look(game["game_id"])
    assert "my_cards" not in away["hand"]
    refused = await eva.ask("POST", f"/v1/games/{game['game_id']}/bids", {"bid": 0})
    assert (refused.status_code, refused.json()["code"]) == (403, "not-your-seat")
    back = await eva.join(game["game_id"])
    assert back["my_seat"] == 1
    assert back["seats"][1]["player"]["player_id"] == eva.player_id
    assert "away" not in back["seats"][1]


async def test_a_move_of_ones_own_ends_the_row(api: Api, service: Service, clock: SetClock) -> None:
    guests, game = await timed(api)
    turns_of_eva = 0
    while turns_of_eva < 6:
        mover, view = await on_turn(guests, await guests[0].look(game["game_id"]))
        turns_of_eva += mover is guests[1]
        if mover is guests[1] and turns_of_eva % 3:
            clock.time += OVER
            await service.deadline_worker.run_once()
        else:
            await mover.move(view)
    rows = [event["in_a_row"] for event in await events(guests[0], game, 0) if event["type"] == "turn_expired"]
    assert rows == [1, 2, 1, 2]


async def test_who_leaves_a_started_game_comes_back_to_the_own_seat_only(api: Api) -> None:
    guests, game = await timed(api)
    path = f"/v1/games/{game['game_id']}/seats"
    left = await guests[1].ask("DELETE", f"{path}/1")
    assert (left.status_code, left.json()["seats"][1]["away"]["player_id"]) == (200, guests[1].player_id)
    stranger = await api.guest("Stranger")
    assert (await stranger.ask("POST", path, {"seat": 1})).json()["code"] == "game-full"
    assert (await guests[1].ask("POST", path, {"seat": 2})).json()["code"] == "seat-taken"
    assert (await guests[1].join(game["game_id"], seat=1))["my_seat"] == 1
    assert (await guests[1].ask("POST", path, {})).json()["code"] == "seat-taken"


async def test_a_table_where_everybody_falls_asleep_rests_and_is_abandoned(
    api: Api, service: Service, clock: SetClock
) -> None:
    guests, game = await timed(api)
    for _ in range(20):
        clock.time += OVER
        await service.deadline_worker.run_once()
    view = await guests[0].look(game["game_id"])
    assert (view["status"], "my_seat" in view, "deadline" in view["turn"]) == ("playing", False, False)
    assert types(await events(guests[0], game, 0))[-2:] == ["turn_expired", "robot_seated"]
    clock.time += UNATTENDED
    await service.deadline_worker.run_once()
    assert (await guests[0].look(game["game_id"]))["status"] == "abandoned"


async def waits(guest: Guest) -> bool:
    return bool((await guest.ask("GET", "/v1/games?status=waiting")).json()["items"])


async def test_a_waiting_table_is_closed_when_its_host_is_gone_for_long(
    api: Api, service: Service, clock: SetClock
) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create()
    await eva.join(game["game_id"])
    clock.time += HOST_GONE - timedelta(seconds=1)
    await ana.look(game["game_id"])
    await service.deadline_worker.run_once()
    clock.time += HOST_GONE - timedelta(seconds=1)
    await service.deadline_worker.run_once()
    assert await waits(eva)
    clock.time += timedelta(seconds=1)
    await service.deadline_worker.run_once()
    assert not await waits(eva)
    assert types(await events(eva, game, 0))[-1] == "game_abandoned"


async def test_it_stays_open_while_its_host_is_connected_to_any_process(
    log: MemoryStore, service: Service, clock: SetClock
) -> None:
    bus = MemoryBus()
    one, two = (Service(log, clock, SeededShuffler(), SECRET, notifier=MemoryNotifier(bus)) for _ in range(2))
    async with client_of(one.asgi) as client:
        ana = await Api(client).guest("Ana")
        await ana.create()
        with one.waiters.presence.connection(ana.player_id):
            clock.time += HOST_GONE
            one.waiters.presence.run_once()
            await asyncio.sleep(0)
            await two.deadline_worker.run_once()
            assert await waits(ana)
        clock.time += HOST_GONE
        await service.deadline_worker.run_once()  # of a process that began an hour ago, and has heard of nobody
        assert not await waits(ana)


async def test_a_process_that_has_just_begun_gives_the_host_time(log: MemoryStore, api: Api, clock: SetClock) -> None:
    ana = await api.guest("Ana")
    await ana.create()
    clock.time += HOST_GONE
    restarted = Service(log, clock, SeededShuffler(), SECRET)
    await restarted.deadline_worker.run_once()
    assert await waits(ana)
    clock.time += HOST_GONE
    await restarted.deadline_worker.run_once()
    assert not await waits(ana)


async def test_a_table_that_nobody_comes_to_for_days_is_abandoned(api: Api, service: Service, clock: SetClock) -> None:
    guests, game = await api.full_table()
    waiting = await guests[0].create()
    clock.time += timedelta(days=6)
    mover, view = await on_turn(guests, game)
    await mover.move(view)
    clock.time += timedelta(days=1, seconds=1)
    await service.deadline_worker.run_once()
    assert (await guests[0].look(waiting["game_id"]))["status"] == "abandoned"
    assert (await guests[0].look(game["game_id"]))["status"] == "playing"
    clock.time += timedelta(days=6)
    await service.deadline_worker.run_once()
    view = await guests[0].look(game["game_id"])
    assert (view["status"], len(view["scores"])) == ("abandoned", 3)
    assert not {"turn", "hand"} & view.keys()
    assert types(await events(guests[0], game, 0))[-1] == "game_abandoned"
    refused = await mover.ask("POST", f"/v1/games/{game['game_id']}/bids", {"bid": 0})
    assert (refused.status_code, refused.json()["code"]) == (409, "game-over")
    assert "server_seed" in (await mover.ask("GET", f"/v1/games/{game['game_id']}/fairness")).json()


async def test_deadlines_of_many_tables_are_kept_in_one_round(api: Api, service: Service, clock: SetClock) -> None:
    tables = [await timed(api) for _ in range(10)]
    clock.time += OVER
    assert await service.deadline_worker.run_once() == 10
    for guests, game in tables:
        assert (await guests[0].look(game["game_id"]))["version"] == game["version"] + 1
    assert await service.deadline_worker.run_once() == 0


class GatedLog(MemoryStore):
    """Lets an append go on only when it is told to: what happens in the meantime is the test's business."""

    def __init__(self) -> None:
        super().__init__()
        self.is_gated = False
        self.waiting: list[asyncio.Event] = []

    async def append(self, commit: NewCommit) -> Outcome:
        if self.is_gated:
            gate = asyncio.Event()
            self.waiting.append(gate)
            await gate.wait()
        return await super().append(commit)


RACERS = ("move", "first keeper", "second keeper")


def _named(order: tuple[int, ...]) -> str:
    return ", ".join(RACERS[one] for one in order)


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=_named)
async def test_a_move_and_two_processes_that_keep_its_deadline_race_and_one_wins(order: tuple[int, ...]) -> None:
    log, clock = GatedLog(), SetClock()
    services = [Service(log, clock, SeededShuffler(), SECRET) for _ in range(2)]
    async with client_of(services[0].asgi) as client:
        guests, game = await timed(Api(client))
        mover, view = await on_turn(guests, game)
        clock.time += OVER
        log.is_gated = True
        move = asyncio.create_task(mover.bid(game["game_id"], view["turn"]["legal_bids"][0]))
        await _stands(log, 1)
        keepers: list[asyncio.Task[int]] = []
        for number, service in enumerate(services):
            keepers.append(asyncio.create_task(service.deadline_worker.run_once()))
            await _stands(log, 2 + number)
            clock.time += timedelta(seconds=6)  # the claim of the first keeper ends: it may have died
        for racer in order:
            log.waiting[racer].set()
            await asyncio.sleep(0.01)
        log.is_gated = False
        for gate in log.waiting:
            gate.set()
        await asyncio.gather(*keepers)
        answer = await move
        happened = await events(guests[0], game, game["version"])
    expired = [event for event in happened if event["type"] == "turn_expired"]
    bids = [event for event in happened if event["type"] == "bid_made" and event["seat"] == view["my_seat"]]
    assert len(bids) == 1
    if order[0] == 0:
        assert (answer.status_code, expired) == (200, [])
    else:
        assert (answer.status_code, answer.json()["code"]) == (409, "not-your-turn")
        assert len(expired) == 1


async def _stands(log: GatedLog, count: int) -> None:
    """Return when so many appends wait at the gate."""
    for _ in range(1000):
        if len(log.waiting) >= count:
            return
        await asyncio.sleep(0)
    raise AssertionError("nobody came to the gate")
