"""The score sheet of a game: a row a hand, with running totals."""

from msgspec import UNSET, UnsetType

from domain.pocha.model.state import Finished, HandResult, Progress, progress_of, ruleset_of, table_of
from domain.pocha.view import game_view, parts
from domain.pocha.view.schema import Result
from service.application.repository import Game
from service.rest.i18n import Language
from service.rest.schemas.score_sheet import ScoreSheet, SheetEntry, SheetRow
from service.rest.shown import shown_by


def sheet_of(game: Game, language: Language) -> ScoreSheet:
    """Return the score sheet of a game."""
    state = game.state
    table, progress = table_of(state), progress_of(state)
    return ScoreSheet(
        game_id=str(game.game_id),
        version=game.version,
        status=game_view.status(state),
        ruleset=parts.ruleset_ref(ruleset_of(state)),
        seats=parts.seat_views(table.seats, shown_by(game.names, language)),
        rows=rows(progress) if progress else (),
        totals=progress.totals if progress else (0,) * len(table.seats),
        open_penalties=open_penalties(progress) if progress else UNSET,
        result=Result(state.winners) if isinstance(state, Finished) else UNSET,
    )


def rows(progress: Progress) -> tuple[SheetRow, ...]:
    """Return a row a hand."""
    totals = (0,) * progress.players
    written: list[SheetRow] = []
    for number, result in enumerate(progress.results, 1):
        lost = _penalties(progress, number)
        totals = tuple(total + won - less for total, won, less in zip(totals, result.points, lost, strict=True))
        written.append(_row(number, result, totals, lost))
    return tuple(written)


def _row(number: int, result: HandResult, totals: tuple[int, ...], lost: tuple[int, ...]) -> SheetRow:
    cells = zip(result.bids, result.tricks, result.points, totals, (less or UNSET for less in lost), strict=True)
    return SheetRow(
        number=number,
        kind=result.plan.kind,
        cards=result.plan.cards,
        dealer=result.dealer,
        multiplier=result.multiplier,
        entries=tuple(SheetEntry(*cell) for cell in cells),
        trump=UNSET if result.trump is None else result.trump,
        turn_up=UNSET if result.turn_up is None else result.turn_up,
    )


def open_penalties(progress: Progress) -> tuple[int, ...] | UnsetType:
    """Return the penalties of the hand that has no row yet, by seat; UNSET where there are none."""
    lost = _penalties(progress, len(progress.results) + 1)
    return lost if any(lost) else UNSET


def _penalties(progress: Progress, hand: int) -> tuple[int, ...]:
    """Return the penalties of the claims about a hand, by seat."""
    lost = [0] * progress.players
    for claim in progress.claims:
        if claim.hand == hand:
            lost[claim.loser] += claim.penalty
    return tuple(lost)
