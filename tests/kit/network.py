"""Two network namespaces joined by a cable, in one of which a client can vanish without a word. Nothing leaves them."""

import ctypes
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

SERVER, CLIENT = "192.0.2.1", "192.0.2.2"
_MAC = "02:00:00:00:00:02"
_NAMESPACES = Path("/run/netns")
_CLONE_NEWNET = 0x40000000


class Network:
    """A server's and a client's end."""

    def __init__(self) -> None:
        name = uuid4().hex[:8]
        self.server, self.client = f"pocha-{name}-s", f"pocha-{name}-c"

    def connect(self) -> None:
        """Make the namespaces and the cable between them.

        Raises:
            subprocess.CalledProcessError: it is not allowed here.
        """
        for namespace in (self.server, self.client):
            _ip("netns", "add", namespace)
        cable = ("type", "veth", "peer", "name", "end", "address", _MAC, "netns", self.client)
        _ip("-n", self.server, "link", "add", "end", *cable)
        for namespace, address in ((self.server, SERVER), (self.client, CLIENT)):
            _ip("-n", namespace, "address", "add", f"{address}/30", "dev", "end")
            _ip("-n", namespace, "link", "set", "end", "up")
        # The server's kernel must not learn from ARP that the client has gone.
        _ip("-n", self.server, "neighbour", "replace", CLIENT, "lladdr", _MAC, "dev", "end", "nud", "permanent")

    def lose_client(self) -> None:
        """Let all packets to the client be lost, and no more come from it, as from a phone without signal."""
        _ip("-n", self.client, "address", "delete", f"{CLIENT}/30", "dev", "end")

    def remove(self) -> None:
        """Remove the namespaces."""
        for namespace in (self.server, self.client):
            subprocess.run(["ip", "netns", "delete", namespace], capture_output=True, check=False)


@contextmanager
def network() -> Generator[Network]:
    """Make a network; skip the test where that is not allowed."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        pytest.skip("network namespaces take root and iproute2")
    made = Network()
    try:
        try:
            made.connect()
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network namespaces here: {error.stderr.decode().strip()}")
        yield made
    finally:
        made.remove()


def socket_in(namespace: str, make: Callable[[], socket.socket]) -> socket.socket:
    """Return a socket that was made in a namespace, where it stays; by a thread, since only a thread can be moved there."""

    def moved() -> socket.socket:
        with (_NAMESPACES / namespace).open("rb") as there:
            libc = ctypes.CDLL(None, use_errno=True)
            if libc.setns(there.fileno(), _CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")
        return make()

    with ThreadPoolExecutor(1) as threads:
        return threads.submit(moved).result()


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], capture_output=True, check=True)
