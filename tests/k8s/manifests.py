"""The manifests as they would be applied, and ways to find things in them."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

Document = dict[str, Any]

ROOT = Path(__file__).parents[2]
KUSTOMIZATIONS = ("base", "overlays/dev", "overlays/production")


class Pods(NamedTuple):
    """The pods that one document makes."""

    owner: str
    labels: dict[str, str]
    spec: Document

    @property
    def container(self) -> Document:
        """Their only container."""
        (container,) = self.spec["containers"]
        return container


class Manifests:
    """The documents of one kustomization."""

    def __init__(self, documents: list[Document]) -> None:
        self.documents = documents

    def all(self, kind: str) -> list[Document]:
        """Return every document of a kind."""
        return [document for document in self.documents if document["kind"] == kind]

    def one(self, kind: str, name: str = "pocha") -> Document:
        """Return the document of this kind and name."""
        (found,) = [document for document in self.all(kind) if document["metadata"]["name"] == name]
        return found

    def config(self) -> dict[str, str]:
        """Return the settings that hold no secret."""
        (found,) = self.all("ConfigMap")
        return found["data"]

    def pods(self) -> Iterator[Pods]:
        """Go through all the documents that make pods."""
        for document in self.documents:
            if template := document.get("spec", {}).get("template"):
                owner = f"{document['kind']}/{document['metadata']['name']}"
                yield Pods(owner, template["metadata"]["labels"], template["spec"])

    def pods_of(self, kind: str, name: str = "pocha") -> Pods:
        """Return the pods that one document makes."""
        (found,) = [pods for pods in self.pods() if pods.owner == f"{kind}/{name}"]
        return found

    def of_pocha(self) -> list[Pods]:
        """Return the pods that run our image."""
        return [pods for pods in self.pods() if pods.labels["app.kubernetes.io/name"] == "pocha"]

    def selected(self, selector: dict[str, str]) -> set[str]:
        """Return the owners of the pods that have these labels."""
        return {pods.owner for pods in self.pods() if selector.items() <= pods.labels.items()}


@cache
def kustomize() -> tuple[str, ...] | None:
    """Return the command that builds a folder: the wheel's kubectl, which is the locked one, else what the machine has."""
    beside_python = Path(sys.executable).with_name("kubectl")
    if beside_python.exists():
        return (str(beside_python), "kustomize")
    for program, *arguments in (("kubectl", "kustomize"), ("kustomize", "build")):
        if found := shutil.which(program):
            return (found, *arguments)
    return None


@cache
def build(kustomization: str) -> Manifests:
    """Return what would be applied.

    Raises:
        CalledProcessError: it cannot be built.
    """
    command = kustomize()
    assert command
    built = subprocess.run(
        [*command, str(ROOT / "k8s" / kustomization)], capture_output=True, text=True, check=True, timeout=60
    )
    assert not built.stderr, built.stderr
    return Manifests(list(yaml.safe_load_all(built.stdout)))


def environment_names(pods: Pods) -> set[str]:
    """Return the names of the variables that the container is given one by one."""
    return {variable["name"] for variable in pods.container.get("env", [])}


def dockerfile(instruction: str) -> list[str]:
    """Return what stands behind each instruction of this name in the Dockerfile."""
    return re.findall(rf"^{instruction} (.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
