"""Kind: variables of the environment that Postgres's clients and programs read say nothing to the service's own server."""

import inspect
import re
from pathlib import Path
from typing import Any

import pytest
from asyncpg import connect_utils  # pyright: ignore[reportMissingTypeStubs] - there are none

from service.adapters.embedded_postgres import probe, process
from service.adapters.postgres import address, driver

PARSE: Any = vars(connect_utils)["_parse_connect_dsn_and_args"]
SOURCE = inspect.getsource(connect_utils)
_NAMES = """
    PGHOST PGHOSTADDR PGPORT PGDATABASE PGUSER PGPASSWORD PGPASSFILE PGREQUIREAUTH PGCHANNELBINDING PGSERVICE PGSERVICEFILE PGOPTIONS
    PGAPPNAME PGSSLMODE PGREQUIRESSL PGSSLNEGOTIATION PGSSLCOMPRESSION PGSSLCERT PGSSLKEY PGSSLCERTMODE PGSSLROOTCERT PGSSLCRL
    PGSSLCRLDIR PGSSLSNI PGREQUIREPEER PGSSLMINPROTOCOLVERSION PGSSLMAXPROTOCOLVERSION PGGSSENCMODE PGKRBSRVNAME PGGSSLIB
    PGGSSDELEGATION PGCONNECT_TIMEOUT PGCLIENTENCODING PGTARGETSESSIONATTRS PGLOADBALANCEHOSTS PGMINPROTOCOLVERSION
    PGMAXPROTOCOLVERSION PGDATESTYLE PGTZ PGGEQO PGSYSCONFDIR PGLOCALEDIR PGDATA PG_COLOR PGSSLKEYLOGFILE
"""
OF_LIBPQ = _NAMES.split()
"""Of Postgres 18's documentation, section 32.15; and what its programs read beside."""
READ_BY_ASYNCPG = sorted({*re.findall(r"""['"](PG[A-Z_]+)['"]""", SOURCE)} - {"PG_SERVICEFILE"})
VALUES = ["verify-full", "direct", "nonsense", "-1", "/nowhere", "standby", ""]
OF_THE_SYSTEM = {
    "LC_ALL": "tr_TR.UTF-8",
    "LC_MESSAGES": "xx_XX",
    "LANG": "xx_XX.UTF-8",
    "LANGUAGE": "xx",
    "TZ": "Mars/Phobos",
}


def told(dsn: str) -> Any:
    """Return what asyncpg makes of an address: where it goes, and with what."""
    parsed = address.parse(dsn)
    arguments = driver.arguments(parsed)
    defaults = dict.fromkeys(inspect.signature(PARSE).parameters)
    (endpoint,) = parsed.endpoints
    given = defaults | arguments | {"host": [endpoint[0]], "port": endpoint[1]}
    return PARSE(**given)


def test_every_variable_that_the_driver_reads_is_tried() -> None:
    assert len(READ_BY_ASYNCPG) > 10
    assert set(READ_BY_ASYNCPG) <= set(OF_LIBPQ)


def test_no_variable_changes_the_connection_to_the_embedded_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in OF_LIBPQ:
        monkeypatch.delenv(name, raising=False)
    dsn = probe.dsn(Path("/srv/pocha/socket"))
    alone = told(dsn)
    for name in OF_LIBPQ:
        for value in VALUES:
            with monkeypatch.context() as environment:
                environment.setenv(name, value)
                assert told(dsn) == alone, (name, value)


def test_the_programs_of_the_embedded_server_get_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*OF_LIBPQ, *OF_THE_SYSTEM, "PYTHONPATH", "HOME"]:
        monkeypatch.setenv(name, "nonsense")
    assert process.environment().keys() <= {"PATH", "LD_LIBRARY_PATH", "LC_ALL"}
    assert process.environment()["LC_ALL"] == "C"


def test_an_address_of_an_operator_is_completed_by_them_where_it_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGUSER", "somebody")
    monkeypatch.setenv("PGPASSWORD", "hunter2")
    monkeypatch.setenv("PGSSLMODE", "disable")
    _, parameters = told("postgresql://db.example.com/pocha")
    assert (parameters.user, parameters.password, parameters.ssl) == ("somebody", "hunter2", False)
    _, parameters = told("postgresql://me:secret@db.example.com/pocha?sslmode=require")
    assert (parameters.user, parameters.password) == ("me", "secret")
    assert parameters.ssl
