"""The socket that the server listens on."""

import socket

_BACKLOG = 2048


class CannotListen(OSError):
    """The address cannot be used; the message names its settings."""


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens at the address.

    Raises:
        CannotListen: the address is taken, forbidden, or not of this machine.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address, family=family, backlog=_BACKLOG)
    except OSError as error:
        raise CannotListen(f"POCHA_HOST, POCHA_PORT: cannot listen at {host}:{port}: {error.strerror}") from error


def url_of(listening: socket.socket) -> str:
    """Return the URL of a server at the socket, such as `http://127.0.0.1:8000`; the socket knows the port that was chosen for port 0."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
