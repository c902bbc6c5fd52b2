"""The manifests are what Kubernetes understands, and what they name is there."""

import tomllib

import kubernetes_validate  # pyright: ignore[reportMissingTypeStubs] - there are none
import pytest

from tests.k8s.manifests import ROOT, Document, Manifests, dockerfile

OLDEST, NEWEST = "1.31", kubernetes_validate.latest_version()


@pytest.mark.parametrize("version", [OLDEST, NEWEST])
def test_every_document_keeps_to_the_schema_of_its_kind(manifests: Manifests, version: str) -> None:
    assert len(manifests.documents) > 5
    for document in manifests.documents:
        kubernetes_validate.validate(document, version, strict=True)


@pytest.mark.parametrize("wrong", [{"replicas": "3"}, {"replica": 3}])
def test_a_wrong_type_and_a_wrong_name_would_be_found(manifests: Manifests, wrong: Document) -> None:
    deployment = manifests.one("Deployment")
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate({**deployment, "spec": {**deployment["spec"], **wrong}}, NEWEST, strict=True)


def test_no_two_documents_have_one_name(manifests: Manifests) -> None:
    names = [(document["kind"], document["metadata"]["name"]) for document in manifests.documents]
    assert len(set(names)) == len(names)


def test_an_overlay_keeps_to_its_namespace(dev: Manifests, production: Manifests) -> None:
    assert {document["metadata"]["namespace"] for document in dev.documents} == {"pocha-dev"}
    assert {document["metadata"]["namespace"] for document in production.documents} == {"pocha"}


def test_every_document_says_what_it_belongs_to(manifests: Manifests) -> None:
    for pods in manifests.of_pocha():
        assert pods.labels["app.kubernetes.io/component"] in {"api", "migration"}
    for document in manifests.documents:
        if document["kind"] not in {"ConfigMap", "Secret"}:
            assert document["metadata"]["labels"]["app.kubernetes.io/name"] in {"pocha", "postgres"}


def test_everything_has_the_version_of_the_project(manifests: Manifests) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"VERSION={version}" in dockerfile("ARG")
    for pods in manifests.of_pocha():
        assert pods.labels["app.kubernetes.io/version"] == version
        assert pods.container["image"].rpartition(":")[2] == version


def test_the_pods_settings_are_those_of_this_kustomization(manifests: Manifests) -> None:
    (config,) = manifests.all("ConfigMap")
    for pods in manifests.of_pocha():
        assert pods.container["envFrom"] == [{"configMapRef": {"name": config["metadata"]["name"]}}]
        assert manifests.one("ServiceAccount", pods.spec["serviceAccountName"])
