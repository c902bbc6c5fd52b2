"""Dashboard and alerts: they ask for figures that the service gives, and say where to read on."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import msgspec
import promql_parser
import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.observability.metrics import Metrics

Json = dict[str, Any]

FOLDER = Path(__file__).parents[2] / "k8s" / "monitoring"
RUNBOOK = "https://git.example.com/pocha/docs/operations.md"
SEVERITIES = {"critical", "warning"}
NAMES_OF_GRAFANA = {"$__rate_interval": "5m", "$instance": "a"}
ALERTS: list[Json] = [
    rule
    for group in msgspec.yaml.decode((FOLDER / "alerts.yaml").read_bytes())["spec"]["groups"]
    for rule in group["rules"]
]
DASHBOARD: Json = json.loads((FOLDER / "dashboard.json").read_text())
PANELS: list[Json] = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
QUERIES = {f"{panel['title']} {target['refId']}": target["expr"] for panel in PANELS for target in panel["targets"]}


def given() -> Mapping[str, set[str]]:
    """Return the names of all figures that there are, each with its labels."""
    metrics = Metrics()
    found: dict[str, set[str]] = {}
    metrics.count_request("GET", "/v1/rulesets", 503, 1, "overloaded")
    for gauge in (metrics.requests_in_progress, metrics.waiting_requests, metrics.active_games, metrics.pool_waiting):
        gauge.labels("any")
    for family in text_string_to_metric_families(metrics.page().decode()):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


GIVEN = given()


def selectors(node: Any) -> Iterator[Any]:
    """Yield every choice of series in a query."""
    if isinstance(node, promql_parser.VectorSelector):
        yield node
    for name in ("expr", "lhs", "rhs", "vector_selector", "args", "param"):
        below: Any = getattr(node, name, None)
        if isinstance(below, list):
            for each in cast("list[Any]", below):
                yield from selectors(each)
        elif below is not None:
            yield from selectors(below)


def check(query: str) -> set[str]:
    """Fail unless `query` asks for figures that there are, by labels that they have; return their names."""
    names: set[str] = set()
    for selector in selectors(promql_parser.parse(query)):
        name = str(selector.name)
        assert name in GIVEN, f"there is no figure {name}"
        # What Prometheus adds by itself tells processes apart.
        asked = {matcher.name for matcher in selector.matchers.matchers} - {"instance", "job"}
        assert asked <= GIVEN[name], f"{name} has no labels {asked - GIVEN[name]}"
        names.add(name)
    assert names
    return names


def as_prometheus_reads(query: str) -> str:
    for name, value in NAMES_OF_GRAFANA.items():
        query = query.replace(name, value)
    return query


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_a_panel_asks_for_figures_that_there_are(query: str) -> None:
    check(as_prometheus_reads(query))


@pytest.mark.parametrize("alert", ALERTS, ids=[alert["alert"] for alert in ALERTS])
def test_an_alert_asks_for_figures_that_there_are(alert: Json) -> None:
    check(alert["expr"])


@pytest.mark.parametrize("alert", ALERTS, ids=[alert["alert"] for alert in ALERTS])
def test_an_alert_says_how_bad_it_is_what_it_is_and_where_to_read_on(alert: Json) -> None:
    assert set(alert) <= {"alert", "expr", "for", "labels", "annotations"}
    assert alert["labels"]["severity"] in SEVERITIES
    assert alert["annotations"]["summary"]
    assert alert["annotations"]["runbook_url"] == f"{RUNBOOK}#{alert['alert'].lower()}"


def test_the_runbook_has_what_each_alert_points_to_and_nothing_else_by_such_a_name() -> None:
    runbook = (FOLDER.parents[1] / "docs" / "operations.md").read_text()
    assert re.findall(r"^#+ (Pocha[A-Z]\w*)$", runbook, re.MULTILINE) == [alert["alert"] for alert in ALERTS]


def test_alerts_have_names_of_their_own_that_tell_whose_they_are() -> None:
    names = [alert["alert"] for alert in ALERTS]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"Pocha[A-Z][A-Za-z]+", name) for name in names)


def test_every_figure_of_our_own_is_shown() -> None:
    shown = {name for query in QUERIES.values() for name in check(as_prometheus_reads(query))}
    families = {re.sub(r"_(bucket|sum|count|total)$", "", name) for name in GIVEN if name.startswith("pocha_")}
    assert families == {re.sub(r"_(bucket|sum|count|total)$", "", name) for name in shown if name.startswith("pocha_")}


def test_panels_have_titles_and_places_of_their_own() -> None:
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
    assert len({panel["title"] for panel in PANELS}) == len(PANELS)
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        columns, rows = range(place["x"], place["x"] + place["w"]), range(place["y"], place["y"] + place["h"])
        cells = {(column, row) for column in columns for row in rows}
        assert not cells & taken
        assert max(columns) < 24
        taken |= cells


def test_the_routes_that_queries_name_are_routes() -> None:
    service = Service(MemoryStore(), SystemClock(), SeededShuffler(), b"a secret of the tests, 32 bytes or more")
    routes = {route.path_format for route in service.litestar.routes}
    asked = {
        matcher.value
        for query in (*map(as_prometheus_reads, QUERIES.values()), *(alert["expr"] for alert in ALERTS))
        for selector in selectors(promql_parser.parse(query))
        for matcher in selector.matchers.matchers
        if matcher.name == "route"
    }
    assert asked
    for pattern in asked:
        matching = {route for route in routes if re.fullmatch(pattern, route)}
        assert len(matching) == pattern.count("|") + 1, pattern


def test_every_pod_is_scraped_by_the_port_of_the_service() -> None:
    monitor: Json = msgspec.yaml.decode((FOLDER / "pod-monitor.yaml").read_bytes())
    assert monitor["kind"] == "PodMonitor"
    assert [endpoint["path"] for endpoint in monitor["spec"]["podMetricsEndpoints"]] == ["/metrics"]


def test_a_query_for_what_is_not_there_is_found_out() -> None:
    for wrong in (
        "rate(pocha_nothing_total[5m])",
        'pocha_waiting_requests{pool="reading"}',
        "sum(pocha_moves_total) / nothing",
    ):
        with pytest.raises(AssertionError):
            check(wrong)
