"""What is applied for scraping, alerts and the dashboard."""

import re
import subprocess

import yaml

from tests.k8s.conftest import built
from tests.k8s.manifests import ROOT


def test_one_command_applies_scraping_alerts_and_dashboard_beside_the_service() -> None:
    monitoring = built("monitoring")
    assert {document["kind"] for document in monitoring.documents} == {"PodMonitor", "PrometheusRule", "ConfigMap"}
    assert {document["metadata"]["namespace"] for document in monitoring.documents} == {"pocha"}
    assert all(document["metadata"]["labels"]["release"] for document in monitoring.documents)
    assert monitoring.one("ConfigMap", "pocha-dashboard")["metadata"]["labels"]["grafana_dashboard"] == "1"


def test_the_monitor_finds_the_pods_of_the_service() -> None:
    (monitor,) = built("monitoring").all("PodMonitor")
    selector = monitor["spec"]["selector"]["matchLabels"]
    assert built("overlays/production").selected(selector) == {"Deployment/pocha"}


def test_every_alert_links_to_the_runbook_where_the_operator_keeps_it() -> None:
    """Kind: a link that is read in a chat, far from this repository."""
    kustomization = yaml.safe_load((ROOT / "k8s/monitoring/kustomization.yaml").read_text())
    (runbook,) = [
        literal.partition("=")[2]
        for generator in kustomization["configMapGenerator"]
        for literal in generator.get("literals", [])
    ]
    (rule,) = built("monitoring").all("PrometheusRule")
    links: list[str] = [
        each["annotations"]["runbook_url"] for group in rule["spec"]["groups"] for each in group["rules"]
    ]
    assert len(links) > 10
    assert all(re.fullmatch(re.escape(runbook) + "#pocha[a-z]+", link) for link in links)


def test_the_rules_come_out_of_their_wrapping_by_the_documented_command() -> None:
    page = (ROOT / "k8s/README.md").read_text()
    [command] = re.findall(r"^    (sed .*) > pocha-rules.yaml$", page, re.MULTILINE)
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)
    assert yaml.safe_load(done.stdout) == yaml.safe_load((ROOT / "k8s/monitoring/alerts.yaml").read_text())["spec"]
