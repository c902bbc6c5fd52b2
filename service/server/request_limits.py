"""How much of a request is taken in: whoever sends more is told so, and heard no further.

A browser sends some 2 kB of head in 20 fields, and no client of ours an address of more than some hundred bytes.
"""

from http import HTTPStatus

MOST_URL_BYTES = 8 * 1024
MOST_HEAD_BYTES = 32 * 1024
MOST_FIELDS = 100
MOST_UNREAD_BYTES = 1024 * 1024
"""How much of a body is let in and thrown away after its answer; who sends more of it does not listen."""


class TooMuch(Exception):
    """It goes beyond what is taken in."""


class RequestLimits:
    """What has come of the present request of a connection. `piece`, `url` and `field` may raise `TooMuch`.

    `refusal` is the status to answer, once there is something to be refused; what does not even parse is 400.
    """

    __slots__ = (
        "_began_now",
        "_field_bytes",
        "_fields",
        "_piece_bytes",
        "_unread",
        "_url_bytes",
        "is_in_head",
        "refusal",
    )

    def __init__(self) -> None:
        self.begin()
        self.is_in_head = self._began_now = False
        self.refusal = HTTPStatus.BAD_REQUEST

    def begin(self) -> None:
        """Begin with a request."""
        self.is_in_head = self._began_now = True
        self._url_bytes = self._fields = self._field_bytes = self._piece_bytes = self._unread = 0

    def piece(self, size: int) -> None:
        """Take in a piece of what is sent, after its fields were.

        A field is known only when it is whole. So the pieces of an unfinished head are counted too, but for the first one, which may
        have the end of another request in it.
        """
        if self.is_in_head and not self._began_now:
            self._piece_bytes += size
            if self._piece_bytes > MOST_HEAD_BYTES:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
        self._began_now = False

    def url(self, size: int) -> None:
        """Take in a part of the address."""
        self._url_bytes += size
        if self._url_bytes > MOST_URL_BYTES:
            self._refuse(HTTPStatus.REQUEST_URI_TOO_LONG)

    def field(self, size: int) -> None:
        """Take in a whole field of the head, or of what may follow a body as its trailer."""
        self._fields += 1
        self._field_bytes += size
        if self._fields > MOST_FIELDS or self._field_bytes > MOST_HEAD_BYTES:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def end_head(self) -> None:
        """Go on to the body."""
        self.is_in_head = False

    def lets_go(self, size: int) -> bool:
        """Tell whether so much more of a body that nobody reads may be thrown away."""
        self._unread += size
        return self._unread <= MOST_UNREAD_BYTES

    def _refuse(self, status: HTTPStatus) -> None:
        self.refusal = status
        raise TooMuch
