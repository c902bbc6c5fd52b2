"""Where a request comes from: the address next to us, or what a proxy that is trusted says of it."""

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Network = IPv4Network | IPv6Network

_KEPT = 10_000
_LONGEST_KEPT = 512
"""Nobody writes a longer list of proxies, except to fill the memory of whoever keeps it."""
_MOST_HOPS = 20
_HOME_BITS = 64


def networks_of(written: str) -> tuple[Network, ...]:
    """Return the networks in a list such as `10.0.0.0/8, fd00::/8`; a single address is a network, too.

    Raises:
        ValueError: one is none.
    """
    return tuple(ip_network(each.strip()) for each in written.split(",") if each.strip())


class ClientAddresses:
    """Tells addresses. `proxies` are the networks whose word is taken for where a request comes from.

    Where it `trusts_anybody`, the header matters.
    """

    def __init__(self, proxies: Sequence[Network] = ()) -> None:
        self._proxies = proxies
        self.trusts_anybody = bool(proxies)
        self._kept = lru_cache(_KEPT)(self._key_of)

    def key_of(self, peer: str, forwarded_for: str) -> str:
        """Return the name under which requests from an address are counted.

        `peer` is the other end of the connection, `forwarded_for` the header `X-Forwarded-For`. Its last address that is not a trusted
        proxy's counts, and only if all behind it are. An IPv6 address counts by its /64: whoever has one has all of them.
        """
        hops = _last_hops(forwarded_for) if self.trusts_anybody else ""
        return self._kept(peer, hops) if len(hops) <= _LONGEST_KEPT else self._key_of(peer, hops)

    def _key_of(self, peer: str, hops: str) -> str:
        address = _address(peer)
        if address is None:
            return "unknown"
        for written in reversed(hops.split(",")):
            before = _address(written)
            if before is None or not self._is_trusted(address):
                break
            address = before
        return _home(address)

    def _is_trusted(self, address: IPv4Address | IPv6Address) -> bool:
        return any(address in network for network in self._proxies)


def _last_hops(forwarded_for: str) -> str:
    return ",".join(forwarded_for.rsplit(",", _MOST_HOPS)[-_MOST_HOPS:])


def _address(written: str) -> IPv4Address | IPv6Address | None:
    """Return an address as it is written in the header, perhaps with a port; none when it is none."""
    host = written.strip()
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _home(address: IPv4Address | IPv6Address) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    return str(ip_network((address, _HOME_BITS), strict=False))
