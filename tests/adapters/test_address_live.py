"""Kind: an address as libpq knows it, and as providers write it, leads to the database with what it asks for."""

import asyncio
import socket
import subprocess
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from service.adapters.embedded_postgres.folder import SOCKET_NAME
from service.adapters.postgres.connection import connect, socket_of
from service.application.ports import StoreUnavailable
from tests.adapters.conftest import open_folder
from tests.adapters.test_address import OF_PROVIDERS
from tests.adapters.tls_server import PASSWORD, tls_server
from tests.e2e.test_cli import pocha
from tests.kit.postgres_proxy import Proxy


@pytest.fixture(scope="module")
def tls() -> Generator[tuple[str, Path]]:
    """The address of a database over TLS and a password, and the certificate of its server."""
    with open_folder() as folder, tls_server(folder) as (port, certificate):
        yield f"postgresql://shop:{PASSWORD}@127.0.0.1:{port}/postgres", certificate


async def asked(address: str, question: str) -> object:
    connection = await connect(address)
    try:
        return await connection.fetchval(question)
    finally:
        await connection.close()


OVER_TLS = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"


@pytest.mark.parametrize(
    "query", [query for query in OF_PROVIDERS.values() if "system" not in query and "--cluster" not in query]
)
async def test_a_provider_s_address_connects(tls: tuple[str, Path], query: str) -> None:
    address, _ = tls
    assert await asked(address + query.replace("endpoint%3D", "-c%20application_name%3D"), OVER_TLS) is True


async def test_a_certificate_is_verified_where_the_address_asks_for_it(tls: tuple[str, Path]) -> None:
    address, certificate = tls
    assert await asked(f"{address}?sslmode=verify-full&sslrootcert={certificate}&channel_binding=require", OVER_TLS)
    assert await asked(f"{address}?sslmode=verify-ca&sslrootcert={certificate}", OVER_TLS)
    for refused in ("sslmode=verify-full", "sslrootcert=system", "sslaccept=strict", "sslmode=disable"):
        with pytest.raises(StoreUnavailable) as error:
            await connect(f"{address}?{refused}")
        assert PASSWORD not in str(error.value)


@asynccontextmanager
async def over_tcp(database_url: str) -> AsyncGenerator[tuple[str, int]]:
    """Give user and database, and a port on 127.0.0.1 that leads to the server of the tests."""
    url = urlsplit(database_url)
    proxy = Proxy(Path(parse_qs(url.query)["host"][0], SOCKET_NAME))
    relay = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    try:
        yield f"{url.username}@%s{url.path}", relay.sockets[0].getsockname()[1]
    finally:
        relay.close()
        await relay.wait_closed()


async def test_settings_of_the_session_hold_in_it(database_url: str) -> None:
    address = f"{database_url}&application_name=shop&options=-c%20statement_timeout%3D1234"
    assert await asked(address, "SHOW application_name") == "shop"
    assert await asked(address, "SHOW statement_timeout") == "1234ms"


async def test_keepalives_hold_on_the_connection(database_url: str) -> None:
    async with over_tcp(database_url) as (form, port):
        address = f"postgresql://{form % f'127.0.0.1:{port}'}"
        connection = await connect(f"{address}?keepalives_idle=33")
        opened = socket_of(connection)
        assert opened is not None
        assert opened.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 33
        await connection.close()


async def test_of_several_hosts_the_first_that_answers_is_used_and_one_that_hangs_holds_up_its_own_time(
    database_url: str,
) -> None:
    # What waits in a backlog is connected, and never answered.
    with socket.create_server(("127.0.0.1", 0)) as silent, socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        async with over_tcp(database_url) as (form, port):
            hosts = f"127.0.0.1:{closed.getsockname()[1]},127.0.0.1:{silent.getsockname()[1]},127.0.0.1:{port}"
            assert await asked(f"postgresql://{form % hosts}?connect_timeout=1&sslmode=disable", "SELECT 1") == 1


async def test_a_pasted_address_works_for_every_command(tls: tuple[str, Path]) -> None:
    """Nothing of the address is lost on the way from the setting, and no line of output has the password."""
    address, _ = tls
    pasted = f"{address.replace('postgresql:', 'postgres:')}?sslmode=require&channel_binding=require&schema=public&pgbouncer=true"

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return pocha(*arguments, environment={"POCHA_DATABASE_URL": pasted})

    done = await asyncio.to_thread(run, "migrate")
    assert done.returncode == 1
    assert "GRANT CREATE ON SCHEMA public TO shop" in done.stderr
    assert "channel_binding" in done.stderr
    assert "the parameter schema of" in done.stderr
    assert PASSWORD not in done.stderr
