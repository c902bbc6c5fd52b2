"""Processes of before, over a database that a newer version has migrated, as docs/operations.md says."""

import httpx
import pytest

from service.adapters.postgres import migrate
from service.adapters.postgres.migrate import Migration
from tests.e2e.test_cli import pocha
from tests.kit.service_process import ServiceProcess

NEXT = "9999_of_a_newer_version"


async def status(service: ServiceProcess, probe: str) -> int:
    async with httpx.AsyncClient(base_url=service.url) as client:
        return (await client.get(probe)).status_code


async def migrated_by_a_newer_version(database: str, first_line: str) -> None:
    newer = Migration(NEXT, f"{first_line}\nCREATE TABLE of_a_newer_version (n integer);")
    assert await migrate.migrate(database, [*migrate.known(), newer]) == [NEXT]


async def test_over_a_compatible_migration_old_processes_go_on_and_start_again(environment: dict[str, str]) -> None:
    with ServiceProcess(environment) as service:
        await migrated_by_a_newer_version(environment["POCHA_DATABASE_URL"], "-- compatible: yes")
        assert await status(service, "/readyz") == 200
    assert pocha("migrate", environment=environment).stdout == "the schema is up to date\n"
    with ServiceProcess(environment) as again:
        assert await status(again, "/readyz") == 200


@pytest.mark.parametrize("first_line", ["-- compatible: no", "-- Says nothing of that."])
async def test_over_any_other_migration_old_processes_are_not_ready_and_do_not_start_again(
    environment: dict[str, str], first_line: str
) -> None:
    with ServiceProcess(environment) as service:
        await migrated_by_a_newer_version(environment["POCHA_DATABASE_URL"], first_line)
        assert await status(service, "/readyz") == 503
        assert await status(service, "/healthz") == 200
    for command in ("serve", "migrate"):
        refused = pocha(command, environment=environment)
        assert refused.returncode == 1
        assert f"the database is ahead: it has {NEXT}" in refused.stderr
