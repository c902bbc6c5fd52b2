"""What the first step of this project has logged still loads, reads the same, and is played on.

`data/step1-log.json` was written by the code of commit b79c5d3: four games, each a list of commits, each a list of events as stored.
"""

import json
from typing import Any

import msgspec
import pytest

from domain.pocha import decide
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.commands import Command, MakeBid, PlayCard, StartGame, TakeSeat
from domain.pocha.model.events import BidMade, CardPlayed, Event, GameCreated, GameOver, HandDealt, HandScored
from domain.pocha.model.state import (
    Bidding,
    Dealing,
    Finished,
    NotCreated,
    Playing,
    State,
    Waiting,
    progress_of,
    ruleset_of,
    table_of,
)
from domain.pocha.rules import ruleset
from domain.pocha.rules.presets import PRESETS
from domain.pocha.view.event_view import redact
from domain.pocha.view.game_view import see
from domain.table.table import Player
from tests.domain.cases import DATA
from tests.domain.playout import FRAME, play_on

STORED: dict[str, list[list[dict[str, Any]]]] = json.loads((DATA / "step1-log.json").read_text())


def commits(name: str) -> list[tuple[Event, ...]]:
    """Read a game as the store does."""
    return [msgspec.json.decode(msgspec.json.encode(commit), type=tuple[Event, ...]) for commit in STORED[name]]


def events(name: str) -> list[Event]:
    return [event for commit in commits(name) for event in commit]


def loaded(name: str) -> State:
    return fold(NotCreated(), events(name))


@pytest.mark.parametrize(
    ("name", "phase"), [("waiting", Waiting), ("bidding", Bidding), ("playing", Playing), ("finished", Finished)]
)
def test_an_old_game_stands_where_it_stood(name: str, phase: type[State]) -> None:
    assert isinstance(loaded(name), phase)


@pytest.mark.parametrize("name", STORED)
def test_an_old_ruleset_reads_as_the_preset_that_it_was(name: str) -> None:
    rules = ruleset_of(loaded(name))
    assert rules == PRESETS[rules.id]


def test_a_waiting_old_game_keeps_its_seats_its_code_and_no_seeds_of_players() -> None:
    state = loaded("waiting")
    assert isinstance(state, Waiting)
    assert state.table.free_seats == (2,)
    assert state.table.invite_code == "K7QX-2M4T"
    assert state.table.client_seeds == (None,) * 4


def test_a_waiting_old_game_is_joined_and_played_to_its_end() -> None:
    state = loaded("waiting")
    joined = decide(state, TakeSeat(Player("carla"), invited=True, client_seed="x")).state
    last = list(play_on(joined, 7, first=StartGame((0, 1, 2, 3), 1)))[-1]
    assert isinstance(last.events[-1], GameOver)


@pytest.mark.parametrize("name", ["bidding", "playing"])
def test_an_old_game_is_played_on_to_its_end(name: str) -> None:
    state = loaded(name)
    before = progress_of(state)
    last = list(play_on(state, 7))[-1]
    assert before
    assert isinstance(last.after, Finished)
    schedule = ruleset.hand_schedule(before.ruleset, before.players)
    assert len(last.after.progress.results) >= len(schedule) == len(before.schedule)


def test_an_old_game_in_the_middle_of_a_trick_has_what_it_had() -> None:
    state = loaded("playing")
    assert isinstance(state, Playing)
    played = [event.card for event in events("playing") if isinstance(event, CardPlayed)]
    assert [card for taken in state.taken for card in taken.trick.cards] + list(state.trick.cards) == played
    (dealt,) = [event for event in events("playing") if isinstance(event, HandDealt)]
    assert state.deal.hands == dealt.hands
    assert {card for hand in state.hands for card in hand} == {card for hand in dealt.hands for card in hand} - {
        *played
    }


def test_a_finished_old_game_has_its_scores_and_winners() -> None:
    state = loaded("finished")
    assert isinstance(state, Finished)
    scored = [event for event in events("finished") if isinstance(event, HandScored)]
    assert [result.points for result in state.progress.results] == [event.points for event in scored]
    assert state.progress.totals == scored[-1].totals
    assert (state.progress.claims, state.progress.order) == ((), (0, 1, 2, 3))
    assert GameOver(state.winners) == events("finished")[-1]


@pytest.mark.parametrize("name", ["bidding", "playing", "finished"])
def test_what_was_decided_then_is_decided_now(name: str) -> None:
    """Every bid and card of an old game is asked again: the same events follow, conclusions included."""
    happened = events(name)
    asked = 0
    for place, event in enumerate(happened):
        command: Command | None = None
        if isinstance(event, BidMade):
            command = MakeBid(event.seat, event.bid)
        if isinstance(event, CardPlayed):
            command = PlayCard(event.seat, event.card)
        if command is not None:
            follows = decide(fold(NotCreated(), happened[:place]), command).events
            assert list(follows) == happened[place : place + len(follows)]
            asked += 1
    assert asked > 0


@pytest.mark.parametrize("name", STORED)
def test_an_old_game_is_shown_to_every_viewer(name: str) -> None:
    state = loaded(name)
    assert not isinstance(state, Dealing)
    for viewer in (None, 0, 1):
        assert see(state, viewer, FRAME).players == len(table_of(state).seats)
        assert all(redact(event, viewer, 1, FRAME.now) for event in events(name))
    assert isinstance(events(name)[0], GameCreated)
