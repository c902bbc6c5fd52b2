"""The scan that the other tests rely on: it finds a card told too early wherever a viewer may read of one."""

import json
from datetime import UTC, datetime

import msgspec
import pytest

from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.state import Bidding, NotCreated, State
from domain.pocha.rules.presets import LUDOTEKA_EXPRESS_3
from domain.pocha.view.event_view import redact
from domain.pocha.view.game_view import ViewContext, see
from domain.pocha.view.schema import GameView
from tests.e2e.secrets import Ledger
from tests.verify.games import GAME_ID, game

NOW = datetime(2026, 11, 30, tzinfo=UTC)
LOG = game(LUDOTEKA_EXPRESS_3, 3, "secrets")
LEDGER = Ledger(LOG, 3)


def first_bidding() -> tuple[int, State]:
    """Return the version at which the first hand has been dealt, and the game then."""
    state: State = NotCreated()
    for commit in LOG:
        state = fold(state, commit.events)
        if isinstance(state, Bidding):
            return commit.version, state
    raise AssertionError("no hand was dealt")


VERSION, DEALT = first_bidding()


def view(viewer: int | None) -> GameView:
    return see(DEALT, viewer, ViewContext(str(GAME_ID), VERSION, NOW, NOW))


def frame(kind: str, said: object) -> bytes:
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (VERSION, kind.encode(), msgspec.json.encode(said))


def commit(viewer: int | None) -> dict[str, object]:
    events = [redact(event, viewer, VERSION, NOW) for event in LOG[VERSION - 1].events]
    return {"version": VERSION, "events": events, "server_time": NOW, "status": "playing", "turn": view(viewer).turn}


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_a_stream_that_keeps_to_what_its_viewer_may_know_passes(viewer: int | None) -> None:
    stream = b"retry: 2000\n\n: heartbeat\n\n" + frame("snapshot", view(viewer)) + frame("commit", commit(viewer))
    assert LEDGER.check_stream(viewer, stream) > 0
    assert LEDGER.check_stream(viewer, stream[:-1]) < LEDGER.check_stream(viewer, stream)


@pytest.mark.parametrize("kind", ["snapshot", "commit"])
@pytest.mark.parametrize("viewer", [None, 1, 2])
def test_a_stream_that_was_meant_for_another_seat_is_found_out(kind: str, viewer: int | None) -> None:
    meant = frame(kind, view(0) if kind == "snapshot" else commit(0))
    with pytest.raises(AssertionError, match="was told of"):
        LEDGER.check_stream(viewer, b": heartbeat\n\n" + meant)


def test_a_legal_move_told_to_the_wrong_seat_is_found_out() -> None:
    own = DEALT.deal.hands[0][0] if isinstance(DEALT, Bidding) else None
    turn = {"seat": 0, "action": "play", "legal_cards": [own]}
    leak: dict[str, object] = {"version": VERSION, "events": [], "server_time": NOW, "status": "playing", "turn": turn}
    listed: dict[str, object] = {
        "items": [{"game_id": str(GAME_ID), "version": VERSION, "turn": turn}],
        "server_time": NOW,
    }
    for said in (leak, listed):
        body = msgspec.json.encode(said)
        assert LEDGER.check(0, body) == 1
        with pytest.raises(AssertionError, match="was told of"):
            LEDGER.check(1, body)


def test_what_tells_of_no_game_has_no_cards() -> None:
    over = {"version": VERSION, "status": "finished", "result": {"winners": [0]}}
    assert LEDGER.check_stream(None, frame("game_over", over)) == 0
    assert LEDGER.check(None, json.dumps({"items": [], "server_time": "now"}).encode()) == 0
