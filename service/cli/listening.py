"""The socket that the server listens on."""

import socket

_BACKLOG = 2048

IDLE_SECONDS = 15
PROBE_SECONDS = 5
MAX_PROBES = 3
UNACKNOWLEDGED_SECONDS = 25
"""How long a client may acknowledge nothing: with the heartbeat of a stream before it, a vanished phone is gone after 40 seconds."""


class CannotListen(OSError):
    """The address cannot be used; the message names its settings."""


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens at the address; the connections that it accepts end when their client has vanished.

    Raises:
        CannotListen: the address is taken, forbidden, or not of this machine.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listening = socket.create_server(address, family=family, backlog=_BACKLOG)
    except OSError as error:
        raise CannotListen(f"POCHA_HOST, POCHA_PORT: cannot listen at {host}:{port}: {error.strerror}") from error
    _detect_vanished_clients(listening)
    return listening


def _detect_vanished_clients(listening: socket.socket) -> None:
    """Set keepalive for connections that are silent, and a timeout for data that nobody acknowledges; accepted sockets inherit both.

    The kernel sends no keepalive probes while data is unacknowledged, and otherwise repeats the data for a quarter of an hour.
    """
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    options = {
        "TCP_KEEPIDLE": IDLE_SECONDS,
        "TCP_KEEPINTVL": PROBE_SECONDS,
        "TCP_KEEPCNT": MAX_PROBES,
        "TCP_USER_TIMEOUT": UNACKNOWLEDGED_SECONDS * 1000,
    }
    for name, value in options.items():
        if hasattr(socket, name):  # not every system has all of them
            listening.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def url_of(listening: socket.socket) -> str:
    """Return the URL of a server at the socket, such as `http://127.0.0.1:8000`; the socket knows the port that was chosen for port 0."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
