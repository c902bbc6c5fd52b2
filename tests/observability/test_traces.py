"""Traces: what a request did, as a collector gets it; and nothing at all where there is none."""

import asyncio
import socket
import subprocess
import sys
from uuid import UUID

import httpx
import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from opentelemetry.sdk.trace import TracerProvider

from domain.pocha.model.events import GameCreated
from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.adapters.postgres.store import PostgresStore
from service.adapters.spans import TracedStore
from service.application.ports import GameStore
from service.application.shuffle import SeededShuffler
from service.bootstrap import tracing
from service.bootstrap.service import Service
from service.bootstrap.settings import InvalidSetting
from tests.adapters.store_contract import GameStoreContract
from tests.kit.player import Api, client_of, on_turn
from tests.kit.service_process import ServiceProcess
from tests.kit.waiting import PATIENCE_SECONDS
from tests.observability.collector import attributes, collecting
from tests.observability.conftest import Written
from tests.rest.conftest import SECRET

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
BIDS = "/v1/games/{game_id}/bids"


def traced(log: GameStore, traces: tracing.Tracing) -> Service:
    return Service(traces.store(log), SystemClock(), SeededShuffler(), SECRET, wrap=traces.app)


async def test_the_spans_of_a_move_are_one_trace_that_the_caller_began(database_url: str, written: Written) -> None:
    log = await PostgresStore.open(database_url)
    with collecting() as collector:
        async with tracing.open_tracing(collector.url) as traces, client_of(traced(log, traces).asgi) as client:
            guests, game = await Api(client).full_table()
            guest, view = await on_turn(guests, game)
            response = await guest.ask(
                "POST",
                f"/v1/games/{game['game_id']}/bids",
                {"bid": view["turn"]["legal_bids"][0]},
                {"traceparent": f"00-{TRACE}-{PARENT}-01"},
            )
            assert response.status_code == 200
        [move] = collector.named(f"POST {BIDS}")
        within = [span for span in collector.spans if span.trace_id == move.trace_id and span is not move]
    assert (move.trace_id.hex(), move.parent_span_id.hex(), move.kind) == (TRACE, PARENT, Span.SPAN_KIND_SERVER)
    assert attributes(move.attributes) == {
        "http.request.method": "POST",
        "http.route": BIDS,
        "http.response.status_code": 200,
        "url.path": f"/v1/games/{game['game_id']}/bids",
        "url.scheme": "http",
        "pocha.request_id": response.headers["x-request-id"],
        "pocha.game_id": game["game_id"],
    }
    [append] = [span for span in within if span.name == "INSERT game_commit"]
    assert (append.parent_span_id, append.kind) == (move.span_id, Span.SPAN_KIND_CLIENT)
    assert attributes(append.attributes) == {
        "db.system.name": "postgresql",
        "db.operation.name": "INSERT",
        "db.collection.name": "game_commit",
        "pocha.game_id": game["game_id"],
        "pocha.outcome": "Appended",
    }
    assert (
        move.start_time_unix_nano <= append.start_time_unix_nano <= append.end_time_unix_nano <= move.end_time_unix_nano
    )
    assert (collector.resource["service.name"], collector.resource["service.version"]) == ("pocha", "0.1.0")
    assert [told["trace_id"] for told in written.requests(BIDS)] == [TRACE]
    await log.close()


async def test_a_read_is_a_span_of_its_own_trace_where_nobody_began_one() -> None:
    with collecting() as collector:
        async with (
            tracing.open_tracing(collector.url) as traces,
            client_of(traced(MemoryStore(), traces).asgi) as client,
        ):
            ana = await Api(client).guest()
            game = await ana.create()
            await ana.look(game["game_id"])
            await ana.ask("GET", f"/v1/games/{game['game_id']}", headers={"traceparent": "nonsense"})
            body = {"ruleset": "ludoteka-express-3", "players": 3}
            await ana.ask("POST", "/v1/games", body, {"Idempotency-Key": "once"})
        looks = collector.named("GET /v1/games/{game_id}")
        reads = collector.named("SELECT game_commit")
        assert len(collector.named("INSERT reservation")) == 1
    assert len({look.trace_id for look in looks}) == 2
    assert not any(look.parent_span_id for look in looks)
    assert {read.parent_span_id for read in reads} >= {look.span_id for look in looks}


async def test_probes_and_what_nobody_asked_for_are_not_traced() -> None:
    log = MemoryStore()
    with collecting() as collector:
        async with tracing.open_tracing(collector.url) as traces:
            service = traced(log, traces)
            async with client_of(service.asgi) as client:
                for path in ("/healthz", "/readyz", "/metrics"):
                    await client.get(path)
                await service.deadline_worker.run_once()
    assert not collector.spans


async def test_a_span_of_a_fault_says_so_and_no_more() -> None:
    log = MemoryStore()
    with collecting() as collector:
        async with tracing.open_tracing(collector.url) as traces, client_of(traced(log, traces).asgi) as client:
            ana = await Api(client).guest()
            game = await ana.create(visibility="private")
            await ana.ask("GET", f"/v1/games/{game['game_id']}")
            await client.get("/v1/nowhere?secret=1")
            await log.close()
            await ana.ask("GET", f"/v1/games/{game['game_id']}")
        failed = [span for span in collector.spans if span.status.code == Status.STATUS_CODE_ERROR]
        [lost] = collector.named("GET")
    assert [attributes(span.attributes).get("error.type") for span in failed] == ["overloaded"]
    assert attributes(lost.attributes)["http.response.status_code"] == 404
    assert not [event for span in collector.spans for event in span.events]
    for secret in (ana.token, game["invite_code"], "secret=1"):
        assert secret.encode() not in collector.bodies


async def test_spans_tell_no_seed_and_no_card() -> None:
    log = MemoryStore()
    with collecting() as collector:
        async with tracing.open_tracing(collector.url) as traces, client_of(traced(log, traces).asgi) as client:
            guests, game = await Api(client).full_table()
            for _ in range(9):
                guest, view = await on_turn(guests, game)
                await guest.move(view)
                game = await guests[0].look(game["game_id"])
        [made] = [
            event for event in (await log.read(UUID(game["game_id"])))[0].events if isinstance(event, GameCreated)
        ]
    assert collector.bodies
    assert made.seed not in collector.bodies
    for card in (b"oros-", b"copas-", b"espadas-", b"bastos-"):
        assert card not in collector.bodies


async def test_a_collector_that_is_not_there_holds_nobody_up(written: Written) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        async with (
            asyncio.timeout(PATIENCE_SECONDS),
            tracing.open_tracing(address) as traces,
            client_of(traced(MemoryStore(), traces).asgi) as client,
        ):
            await Api(client).guest()
    assert written.requests("/v1/players")


async def test_without_an_endpoint_nothing_is_put_around_anything() -> None:
    log = MemoryStore()
    async with tracing.open_tracing(None) as traces:
        service = Service(log, SystemClock(), SeededShuffler(), SECRET)
        assert traces.store(log) is log
        assert traces.app(service.asgi) is service.asgi


def test_without_an_endpoint_nothing_of_it_is_imported() -> None:
    script = "import sys, service.cli; print([name for name in sys.modules if name.startswith('opentelemetry')])"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"


async def test_without_its_packages_the_setting_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "service.bootstrap.opentelemetry_setup", None)
    with pytest.raises(InvalidSetting, match=r"POCHA_OTLP_ENDPOINT: install pocha-service\[otel\]"):
        async with tracing.open_tracing("http://collector:4318"):
            pass


async def test_the_command_sends_traces_and_writes_json(database_url: str) -> None:
    with collecting() as collector:
        environment = {
            "POCHA_DATABASE_URL": database_url,
            "POCHA_OTLP_ENDPOINT": collector.url,
            "POCHA_SECRET": "s" * 40,
        }
        with ServiceProcess(environment) as process:
            await asyncio.to_thread(_ask, process.url)
        assert collector.named("POST /v1/players")
    lines = [line for line in process.output if "pocha.access" in line]
    assert len(lines) == 1
    assert lines[0].startswith('{"timestamp":')
    assert lines[0].endswith("}\n")


def _ask(url: str) -> None:
    assert httpx.post(f"{url}/v1/players", json={"display_name": "Ana"}).status_code == 201


class TestTracedStore(GameStoreContract):
    @pytest.fixture
    def store(self) -> TracedStore:
        return TracedStore(MemoryStore(), TracerProvider(shutdown_on_exit=False).get_tracer("tests"))
