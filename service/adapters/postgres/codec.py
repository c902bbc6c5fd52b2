"""Encoding of events for the log.

Each commit keeps the number of the format that its payload is written in, so that old rows stay readable when the writing changes.
"""

import msgspec

from domain.pocha.model.events import Event

FORMAT = 1
"""The current format: the JSON array of a commit's events, each tagged by its `type`."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(tuple[Event, ...])


class Unreadable(Exception):
    """A payload cannot be read: it was written by a newer version of this service, or it is damaged."""


def encode(events: tuple[Event, ...]) -> bytes:
    """Return `events` in format `FORMAT`."""
    return _encoder.encode(events)


def decode(written_format: int, payload: bytes) -> tuple[Event, ...]:
    """Return the events of a `payload` that was written in `written_format`.

    Raises:
        Unreadable: this version does not know the format, or the payload does not fit it.
    """
    if written_format != FORMAT:
        raise Unreadable(f"events in format {written_format}; this version of the service reads only format {FORMAT}")
    try:
        return _decoder.decode(payload)
    except msgspec.DecodeError as error:
        raise Unreadable(f"events do not fit format {written_format}: {error}") from error
