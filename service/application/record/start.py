"""Start of a recorded game: seats and first dealer drawn again from the seeds."""

from uuid import UUID

from msgspec import UNSET

from domain.pocha import State, decide
from domain.pocha.model.state import Waiting
from domain.pocha.rules.ruleset import SeatingOrder
from domain.table.table import Level, Player, Robot, Seat, Table, Visibility
from service.application import autoplay, shuffle
from service.application.ports import Shuffler
from service.application.record.facts import GameRecord
from service.application.record.mismatch import InvalidRecord

# Who plays does not matter to the game.
_ANYBODY = Player("")


def start(record: GameRecord, shuffler: Shuffler) -> State:
    """Draw the seats and the first dealer again, and return the game after its start.

    Raises:
        InvalidRecord: the recorded order or first dealer does not follow from the seeds, a player is away where no robot sits, or the
            game's id, which is part of the shuffle, is none.
    """
    for seat, recorded in enumerate(record.seats):
        if recorded.away is not UNSET and recorded.robot is UNSET:
            raise InvalidRecord(f"/seats/{seat}/away", "is not beside a robot")
    order = _order(record)
    waiting = Waiting(_table(record, order), record.ruleset)
    command = autoplay.start_command(waiting, shuffler)
    if command.order != order:
        raise InvalidRecord("/order", "does not follow from the seeds")
    if command.dealer != record.first_dealer:
        raise InvalidRecord("/first_dealer", "does not follow from the seeds")
    return decide(waiting, command).state


def _order(record: GameRecord) -> tuple[int, ...]:
    unchanged = tuple(range(len(record.seats)))
    if record.ruleset.seating.order is not SeatingOrder.RANDOM:
        return unchanged
    if record.order is UNSET or tuple(sorted(record.order)) != unchanged:
        raise InvalidRecord("/order", "does not name every seat once")
    return record.order


def _table(record: GameRecord, order: tuple[int, ...]) -> Table:
    """Return the table before the start, when the players sat where they had joined; those who are away at the end are away from it."""
    seeds = {given.seat: given.client_seed for given in record.client_seeds}
    away = [None if recorded.away is UNSET else _ANYBODY for recorded in record.seats]
    return Table(
        _ANYBODY,
        seats=tuple(
            Seat(Robot(Level.EASY), away[now], client_seed=seeds.get(now))
            for now in map(order.index, range(len(order)))
        ),
        visibility=Visibility.PUBLIC,
        seed=bytes.fromhex(record.server_seed),
        commitment=record.commitment,
        game_id=None if record.algorithm == shuffle.FIRST_ALGORITHM else _game_id(record.game_id),
    )


def _game_id(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        raise InvalidRecord("/game_id", "is not a UUID") from None
