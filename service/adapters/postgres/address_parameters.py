"""The parameters of a database's address: what is known of each, and what is done about it."""

from collections.abc import Iterable, Mapping

import msgspec

MOST_CONNECT_SECONDS = 60


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


_READ_ELSEWHERE = _words(
    "host hostaddr port user password dbname database application_name fallback_application_name options"
)
_OF_THE_DRIVER = _words(
    "passfile service sslcert sslkey sslrootcert sslnegotiation sslcrl sslpassword "
    "ssl_min_protocol_version ssl_max_protocol_version krbsrvname gsslib servicefile"
)
_KEEPALIVES = _words("keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout")
_CHOSEN = _words("sslmode ssl ssl_require sslaccept requiressl channel_binding connect_timeout target_session_attrs")
_ONLY_WITHOUT_EFFECT: Mapping[str, frozenset[str]] = {
    "client_encoding": frozenset({"auto", "utf8", "utf-8", "unicode"}),
    "gssdelegation": frozenset({"0"}),
    "gssencmode": frozenset({"disable", "prefer"}),
    "load_balance_hosts": frozenset({"disable", "random"}),
    "max_protocol_version": frozenset({"latest", "3.0", "3.2"}),
    "min_protocol_version": frozenset({"3.0"}),
    "replication": frozenset({"0", "no", "off", "false"}),
    "sslcertmode": frozenset({"allow"}),
    "sslcompression": frozenset({"0", "1"}),
    "sslsni": frozenset({"1"}),
}
"""Parameters of libpq that the driver does not know, with the values by which it behaves all the same."""
_BEYOND_THE_DRIVER = _words(
    "require_auth requirepeer sslcrldir sslkeylogfile scram_client_key scram_server_key "
    "oauth_issuer oauth_client_id oauth_client_secret oauth_scope"
)
_OF_OTHERS: Mapping[str, str] = {
    "Prisma": "schema pgbouncer connection_limit pool_timeout socket_timeout statement_cache_size sslidentity sslpassphrase "
    "single_use_connections max_idle_connection_lifetime max_connection_lifetime",
    "SQLAlchemy and asyncpg": "async_fallback prepared_statement_cache_size prepared_statement_name_func command_timeout "
    "max_cached_statement_lifetime max_cacheable_statement_size pool_size max_overflow pool_recycle pool_pre_ping timeout "
    "min_size max_size",
    "Django": "conn_max_age conn_health_checks disable_server_side_cursors atomic_requests engine",
    "Rails": "pool adapter encoding reaping_frequency checkout_timeout prepared_statements advisory_locks idle_timeout "
    "min_messages schema_search_path variables insert_returning statement_limit",
    "JDBC": "currentschema applicationname preparethreshold tcpkeepalive sockettimeout logintimeout connecttimeout "
    "rewritebatchedinserts stringtype binarytransfer targetservertype loadbalancehosts defaultrowfetchsize sslfactory "
    "preparedstatementcachequeries assumeminserverversion",
    "Node.js": "max min idletimeoutmillis connectiontimeoutmillis statement_timeout query_timeout lock_timeout "
    "idle_in_transaction_session_timeout keepalive uselibpqcompat prepare max_lifetime fetch_types allowexitonidle",
    "Go": "pool_max_conns pool_min_conns pool_max_conn_lifetime pool_max_conn_idle_time pool_health_check_period "
    "pool_max_conn_lifetime_jitter default_query_exec_mode statement_cache_capacity statement_cache_mode "
    "description_cache_capacity binary_parameters search_path sslinline pool_min_idle_conns",
    "Npgsql": "pooling maxpoolsize minpoolsize minimum_pool_size maximum_pool_size commandtimeout trust_server_certificate "
    "no_reset_on_close multiplexing include_error_detail",
    "providers": "supa workaround pool_mode prepare_threshold application server_version serverversion charset",
}
_IGNORED = frozenset(name for names in _OF_OTHERS.values() for name in names.split())
_TLS_OF_NODE: Mapping[str, str] = {
    **dict.fromkeys(("true", "1", "require", "no-verify", "required"), "require"),
    **dict.fromkeys(("false", "0", "disable", "disabled"), "disable"),
    **{mode: mode for mode in ("allow", "prefer", "verify-ca", "verify-full")},
}
_WEAKER_THAN_REQUIRE = frozenset({"", "allow", "prefer"})
_SESSIONS: Mapping[str, str] = {"any": "read-write", "read-write": "read-write", "primary": "primary"}
_NO_BINDING = (
    "the driver has no channel binding: channel_binding=require is honoured as sslmode=require; "
    "against a server in between use sslmode=verify-full&sslrootcert=system"
)
_TRUE = frozenset({"1", "true", "yes", "on"})
_LONGEST_NAME = 40


class InvalidAddress(ValueError):
    """The address cannot be used; the message says why, and quotes no value of it."""


class Choices(msgspec.Struct, frozen=True):
    """What the parameters choose; see `Address`."""

    parameters: Mapping[str, str]
    session: str
    connect_seconds: float | None
    keepalives: Mapping[str, int]
    warnings: tuple[str, ...]


def read(given: Mapping[str, str]) -> Choices:
    """Return what the parameters `given` choose.

    Raises:
        InvalidAddress: one of them is unknown, or cannot be honoured.
    """
    ignored = [name for name in given if not _is_honoured(name, given)]
    mode, said = _tls_mode(given)
    parameters = {name: value for name, value in given.items() if name in _OF_THE_DRIVER and value}
    return Choices(
        {**parameters, **({"sslmode": mode} if mode else {})},
        _session(given.get("target_session_attrs") or "any"),
        _connect_seconds(given.get("connect_timeout", "")),
        {name: _whole_number(name, given[name]) for name in sorted(_KEEPALIVES & given.keys())},
        (*map(_ignored, ignored), *said),
    )


def _is_honoured(name: str, given: Mapping[str, str]) -> bool:
    """Tell whether the parameter is honoured rather than ignored."""
    if name == "hostaddr" and given.get("host"):
        raise InvalidAddress("the parameter hostaddr cannot be honoured beside host; name the host alone")
    if name in _ONLY_WITHOUT_EFFECT and given[name].lower() not in _ONLY_WITHOUT_EFFECT[name]:
        raise InvalidAddress(f"the parameter {name} cannot be honoured with this value")
    if name in _BEYOND_THE_DRIVER:
        raise InvalidAddress(f"the parameter {name} cannot be honoured")
    if name in _READ_ELSEWHERE | _OF_THE_DRIVER | _KEEPALIVES | _CHOSEN | _ONLY_WITHOUT_EFFECT.keys():
        return True
    if name.lower().replace("-", "_") not in _IGNORED:
        raise InvalidAddress(
            f"the parameter {_shown(name)} is unknown; settings of the server's sessions are given as options=-c%20NAME=VALUE"
        )
    return False


def _shown(name: str) -> str:
    return "".join(letter for letter in name[:_LONGEST_NAME] if letter.isprintable())


def _ignored(name: str) -> str:
    return f"the parameter {name} of the database's address is another driver's, and ignored"


def _tls_mode(given: Mapping[str, str]) -> tuple[str, Iterable[str]]:
    """Return the `sslmode` that is asked for, empty where none is, and what the operator should know of it."""
    mode = _named_mode(given)
    if given.get("sslrootcert") == "system":
        if mode not in {"", "verify-full"}:
            raise InvalidAddress("the parameter sslrootcert=system needs sslmode=verify-full")
        mode = "verify-full"
    binding = given.get("channel_binding", "prefer")
    if binding not in {"disable", "prefer", "require"}:
        raise InvalidAddress("the parameter channel_binding is none of disable, prefer, require")
    if binding != "require":
        return mode, ()
    if mode == "disable":
        raise InvalidAddress("the parameter channel_binding=require contradicts sslmode=disable")
    mode = "require" if mode in _WEAKER_THAN_REQUIRE else mode
    if mode == "verify-full":
        return mode, ()
    return mode, [_NO_BINDING]


def _named_mode(given: Mapping[str, str]) -> str:
    if given.get("sslaccept") == "strict" and not given.get("sslmode"):
        return "verify-full"
    is_required = any(given.get(name, "").lower() in _TRUE for name in ("requiressl", "ssl_require"))
    written = given.get("sslmode") or given.get("ssl") or ("require" if is_required else "")
    if written and written.lower() not in _TLS_OF_NODE:
        name = "sslmode" if given.get("sslmode") else "ssl"
        raise InvalidAddress(f"the parameter {name} is none of disable, allow, prefer, require, verify-ca, verify-full")
    return _TLS_OF_NODE.get(written.lower(), "")


def _session(written: str) -> str:
    if written not in _SESSIONS:
        raise InvalidAddress(
            "the parameter target_session_attrs must be any, read-write or primary: the service writes"
        )
    return _SESSIONS[written]


def _connect_seconds(written: str) -> float | None:
    """Return how long one try to connect may take, a minute at most; 0, in libpq forever, leaves the default."""
    seconds = _whole_number("connect_timeout", written) if written else 0
    return float(min(seconds, MOST_CONNECT_SECONDS)) or None


def _whole_number(name: str, written: str) -> int:
    try:
        number = int(written)
    except ValueError:
        number = -1
    if not 0 <= number < 1 << 31:
        raise InvalidAddress(f"the parameter {name} is no whole number")
    return number
