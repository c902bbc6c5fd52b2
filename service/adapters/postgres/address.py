"""The address of a database: `postgresql://user:password@host:port/name?parameter=value`, as libpq and providers write it.

Parameters of libpq are honoured, or refused by name where the driver cannot honour them. Parameters of other drivers and of ORMs, which
say nothing to a server, are ignored with a warning. Any other parameter is refused by name. No message quotes a value: it may be secret.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from urllib.parse import unquote, urlsplit

import msgspec

from service.adapters.postgres import address_parameters
from service.adapters.postgres.address_parameters import InvalidAddress

DEFAULT_PORT = 5432
_LAST_PORT = 65_535


class Address(msgspec.Struct, frozen=True):
    """What an address says. What it leaves out is none, and filled in by the driver: from `PG*` variables, or a default.

    `hosts` are names, IP addresses or folders of sockets, tried in this order; `ports` has one entry a host, or one for all. `password` is
    empty where the address says that there is none (`user:@host`). `parameters` are those that the driver takes by their names in libpq,
    `keepalives` libpq's settings of the TCP connection. `warnings` are sentences for the operator.
    """

    hosts: tuple[str, ...]
    ports: tuple[int, ...]
    user: str | None
    password: str | None
    database: str | None
    parameters: Mapping[str, str]
    application_name: str | None
    options: str | None
    session: str
    connect_seconds: float | None
    keepalives: Mapping[str, int]
    warnings: tuple[str, ...]

    @property
    def endpoints(self) -> Sequence[tuple[str, int]]:
        """The hosts, each with its port; none where the address names no host."""
        ports = self.ports or (DEFAULT_PORT,)
        return list(zip(self.hosts, ports * len(self.hosts) if len(ports) == 1 else ports, strict=True))

    @property
    def is_local(self) -> bool:
        """Tell whether all hosts are sockets: no TLS there, whatever is asked for, as in libpq."""
        return bool(self.hosts) and all(host.startswith("/") for host in self.hosts)

    def __str__(self) -> str:
        """Return which database it is, without user and password."""
        hosts = ",".join(map(_written, self.endpoints)) or "the default host"
        return f"{self.database or self.user or 'the default database'} at {hosts}"


@lru_cache(maxsize=64)
def parse(address: str) -> Address:
    """Return what `address` says.

    Raises:
        InvalidAddress: it is malformed, or has a parameter that is unknown or cannot be honoured.
    """
    scheme, _, _ = address.partition("://")
    if scheme.partition("+")[0] not in {"postgresql", "postgres"}:
        raise InvalidAddress("it must begin with postgresql://")
    try:
        split = urlsplit(address)
    except ValueError:  # it may quote the password
        raise InvalidAddress("it is malformed") from None
    _require_escaped(split.netloc, split.path, split.query, split.fragment)
    login, _, authority = split.netloc.rpartition("@")
    given = dict(_pairs(split.query))
    choices = address_parameters.read(given)
    hosts, ports = _hosts(authority, given.get("host") or given.get("hostaddr"), given.get("port"))
    user, _, password = login.partition(":")
    return Address(
        hosts,
        ports,
        unquote(user) or given.get("user") or None,
        unquote(password) if ":" in login else given.get("password"),
        unquote(split.path.removeprefix("/")) or given.get("dbname") or given.get("database") or None,
        choices.parameters,
        given.get("application_name") or given.get("fallback_application_name") or None,
        given.get("options") or None,
        choices.session,
        choices.connect_seconds,
        choices.keepalives,
        choices.warnings,
    )


def _require_escaped(netloc: str, path: str, query: str, fragment: str) -> None:
    """Refuse an address whose password has characters that end it early, before a piece of it is taken for a name."""
    if fragment or "@" in path or ("@" in query and "@" not in netloc) or "@" in netloc.rpartition("@")[0]:
        raise InvalidAddress("it is malformed: in a password @ / ? and # are written %40 %2F %3F and %23")


def _pairs(query: str) -> Iterator[tuple[str, str]]:
    """Yield the parameters. As in libpq a + is no space."""
    for field in filter(None, query.split("&")):
        name, _, value = field.partition("=")
        yield unquote(name), unquote(value)


def _hosts(authority: str, named: str | None, port: str | None) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return hosts and ports of `h1:1,[::1]:2`; parameters stand in where the authority names none."""
    pieces = [_host_and_port(piece) for piece in authority.split(",")] if authority else []
    hosts = tuple(host for host, _ in pieces) if any(host for host, _ in pieces) else _listed(named)
    ports = tuple(_port(port) for _, port in pieces) if any(port for _, port in pieces) else ()
    ports = ports or tuple(map(_port, _listed(port)))
    if not all(hosts):
        raise InvalidAddress("a host in its list is empty")
    if len(ports) > 1 and len(ports) != len(hosts):
        raise InvalidAddress("it has another number of ports than of hosts")
    return hosts, ports


def _listed(written: str | None) -> tuple[str, ...]:
    return tuple(written.split(",")) if written else ()


def _host_and_port(piece: str) -> tuple[str, str]:
    if piece.startswith("["):
        host, _, rest = piece[1:].partition("]")
        return unquote(host), rest.removeprefix(":")
    host, _, port = piece.partition(":")
    return unquote(host), port


def _port(written: str) -> int:
    if not written:
        return DEFAULT_PORT
    if not (written.isascii() and written.isdigit() and 0 < int(written[:6]) <= _LAST_PORT):
        raise InvalidAddress("its port is no number from 1 to 65535")
    return int(written)


def _written(endpoint: tuple[str, int]) -> str:
    host, port = endpoint
    if host.startswith("/"):
        return host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def warnings_of(addresses: Iterable[str]) -> Iterator[str]:
    """Yield what the operator should know of some addresses, each sentence once."""
    yield from dict.fromkeys(warning for address in addresses for warning in parse(address).warnings)
