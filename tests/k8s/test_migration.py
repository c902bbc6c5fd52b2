"""The schema is brought up to date before any pod serves: the Job does it, and the pods wait for it."""

import asyncio
import os
import subprocess
import sys

import httpx
import pytest

from tests.e2e.process import ServiceProcess
from tests.k8s.manifests import ROOT, Document, Manifests, Pods, dockerfile, environment_names

WAVE = "argocd.argoproj.io/sync-wave"


@pytest.fixture
def job(manifests: Manifests) -> Document:
    return manifests.one("Job", "pocha-migrate")


@pytest.fixture
def migrating(manifests: Manifests) -> Pods:
    return manifests.pods_of("Job", "pocha-migrate")


def environment_of(pods: Pods, manifests: Manifests, database_url: str) -> dict[str, str]:
    """Return what the container would find in its environment, over this database."""
    secret = {"POCHA_DATABASE_URL": database_url, "POCHA_SECRET": "s" * 32}
    return manifests.config() | {name: secret[name] for name in environment_names(pods) & secret.keys()}


def run(arguments: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run `pocha` as the image's entry point does."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("POCHA_")}
    return subprocess.run(
        [sys.executable, "-m", "service.cli.main", *arguments],
        env={**clean, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_image_serves_and_the_job_migrates(manifests: Manifests, migrating: Pods) -> None:
    assert dockerfile("ENTRYPOINT") == ['["tini", "--", "pocha"]']
    assert dockerfile("CMD") == ['["serve"]']
    serving = manifests.pods_of("Deployment").container
    assert not {"command", "args"} & serving.keys()
    assert migrating.container["args"] == ["migrate"]
    assert "command" not in migrating.container
    assert migrating.container["image"] == serving["image"]


def test_the_migration_has_no_key_to_sign_tokens_with(migrating: Pods) -> None:
    assert environment_names(migrating) == {"POCHA_DATABASE_URL", "POCHA_DATABASE_DIRECT_URL"}


async def test_no_pod_serves_before_the_job_has_run(production: Manifests, empty_database_url: str) -> None:
    pods, migration = production.pods_of("Deployment"), production.pods_of("Job", "pocha-migrate")
    environment = environment_of(pods, production, empty_database_url)
    too_early = await asyncio.to_thread(run, ["serve"], environment)
    assert too_early.returncode == 1
    assert "the database is behind" in too_early.stderr
    done = await asyncio.to_thread(
        run, migration.container["args"], environment_of(migration, production, empty_database_url)
    )
    assert done.returncode == 0, done.stderr
    with await asyncio.to_thread(ServiceProcess, environment) as service:
        async with httpx.AsyncClient(base_url=service.url) as client:
            for kind in ("startup", "liveness", "readiness"):
                path = pods.container[f"{kind}Probe"]["httpGet"]["path"]
                assert (await client.get(path)).status_code == 200


def test_argo_cd_waits_for_the_job_before_it_touches_the_pods(manifests: Manifests, job: Document) -> None:
    annotations = job["metadata"]["annotations"]
    assert annotations["argocd.argoproj.io/hook"] == "Sync"
    assert annotations["argocd.argoproj.io/hook-delete-policy"] == "BeforeHookCreation"
    later = {document["kind"] for document in manifests.documents if wave(document) > wave(job)}
    assert later - {"Ingress", "HorizontalPodAutoscaler"} == {"Deployment", "PodDisruptionBudget"}


def wave(document: Document) -> int:
    return int(document["metadata"].get("annotations", {}).get(WAVE, "0"))


def test_the_job_tries_again_and_not_for_ever(job: Document) -> None:
    assert job["spec"]["backoffLimit"] > 0
    assert job["spec"]["activeDeadlineSeconds"] > 0
    assert job["spec"]["template"]["spec"]["restartPolicy"] == "Never"
