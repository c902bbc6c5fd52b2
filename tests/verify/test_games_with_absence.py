"""Games in which time ran out, a robot took a seat, players left and came back: their records are right, and tell only of the cards."""

import json
from collections.abc import Sequence
from itertools import count
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from domain.pocha import Decision, decide
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.commands import Command, ExpireTurn, LeaveSeat, TakeSeat
from domain.pocha.model.events import (
    Event,
    GameAbandoned,
    GameCreated,
    GameOver,
    GameStarted,
    HandDealt,
    RobotSeated,
    SeatLeft,
    SeatTaken,
    TurnExpired,
)
from domain.pocha.model.state import Finished, HandState, InHand, NotCreated, State, table_of
from domain.pocha.rules.presets import CLASICA, LUDOTEKA_EXPRESS_3
from domain.pocha.rules.ruleset import Ruleset
from domain.table.table import Level, OnTimeout, Player, Robot
from service.application import autoplay
from service.application.ports import Commit
from service.application.record.build import NotFinished, record_of
from service.application.shuffle import SeededShuffler
from tests.verify import tables
from tests.verify.games import BEGAN, GAME_ID, game, number, shown, some_move
from tests.verify.tampering import Json, changed, sealed_again, wrong_with

PEOPLE = tuple(Player(str(UUID(int=seat + 1))) for seat in range(4))
ATTENDANCE = (TurnExpired, SeatLeft, RobotSeated, SeatTaken)
GAMES: dict[str, tuple[Ruleset, int]] = {
    "express": (LUDOTEKA_EXPRESS_3, 3),
    "all-kinds": (tables.ALL_KINDS, 4),
    "ascending": (tables.ASCENDING, 4),
    "renuncios": (tables.RENUNCIOS, 3),
}


class Steady(SeededShuffler):
    """Chance as in a real game, but for the robots: they always do the same."""

    def __init__(self) -> None:
        self._lucks = count()

    def luck(self) -> int:
        """Return the next number of a row that is always the same."""
        return number("luck", next(self._lucks)) % 2**32


async def restless(ruleset: Ruleset, players: int, seed: str) -> list[Commit]:
    """Play a whole game of persons, as the service would, in which much happens beside it; return its log."""
    made, *rest = (event for commit in game(ruleset, players, seed)[: players - 1] for event in commit.events)
    assert isinstance(made, GameCreated)
    joined = [event for event in rest if isinstance(event, SeatTaken)]
    last = SeatTaken(players - 1, PEOPLE[players - 1])
    happened: tuple[Event, ...] = (replace(made, turn_seconds=30, on_timeout=OnTimeout()), *joined, last)
    state: State = fold(NotCreated(), happened)
    shuffler = Steady()
    begun = await autoplay.advance(Decision(happened, state), shuffler)
    state, commits = begun.state, [_commit(1, begun.events)]
    while not isinstance(state, Finished):
        assert isinstance(state, InHand)
        decision = decide(state, _next(state, number(seed, len(commits))))
        decision = await autoplay.advance(decision, shuffler)
        state = decision.state
        commits.append(_commit(len(commits) + 1, decision.events))
    return commits


def _commit(version: int, events: tuple[Event, ...]) -> Commit:
    return Commit(GAME_ID, version, UUID(int=version), b"", BEGAN, events)


def _next(state: HandState, luck: int) -> Command:
    """Seat 0 stays; the time of seat 1 is always over; the others come and go."""
    table, on_turn = state.progress.table, state.turn
    away = [seat.away for seat in table.seats if seat.away]
    if on_turn == 1:
        return ExpireTurn(1)
    if away and luck % 5 == 0:
        return TakeSeat(away[luck // 5 % len(away)])
    leaver = table.seats[2].occupant
    if luck % 11 == 1 and isinstance(leaver, Player):
        return LeaveSeat(leaver.player_id, 2)
    return ExpireTurn(on_turn) if luck % 7 == 2 else some_move(state, luck)


def events_of(log: Sequence[Commit]) -> list[Event]:
    return [event for commit in log for event in commit.events]


def played(happened: list[Event]) -> list[Event]:
    """Return what happened after the start."""
    start = next(place for place, event in enumerate(happened) if isinstance(event, GameStarted))
    return happened[start + 1 :]


async def written(name: str) -> tuple[list[Commit], Json]:
    log = await restless(*GAMES[name], "restless")
    return log, json.loads(msgspec.json.encode(record_of(GAME_ID, log, shown)))


@pytest.mark.parametrize("name", GAMES)
async def test_the_record_of_a_game_in_which_time_ran_out_is_right(name: str) -> None:
    log, record = await written(name)
    assert wrong_with(record) is None
    assert {type(event) for event in events_of(log)} >= {TurnExpired, RobotSeated}


async def test_in_these_games_turns_expire_robots_take_over_players_leave_and_some_come_back() -> None:
    happened = [event for name in GAMES for event in played(events_of((await written(name))[0]))]
    assert {event.in_a_row for event in happened if isinstance(event, TurnExpired)} == {1, 2, 3}
    for kind in (RobotSeated, SeatLeft, SeatTaken):
        assert sum(isinstance(event, kind) for event in happened) > len(GAMES)


@pytest.mark.parametrize("name", GAMES)
async def test_a_record_tells_of_the_cards_and_not_of_who_made_the_moves(name: str) -> None:
    """Whose time ran out follows from no card: nobody could check it."""
    log, record = await written(name)
    happened = events_of(log)
    after_start = played(happened)
    quiet = [event for event in after_start if not isinstance(event, ATTENDANCE)]
    log = [_commit(1, (*happened[: -len(after_start)], *quiet))]
    without = json.loads(msgspec.json.encode(record_of(GAME_ID, log, shown)))
    about_who = {name: record[name] for name in ("seats", "result", "digest")}
    assert {**without, **about_who} == record
    assert "expired" not in json.dumps(record)


async def test_a_record_names_who_sat_there_at_the_end_and_who_was_away_and_so_could_not_win() -> None:
    log, record = await written("all-kinds")
    table = table_of(fold(NotCreated(), events_of(log)))
    assert any(seat.away for seat in table.seats)
    assert [set(seat) for seat in record["seats"]] == [
        {"seat", "robot", "away"} if isinstance(occupant, Robot) else {"seat", "player"} for occupant in table.occupants
    ]
    assert not {*record["result"]["winners"]} & {*table.away_seats}


async def test_the_record_of_an_old_game_that_an_absent_player_s_seat_won_is_right() -> None:
    """Once the seat won, whoever was away from it."""
    log, record = await written("all-kinds")
    best: int = next(score["seat"] for score in record["scores"] if score["rank"] == 1)
    *before, _over = events_of(log)
    last = max(place for place, event in enumerate(before) if isinstance(event, HandDealt)) + 1
    occupant = table_of(fold(NotCreated(), tuple(before[:last]))).occupants[best]
    left = [SeatLeft(best, occupant), RobotSeated(best, Level.EASY)] if isinstance(occupant, Player) else []
    quiet = [event for event in before[last:] if not isinstance(event, ATTENDANCE)]
    old = [*before[:last], *left, *quiet, GameOver((best,))]
    record = json.loads(msgspec.json.encode(record_of(GAME_ID, [_commit(1, tuple(old))], shown)))
    assert (record["result"]["winners"], "robot" in record["seats"][best]) == ([best], True)
    assert wrong_with(record) is None


@pytest.mark.parametrize(
    "more",
    [
        {"away": {"player_id": str(UUID(int=1)), "display_name": "Ana «la dueña»"}},
        {"presence": {"connected": True, "last_seen": "2026-11-30T12:00:00Z"}},
    ],
    ids=["away", "presence"],
)
async def test_a_record_that_says_more_of_a_seat_is_refused(more: Json) -> None:
    _, record = await written("express")
    said = changed(record, ("seats", 0), {**record["seats"][0], **more})
    wrong = wrong_with(sealed_again(said))
    assert wrong is not None
    assert str(wrong).startswith("/seats/0")


async def test_a_game_given_up_has_no_record() -> None:
    log = (await restless(CLASICA, 4, "given up"))[:5]
    with pytest.raises(NotFinished):
        record_of(GAME_ID, [*log, _commit(len(log) + 1, (GameAbandoned(),))], shown)
