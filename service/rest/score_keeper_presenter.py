"""Score sheets of tables with real cards, as their members see them."""

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict, assert_never

from msgspec import UNSET

from domain.pocha.behaviour import legal
from domain.pocha.keeping.entries import (
    AuctionNoted,
    BidNoted,
    Correction,
    PenaltyNoted,
    TricksNoted,
    TrumpNoted,
)
from domain.pocha.keeping.keep import KeptGame, lacks_trump
from domain.pocha.model.state import Auctioning, Bidding, Finished, Playing, Progress
from domain.pocha.view import parts
from domain.pocha.view.schema import PlayerRef, Result, Score, SeatBid, Status
from service.application.ports import ScoreKeeper as StoredScoreKeeper
from service.application.ports import WrittenEntry
from service.application.score_keeping import KeptSheet
from service.rest.responses import PRIVATE, EncodedResponse, json_response, replay_header
from service.rest.schemas.score_keepers import (
    AuctionEntry,
    BidEntry,
    CorrectionEntry,
    KeptScoreSheet,
    NextAuction,
    NextBid,
    NextTricks,
    NextTrump,
    PenaltyEntry,
    ScoreKeeper,
    ScoreKeeperEntry,
    ScoreKeeperSummary,
    SheetHand,
    SheetNext,
    TricksEntry,
    TrumpEntry,
)
from service.rest.schemas.score_sheet import ScoreSheet
from service.rest.score_sheet import sheet

_CREATED = 201


class _Head(TypedDict):
    """What all entries have."""

    version: int
    at: datetime
    player_id: str
    counts: bool


def response(kept: KeptSheet, status: int = 200) -> EncodedResponse:
    """Return the response with a sheet, and with its location where it is new."""
    headers = {**PRIVATE}
    if status == _CREATED:
        headers["Location"] = f"/v1/score-keepers/{kept.keeper.score_keeper_id}"
    return json_response(view(kept), status, {**headers, **replay_header(is_replay=kept.is_replay)})


def view(kept: KeptSheet) -> ScoreKeeper:
    """Return a sheet as it stands."""
    keeper, game = kept.keeper, kept.sheet.game
    return ScoreKeeper(
        score_keeper_id=str(keeper.score_keeper_id),
        version=kept.version,
        status=_status(game),
        ruleset=parts.ruleset_ref(keeper.ruleset),
        players=keeper.names,
        created_at=keeper.created_at,
        scores=_scores(game.progress),
        hand=UNSET if isinstance(game, Finished) else _hand(game),
        next=UNSET if isinstance(game, Finished) else _next(game),
        result=Result(game.winners) if isinstance(game, Finished) else UNSET,
    )


def summary(keeper: StoredScoreKeeper) -> ScoreKeeperSummary:
    """Return a sheet in a list."""
    return ScoreKeeperSummary(
        str(keeper.score_keeper_id),
        parts.ruleset_ref(keeper.ruleset),
        keeper.names,
        keeper.created_at,
        keeper.changed_at,
    )


def entries(kept: KeptSheet) -> Sequence[ScoreKeeperEntry]:
    """Return the entries of a sheet, newest first."""
    return [
        _entry(written, counts=counts)
        for written, counts in reversed([*zip(kept.entries, kept.counting(), strict=True)])
    ]


def score_sheet(kept: KeptSheet) -> KeptScoreSheet:
    """Return the sheet as a table."""
    keeper, game = kept.keeper, kept.sheet.game
    return KeptScoreSheet(
        score_keeper_id=str(keeper.score_keeper_id),
        version=kept.version,
        status=_status(game),
        ruleset=parts.ruleset_ref(keeper.ruleset),
        players=keeper.names,
        rows=sheet.rows(game.progress),
        totals=game.progress.totals,
        open_penalties=sheet.open_penalties(game.progress),
        result=Result(game.winners) if isinstance(game, Finished) else UNSET,
    )


def printable(kept: KeptSheet) -> ScoreSheet:
    """Return the table in the form that CSV and HTML are made of, where seats hold the names."""
    table = score_sheet(kept)
    return ScoreSheet(
        game_id=table.score_keeper_id,
        version=table.version,
        status=table.status,
        ruleset=table.ruleset,
        seats=parts.seat_views(kept.sheet.game.progress.table.seats, lambda name: PlayerRef("", name)),
        rows=table.rows,
        totals=table.totals,
        open_penalties=table.open_penalties,
        result=table.result,
    )


def _status(game: KeptGame) -> Status:
    return Status.FINISHED if isinstance(game, Finished) else Status.PLAYING


def _scores(progress: Progress) -> tuple[Score, ...]:
    hands = len(progress.results)
    return tuple(
        Score(seat, points, hands - missed, missed, rank)
        for seat, (points, missed, rank) in enumerate(
            zip(progress.totals, progress.missed, progress.ranks, strict=True)
        )
    )


def _hand(game: Auctioning | Bidding | Playing) -> SheetHand:
    deal = game.deal
    return SheetHand(
        number=deal.number,
        of=max(len(game.progress.schedule), deal.number),
        kind=deal.plan.kind,
        cards=deal.plan.cards,
        dealer=deal.dealer,
        mano=deal.mano,
        multiplier=deal.multiplier,
        bids=_bids(game),
        trump=parts.present(deal.trump),
        turn_up=parts.present(deal.turn_up),
    )


def _bids(game: Auctioning | Bidding | Playing) -> tuple[SeatBid, ...]:
    match game:
        case Auctioning():
            return ()
        case Bidding():
            return tuple(SeatBid(seat, bid) for seat, bid in zip(game.deal.bidders, game.bids, strict=False))
        case Playing():
            return tuple(SeatBid(seat, bid) for seat, bid in enumerate(game.bids))


def _next(game: Auctioning | Bidding | Playing) -> SheetNext:
    match game:
        case Auctioning():
            return NextAuction()
        case Bidding():
            return NextBid(game.turn, legal.legal_bids(game), parts.present(legal.forbidden_bid(game)))
        case Playing():
            return NextTrump() if lacks_trump(game) else NextTricks()


def _entry(written: WrittenEntry, *, counts: bool) -> ScoreKeeperEntry:
    head = _Head(version=written.version, at=written.recorded_at, player_id=written.player_id, counts=counts)
    match written.entry:
        case BidNoted(seat, bid):
            return BidEntry(**head, seat=seat, bid=bid)
        case AuctionNoted(seat, bid, suit):
            return AuctionEntry(**head, seat=seat, bid=bid, suit=suit)
        case TrumpNoted(suit, turn_up):
            return TrumpEntry(**head, suit=suit, turn_up=parts.present(turn_up))
        case TricksNoted(tricks):
            return TricksEntry(**head, tricks=tricks)
        case PenaltyNoted(seat, points, wrong_claim):
            return PenaltyEntry(**head, seat=seat, points=points, wrong_claim=wrong_claim)
        case Correction(entries):
            return CorrectionEntry(**head, entries=entries)
        case _:
            assert_never(written.entry)
