"""Whether a record is right: seats and dealer drawn again, every hand dealt, judged and scored again, every fact compared.

A fact that follows from others is told by its place. What nothing else can prove (names, times, the id of the game, and moves that would
have been as good) is bound by the digest, which is asked last.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from domain.pocha.model.events import Event, RenuncioClaimed
from domain.pocha.model.state import Dealing, Finished, State
from domain.pocha.view import game_view
from domain.pocha.view.schema import Result
from service.application import shuffle
from service.application.record.build import client_seeds, drawn_order
from service.application.record.digest import digest
from service.application.record.facts import GameRecord
from service.application.record.hands import MOVES
from service.application.record.mismatch import InvalidRecord, as_json, require_equal
from service.application.record.parse import read
from service.application.record.replay import replay
from service.application.record.start import begin

_SHUFFLER = shuffle.SeededShuffler()


class Verdict(msgspec.Struct, frozen=True):
    """A record is right: so many hands were dealt again, and so many moves judged."""

    hands: int
    moves: int


def verify(document: bytes) -> Verdict:
    """Return what was checked in a record, given as it was downloaded, if it is right.

    Raises:
        InvalidRecord: it is not, or cannot be read.
    """
    written, record = read(document)
    _require_known_algorithm(record)
    _require_commitment(record)
    _require_enough_players(record)
    state, happened = _hands_again(begin(record, _SHUFFLER), record, written["hands"])
    _require_end(state, record, written)
    _require_digest(written)
    return Verdict(len(record.hands), sum(isinstance(event, (*MOVES, RenuncioClaimed)) for event in happened))


def _require_known_algorithm(record: GameRecord) -> None:
    require_equal(shuffle.ALGORITHM, record.algorithm, "/algorithm")


def _require_enough_players(record: GameRecord) -> None:
    if len(record.seats) not in record.ruleset.players.allowed:
        raise InvalidRecord("/seats", f"the rules are not for {len(record.seats)} players")


def _require_commitment(record: GameRecord) -> None:
    if shuffle.commitment(bytes.fromhex(record.server_seed)) != record.commitment:
        raise InvalidRecord("/commitment", "is not the SHA-256 of /server_seed")


def _hands_again(state: State, record: GameRecord, written: Any) -> tuple[State, list[Event]]:
    happened: list[Event] = []
    for index, hand in enumerate(record.hands):
        if not isinstance(state, Dealing):
            raise InvalidRecord(f"/hands/{index}", "the game was over before this hand")
        state, events = replay(state, hand, written[index], f"/hands/{index}", _SHUFFLER)
        happened.extend(events)
    return state, happened


def _require_end(state: State, record: GameRecord, written: dict[str, Any]) -> None:
    """Compare all that is not in the hands; what was copied from the record itself is only compared in its form."""
    if not isinstance(state, Finished):
        raise InvalidRecord(f"/hands/{len(record.hands)}", "is missing: the game was not over")
    right = replace(
        record,
        client_seeds=client_seeds(state.match.table.client_seeds),
        seats=tuple(replace(seat, seat=number) for number, seat in enumerate(record.seats)),
        order=drawn_order(state.match),
        scores=game_view.scores(state),
        result=Result(state.winners),
    )
    # The rules were compared already: those of an older edition may lack parameters that have come since.
    expected = {**as_json(right), "ruleset": written["ruleset"]}
    require_equal(expected, {**written, "digest": record.digest}, "")


def _require_digest(written: dict[str, Any]) -> None:
    require_equal(digest(written), written["digest"], "/digest")
