"""Kind: an address as libpq knows it, and as providers and ORMs write it: honoured, ignored with a warning, or refused by name."""

import socket
import ssl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.adapters.postgres import address, driver
from service.adapters.postgres.address_parameters import InvalidAddress

HOST = "postgresql://pocha:hunter2@db.example.com/pocha"

OF_PROVIDERS = {
    "Neon": "?sslmode=require&channel_binding=require",
    "Neon, by options": "?sslmode=require&options=endpoint%3Dep-cool-name-123456",
    "Supabase": "?pgbouncer=true&connection_limit=1",
    "Vercel": "?sslmode=require&supa=base-pooler.x&pgbouncer=true",
    "Prisma": "?schema=public&connection_limit=5&pool_timeout=10&connect_timeout=10&socket_timeout=5&statement_cache_size=0",
    "Heroku, in Node.js": "?ssl=true",
    "CockroachDB": "?sslmode=verify-full&sslrootcert=system&options=--cluster%3Dcool-name",
    "libpq, keepalives": "?connect_timeout=5&keepalives=1&keepalives_idle=30&keepalives_interval=5&keepalives_count=3",
    "libpq, the rest": "?application_name=shop&target_session_attrs=read-write&tcp_user_timeout=30000&gssencmode=disable",
    "Rails": "?pool=5&encoding=unicode&prepared_statements=false",
    "JDBC": "?ssl=require&currentSchema=public&ApplicationName=shop&prepareThreshold=0&tcpKeepAlive=true",
    "Go": "?pool_max_conns=10&default_query_exec_mode=simple_protocol",
    "Django": "?conn_max_age=600&conn_health_checks=true",
    "SQLAlchemy": "?prepared_statement_cache_size=0&async_fallback=true",
}


@pytest.mark.parametrize("query", OF_PROVIDERS.values(), ids=OF_PROVIDERS)
def test_an_address_pasted_from_a_provider_is_taken(query: str) -> None:
    parsed = address.parse(HOST + query)
    assert (parsed.endpoints, parsed.database, parsed.user, parsed.password) == (
        [("db.example.com", 5432)],
        "pocha",
        "pocha",
        "hunter2",
    )
    assert driver.arguments(parsed)["user"] == "pocha"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg", "postgresql+psycopg2"])
def test_the_scheme_may_name_the_driver_of_another_program(scheme: str) -> None:
    assert address.parse(f"{scheme}://u@h/d").endpoints == [("h", 5432)]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("schema=x", ["schema"]),
        ("pgbouncer=true&connection_limit=1", ["pgbouncer", "connection_limit"]),
        ("statement-cache-capacity=0&Pooling=true", ["statement-cache-capacity", "Pooling"]),
        ("schema=x&schema=y", ["schema"]),
        ("sslmode=require&connect_timeout=3&keepalives=1", []),
    ],
)
def test_parameters_of_other_drivers_are_ignored_with_a_warning_that_names_them(query: str, named: list[str]) -> None:
    warnings = list(address.warnings_of([f"{HOST}?{query}"] * 2))
    assert [warning.split()[2] for warning in warnings] == named


@pytest.mark.parametrize(
    "query",
    [
        "sslmod=require",
        "chanel_binding=require",
        "foo=",
        "=x",
        "timezone=UTC",
        "SSLMODE=require",
        "sslmode%00=x",
        *(f"{name}=x" for name in ("require_auth", "requirepeer", "sslcrldir", "oauth_issuer", "scram_client_key")),
        "client_encoding=latin1",
        "gssencmode=require",
        "replication=database",
        "min_protocol_version=3.2",
        "hostaddr=10.0.0.1&host=db",
        "target_session_attrs=standby",
        "target_session_attrs=read-only",
        "sslmode=verify",
        "ssl=perhaps",
        "channel_binding=always",
        "channel_binding=require&sslmode=disable",
        "sslrootcert=system&sslmode=require",
        "connect_timeout=soon",
        "keepalives_idle=-1",
        "keepalives_count=many",
        "tcp_user_timeout=99999999999",
    ],
)
def test_what_is_unknown_or_cannot_be_honoured_is_refused_by_name_and_no_value_is_quoted(query: str) -> None:
    with pytest.raises(InvalidAddress) as refused:
        address.parse(f"{HOST}?{query}")
    name = query.partition("=")[0]
    assert name.replace("%00", "") in str(refused.value)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "malformed",
    [
        "postgresql://u:" + "pa?ss@h/d",
        "postgresql://u:" + "pa#ss@h/d",
        "postgresql://u:" + "pa/ss@h/d",
        "postgresql://u:" + "pa@ss@h/d",
        "postgresql://u:hunter2@h:abc/d",
        "postgresql://u:hunter2@h:0/d",
        "postgresql://u:hunter2@h:65536/d",
        "postgresql://u:hunter2@h/d?port=x,y",
        "postgresql:///d?host=h&port=hunter2",
        "postgresql://u:hunter2@[::1/d",
        "postgresql://u:hunter2@a,,b/d",
        "postgresql://u:hunter2@a,b,c/d?port=1,2",
        "mysql://u:hunter2@h/d",
        "jdbc:postgresql://h/d?password=hunter2",
        "host=h password=hunter2",
    ],
)
def test_what_is_malformed_is_refused_and_not_quoted(malformed: str) -> None:
    with pytest.raises(InvalidAddress) as refused:
        address.parse(malformed)
    for secret in ("hunter2", "pa?", "pa#", "pa/", "ss@"):
        assert secret not in str(refused.value)


@pytest.mark.parametrize(
    ("written", "endpoints"),
    [
        ("postgresql://a:1,b:2/d", [("a", 1), ("b", 2)]),
        ("postgresql://a,b:2/d", [("a", 5432), ("b", 2)]),
        ("postgresql://a,b/d?port=7", [("a", 7), ("b", 7)]),
        ("postgresql:///d?host=a,b&port=1,2", [("a", 1), ("b", 2)]),
        ("postgresql://[::1]:7,[fe80::1]/d", [("::1", 7), ("fe80::1", 5432)]),
        ("postgresql:///d?host=::1", [("::1", 5432)]),
        ("postgresql://%2Frun%2Fpostgresql/d", [("/run/postgresql", 5432)]),
        ("postgresql:///d?hostaddr=10.0.0.1", [("10.0.0.1", 5432)]),
        ("postgresql:///d", []),
    ],
)
def test_hosts_are_read_as_libpq_reads_them(written: str, endpoints: list[tuple[str, int]]) -> None:
    assert address.parse(written).endpoints == endpoints


@given(user=st.text(min_size=1), password=st.text(min_size=1), database=st.text(min_size=1))
def test_escaped_parts_come_back_as_they_were_and_the_shown_address_has_no_password(
    user: str, password: str, database: str
) -> None:
    def escaped(text: str) -> str:
        return "".join(f"%{byte:02x}" for byte in text.encode("utf-8", "replace"))

    parsed = address.parse(f"postgresql://{escaped(user)}:{escaped(password)}@h/{escaped(database)}")
    want = tuple(text.encode("utf-8", "replace").decode() for text in (user, password, database))
    assert (parsed.user, parsed.password, parsed.database) == want
    assert str(parsed) == f"{want[2]} at h:5432"


@pytest.mark.parametrize(
    ("query", "mode"),
    [
        ("", None),
        ("channel_binding=require", "require"),
        ("channel_binding=require&sslmode=prefer", "require"),
        ("channel_binding=require&sslmode=verify-full", "verify-full"),
        ("channel_binding=prefer", None),
        ("ssl=true", "require"),
        ("ssl=false", "disable"),
        ("ssl=true&sslmode=verify-ca", "verify-ca"),
        ("sslmode=no-verify", "require"),
        ("sslaccept=strict", "verify-full"),
        ("sslrootcert=system", "verify-full"),
        ("requiressl=1", "require"),
        ("ssl_require=True", "require"),
    ],
)
def test_tls_is_never_weaker_than_the_address_asks_for(query: str, mode: str | None) -> None:
    assert address.parse(f"{HOST}?{query}").parameters.get("sslmode") == mode


def test_channel_binding_that_only_tls_stands_in_for_is_told() -> None:
    (warning,) = address.parse(f"{HOST}?channel_binding=require").warnings
    assert "channel_binding" in warning
    assert not address.parse(f"{HOST}?channel_binding=require&sslmode=verify-full").warnings


def test_the_authorities_of_the_system_judge_where_they_are_asked_to() -> None:
    context = driver.arguments(address.parse(f"{HOST}?sslrootcert=system&ssl_min_protocol_version=TLSv1.3"))["ssl"]
    assert isinstance(context, ssl.SSLContext)
    assert (context.check_hostname, context.verify_mode) == (True, ssl.CERT_REQUIRED)
    assert context.minimum_version == ssl.TLSVersion.TLSv1_3


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", {"SO_KEEPALIVE": True}),
        ("keepalives=0", {"SO_KEEPALIVE": False}),
        ("keepalives_idle=31&keepalives_interval=7&keepalives_count=4&tcp_user_timeout=9000", {"TCP_KEEPIDLE": 31}),
    ],
)
def test_keepalives_are_set_on_the_connection(query: str, expected: dict[str, int]) -> None:
    with socket.socket() as opened:
        driver.keep_alive(opened, address.parse(f"{HOST}?{query}").keepalives)
        assert bool(opened.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)) is expected.get("SO_KEEPALIVE", True)
        if "TCP_KEEPIDLE" in expected:
            values = [
                opened.getsockopt(socket.IPPROTO_TCP, option)
                for option in (
                    socket.TCP_KEEPIDLE,
                    socket.TCP_KEEPINTVL,
                    socket.TCP_KEEPCNT,
                    socket.TCP_USER_TIMEOUT,
                )
            ]
            assert values == [31, 7, 4, 9000]


@pytest.mark.parametrize(("written", "seconds"), [("", None), ("0", None), ("7", 7.0), ("600", 60.0)])
def test_a_try_to_connect_takes_as_long_as_it_may(written: str, seconds: float | None) -> None:
    assert address.parse(f"{HOST}?connect_timeout={written}").connect_seconds == seconds
