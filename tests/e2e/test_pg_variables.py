"""Kind: variables of the environment that Postgres's clients and programs read say nothing to the service's own server."""

from pathlib import Path

import httpx
import pytest

from tests.adapters.test_pg_variables import OF_LIBPQ, OF_THE_SYSTEM
from tests.e2e.test_cli import pocha
from tests.kit.service_process import ServiceProcess

HOSTILE = {
    "verified TLS": {"PGSSLMODE": "verify-full"},
    "nonsense everywhere": dict.fromkeys(OF_LIBPQ, "nonsense") | OF_THE_SYSTEM,
}


@pytest.mark.parametrize("variables", HOSTILE.values(), ids=HOSTILE)
def test_the_embedded_start_is_not_hindered_by(variables: dict[str, str], data_dir: Path) -> None:
    environment = {"POCHA_DATA_DIR": str(data_dir), **variables}
    with ServiceProcess(environment) as service:
        assert httpx.get(f"{service.url}/readyz").status_code == 200
        done = pocha("apps", "create", "shop", environment=environment)
        assert done.returncode == 0, done.stderr
    assert not any("Warning" in line for line in service.output)
