"""What web hooks are told: ids, versions, whose turn, points. Never a card, a name, a seed or a code: a body is not for one seat alone."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import assert_never

import msgspec
from msgspec import UNSET, UnsetType

from domain.pocha.model.events import (
    Event,
    GameAbandoned,
    GameOver,
    GameStarted,
    RobotSeated,
    SeatCleared,
    SeatLeft,
    passes_turn,
)
from domain.pocha.model.state import InHand, State, progress_of, table_of
from domain.pocha.view import game_view
from domain.pocha.view.parts import present
from domain.pocha.view.schema import Action, Id, Moment, Rank, Seat, Total, Version, WaitTurn
from domain.table.table import Player, Table
from service.application import deadlines
from service.application.ports import HookEventType
from service.application.repository import Committed, Game

_EXPIRING_SHARE = 4
_EXPIRING_MOST = timedelta(hours=1)


class HookSeat(msgspec.Struct, frozen=True):
    """A seat, and its player; a robot's has none."""

    seat: Seat
    player_id: Id | UnsetType = UNSET


class HookScore(msgspec.Struct, frozen=True):
    """A seat's points at the end, its rank, and its player; a robot's has none."""

    seat: Seat
    points: Total
    rank: Rank
    player_id: Id | UnsetType = UNSET


class GameStartedData(msgspec.Struct, frozen=True):
    """The last seat was taken, and the first hand is dealt. `seats` is who sits where from now on."""

    game_id: Id
    version: Version
    seats: tuple[HookSeat, ...]


class TurnData(msgspec.Struct, frozen=True):
    """The game waits for a player: `action` is what the player has to do, until `deadline`, if the turn has one."""

    game_id: Id
    version: Version
    seat: Seat
    player_id: Id
    action: Action
    deadline: Moment | UnsetType = UNSET


class GameFinishedData(msgspec.Struct, frozen=True):
    """The game is over: the winning seats, and all scores."""

    game_id: Id
    version: Version
    winners: tuple[Seat, ...]
    scores: tuple[HookScore, ...]


class GameAbandonedData(msgspec.Struct, frozen=True):
    """The game was abandoned. `seats` are those that were taken."""

    game_id: Id
    version: Version
    seats: tuple[HookSeat, ...]


class PlayerRemovedData(msgspec.Struct, frozen=True):
    """A player has lost a seat: a robot has taken it after too many turns that expired, or the host has cleared it before the start."""

    game_id: Id
    version: Version
    seat: Seat
    player_id: Id


class _Message(msgspec.Struct, frozen=True, tag_field="type"):
    """Base of the messages: `timestamp` is when it happened."""

    timestamp: Moment


class GameStartedMessage(_Message, frozen=True, tag="game.started"):
    """A game has started."""

    data: GameStartedData


class TurnStartedMessage(_Message, frozen=True, tag="turn.started"):
    """It is a player's turn."""

    data: TurnData


class TurnExpiringMessage(_Message, frozen=True, tag="turn.expiring"):
    """The time of a player's turn is nearly over."""

    data: TurnData


class GameFinishedMessage(_Message, frozen=True, tag="game.finished"):
    """A game is over."""

    data: GameFinishedData


class GameAbandonedMessage(_Message, frozen=True, tag="game.abandoned"):
    """A game was abandoned."""

    data: GameAbandonedData


class PlayerRemovedMessage(_Message, frozen=True, tag="player.removed"):
    """A player has lost a seat."""

    data: PlayerRemovedData


class WebhookTestData(msgspec.Struct, frozen=True):
    """The web hook that was tested."""

    webhook_id: Id


class WebhookTestMessage(_Message, frozen=True, tag="webhook.test"):
    """The app asked for a test."""

    data: WebhookTestData


HookMessage = (
    GameStartedMessage
    | TurnStartedMessage
    | TurnExpiringMessage
    | GameFinishedMessage
    | GameAbandonedMessage
    | PlayerRemovedMessage
)

EXPIRING_PLACE = 99
"""The place of `turn.expiring` after its commit; the messages of one commit are far fewer."""


def type_of(message: HookMessage) -> HookEventType:
    """Return the type of a message."""
    match message:
        case GameStartedMessage():
            return HookEventType.GAME_STARTED
        case TurnStartedMessage():
            return HookEventType.TURN_STARTED
        case TurnExpiringMessage():
            return HookEventType.TURN_EXPIRING
        case GameFinishedMessage():
            return HookEventType.GAME_FINISHED
        case GameAbandonedMessage():
            return HookEventType.GAME_ABANDONED
        case PlayerRemovedMessage():
            return HookEventType.PLAYER_REMOVED
        case _:
            assert_never(message)


def messages_of(before: State, committed: Committed) -> tuple[HookMessage, ...]:
    """Return what a commit that was made in the state `before` tells web hooks, in order."""
    game, at = committed.game, committed.commit.recorded_at
    told: list[HookMessage] = []
    told.extend(_removed(before, committed))
    for event in committed.commit.events:
        told.extend(_of_event(event, game, at))
    begins = passes_turn(committed.commit.events) or deadlines.is_resting(before)
    if begins and (turn := _turn(game)) is not None:
        told.append(TurnStartedMessage(at, turn))
    return tuple(told)


def _of_event(event: Event, game: Game, at: datetime) -> Iterable[HookMessage]:
    game_id, version = str(game.game_id), game.version
    match event:
        case GameStarted():
            yield GameStartedMessage(at, GameStartedData(game_id, version, _seats(table_of(game.state))))
        case GameOver(winners=winners):
            yield GameFinishedMessage(at, GameFinishedData(game_id, version, winners, _scores(game.state)))
        case GameAbandoned():
            yield GameAbandonedMessage(at, GameAbandonedData(game_id, version, _seats(table_of(game.state))))
        case SeatCleared(seat=seat, player=Player(player_id=player_id)):
            yield PlayerRemovedMessage(at, PlayerRemovedData(game_id, version, seat, player_id))
        case _:
            pass


def _removed(before: State, committed: Committed) -> Iterable[HookMessage]:
    """Yield the players whose seats robots have taken, without those who left by themselves."""
    if not isinstance(before, InHand):
        return
    game, commit, had = committed.game, committed.commit, before.progress.table.occupants
    left = {event.seat for event in commit.events if isinstance(event, SeatLeft)}
    taken = {event.seat for event in commit.events if isinstance(event, RobotSeated)} - left
    for seat in sorted(taken):
        if isinstance(player := had[seat], Player):
            data = PlayerRemovedData(str(game.game_id), game.version, seat, player.player_id)
            yield PlayerRemovedMessage(commit.recorded_at, data)


def expiring_at(game: Game) -> datetime | None:
    """Return when the present turn is told to expire: with a quarter of its time left, an hour at most; None where it has no deadline."""
    deadline, turn = game.turn_deadline, _turn(game)
    seconds = None if turn is None else table_of(game.state).turn_seconds
    if deadline is None or seconds is None:
        return None
    return deadline - min(timedelta(seconds=seconds) / _EXPIRING_SHARE, _EXPIRING_MOST)


def expiring(game: Game) -> TurnExpiringMessage | None:
    """Return the message that the present turn is about to expire; None where there is no such turn."""
    at, turn = expiring_at(game), _turn(game)
    return None if at is None or turn is None else TurnExpiringMessage(at, turn)


def _turn(game: Game) -> TurnData | None:
    """Return the turn of a player; None where a robot moves, and while nobody sits at the table."""
    state = game.state
    if not isinstance(state, InHand) or deadlines.is_resting(state):
        return None
    table, turn = state.progress.table, game_view.turn_view(state, None, game.turn_deadline)
    occupant = table.seats[state.turn].occupant
    if not isinstance(turn, WaitTurn) or not isinstance(occupant, Player) or table.robot_at(state.turn) is not None:
        return None
    return TurnData(
        str(game.game_id), game.version, state.turn, occupant.player_id, turn.awaits, present(game.turn_deadline)
    )


def _seats(table: Table) -> tuple[HookSeat, ...]:
    taken = ((seat, occupant) for seat, occupant in enumerate(table.occupants) if occupant is not None)
    return tuple(HookSeat(seat, _id_of(occupant)) for seat, occupant in taken)


def _scores(state: State) -> tuple[HookScore, ...]:
    progress, occupants = progress_of(state), table_of(state).occupants
    if progress is None:
        return ()
    return tuple(
        HookScore(seat, points, rank, _id_of(occupants[seat]))
        for seat, (points, rank) in enumerate(zip(progress.totals, progress.ranks, strict=True))
    )


def _id_of(occupant: object) -> Id | UnsetType:
    return occupant.player_id if isinstance(occupant, Player) else UNSET
