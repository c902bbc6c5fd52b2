"""Who may speak to whom, and what of the service the outside sees."""

import base64
from urllib.parse import urlsplit

import yaml

from service.rest.requests import MAX_BODY_BYTES
from tests.k8s.manifests import ROOT, Document, Manifests

DNS, POSTGRES = {("UDP", 53), ("TCP", 53)}, {("TCP", 5432)}
HEARTBEAT_SECONDS, LONG_POLL_SECONDS = 15, 30
INSIDE = {"/healthz", "/readyz", "/metrics"}


def ports(rules: list[Document]) -> set[tuple[str, int]]:
    return {(port["protocol"], port["port"]) for rule in rules for port in rule["ports"]}


def test_our_pods_are_reached_at_their_port_and_reach_names_and_the_database(manifests: Manifests) -> None:
    policy = manifests.one("NetworkPolicy")["spec"]
    assert manifests.selected(policy["podSelector"]["matchLabels"]) == {"Deployment/pocha", "Job/pocha-migrate"}
    assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
    assert ports(policy["ingress"]) == {("TCP", 8000)}
    assert all(rule["from"] for rule in policy["ingress"])
    assert ports(policy["egress"]) == DNS | POSTGRES


def test_who_is_believed_as_a_proxy_is_let_in_by_name(production: Manifests) -> None:
    """Kind: the pods' network is believed, so nobody in it reaches the service but the namespaces that are named."""
    assert production.config()["POCHA_TRUSTED_PROXIES"]
    (rule,) = production.one("NetworkPolicy")["spec"]["ingress"]
    assert [peer["namespaceSelector"]["matchLabels"].keys() for peer in rule["from"]] == [
        {"kubernetes.io/metadata.name"}
    ] * len(rule["from"])


def test_the_database_of_dev_serves_our_pods_alone(dev: Manifests) -> None:
    policy = dev.one("NetworkPolicy", "pocha-postgres")["spec"]
    assert dev.selected(policy["podSelector"]["matchLabels"]) == {"StatefulSet/pocha-postgres"}
    (rule,) = policy["ingress"]
    assert ports([rule]) == POSTGRES
    (peer,) = rule["from"]
    assert dev.selected(peer["podSelector"]["matchLabels"]) == {"Deployment/pocha", "Job/pocha-migrate"}
    assert "egress" not in policy


def test_the_pods_of_dev_reach_no_other_database(dev: Manifests) -> None:
    (rule,) = [rule for rule in dev.one("NetworkPolicy")["spec"]["egress"] if ports([rule]) == POSTGRES]
    (peer,) = rule["to"]
    assert dev.selected(peer["podSelector"]["matchLabels"]) == {"StatefulSet/pocha-postgres"}


def secrets(manifests: Manifests, owner: str) -> dict[str, str]:
    """Return the values that a container takes from secrets, by variable."""
    kind, _, name = owner.partition("/")
    references = {
        variable["name"]: variable["valueFrom"]["secretKeyRef"]
        for variable in manifests.pods_of(kind, name).container["env"]
        if "valueFrom" in variable
    }
    kept = {secret["metadata"]["name"]: secret["data"] for secret in manifests.all("Secret")}
    encoded = {variable: kept[each["name"]].get(each["key"]) for variable, each in references.items()}
    return {variable: base64.b64decode(value).decode() for variable, value in encoded.items() if value}


def test_the_service_of_dev_finds_its_database(dev: Manifests) -> None:
    database = dev.pods_of("StatefulSet", "pocha-postgres")
    settings = {variable["name"]: variable.get("value") for variable in database.container["env"]}
    password = secrets(dev, database.owner)["POSTGRES_PASSWORD"]
    (port,) = dev.one("Service", "pocha-postgres")["spec"]["ports"]
    for owner in ("Deployment/pocha", "Job/pocha-migrate"):
        url = urlsplit(secrets(dev, owner)["POCHA_DATABASE_URL"])
        assert (url.username, url.password) == (settings["POSTGRES_USER"], password)
        assert (url.hostname, url.port) == ("pocha-postgres", port["port"])
        assert url.path == f"/{settings['POSTGRES_DB']}"


def test_the_keys_of_dev_say_that_they_are_no_secrets(dev: Manifests) -> None:
    for owner in ("Deployment/pocha", "StatefulSet/pocha-postgres"):
        assert all("dev-only" in value for value in secrets(dev, owner).values())
    assert len(secrets(dev, "Deployment/pocha")["POCHA_SECRET"]) >= 32


def shown(production: Manifests) -> dict[str, str]:
    (rule,) = production.one("Ingress")["spec"]["rules"]
    return {path["path"]: path["pathType"] for path in rule["http"]["paths"]}


def test_clients_reach_the_whole_contract_and_its_pages_and_nothing_that_is_for_operators(
    production: Manifests,
) -> None:
    """Kind: a page that the service leads to, and that the proxy in front does not pass on."""
    contract = yaml.safe_load((ROOT / "api/openapi.yaml").read_text())["paths"]
    tops = {path if path.startswith("/openapi") else "/" + path.split("/")[1] for path in contract}
    assert shown(production).keys() == tops - INSIDE | {"/", "/play", "/problems"}
    assert shown(production)["/"] == "Exact"  # as a prefix it would show what is for operators


def test_the_ingress_leads_to_the_service_and_is_encrypted(production: Manifests) -> None:
    ingress = production.one("Ingress")["spec"]
    (rule,), (tls,) = ingress["rules"], ingress["tls"]
    assert tls["hosts"] == [rule["host"]]
    for path in rule["http"]["paths"]:
        assert path["backend"] == {"service": {"name": "pocha", "port": {"name": "http"}}}


def test_the_proxy_lets_streams_flow_and_waits_for_their_next_sign_of_life(production: Manifests) -> None:
    annotations = production.one("Ingress")["metadata"]["annotations"]
    assert annotations["nginx.org/proxy-buffering"] == "False"
    assert annotations["nginx.ingress.kubernetes.io/proxy-buffering"] == "off"
    waits = [int(value.removesuffix("s")) for name, value in annotations.items() if name.endswith("-timeout")]
    assert len(waits) == 4
    assert min(waits) >= max(4 * HEARTBEAT_SECONDS, 2 * LONG_POLL_SECONDS)


def test_the_proxy_takes_bodies_as_large_as_the_service_does(production: Manifests) -> None:
    annotations = production.one("Ingress")["metadata"]["annotations"]
    limit = f"{MAX_BODY_BYTES // 1024}k"
    assert annotations["nginx.org/client-max-body-size"] == limit
    assert annotations["nginx.ingress.kubernetes.io/proxy-body-size"] == limit
