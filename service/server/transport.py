"""What lies beneath HTTP: a transport that joins what uvicorn writes apart, and the key to break a connection."""

import asyncio
from typing import Any

ABORT = "pocha.abort"
"""The key of `scope["extensions"]` under which a request finds the function that breaks its connection at once."""

_LARGE = 64 * 1024
"""From so many bytes on nothing is held back: the transport beneath has to see what piles up, to pause its writer."""


class JoiningTransport(asyncio.Transport):
    """Sends together what is written in one turn of the event loop, above all the head and the body of an answer.

    A write on a socket costs more than to read a small request, and wakes the reader for half an answer.
    """

    def __init__(self, beneath: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._beneath = beneath
        self._loop = loop
        self._held: list[bytes] = []
        self._size = 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send `data` before the event loop does anything new."""
        if not self._held:
            self._loop.call_soon(self._flush)
        self._held.append(bytes(data))
        self._size += len(data)
        if self._size >= _LARGE:
            self._flush()

    def close(self) -> None:
        """Close after everything was sent."""
        self._flush()
        self._beneath.close()

    def write_eof(self) -> None:
        """Send everything, and say that nothing more will come; what the other end sends is still read."""
        self._flush()
        self._beneath.write_eof()

    def abort(self) -> None:
        """Close at once."""
        self._held.clear()
        self._beneath.abort()

    def _flush(self) -> None:
        if self._held:
            joined = b"".join(self._held)
            self._held.clear()
            self._size = 0
            # uvloop would not forgive a late word, as for the second of two requests whose sender has gone.
            if not self._beneath.is_closing():
                self._beneath.write(joined)

    def is_closing(self) -> bool:
        """See `asyncio.Transport`."""
        return self._beneath.is_closing()

    def pause_reading(self) -> None:
        """See `asyncio.Transport`."""
        self._beneath.pause_reading()

    def resume_reading(self) -> None:
        """See `asyncio.Transport`."""
        self._beneath.resume_reading()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """See `asyncio.Transport`."""
        return self._beneath.get_extra_info(name, default)
