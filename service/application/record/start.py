"""The beginning of a recorded game: its seats and first dealer drawn again from the seeds."""

from msgspec import UNSET

from domain.pocha.behaviour.decide import decide
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.state import State, Waiting
from domain.pocha.rules import dealing
from domain.pocha.rules import ruleset as rules
from domain.pocha.rules.ruleset import SeatingOrder
from domain.pocha.rules.schedule import HandPlan
from domain.table.table import Level, Player, Robot, Table, Visibility
from service.application import autoplay
from service.application.ports import Seeds, Shuffler
from service.application.record.facts import GameRecord, RecordedHand
from service.application.record.mismatch import InvalidRecord, require_equal

# Who made the table does not matter to the game.
_HOST = Player("", "")


def begin(record: GameRecord, shuffler: Shuffler) -> State:
    """Draw the seats and the first dealer again, and return the game as it began.

    Raises:
        InvalidRecord: they were drawn otherwise, or the seeds are not those of this game.
    """
    by_seat = _client_seeds_by_seat(record)
    _require_hands_from_seeds(record, by_seat, shuffler)
    order = _order(record)
    waiting = Waiting(_table(record, _as_joined(by_seat, order)), record.ruleset)
    command = autoplay.start_command(waiting, shuffler)
    if command.order != order:
        raise InvalidRecord("/order", "does not follow from the seeds")
    require_equal(command.dealer, record.first_dealer, "/first_dealer")
    return fold(waiting, decide(waiting, command))


def _client_seeds_by_seat(record: GameRecord) -> tuple[str | None, ...]:
    by_seat: dict[int, str] = {}
    for index, given in enumerate(record.client_seeds):
        place = f"/client_seeds/{index}/seat"
        if given.seat >= len(record.seats):
            raise InvalidRecord(place, "there is no such seat")
        if given.seat in by_seat:
            raise InvalidRecord(place, f"is the seat of {_same_seat(record, index)} too")
        by_seat[given.seat] = given.client_seed
    return tuple(by_seat.get(seat) for seat in range(len(record.seats)))


def _same_seat(record: GameRecord, index: int) -> str:
    seats = [given.seat for given in record.client_seeds]
    return f"/client_seeds/{seats.index(seats[index])}"


def _require_hands_from_seeds(record: GameRecord, by_seat: tuple[str | None, ...], shuffler: Shuffler) -> None:
    """One hand that was dealt otherwise is wrong in itself; if all were, they come from other seeds."""
    seeds = Seeds(bytes.fromhex(record.server_seed), by_seat)
    if len(record.hands) > 1 and not any(_follows(hand, record, seeds, shuffler) for hand in record.hands):
        raise InvalidRecord("/client_seeds", "no hand at all follows from the seeds")


def _follows(hand: RecordedHand, record: GameRecord, seeds: Seeds, shuffler: Shuffler) -> bool:
    players = len(record.seats)
    deck = shuffler.deck(seeds, hand.number, rules.deck(record.ruleset, players))
    return dealing.deal(deck, HandPlan(hand.kind, hand.cards), hand.dealer, players).hands == hand.hands


def _order(record: GameRecord) -> tuple[int, ...]:
    as_joined = tuple(range(len(record.seats)))
    if record.ruleset.seating.order is not SeatingOrder.RANDOM:
        return as_joined
    if record.order is UNSET or tuple(sorted(record.order)) != as_joined:
        raise InvalidRecord("/order", "does not name every seat once")
    return record.order


def _as_joined(by_seat: tuple[str | None, ...], order: tuple[int, ...]) -> tuple[str | None, ...]:
    return tuple(by_seat[order.index(seat)] for seat in range(len(order)))


def _table(record: GameRecord, seeds: tuple[str | None, ...]) -> Table:
    seats = (Robot(Level.EASY),) * len(record.seats)
    seed = bytes.fromhex(record.server_seed)
    return Table(_HOST, seats, Visibility.PUBLIC, seed, record.commitment, client_seeds=seeds)
