"""The sender of web hooks: HTTP requests to addresses that are checked after their names are resolved.

A name is resolved once for a connection, and the connection goes to the very address that was checked: a name that resolves to another
address a moment later (DNS rebinding) gains nothing. TLS still verifies the name.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import cast

import httpcore
from httpcore import AsyncNetworkStream
from typing_extensions import override

from service.application.ports import Failure, HookSender, Receipt
from service.application.webhooks import targets

SECONDS = 15.0
"""Time limit of one request, from the resolution of the name to the end of the answer's head."""
_MAX_CONNECTIONS = 200
_MAX_ADDRESSES = 4
_SUCCESS = range(200, 300)

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a name, as text; raises `OSError` if there are none."""


class ForbiddenAddress(Exception):
    """The name resolves to an address to which nothing is sent."""


class HttpHookSender(HookSender):
    """Adapter of `service.application.ports.HookSender` to HTTP/1.1. With `allows_private`, any address may be connected to.

    Each request has a connection of its own, the answer's body is not read, and proxies of the environment are not used.
    """

    def __init__(
        self, *, allows_private: bool = False, seconds: float = SECONDS, resolve: Resolve | None = None
    ) -> None:
        self._seconds = seconds
        self._pool = httpcore.AsyncConnectionPool(
            max_connections=_MAX_CONNECTIONS,
            max_keepalive_connections=0,
            network_backend=_PinnedAddresses(resolve or resolve_by_system, allows_private=allows_private),
        )

    @override
    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Receipt:
        try:
            async with asyncio.timeout(self._seconds):
                status = await self._status(url, headers, body)
        except (TimeoutError, httpcore.TimeoutException):
            return Receipt(failure=Failure.TIMEOUT)
        except ForbiddenAddress:
            return Receipt(failure=Failure.FORBIDDEN_ADDRESS)
        except (OSError, httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol, ValueError):
            return Receipt(failure=Failure.UNREACHABLE)
        return Receipt(status, None if status in _SUCCESS else Failure.STATUS)

    async def _status(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        async with self._pool.stream("POST", url, headers=list(headers.items()), content=body) as response:
            return response.status


class _PinnedAddresses(httpcore.AsyncNetworkBackend):
    """Connects to the addresses of a name that may be connected to."""

    def __init__(self, resolve: Resolve, *, allows_private: bool) -> None:
        self._resolve = resolve
        self._allows_private = allows_private
        self._network = cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())  # typed as if anyio were missing

    @override
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> AsyncNetworkStream:
        *others, last = self._permitted(await self._resolve(host, port))
        for address in others:
            try:
                return await self._network.connect_tcp(address, port, timeout, local_address, socket_options)
            except httpcore.ConnectError:
                continue
        return await self._network.connect_tcp(last, port, timeout, local_address, socket_options)

    def _permitted(self, addresses: Sequence[str]) -> Sequence[str]:
        """Return the addresses; a name with a private one among them is refused as a whole.

        Raises:
            ForbiddenAddress: as the name says.
        """
        if not addresses:
            raise OSError("the name has no address")
        if not self._allows_private and not all(map(targets.is_public, addresses)):
            raise ForbiddenAddress
        return addresses[:_MAX_ADDRESSES]


async def resolve_by_system(host: str, port: int) -> Sequence[str]:
    """Return the addresses of a name as the system resolves it, without repetitions."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))
