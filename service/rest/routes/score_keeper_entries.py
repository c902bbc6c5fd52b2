"""Entries of score sheets of tables with real cards."""

from collections.abc import Callable
from typing import Annotated
from uuid import UUID

from litestar import get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import UNSET

from domain.pocha.keeping import keep
from domain.pocha.keeping.entries import (
    AuctionNoted,
    BidNoted,
    Correction,
    Entry,
    PenaltyNoted,
    TricksNoted,
    TrumpNoted,
)
from domain.pocha.keeping.keep import Sheet
from domain.pocha.model.refusals import Reason, Refused
from service.application.score_keeping import ScoreKeeping
from service.rest import score_keeper_presenter as presenter
from service.rest.idempotency_key import idempotency_key
from service.rest.pagination import PageSize
from service.rest.parameters import ScoreKeeperId
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routing import Router
from service.rest.schemas.requests import MoveRequest, value_or_none
from service.rest.schemas.score_keepers import (
    CorrectionRequest,
    ScoreKeeperEntryList,
    SheetAuctionRequest,
    SheetBidRequest,
    SheetPenaltyRequest,
    SheetTricksRequest,
    SheetTrumpRequest,
)

VersionCursor = Annotated[str | None, QueryParameter(pattern=r"^[1-9][0-9]{0,8}\Z")]

_LIMIT = rate_limit(Policy.COMMANDS, only_unsuccessful=True)
_CORRECTION = CorrectionRequest()
_TRUMP = SheetTrumpRequest()


def router(keeping: ScoreKeeping) -> Router:
    """Return the routes that write and list entries, all under `/v1/score-keepers/{score_keeper_id}`."""

    async def write(
        request: ApiRequest, score_keeper_id: UUID, body: MoveRequest, make_entry: Callable[[Sheet], Entry]
    ) -> EncodedResponse:
        expected, key = value_or_none(body.expected_version), idempotency_key(request, body)
        return presenter.response(await keeping.write(score_keeper_id, request.user, make_entry, expected, key))

    @post("/bids", status_code=200, opt=_LIMIT)
    async def write_bid(
        request: ApiRequest, score_keeper_id: ScoreKeeperId, data: JSONBody[SheetBidRequest]
    ) -> EncodedResponse:
        return await write(request, score_keeper_id, data, lambda _: BidNoted(data.seat, data.bid))

    @post("/auction", status_code=200, opt=_LIMIT)
    async def write_auction(
        request: ApiRequest, score_keeper_id: ScoreKeeperId, data: JSONBody[SheetAuctionRequest]
    ) -> EncodedResponse:
        return await write(request, score_keeper_id, data, lambda _: AuctionNoted(data.seat, data.bid, data.suit))

    @post("/trump", status_code=200, opt=_LIMIT)
    async def write_trump(
        request: ApiRequest, score_keeper_id: ScoreKeeperId, data: JSONBody[SheetTrumpRequest] = _TRUMP
    ) -> EncodedResponse:
        noted = _trump(data)
        return await write(request, score_keeper_id, data, lambda _: noted)

    @post("/tricks", status_code=200, opt=_LIMIT)
    async def write_tricks(
        request: ApiRequest, score_keeper_id: ScoreKeeperId, data: JSONBody[SheetTricksRequest]
    ) -> EncodedResponse:
        return await write(request, score_keeper_id, data, lambda _: TricksNoted(data.tricks))

    @post("/penalties", status_code=200, opt=_LIMIT)
    async def write_penalty(
        request: ApiRequest, score_keeper_id: ScoreKeeperId, data: JSONBody[SheetPenaltyRequest]
    ) -> EncodedResponse:
        def penalty(sheet: Sheet) -> PenaltyNoted:
            wrong_claim = value_or_none(data.wrong_claim) or False
            points = value_or_none(data.points) or keep.penalty_points(sheet, wrong_claim=wrong_claim)
            return PenaltyNoted(data.seat, points, wrong_claim)

        return await write(request, score_keeper_id, data, penalty)

    @post("/corrections", status_code=200, opt=_LIMIT)
    async def correct_entries(
        request: ApiRequest, score_keeper_id: ScoreKeeperId, data: JSONBody[CorrectionRequest] = _CORRECTION
    ) -> EncodedResponse:
        return await write(request, score_keeper_id, data, lambda _: Correction(value_or_none(data.entries) or 1))

    @get("/entries", opt=rate_limit(Policy.READS))
    async def list_entries(
        request: ApiRequest, score_keeper_id: ScoreKeeperId, cursor: VersionCursor = None, limit: PageSize = 20
    ) -> EncodedResponse:
        kept = await keeping.get(score_keeper_id, request.user)
        older = [entry for entry in presenter.entries(kept) if cursor is None or entry.version < int(cursor)]
        next_cursor = str(older[limit - 1].version) if len(older) > limit else UNSET
        return json_response(ScoreKeeperEntryList(tuple(older[:limit]), next_cursor), headers=PRIVATE)

    return Router(
        "/v1/score-keepers/{score_keeper_id:str}",
        route_handlers=[
            write_bid,
            write_auction,
            write_trump,
            write_tricks,
            write_penalty,
            correct_entries,
            list_entries,
        ],
    )


def _trump(body: SheetTrumpRequest) -> TrumpNoted:
    if body.turn_up is not UNSET:
        return TrumpNoted(body.turn_up.suit, body.turn_up)
    if body.suit is UNSET:
        raise Refused(Reason.TRUMP_UNKNOWN)
    return TrumpNoted(body.suit)
