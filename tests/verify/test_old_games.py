"""A game of step 1's log, written by step 1's code: it knows no client seeds and no drawn seats, and its record is right all the same."""

from datetime import datetime
from pathlib import Path
from uuid import UUID

import msgspec

from service.adapters.postgres import codec
from service.application.ports import Commit
from service.application.record.build import record_of
from service.application.record.verify import verify

STORED = Path(__file__).parent / "data" / "step-1-game.json"


class Row(msgspec.Struct):
    """A row of the table `game_commit`, without the columns that say nothing of the game."""

    game_id: UUID
    seq: int
    recorded_at: datetime
    format: int
    payload: msgspec.Raw

    def commit(self) -> Commit:
        """Return the commit as the log's adapters read it."""
        events = codec.decode(self.format, bytes(self.payload))
        return Commit(self.game_id, self.seq, UUID(int=self.seq), b"", self.recorded_at, events)


def commits() -> list[Commit]:
    return [row.commit() for row in msgspec.json.decode(STORED.read_bytes(), type=list[Row])]


def test_the_stored_log_knows_nothing_of_what_came_later() -> None:
    text = STORED.read_text()
    assert '"game_over"' in text
    assert "client_seed" not in text
    assert '"order":[' not in text
    assert '"house_rules"' not in text


def test_its_record_is_right() -> None:
    rows = commits()
    record = record_of(rows[0].game_id, rows)
    document = msgspec.json.encode(record)
    assert verify(document).hands == len(record.hands) == 3
    assert b'"order":[' not in document
    assert record.client_seeds == ()
    assert [seat.robot is not msgspec.UNSET for seat in record.seats].count(True) == 2
