import pytest

from service.adapters.postgres import codec
from tests.adapters.samples import EVENTS


def test_events_read_back_as_they_were_written() -> None:
    assert codec.decode(codec.FORMAT, codec.encode(EVENTS)) == EVENTS


def test_events_are_written_as_json_tagged_by_type() -> None:
    written = b'[{"type":"bid_made","seat":1,"bid":2},{"type":"card_played","seat":0,"card":"oros-1"}]'
    assert codec.encode(EVENTS) == written


def test_an_unknown_format_is_named_and_not_guessed_at() -> None:
    with pytest.raises(codec.Unreadable, match=r"format 2; .* only format 1"):
        codec.decode(2, codec.encode(EVENTS))


@pytest.mark.parametrize(
    "payload", [b"", b"[", b"{}", b'[{"type":"unheard_of"}]', b'[{"type":"bid_made","seat":1}]', b"[\xff]"]
)
def test_a_damaged_payload_is_no_event(payload: bytes) -> None:
    with pytest.raises(codec.Unreadable, match="do not fit format 1"):
        codec.decode(1, payload)
