"""What is counted, as Prometheus reads it."""

import asyncio
import math
import time
from collections.abc import Mapping
from datetime import timedelta
from uuid import uuid4

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.adapters.memory.store import MemoryStore
from service.adapters.postgres.notifier import PostgresNotifier
from service.adapters.postgres.store import PostgresStore
from service.application import supervisor
from service.application.draining import Draining
from service.application.ports import VersionHint
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.observability.metrics import MEDIA_TYPE, Metrics
from tests.adapters.samples import commit, listing
from tests.kit.clock import SetClock
from tests.kit.player import Api, client_of, on_turn
from tests.kit.waiting import PATIENCE_SECONDS, until
from tests.rest.conftest import SECRET
from tests.rest.test_deadlines import OVER, timed

BIDS = "/v1/games/{game_id}/bids"
Figures = Mapping[tuple[str, tuple[tuple[str, str], ...]], float]


def figures_in(page: bytes) -> Figures:
    """Return every sample of a page."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(page.decode())
        for sample in family.samples
    }


class Page:
    """What `/metrics` says."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def __call__(self, name: str, **labels: str) -> float:
        """Return a figure; none counted is 0."""
        return self._figures.get((f"pocha_{name}", tuple(sorted(labels.items()))), 0)

    def has(self, name: str) -> bool:
        """Tell whether there is a figure of that name."""
        return any(found == f"pocha_{name}" for found, _ in self._figures)


async def page(api: Api) -> Page:
    response = await api.client.get("/metrics")
    assert (response.status_code, response.headers["content-type"]) == (200, MEDIA_TYPE)
    return Page(figures_in(response.content))


async def test_requests_are_counted_by_route_and_status(api: Api) -> None:
    guests, game = await api.full_table()
    guest, view = await on_turn(guests, game)
    assert (await guest.bid(game["game_id"], 16)).status_code == 422
    await guest.move(view)
    await api.client.get(f"/v1/{uuid4()}")
    await api.client.request("BREW", "/nowhere")
    counted = await page(api)
    assert counted("requests_total", method="POST", route=BIDS, status="200") == 1
    assert counted("requests_total", method="POST", route=BIDS, status="422") == 1
    assert counted("requests_total", method="GET", route="none", status="404") == 1
    assert counted("requests_total", method="other", route="none", status="404") == 1
    assert counted("request_seconds_count", method="POST", route=BIDS) == 2
    assert counted("request_seconds_bucket", method="POST", route=BIDS, le="10.0") == 2
    assert 0 < counted("request_seconds_sum", method="POST", route=BIDS) < 10


async def test_requests_that_ask_to_wait_are_counted_and_not_timed(api: Api) -> None:
    ana = await api.guest()
    game = await ana.create()
    await ana.ask("GET", f"/v1/games/{game['game_id']}?after_version=1&wait=1")
    counted = await page(api)
    assert counted("requests_total", method="GET", route="/v1/games/{game_id}", status="200") == 1
    assert counted("request_seconds_count", method="GET", route="/v1/games/{game_id}") == 0


async def test_who_waits_is_counted_while_it_does(api: Api) -> None:
    ana = await api.guest()
    game = await ana.create()
    path = f"/v1/games/{game['game_id']}"
    reading = asyncio.create_task(ana.ask("GET", f"{path}?after_version=1&wait=30"))
    streaming = asyncio.create_task(ana.ask("GET", f"{path}/stream"))

    async def both_wait() -> bool:
        counted = await page(api)
        return counted("waiting_requests", kind="streams") + counted("waiting_requests", kind="long_polls") == 2

    await until(both_wait)
    counted = await page(api)
    assert (counted("waiting_requests", kind="streams"), counted("waiting_requests", kind="long_polls")) == (1, 1)
    assert counted("watched_games") == 1
    assert counted("requests_in_progress", kind="reads") == 0
    for task in (reading, streaming):
        task.cancel()
    await asyncio.wait([reading, streaming])
    assert (await page(api))("watched_games") == 0


async def test_a_move_counts_once_however_often_it_is_repeated(api: Api) -> None:
    guests, game = await api.full_table()
    guest, view = await on_turn(guests, game)
    for _ in range(3):
        path = f"/v1/games/{game['game_id']}/bids"
        body = {"bid": view["turn"]["legal_bids"][0]}
        assert (await guest.ask("POST", path, body, {"Idempotency-Key": "once"})).status_code == 200
    counted = await page(api)
    assert (counted("moves_total"), counted("idempotent_replays_total")) == (1, 2)


async def test_who_loses_to_another_commit_is_counted(log: MemoryStore, clock: SetClock) -> None:
    services = [Service(log, clock, SeededShuffler(), SECRET) for _ in range(2)]
    async with client_of(services[0].asgi) as one, client_of(services[1].asgi) as two:
        api, other = Api(one), Api(two)
        guests, game = await api.full_table()
        for _ in range(2):
            guest, view = await on_turn(guests, game)
            path = f"/v1/games/{game['game_id']}/bids"
            headers = {"Authorization": f"Bearer {guest.token}"}
            await two.post(path, json={"bid": view["turn"]["legal_bids"][0]}, headers=headers)
            game = await guests[0].look(game["game_id"])
        ana = await api.guest()
        first = await ana.create()
        await other.client.get(f"/v1/games/{first['game_id']}", headers={"Authorization": f"Bearer {ana.token}"})
        for number, client in enumerate((one, two)):
            guest = await api.guest(f"Late {number}")
            joined = await client.post(
                f"/v1/games/{first['game_id']}/seats", json={}, headers={"Authorization": f"Bearer {guest.token}"}
            )
            assert joined.status_code == 201
        assert (await page(other))("version_conflicts_total") == 1
        assert (await page(api))("version_conflicts_total") == 0


async def test_deadlines_that_are_kept_are_counted(api: Api, service: Service, clock: SetClock) -> None:
    await timed(api)
    await (await api.guest()).create()
    assert (await page(api))("deadline_worker_last_run_timestamp_seconds") == 0
    clock.time += OVER
    await service.deadline_worker.run_once()
    clock.time += timedelta(days=8)
    for _ in range(9):
        await service.deadline_worker.run_once()
    counted = await page(api)
    assert counted("turns_expired_total") >= 1
    assert counted("games_abandoned_total") >= 1
    assert counted("deadline_worker_last_run_timestamp_seconds") == clock.time.timestamp()


async def test_deadlines_that_nobody_keeps_are_told_by_how_long_they_are_over(api: Api, clock: SetClock) -> None:
    await timed(api)
    clock.time += OVER + timedelta(seconds=100)
    assert (await page(api))("deadline_lag_seconds") >= 100


async def test_tables_under_way_are_counted_of_the_whole_service(api: Api) -> None:
    await api.full_table()
    await (await api.guest()).create()
    counted = await page(api)
    assert (counted("active_games", status="playing"), counted("active_games", status="waiting")) == (1, 1)
    assert counted("database_up") == 1


async def test_without_the_database_nothing_is_said_of_tables(api: Api, log: MemoryStore) -> None:
    await log.close()
    counted = await page(api)
    assert counted.has("database_up")
    assert counted("database_up") == 0
    assert not counted.has("active_games")
    assert math.isnan(counted("deadline_lag_seconds"))


async def test_the_database_is_not_asked_at_every_look(api: Api, log: MemoryStore) -> None:
    await page(api)
    await (await api.guest()).create()
    assert (await page(api))("active_games", status="waiting") == 0
    await log.close()
    assert (await page(api))("database_up") == 1


async def test_who_is_turned_away_is_counted_by_the_reason(api: Api, log: MemoryStore, draining: Draining) -> None:
    ana = await api.guest()
    draining.begin()
    await api.client.get("/readyz")
    await log.close()
    await ana.ask("GET", f"/v1/games/{uuid4()}")
    counted = await page(api)
    assert counted("requests_refused_total", reason="draining") == 1
    assert counted("requests_refused_total", reason="overloaded") == 1
    assert counted("draining") == 1


async def test_two_services_in_a_process_count_apart(api: Api) -> None:
    await api.guest()
    async with client_of(Service(MemoryStore(), SetClock(), SeededShuffler(), SECRET).asgi) as client:
        apart = await page(Api(client))
    assert apart("requests_total", method="POST", route="/v1/players", status="201") == 0
    assert (await page(api))("requests_total", method="POST", route="/v1/players", status="201") == 1


async def test_the_page_of_figures_is_read_by_get_and_by_nothing_else(api: Api) -> None:
    assert (await api.client.post("/metrics")).status_code == 405
    head = await api.client.head("/metrics")
    assert (head.status_code, head.content) == (200, b"")


async def test_a_batch_is_measured(database_url: str) -> None:
    metrics = Metrics()
    log = await PostgresStore.open(database_url, metrics=metrics)
    await asyncio.gather(*(log.append(commit(uuid4(), listing=listing())) for _ in range(50)))
    counted = Page(figures_in(metrics.page()))
    assert counted("commit_batch_size_sum") == 50
    assert 1 <= counted("commit_batch_size_count") <= 50
    assert counted("commit_batch_seconds_count") == counted("commit_batch_size_count")
    assert (counted("writer_queue"), counted("writer_queue_bound")) == (0, 4096)
    assert (counted("pool_waiting", pool="reading"), counted("pool_waiting", pool="small_writes")) == (0, 0)
    await log.close()


async def test_hints_are_counted_where_they_are_sent_and_where_they_come_in(database_url: str) -> None:
    metrics = [Metrics(), Metrics()]
    sender, hearer = (PostgresNotifier(database_url, metrics=each) for each in metrics)
    heard = asyncio.Event()
    hearer.subscribe(lambda _: heard.set(), lambda: sender.publish(VersionHint(uuid4(), 1)))
    await sender.open()
    await hearer.open()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await heard.wait()
    await sender.close()
    await hearer.close()
    sent, received = (Page(figures_in(each.page())) for each in metrics)
    assert sent("hints_sent_total") >= 1
    assert received("hints_received_total") >= 1
    assert received("hint_connections_lost_total") == 0


async def test_a_loop_that_is_held_up_is_late(service: Service, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "_LAG_INTERVAL_SECONDS", 0.02)
    life = asyncio.create_task(service.run_background())

    async def is_late() -> bool:
        time.sleep(0.1)  # noqa: ASYNC251 - holds up the loop
        return (await page(api))("event_loop_lag_seconds") >= 0.05

    await until(is_late)
    life.cancel()
    await asyncio.wait([life])


def test_no_series_has_a_second_one_with_its_time_of_creation() -> None:
    metrics = Metrics()
    metrics.count_request("GET", "/x", 200, 1, "overloaded")
    names = {name for name, _ in figures_in(metrics.page())}
    assert "pocha_requests_total" in names
    assert not [name for name in names if name.endswith("_created")]


@pytest.mark.parametrize("value", [0.0, 0.0005, 11.0])
def test_buckets_reach_from_the_fastest_to_the_slowest(value: float) -> None:
    metrics = Metrics()
    metrics.count_request("GET", "/x", 200, value)
    counted = Page(figures_in(metrics.page()))
    assert counted("request_seconds_bucket", method="GET", route="/x", le="0.001") == (value <= 0.001)
    assert counted("request_seconds_bucket", method="GET", route="/x", le="10.0") == (value <= 10)
    assert counted("request_seconds_bucket", method="GET", route="/x", le="+Inf") == 1
