import socket

import pytest

from service.cli.listening import CannotListen, listening_socket, url_of


def test_a_free_port_is_chosen_for_port_0() -> None:
    with listening_socket("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()) as caller:
        accepted, address = listening.accept()
        accepted.close()
        assert address == caller.getsockname()
        assert url_of(listening) == f"http://127.0.0.1:{caller.getpeername()[1]}"


@pytest.mark.parametrize("host", ["127.0.0.1", "no such host"])
def test_an_address_that_cannot_be_used_is_refused_with_the_names_of_its_settings(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen, match=f"^POCHA_HOST, POCHA_PORT: cannot listen at {host}:{port}: "):
            listening_socket(host, port)
