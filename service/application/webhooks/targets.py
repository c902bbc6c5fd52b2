"""Where web hooks may be sent to: public addresses, so that no app reaches into the network of the service (SSRF)."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

MAX_URL_LENGTH = 500
_HTTPS_PORT = 443
_FIRST_FREE_PORT = 1024
_LAST_PORT = 65535
_PRINTABLE = re.compile(r"[!-~]+")
# Labels, of which the last is no number: `0x7f.1` is an address, and a name without a dot is one of this network.
_PUBLIC_NAME = re.compile(r"([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?")

# The special-purpose registries of IANA. Not `is_global`: what that means differs among the versions of Python.
_SPECIAL_IPV4 = tuple(
    map(
        ip_network,
        (
            *(
                "0.0.0.0/8",
                "10.0.0.0/8",
                "100.64.0.0/10",
                "127.0.0.0/8",
                "169.254.0.0/16",
                "172.16.0.0/12",
                "192.0.0.0/24",
            ),
            *(
                "192.0.2.0/24",
                "192.31.196.0/24",
                "192.52.193.0/24",
                "192.88.99.0/24",
                "192.168.0.0/16",
                "192.175.48.0/24",
            ),
            *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"),
        ),
    )
)
# Everything outside of it is special: loopback, link-local, unique local, multicast, mapped and translated (NAT64) IPv4.
_GLOBAL_IPV6 = ip_network("2000::/3")
_SPECIAL_IPV6 = tuple(map(ip_network, ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")))


class ForbiddenTarget(Exception):
    """A web hook may not be sent there."""


def is_public(address: str) -> bool:
    """Tell whether an IP address, as text, is one of the public internet."""
    try:
        found = ip_address(address)
    except ValueError:  # such as one with a zone
        return False
    match found:
        case IPv4Address():
            return not any(found in network for network in _SPECIAL_IPV4)
        case IPv6Address():
            return found in _GLOBAL_IPV6 and not any(found in network for network in _SPECIAL_IPV6)


def require_target(url: str, *, allows_private: bool) -> None:
    """Return if a web hook may have this URL. The addresses of a name are checked when it is connected to.

    With `allows_private`, any address, any port and `http` may be named.

    Raises:
        ForbiddenTarget: it may not.
    """
    if len(url) > MAX_URL_LENGTH or not _PRINTABLE.fullmatch(url) or "\\" in url:
        raise ForbiddenTarget
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ForbiddenTarget from None
    host = parts.hostname
    if not host or parts.scheme not in ("https", "http") or "@" in parts.netloc or parts.fragment or port == 0:
        raise ForbiddenTarget
    if not allows_private:
        _require_public(parts.scheme, host, port)


def _require_public(scheme: str, host: str, port: int | None) -> None:
    if scheme != "https" or not (port in (None, _HTTPS_PORT) or _FIRST_FREE_PORT <= (port or 0) <= _LAST_PORT):
        raise ForbiddenTarget
    if ":" in host or host.replace(".", "").isdigit():
        is_allowed = is_public(host)
    else:
        name = host.removesuffix(".")
        is_allowed = bool(_PUBLIC_NAME.fullmatch(name)) and not name.endswith((".localhost", ".local", ".internal"))
    if not is_allowed:
        raise ForbiddenTarget
