"""Every pod has as few rights as it can do with, and knows its limits."""

import re

import pytest

from service.bootstrap.settings import Settings
from tests.k8s.manifests import ROOT, Manifests, Pods, dockerfile, environment_names

SECRET = {"POCHA_SECRET", "POCHA_SECRET_PREVIOUS", "POCHA_DATABASE_URL", "POCHA_DATABASE_DIRECT_URL"}
README = (ROOT / "k8s/README.md").read_text(encoding="utf-8")
KNOWN = {f"POCHA_{field.upper()}" for field in Settings.__struct_fields__}


@pytest.fixture
def all_pods(manifests: Manifests) -> list[Pods]:
    return list(manifests.pods())


def test_there_are_the_service_the_migration_and_for_trying_out_a_database(
    dev: Manifests, production: Manifests
) -> None:
    assert {pods.owner for pods in production.pods()} == {"Deployment/pocha", "Job/pocha-migrate"}
    assert {pods.owner for pods in dev.pods()} - {pods.owner for pods in production.pods()} == {
        "StatefulSet/pocha-postgres"
    }


def test_no_pod_runs_as_root(all_pods: list[Pods]) -> None:
    for pods in all_pods:
        context = pods.spec["securityContext"]
        assert context["runAsNonRoot"] is True
        assert context["runAsUser"] > 0
        assert context["runAsGroup"] > 0
        assert context["seccompProfile"] == {"type": "RuntimeDefault"}


def test_our_pods_run_as_the_user_of_the_image(manifests: Manifests) -> None:
    (user,) = dockerfile("USER")
    for pods in manifests.of_pocha():
        context = pods.spec["securityContext"]
        assert f"{context['runAsUser']}:{context['runAsGroup']}" == user


def test_no_container_can_get_more_rights_or_write_to_its_image(all_pods: list[Pods]) -> None:
    for pods in all_pods:
        assert pods.container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }


def test_our_pods_can_write_to_tmp_alone_and_not_without_limit(manifests: Manifests) -> None:
    for pods in manifests.of_pocha():
        mounts = {mount["name"]: mount for mount in pods.container["volumeMounts"]}
        writable = [mount["mountPath"] for mount in mounts.values() if not mount.get("readOnly")]
        assert writable == ["/tmp"]  # noqa: S108 - not of this machine
        (tmp,) = [volume for volume in pods.spec["volumes"] if "emptyDir" in volume]
        assert tmp["emptyDir"]["sizeLimit"]


def test_the_authority_of_the_database_s_certificate_may_be_brought(manifests: Manifests) -> None:
    for pods in manifests.of_pocha():
        (volume,) = [volume for volume in pods.spec["volumes"] if "secret" in volume]
        assert volume["secret"] == {"secretName": "pocha-database-ca", "optional": True}
        (mount,) = [mount for mount in pods.container["volumeMounts"] if mount["name"] == volume["name"]]
        assert f"sslrootcert={mount['mountPath']}/ca.crt" in README


def test_a_registry_may_ask_who_pulls(production: Manifests) -> None:
    assert production.one("ServiceAccount")["imagePullSecrets"] == [{"name": "pocha-registry"}]
    assert "create secret docker-registry pocha-registry" in README


def test_the_image_has_one_name_everywhere(manifests: Manifests) -> None:
    names = {pods.container["image"] for pods in manifests.of_pocha()}
    assert len(names) == 1
    (name,) = names
    for page in (
        "k8s/README.md",
        "README.md",
        "docs/operations.md",
        "deploy/compose/compose.yaml",
        "docs/one-machine.md",
    ):
        text = (ROOT / page).read_text(encoding="utf-8")
        named = re.findall(r"(?:-t|image:|docker-image|push) (\S*pocha\S*)", text)
        assert set(named) <= {name}, page


def test_no_pod_holds_a_token_of_the_cluster(manifests: Manifests) -> None:
    assert all(account["automountServiceAccountToken"] is False for account in manifests.all("ServiceAccount"))
    assert all(pods.spec["automountServiceAccountToken"] is False for pods in manifests.pods())


def test_no_pod_is_given_variables_named_after_services(all_pods: list[Pods]) -> None:
    """A Service `pocha` would give `POCHA_PORT=tcp://…`, and the service would refuse to start."""
    assert all(pods.spec["enableServiceLinks"] is False for pods in all_pods)


def test_every_container_asks_for_what_it_needs_and_gets_no_more_than_its_limit(all_pods: list[Pods]) -> None:
    for pods in all_pods:
        assert pods.container["resources"]["requests"].keys() == {"cpu", "memory"}
        assert pods.container["resources"]["limits"].keys() == {"cpu", "memory"}


def test_every_image_is_of_a_certain_version(all_pods: list[Pods]) -> None:
    for pods in all_pods:
        _, _, tag = pods.container["image"].rpartition("/")[2].partition(":")
        assert tag
        assert tag != "latest"


def test_every_variable_is_a_setting_of_the_service(manifests: Manifests) -> None:
    named = set(manifests.config()).union(*map(environment_names, manifests.of_pocha()))
    assert named <= KNOWN


def test_what_is_secret_comes_from_the_secret(manifests: Manifests) -> None:
    assert not SECRET & manifests.config().keys()
    for pods in manifests.of_pocha():
        for variable in pods.container["env"]:
            assert variable["name"] in SECRET
            assert variable["valueFrom"].keys() == {"secretKeyRef"}


def test_no_secret_is_kept_here_but_for_trying_out(dev: Manifests, production: Manifests) -> None:
    assert not production.all("Secret")
    assert len(dev.all("Secret")) == 2


def test_production_takes_the_secret_that_the_operator_made(production: Manifests) -> None:
    for pods in production.of_pocha():
        assert {variable["valueFrom"]["secretKeyRef"]["name"] for variable in pods.container["env"]} == {"pocha"}
        needed = {
            variable["name"]
            for variable in pods.container["env"]
            if not variable["valueFrom"]["secretKeyRef"].get("optional")
        }
        assert needed - {"POCHA_SECRET"} == {"POCHA_DATABASE_URL"}
