"""The address of a client: the peer of the connection, or what trusted proxies say in `X-Forwarded-For`."""

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Network = IPv4Network | IPv6Network

_CACHED = 10_000
_MAX_CACHED_LENGTH = 512
"""Longer lists of proxies are not cached: only an attack on memory sends them."""
_MAX_HOPS = 20
_IPV6_PREFIX_BITS = 64


def networks_of(written: str) -> tuple[Network, ...]:
    """Return the networks in a list such as `10.0.0.0/8, fd00::/8`; a single address counts as a network.

    Raises:
        ValueError: an item is not a network.
    """
    return tuple(ip_network(each.strip()) for each in written.split(",") if each.strip())


class ClientAddresses:
    """Finds the addresses of clients behind trusted `proxies`. Without any (`trusts_proxies` is false), `X-Forwarded-For` is ignored."""

    def __init__(self, proxies: Sequence[Network] = ()) -> None:
        self._proxies = proxies
        self.trusts_proxies = bool(proxies)
        self._cached_key_of = lru_cache(_CACHED)(self._key_of)

    def key_of(self, peer: str, forwarded_for: str) -> str:
        """Return the key under which requests of a client are counted.

        `peer` is the address of the connection, `forwarded_for` the header `X-Forwarded-For`. The client is the last address in it that
        is not a trusted proxy. IPv6 addresses count by their /64 network: a client that has one address has all of it.
        """
        hops = _last_hops(forwarded_for) if self.trusts_proxies else ""
        return self._cached_key_of(peer, hops) if len(hops) <= _MAX_CACHED_LENGTH else self._key_of(peer, hops)

    def _key_of(self, peer: str, hops: str) -> str:
        address = _address(peer)
        if address is None:
            return "unknown"
        for written in reversed(hops.split(",")):
            before = _address(written)
            if before is None or not self._is_trusted(address):
                break
            address = before
        return _client_network(address)

    def _is_trusted(self, address: IPv4Address | IPv6Address) -> bool:
        return any(address in network for network in self._proxies)


def _last_hops(forwarded_for: str) -> str:
    return ",".join(forwarded_for.rsplit(",", _MAX_HOPS)[-_MAX_HOPS:])


def _address(written: str) -> IPv4Address | IPv6Address | None:
    """Return an address of the header, which may have a port; None where it is malformed."""
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


def _client_network(address: IPv4Address | IPv6Address) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    return str(ip_network((address, _IPV6_PREFIX_BITS), strict=False))
