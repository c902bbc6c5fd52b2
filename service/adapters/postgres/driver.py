"""Arguments of asyncpg for an address, and the settings of libpq that asyncpg does not know.

asyncpg fills in what it is not told from `PG*` variables, for sockets too, and fails on what they say. So everything that an address
decides is told: the address of the embedded server decides all.
"""

import os
import socket
import ssl
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from service.adapters.postgres.address import Address

_ARGUMENTS = ("passfile", "servicefile")
_GSS_LIBRARIES = ("gssapi", "sspi")
_OF_SOCKETS = ("service", "gsslib")
_TLS_VERSIONS = {"ssl_min_protocol_version": "minimum_version", "ssl_max_protocol_version": "maximum_version"}
_KEEPALIVE_OPTIONS = {
    "keepalives_idle": "TCP_KEEPIDLE",
    "keepalives_interval": "TCP_KEEPINTVL",
    "keepalives_count": "TCP_KEEPCNT",
    "tcp_user_timeout": "TCP_USER_TIMEOUT",
}
_DEFAULT_NAME = "pocha"


def arguments(address: Address, environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Return the arguments of `asyncpg.connect`, but for host, port and timeouts.

    Raises:
        OSError, ValueError: a file of certificates cannot be read.
    """
    named = {"application_name": address.application_name or _DEFAULT_NAME}
    library = address.parameters.get("gsslib") or environment.get("PGGSSLIB")
    return {
        "dsn": _address_of_parameters(address),
        "user": address.user,
        "password": address.password,
        "database": address.database,
        **{name: address.parameters[name] for name in _ARGUMENTS if name in address.parameters},
        "ssl": False if address.is_local else _system_context(address),
        "direct_tls": False if address.is_local else None,
        "krbsrvname": address.parameters.get("krbsrvname") or ("postgres" if address.is_local else None),
        "gsslib": library if library in _GSS_LIBRARIES else "gssapi",
        "server_settings": named | ({"options": address.options} if address.options else {}),
        "target_session_attrs": address.session,
    }


def keep_alive(opened: socket.socket, settings: Mapping[str, int]) -> None:
    """Configure TCP keepalives as libpq does: on by default; 0 keeps the system's value."""
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, min(settings.get("keepalives", 1), 1))
    for name, option in _KEEPALIVE_OPTIONS.items():
        if settings.get(name) and hasattr(socket, option):
            opened.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), settings[name])


def _address_of_parameters(address: Address) -> str | None:
    """Return an address with the parameters that asyncpg takes only from addresses."""
    told = {name: value for name, value in address.parameters.items() if name not in _ARGUMENTS}
    if address.is_local:
        told = {name: value for name, value in told.items() if name in _OF_SOCKETS}
    return f"postgresql://?{urlencode(told)}" if told else None


def _system_context(address: Address) -> ssl.SSLContext | None:
    """Return the TLS of `sslrootcert=system`, which asyncpg takes for a file: the system's authorities are trusted."""
    parameters = address.parameters
    if parameters.get("sslrootcert") != "system":
        return None
    context = ssl.create_default_context()
    context.set_alpn_protocols(["postgresql"])
    for name, attribute in _TLS_VERSIONS.items():
        if name in parameters:
            setattr(context, attribute, ssl.TLSVersion[parameters[name].replace(".", "_")])
    if "sslcrl" in parameters:
        context.load_verify_locations(cafile=parameters["sslcrl"])
        context.verify_flags |= ssl.VERIFY_CRL_CHECK_CHAIN
    if "sslcert" in parameters:
        context.load_cert_chain(
            parameters["sslcert"], parameters.get("sslkey"), lambda: parameters.get("sslpassword", "")
        )
    return context
