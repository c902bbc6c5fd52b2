"""The schema is brought up to date before any pod serves: the Job does it, and the pods wait for it."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest

from tests.k8s.manifests import ROOT, Document, Manifests, Pods, dockerfile, environment_names
from tests.kit.service_process import ServiceProcess

UNREACHABLE = 75
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
        [sys.executable, "-m", "service", *arguments],
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


def test_the_job_tries_again_only_for_what_passes_by_itself_and_not_for_ever(job: Document) -> None:
    assert 0 < job["spec"]["backoffLimit"] <= 3
    ignored, failing = job["spec"]["podFailurePolicy"]["rules"]
    assert ignored["onPodConditions"] == [{"type": "DisruptionTarget", "status": "True"}]
    assert failing["action"] == "FailJob"
    assert failing["onExitCodes"] == {"containerName": "migrate", "operator": "NotIn", "values": [UNREACHABLE]}
    assert job["spec"]["activeDeadlineSeconds"] > 0
    assert job["spec"]["template"]["spec"]["restartPolicy"] == "Never"


def test_a_migration_that_cannot_reach_its_database_says_so_by_its_exit_code() -> None:
    """Kind: what passes by itself is told from what somebody has to mend."""
    for address, code in (
        ("postgresql://u@127.0.0.1:1/x", UNREACHABLE),
        ("postgresql://u@127.0.0.1:1/x?foo=bar", 1),
        ("mysql://u@127.0.0.1/x", 1),
    ):
        done = run(["migrate"], {"POCHA_DATABASE_URL": address})
        assert done.returncode == code, done.stderr


KUBECTL = """#!/bin/sh
echo "$*" >> "$CALLS"
case "$*" in
*"get job"*)
    count=$(grep -c "get job" "$CALLS")
    test "$count" -gt 2 && echo "$CONDITIONS"
    ;;
*"get pods"*) echo "$WAITS" ;;
*logs*) echo "pocha: 0009_new cannot be applied" ;;
esac
exit 0
"""


def apply(
    tmp_path: Path, conditions: str, waits: str = "", arguments: Sequence[str] = ("k8s/overlays/production", "here")
) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Run the script with a `kubectl` that says these things; return how it ended, and what it asked for."""
    kubectl, calls = tmp_path / "kubectl", tmp_path / "calls"
    kubectl.write_text(KUBECTL)
    kubectl.chmod(0o755)
    calls.touch()
    done = subprocess.run(
        [ROOT / "k8s/apply.sh", *arguments],
        env={
            "PATH": f"{tmp_path}:{os.environ['PATH']}",
            "CALLS": str(calls),
            "CONDITIONS": conditions,
            "WAITS": waits,
            "POLL_SECONDS": "0",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    return done, calls.read_text().splitlines()


@pytest.mark.parametrize(
    ("conditions", "code", "last"),
    [
        ("SuccessCriteriaMet Complete", 0, "--namespace here rollout status deployment/pocha"),
        ("FailureTarget Failed", 1, "--namespace here logs job/pocha-migrate --tail=20"),
    ],
)
def test_applying_ends_with_the_migration_as_soon_as_it_is_over(
    tmp_path: Path, conditions: str, code: int, last: str
) -> None:
    """Kind: a migration that fails is seen at once, with its reason."""
    done, told = apply(tmp_path, conditions)
    assert done.returncode == code
    assert told[0] == "--namespace here delete job pocha-migrate --ignore-not-found"
    assert told[1] == "apply -k k8s/overlays/production"
    assert told[-1] == last
    assert ("cannot be applied" in done.stderr) == bool(code)


@pytest.mark.parametrize(
    "waits",
    [
        'ImagePullBackOff: Back-off pulling image "registry.example.com/pocha:9"',
        "ErrImagePull: denied\nImagePullBackOff: denied",
        'CreateContainerConfigError: secret "pocha" not found',
        "InvalidImageName: couldn't parse image reference",
    ],
)
def test_a_migration_that_cannot_start_is_told_at_once_with_its_reason(tmp_path: Path, waits: str) -> None:
    """Kind: half an hour of waiting, until the deadline of the Job, for what does not pass by itself."""
    done, told = apply(tmp_path, "", waits)
    assert (done.returncode, waits.splitlines()[-1] in done.stderr) == (1, True)
    assert "rollout" not in told[-1]


def test_what_passes_by_itself_is_waited_for(tmp_path: Path) -> None:
    assert apply(tmp_path, "Complete", "ContainerCreating: ")[0].returncode == 0


@pytest.mark.parametrize("arguments", [(), ("k8s/overlays/production",), ("a", "b", "c")])
def test_the_script_says_how_it_is_called(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done, told = apply(tmp_path, "Complete", arguments=arguments)
    assert (done.returncode, done.stderr.startswith("usage: "), told) == (2, True, [])


async def test_an_app_is_made_in_a_pod_of_the_deployment(production: Manifests, database_url: str) -> None:
    """The command of k8s/README.md, with what the container finds in its environment."""
    [command] = re.findall(r"exec deployment/pocha -- pocha (apps create) NAME", (ROOT / "k8s/README.md").read_text())
    environment = environment_of(production.pods_of("Deployment"), production, database_url)
    made = await asyncio.to_thread(run, [*command.split(), "shop"], environment)
    assert made.returncode == 0, made.stderr
    assert re.fullmatch(r"pocha_\w+\n", made.stdout)
