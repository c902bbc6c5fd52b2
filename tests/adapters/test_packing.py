"""Packing is undone exactly by unpacking."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.pocha.rules.presets import PRESETS
from service.adapters.postgres import codec, packing
from service.adapters.postgres.codec import Unreadable
from tests.verify.games import GAME_ID, game

Rows = list[dict[str, Any]]

TIMES = st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - hypothesis adds it
ROW = st.fixed_dictionaries(
    {
        "command_id": st.uuids(),
        "request_fp": st.binary(max_size=40),
        "recorded_at": TIMES,
        "format": st.integers(0, 2**15 - 1),
        "payload": st.binary(max_size=200),
    }
)


def numbered(rows: Rows) -> Rows:
    return [{"seq": seq, **row, "command_ids": None, "fingerprints": None} for seq, row in enumerate(rows, start=1)]


def rows_of(packed: packing.Packed) -> Rows:
    """Return the rows that were packed, from what was packed."""
    written = packing.unpack(packing.FORMAT, packed.payload)
    keys = zip(packed.command_ids, packed.fingerprints, written, strict=True)
    return numbered(
        [
            {"command_id": command_id, "request_fp": fingerprint, **msgspec.structs.asdict(each)}
            for command_id, fingerprint, each in keys
        ]
    )


def archived(packed: packing.Packed) -> dict[str, Any]:
    """Return the row of `game_archive`, as it is read."""
    return {
        "seq": packed.last_seq,
        "format": packing.FORMAT,
        "payload": packed.payload,
        "command_ids": packed.command_ids,
        "fingerprints": packed.fingerprints,
    }


@given(st.lists(ROW, min_size=1, max_size=30))
def test_whatever_was_stored_comes_out_as_it_went_in(rows: Rows) -> None:
    packed = packing.pack(numbered(rows))
    assert rows_of(packed) == numbered(rows)
    assert (packed.last_seq, packed.ended_at) == (len(rows), rows[-1]["recorded_at"])


@pytest.mark.parametrize("ruleset_id", sorted(PRESETS))
def test_a_real_game_reads_the_same_packed_and_its_events_take_less_than_a_quarter_of_the_bytes(
    ruleset_id: str,
) -> None:
    ruleset = PRESETS[ruleset_id]
    commits = game(ruleset, min(ruleset.players.allowed), f"packed {ruleset_id}", ("luck",))
    rows = numbered(
        [
            {
                "command_id": commit.command_id,
                "request_fp": commit.fingerprint,
                "recorded_at": commit.recorded_at,
                "format": codec.FORMAT,
                "payload": codec.encode(commit.events),
            }
            for commit in commits
        ]
    )
    packed = packing.pack(rows)
    assert rows_of(packed) == rows
    assert list(packing.commits_of(GAME_ID, archived(packed))) == commits
    assert len(packed.payload) < sum(len(row["payload"]) for row in rows) / 4


@pytest.mark.parametrize("versions", [[], [2], [1, 3], [2, 1], [1, 1]])
def test_what_is_not_a_whole_game_is_not_packed(versions: list[int]) -> None:
    row = {
        "command_id": UUID(int=1),
        "request_fp": b"",
        "recorded_at": datetime.now(UTC),
        "format": 1,
        "payload": b"[]",
    }
    with pytest.raises(ValueError, match="not a whole game"):
        packing.pack([{**row, "seq": version} for version in versions])


def test_a_packed_game_that_cannot_be_read_is_not_guessed_at() -> None:
    row = {
        "command_id": UUID(int=1),
        "request_fp": b"",
        "recorded_at": datetime.now(UTC),
        "format": 1,
        "payload": b"[]",
    }
    good = archived(packing.pack(numbered([row, row])))
    for damaged, why in (
        ({**good, "format": 2}, "packed in format 2"),
        ({**good, "payload": b"x"}, "does not fit format 1"),
        ({**good, "payload": good["payload"][:-1]}, "does not fit format 1"),
        ({**good, "command_ids": good["command_ids"][:1]}, "1 commands, and 2 commits"),
    ):
        with pytest.raises(Unreadable, match=why):
            packing.commits_of(GAME_ID, damaged)
