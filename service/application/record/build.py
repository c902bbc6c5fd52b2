"""Fairness and record of a game, copied from its log."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.state import Abandoned, Finished, NotCreated, Progress, State, progress_of, table_of
from domain.pocha.rules.ruleset import SeatingOrder
from domain.pocha.view import game_view, parts
from domain.pocha.view.parts import Shown
from domain.pocha.view.schema import Result
from service.application.ports import Commit
from service.application.record.digest import digest
from service.application.record.facts import FORMAT, GameFairness, GameRecord, RecordedSeat, SeatSeed
from service.application.record.hands import hand_of, split_by_hand
from service.application.shuffle import algorithm


class NotFinished(Exception):
    """Only a finished game has a record."""


def fairness_of(game_id: UUID, state: State, record_digest: str | UnsetType = UNSET) -> GameFairness:
    """Return the public facts about chance in a game; the seed is among them once the game is over, the record's digest once finished."""
    table, progress = table_of(state), progress_of(state)
    return GameFairness(
        game_id=str(game_id),
        commitment=table.commitment,
        algorithm=algorithm(table.game_id),
        client_seeds=client_seeds(table.client_seeds),
        order=UNSET if progress is None else drawn_order(progress),
        first_dealer=UNSET if progress is None else progress.first_dealer,
        server_seed=table.seed.hex() if isinstance(state, (Finished, Abandoned)) else UNSET,
        record_digest=record_digest,
    )


def record_of(game_id: UUID, commits: Sequence[Commit], shown: Shown) -> GameRecord:
    """Return the record of a finished game; `commits` are its whole log, `shown` says how players are shown.

    Raises:
        NotFinished: the game is not over, or was abandoned.
    """
    events = [event for commit in commits for event in commit.events]
    state = fold(NotCreated(), events)
    if not isinstance(state, Finished):
        raise NotFinished
    progress, table = state.progress, state.progress.table
    return with_digest(
        GameRecord(
            format=FORMAT,
            game_id=str(game_id),
            created_at=commits[0].recorded_at.astimezone(UTC),
            finished_at=commits[-1].recorded_at.astimezone(UTC),
            algorithm=algorithm(table.game_id),
            commitment=table.commitment,
            server_seed=table.seed.hex(),
            client_seeds=client_seeds(table.client_seeds),
            ruleset=parts.whole_ruleset(progress.ruleset),
            seats=tuple(_seats(state, shown)),
            order=drawn_order(progress),
            first_dealer=progress.first_dealer,
            hands=tuple(hand_of(hand) for hand in split_by_hand(events)),
            scores=game_view.scores(state),
            result=Result(state.winners),
            digest="",
        )
    )


def _seats(state: Finished, shown: Shown) -> Iterator[RecordedSeat]:
    table = state.progress.table
    # In the first games seats of absent players could win; their records do not say who was away, and are verified by that rule.
    could_win = bool({*state.winners} & {*table.away_seats})
    for seat in parts.seat_views(table.seats, shown):
        yield RecordedSeat(seat.seat, seat.player, seat.robot, UNSET if could_win else seat.away)


def with_digest(record: GameRecord) -> GameRecord:
    """Return `record` with its digest filled in."""
    return replace(record, digest=digest(msgspec.to_builtins(record)))


def client_seeds(given: Iterable[str | None]) -> tuple[SeatSeed, ...]:
    """Return the seeds that players gave, with their seats; `given` is by seat."""
    return tuple(SeatSeed(seat, seed) for seat, seed in enumerate(given) if seed is not None)


def drawn_order(progress: Progress) -> tuple[int, ...] | UnsetType:
    """Return the drawn order of the seats; unset where seats are not drawn."""
    return progress.order if progress.ruleset.seating.order is SeatingOrder.RANDOM else UNSET
