"""Pods get requests when they can serve them, and no update, scaling or drained node takes the service away."""

import pytest

from tests.k8s.manifests import Document, Manifests, Pods

STOP_SECONDS = 10
"""How long `pocha serve` may take after SIGTERM, its draining included."""


@pytest.fixture
def service_pods(manifests: Manifests) -> Pods:
    return manifests.pods_of("Deployment")


def port(pods: Pods, named: str) -> int:
    (found,) = [port["containerPort"] for port in pods.container["ports"] if port["name"] == named]
    return found


def patience(probe: Document) -> int:
    """Return after how many seconds without a good answer the probe is taken for failed."""
    return probe["periodSeconds"] * probe["failureThreshold"]


def test_a_pod_without_its_database_gets_no_requests_and_is_not_restarted(service_pods: Pods) -> None:
    container = service_pods.container
    asked = {kind: container[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "liveness", "readiness")}
    assert asked == {"startup": "/healthz", "liveness": "/healthz", "readiness": "/readyz"}
    assert all(container[f"{kind}Probe"]["httpGet"]["port"] == "http" for kind in asked)


def test_a_pod_is_taken_out_before_it_is_restarted_and_has_time_to_start(service_pods: Pods) -> None:
    container = service_pods.container
    assert patience(container["readinessProbe"]) < patience(container["livenessProbe"])
    assert patience(container["startupProbe"]) >= 60


def test_the_service_leads_to_the_port_that_the_image_serves_at(manifests: Manifests, service_pods: Pods) -> None:
    (served,) = manifests.one("Service")["spec"]["ports"]
    assert served["targetPort"] == "http"
    assert port(service_pods, "http") == 8000
    assert "POCHA_PORT" not in manifests.config()


def test_a_pod_that_ends_serves_on_until_nobody_is_sent_to_it(manifests: Manifests, service_pods: Pods) -> None:
    pause = service_pods.container["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pause >= 5
    assert int(manifests.config()["POCHA_DRAIN_SECONDS"]) < STOP_SECONDS
    assert service_pods.spec["terminationGracePeriodSeconds"] > pause + STOP_SECONDS


def test_an_update_takes_no_replica_away_before_another_one_serves(manifests: Manifests) -> None:
    spec = manifests.one("Deployment")["spec"]
    assert spec["strategy"] == {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}
    assert spec["minReadySeconds"] > 0


def test_production_has_three_replicas_or_more(production: Manifests) -> None:
    scaler = production.one("HorizontalPodAutoscaler")["spec"]
    assert scaler["minReplicas"] == 3
    assert scaler["maxReplicas"] > 3
    assert scaler["scaleTargetRef"] == {"apiVersion": "apps/v1", "kind": "Deployment", "name": "pocha"}
    (metric,) = scaler["metrics"]
    assert metric["resource"]["name"] == "cpu"


def test_to_apply_again_undoes_no_scaling(production: Manifests) -> None:
    assert "replicas" not in production.one("Deployment")["spec"]


def test_dev_has_one_replica(dev: Manifests) -> None:
    assert dev.one("Deployment")["spec"]["replicas"] == 1
    assert dev.one("StatefulSet", "pocha-postgres")["spec"]["replicas"] == 1
    assert not dev.all("HorizontalPodAutoscaler")


def test_nodes_can_be_drained_and_take_one_pod_at_a_time(manifests: Manifests) -> None:
    budget = manifests.one("PodDisruptionBudget")["spec"]
    assert budget["maxUnavailable"] == 1
    assert "minAvailable" not in budget


def test_the_pods_are_spread_over_zones_and_nodes(service_pods: Pods) -> None:
    spread = service_pods.spec["topologySpreadConstraints"]
    assert {each["topologyKey"] for each in spread} == {"topology.kubernetes.io/zone", "kubernetes.io/hostname"}
    for each in spread:
        assert each["labelSelector"]["matchLabels"].items() <= service_pods.labels.items()


def test_every_selector_finds_the_pods_that_it_means(manifests: Manifests) -> None:
    meant = {"pocha": {"Deployment/pocha"}, "pocha-postgres": {"StatefulSet/pocha-postgres"}}
    for service in manifests.all("Service"):
        assert manifests.selected(service["spec"]["selector"]) == meant[service["metadata"]["name"]]
    for kind in ("Deployment", "StatefulSet", "PodDisruptionBudget"):
        for document in manifests.all(kind):
            selector = document["spec"]["selector"]["matchLabels"]
            assert manifests.selected(selector) == meant[document["metadata"]["name"]]


def test_a_selector_never_changes_with_the_version(manifests: Manifests) -> None:
    """It could not be applied: selectors cannot be changed."""
    for kind in ("Deployment", "StatefulSet"):
        for document in manifests.all(kind):
            assert document["spec"]["selector"]["matchLabels"].keys() == {
                "app.kubernetes.io/name",
                "app.kubernetes.io/component",
            }
