"""Games logged by earlier versions load, read the same, and have the same records.

`data/step-1-game.json` has rows of `game_commit` by commit b79c5d3. `data/step-N.json.gz` has whole games with their records, by commits
8da5e9b (2), f61c7e4 (3), 33b3b5a (4), 1617e39 (5) and the one that added it (6), played by `tests/verify` of that commit: in 3 to 6 with
absent players and expired turns, in 4 at tables of an app, in 6 by `pocha-shuffle-2`.
"""

import gzip
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest

from domain.pocha.behaviour.evolve import evolve
from domain.pocha.model.events import RobotSeated, SeatLeft, SeatTaken, TurnExpired
from domain.pocha.model.state import Dealing, Finished, NotCreated, State, table_of
from domain.pocha.view.event_view import redact
from domain.pocha.view.game_view import ViewContext, see
from domain.pocha.view.parts import unnamed
from domain.pocha.view.schema import PlayerRef
from service.adapters.postgres import codec
from service.application.ports import Commit
from service.application.record.build import record_of
from service.application.record.known_rules import in_current_form
from service.application.record.verify import verify
from service.application.shuffle import ALGORITHM, FIRST_ALGORITHM
from tests.verify.games import GAME_ID
from tests.verify.tampering import Json, wrong_with

DATA = Path(__file__).parent / "data"


class Row(msgspec.Struct):
    """A row of the table `game_commit`, without the columns that say nothing of the game."""

    recorded_at: datetime
    format: int
    payload: msgspec.Raw
    game_id: UUID = GAME_ID
    seq: int = 0

    def commit(self, seq: int) -> Commit:
        """Return the commit as the log's adapters read it."""
        events = codec.decode(self.format, bytes(self.payload))
        return Commit(self.game_id, seq, UUID(int=seq), b"", self.recorded_at, events)


class Game(msgspec.Struct):
    """A game as it was logged, and its record as it was downloaded."""

    commits: list[Row]
    record: dict[str, Any]

    def log(self) -> list[Commit]:
        return [row.commit(seq) for seq, row in enumerate(self.commits, 1)]

    def shown(self, player_id: str) -> PlayerRef:
        """Return how the player was shown."""
        players = (seat[part] for seat in self.record["seats"] for part in ("player", "away") if part in seat)
        names = {player["player_id"]: player["display_name"] for player in players}
        return PlayerRef(player_id, names.get(player_id, "away"))


def stored(step: int) -> dict[str, Game]:
    return msgspec.json.decode(gzip.decompress((DATA / f"step-{step}.json.gz").read_bytes()), type=dict[str, Game])


OLD = {f"step {step}, {name}": game for step in (2, 3, 4, 5, 6) for name, game in stored(step).items()}
EACH = pytest.mark.parametrize("game", OLD.values(), ids=OLD)


@EACH
def test_a_downloaded_record_is_right(game: Game) -> None:
    assert wrong_with(game.record) is None


def in_format(written: int, hand: Json) -> Json:
    """Return a hand of a record with the bids that the format has."""
    if written != 1:
        return hand
    won = hand.get("auction", {})
    return {**hand, "bids": hand["bids"][1:]} if won.get("locked") else hand


@EACH
def test_the_log_gives_the_record_that_it_gave(game: Game) -> None:
    now: Json = msgspec.json.decode(msgspec.json.encode(record_of(GAME_ID, game.log(), game.shown)))
    assert wrong_with(now) is None
    current = in_current_form(game.record)
    # The ruleset has lost members that had a single value, and so the digest is another. Since format 2, bids that an auction has
    # locked are among the bids, and who was absent at the end is named.
    apart = ("format", "ruleset", "digest", "hands", "seats")
    assert [in_format(game.record["format"], hand) for hand in now["hands"]] == current["hands"]
    assert [{**seat, **was} for seat, was in zip(now["seats"], current["seats"], strict=True)] == now["seats"]
    assert {key: now[key] for key in now if key not in apart} == {
        key: value for key, value in current.items() if key not in apart
    }
    for part, before in current["ruleset"].items():
        if part in now["ruleset"]:
            after = now["ruleset"][part]
            assert (before | after if isinstance(before, dict) else after) == before


@EACH
def test_every_version_is_shown_to_every_viewer(game: Game) -> None:
    state: State = NotCreated()
    for commit in game.log():
        for event in commit.events:
            state = evolve(state, event)
        if isinstance(state, Dealing):  # in these logs of step 2 a hand is dealt by a commit of its own
            continue
        for viewer in (None, *range(len(table_of(state).seats))):
            view = see(
                state, viewer, ViewContext(str(GAME_ID), commit.version, game.log()[0].recorded_at, commit.recorded_at)
            )
            assert view.version == commit.version
            assert all(redact(event, viewer, commit.version, commit.recorded_at) for event in commit.events)
    assert isinstance(state, Finished)


@pytest.mark.parametrize("step", [3, 4, 5, 6])
def test_players_of_these_games_were_absent(step: int) -> None:
    happened = {type(event) for game in stored(step).values() for commit in game.log() for event in commit.events}
    assert happened >= {TurnExpired, SeatLeft, RobotSeated, SeatTaken}


def test_the_games_of_step_4_are_those_of_an_app() -> None:
    logs = [game.log() for game in stored(4).values()]
    states = [evolve(NotCreated(), log[0].events[0]) for log in logs]
    assert [table_of(state).tenant for state in states] == ["taverna"] * 4


def test_the_games_of_step_6_are_the_first_of_which_the_id_is_part_of_the_shuffle() -> None:
    names = {step: {game.record["algorithm"] for game in stored(step).values()} for step in (2, 3, 4, 5, 6)}
    assert names == {step: {ALGORITHM if step == 6 else FIRST_ALGORITHM} for step in names}


STEP_1 = (DATA / "step-1-game.json").read_text()


def test_the_log_of_step_1_knows_nothing_of_what_came_later() -> None:
    assert '"game_over"' in STEP_1
    assert "client_seed" not in STEP_1
    assert '"order":[' not in STEP_1
    assert '"house_rules"' not in STEP_1


def test_the_record_of_step_1_is_right() -> None:
    rows = [row.commit(row.seq) for row in msgspec.json.decode(STEP_1, type=list[Row])]
    record = record_of(rows[0].game_id, rows, unnamed)
    document = msgspec.json.encode(record)
    assert verify(document).hands == len(record.hands) == 3
    assert b'"order":[' not in document
    assert record.client_seeds == ()
    assert [seat.robot is not msgspec.UNSET for seat in record.seats].count(True) == 2
