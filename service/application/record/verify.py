"""Record verifier: deals and plays a recorded game again and compares every fact.

Names and times follow from nothing else, nor does the game's id in games of `pocha-shuffle-1`; only the digest, which is compared last,
binds them.
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
from service.application.record.hands import MOVES, hand_of
from service.application.record.mismatch import InvalidRecord, as_json, require_equal
from service.application.record.parse import parse
from service.application.record.replay import replay
from service.application.record.start import start

_SHUFFLER = shuffle.SeededShuffler()


class Verification(msgspec.Struct, frozen=True):
    """A valid record: how many hands were dealt and how many moves were decided again."""

    hands: int
    moves: int


def verify(document: bytes) -> Verification:
    """Verify a record, given as it was downloaded.

    Raises:
        InvalidRecord: it cannot be read, or a fact in it is wrong.
    """
    written, current, record = parse(document)
    _check_seed(record)
    _check_players(record)
    state, events = _replay_hands(start(record, _SHUFFLER), record, current["hands"])
    _check_result(state, record, current)
    require_equal(digest(written), written["digest"], "/digest")
    return Verification(len(record.hands), sum(isinstance(event, (*MOVES, RenuncioClaimed)) for event in events))


def _check_seed(record: GameRecord) -> None:
    if record.algorithm not in (shuffle.FIRST_ALGORITHM, shuffle.ALGORITHM):
        raise InvalidRecord("/algorithm", f"no algorithm {record.algorithm} is known here")
    if shuffle.commitment(bytes.fromhex(record.server_seed)) != record.commitment:
        raise InvalidRecord("/commitment", "is not the SHA-256 of /server_seed")


def _check_players(record: GameRecord) -> None:
    if len(record.seats) not in record.ruleset.players.allowed:
        raise InvalidRecord("/seats", f"the ruleset is not for {len(record.seats)} players")


def _replay_hands(state: State, record: GameRecord, written: Any) -> tuple[State, list[Event]]:
    happened: list[Event] = []
    for index, hand in enumerate(record.hands):
        pointer = f"/hands/{index}"
        if not isinstance(state, Dealing):
            raise InvalidRecord(pointer, "the game was over before this hand")
        state, events = replay(state, hand, pointer, _SHUFFLER)
        require_equal(as_json(hand_of(events, record.format)), written[index], pointer)
        happened.extend(events)
    return state, happened


def _check_result(state: State, record: GameRecord, written: dict[str, Any]) -> None:
    """Compare everything outside the hands; members copied from the record itself are compared in their form only."""
    if not isinstance(state, Finished):
        raise InvalidRecord(f"/hands/{len(record.hands)}", "is missing: the game was not over")
    expected = replace(
        record,
        client_seeds=client_seeds(state.progress.table.client_seeds),
        seats=tuple(replace(seat, seat=number) for number, seat in enumerate(record.seats)),
        order=drawn_order(state.progress),
        scores=game_view.scores(state),
        result=Result(state.winners),
    )
    # The ruleset was compared by `parse`; an older version may lack parameters that the current schema fills in.
    require_equal({**as_json(expected), "ruleset": written["ruleset"]}, {**written, "digest": record.digest}, "")
