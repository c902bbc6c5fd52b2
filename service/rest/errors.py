"""Errors as problem documents (RFC 9457): the closed list of codes, and the one map from refusals to codes.

The texts are in `service.rest.i18n`, by code, reason and `ErrorDetail`.
"""

import logging
from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Any

import msgspec
from litestar.types import Scope
from msgspec import UNSET

from domain.pocha.model.refusals import Reason, Refused
from domain.pocha.rules.ruleset import ContradictoryRuleset
from service.application.caller import AppRequired, InvalidCredential, PlayerRequired
from service.application.command_handler import KeyReused, StaleVersion
from service.application.deleting import NoSuchPlayer
from service.application.joining import NoSuchCode
from service.application.matching import NoSuchMatch
from service.application.new_table import GameNotOver
from service.application.permissions import NoSuchGame, OwnerRequired
from service.application.ports import StoreUnavailable
from service.application.score_keeping import NoSuchScoreKeeper
from service.application.webhooks.management import NoSuchDelivery, NoSuchWebhook, TooManyWebhooks
from service.application.webhooks.targets import ForbiddenTarget
from service.rest.i18n import Language, messages_in, preferred_language
from service.rest.jitter import retry_after_seconds
from service.rest.middleware.access_log import current_request
from service.rest.middleware.path_prefix import path_prefix
from service.rest.responses import EncodedResponse
from service.rest.schemas.problems import FieldError, Problem
from service.rest.scope import header

_LOGGER = logging.getLogger("pocha")


CHALLENGE = {"WWW-Authenticate": 'Bearer realm="pocha"'}
"""Headers of the response to a request without a valid credential."""


class ErrorCode(Enum):
    """The codes of problem documents, each with its HTTP status."""

    INVALID_REQUEST = ("invalid-request", 400)
    UNAUTHENTICATED = ("unauthenticated", 401)
    NOT_YOUR_SEAT = ("not-your-seat", 403)
    NOT_THE_HOST = ("not-the-host", 403)
    APP_REQUIRED = ("app-required", 403)
    NOT_FOUND = ("not-found", 404)
    METHOD_NOT_ALLOWED = ("method-not-allowed", 405)
    NOT_ACCEPTABLE = ("not-acceptable", 406)
    VERSION_CONFLICT = ("version-conflict", 409)
    NOT_YOUR_TURN = ("not-your-turn", 409)
    WRONG_PHASE = ("wrong-phase", 409)
    GAME_OVER = ("game-over", 409)
    GAME_NOT_OVER = ("game-not-over", 409)
    SEAT_TAKEN = ("seat-taken", 409)
    GAME_FULL = ("game-full", 409)
    TOO_LARGE = ("too-large", 413)
    UNSUPPORTED_MEDIA_TYPE = ("unsupported-media-type", 415)
    ILLEGAL_TABLE = ("illegal-table", 422)
    ILLEGAL_BID = ("illegal-bid", 422)
    ILLEGAL_RULESET = ("illegal-ruleset", 422)
    ILLEGAL_PICK = ("illegal-pick", 422)
    ILLEGAL_CLAIM = ("illegal-claim", 422)
    ILLEGAL_CARD = ("illegal-card", 422)
    ILLEGAL_ENTRY = ("illegal-entry", 422)
    ILLEGAL_WEBHOOK = ("illegal-webhook", 422)
    IDEMPOTENCY_KEY_REUSED = ("idempotency-key-reused", 422)
    RATE_LIMITED = ("rate-limited", 429)
    INTERNAL_ERROR = ("internal-error", 500)
    OVERLOADED = ("overloaded", 503)
    DRAINING = ("draining", 503)

    def __init__(self, code: str, status: int) -> None:
        self.code = code
        self.status = status


class ErrorDetail(StrEnum):
    """Details for codes that have several causes."""

    NOT_WELL_FORMED = "not-well-formed"
    CONTENT_ENCODING = "content-encoding"
    ONLY_PLAYERS = "only-players"
    ONLY_APPS = "only-apps"
    NO_SUCH_RULESET = "no-such-ruleset"
    NO_SUCH_GAME = "no-such-game"
    NO_SUCH_SCORE_KEEPER = "no-such-score-keeper"
    NO_SUCH_CODE = "no-such-code"
    NO_SUCH_MATCH = "no-such-match"
    NO_SUCH_WEBHOOK = "no-such-webhook"
    NO_SUCH_DELIVERY = "no-such-delivery"
    TOO_MANY_WEBHOOKS = "too-many-webhooks"
    SHEET_FORMATS = "sheet-formats"
    NOT_A_STREAM = "not-a-stream"
    TOO_OFTEN = "too-often"


_CODES_OF_REASONS: Mapping[Reason, tuple[ErrorCode, str | None]] = {
    Reason.UNKNOWN_RULESET: (ErrorCode.ILLEGAL_TABLE, None),
    Reason.UNKNOWN_COMMITMENT: (ErrorCode.ILLEGAL_TABLE, None),
    Reason.COMMITMENT_USED: (ErrorCode.ILLEGAL_TABLE, None),
    Reason.WRONG_NUMBER_OF_PLAYERS: (ErrorCode.ILLEGAL_TABLE, None),
    Reason.TOO_MANY_ROBOTS: (ErrorCode.ILLEGAL_TABLE, None),
    Reason.NOT_INVITED: (ErrorCode.NOT_FOUND, None),
    Reason.NO_SUCH_SEAT: (ErrorCode.NOT_FOUND, None),
    Reason.SEAT_TAKEN: (ErrorCode.SEAT_TAKEN, None),
    Reason.ALREADY_SEATED: (ErrorCode.SEAT_TAKEN, None),
    Reason.GAME_FULL: (ErrorCode.GAME_FULL, None),
    Reason.REMOVED_BY_HOST: (ErrorCode.NOT_YOUR_SEAT, None),
    Reason.NOT_YOUR_SEAT: (ErrorCode.NOT_YOUR_SEAT, None),
    Reason.NOT_THE_HOST: (ErrorCode.NOT_THE_HOST, None),
    Reason.WRONG_PHASE: (ErrorCode.WRONG_PHASE, None),
    Reason.GAME_OVER: (ErrorCode.GAME_OVER, None),
    Reason.NOT_YOUR_TURN: (ErrorCode.NOT_YOUR_TURN, None),
    Reason.OUT_OF_RANGE: (ErrorCode.ILLEGAL_BID, "bids"),
    Reason.HOOK: (ErrorCode.ILLEGAL_BID, "hook"),
    Reason.BELOW_AUCTION_BID: (ErrorCode.ILLEGAL_BID, "auction"),
    Reason.NOT_HIGHER: (ErrorCode.ILLEGAL_BID, "auction"),
    Reason.MUST_BID: (ErrorCode.ILLEGAL_BID, "auction"),
    Reason.NO_SUCH_POSITION: (ErrorCode.ILLEGAL_PICK, "blind-pick"),
    Reason.RENUNCIO_ENFORCED: (ErrorCode.ILLEGAL_CLAIM, "renuncio"),
    Reason.OWN_PLAY: (ErrorCode.ILLEGAL_CLAIM, "renuncio"),
    Reason.NOT_PLAYED: (ErrorCode.ILLEGAL_CLAIM, "renuncio"),
    Reason.ALREADY_CLAIMED: (ErrorCode.ILLEGAL_CLAIM, None),
    Reason.TRICKS_DO_NOT_ADD_UP: (ErrorCode.ILLEGAL_ENTRY, None),
    Reason.TRUMP_UNKNOWN: (ErrorCode.ILLEGAL_ENTRY, None),
    Reason.NOT_IN_PACK: (ErrorCode.ILLEGAL_ENTRY, None),
    Reason.NO_PENALTY: (ErrorCode.ILLEGAL_ENTRY, None),
    Reason.NOTHING_TO_CORRECT: (ErrorCode.ILLEGAL_ENTRY, None),
    Reason.SHEET_FULL: (ErrorCode.ILLEGAL_ENTRY, None),
    Reason.NOT_IN_HAND: (ErrorCode.ILLEGAL_CARD, None),
    Reason.MUST_FOLLOW: (ErrorCode.ILLEGAL_CARD, "follow"),
    Reason.MUST_BEAT: (ErrorCode.ILLEGAL_CARD, "beat"),
    Reason.MUST_TRUMP: (ErrorCode.ILLEGAL_CARD, "must-trump"),
    Reason.MUST_OVERTRUMP: (ErrorCode.ILLEGAL_CARD, "overtrump"),
}
"""The code of each reason, and the section of the rules (`docs/rules`) behind it; reasons of the table and of the turn have none."""

_TEMPORARY = (ErrorCode.RATE_LIMITED, ErrorCode.OVERLOADED, ErrorCode.DRAINING)
_encode = msgspec.json.Encoder().encode


class ApiError(Exception):
    """An error of the HTTP adapter itself, such as an invalid body. Errors of the game are the application's exceptions.

    `detail` replaces the code's own text, `errors` are the invalid fields, `headers` are added to the response, and `retry_after` is in
    seconds, for codes of a temporary condition; by default a few seconds, at random.
    """

    def __init__(
        self,
        code: ErrorCode,
        detail: ErrorDetail | None = None,
        errors: tuple[FieldError, ...] = (),
        headers: Mapping[str, str] | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(code.code, detail)
        self.code = code
        self.detail = detail
        self.errors = errors
        self.headers = headers or {}
        self.retry_after = retry_after


def section_of(reason: Reason) -> str | None:
    """Return the section of the rules that a refusal is based on, if there is one."""
    return _CODES_OF_REASONS[reason][1]


def invalid_request(pointer: str, message: str) -> ApiError:
    """Return the error of one invalid field; `pointer` as in `FieldError`."""
    return ApiError(ErrorCode.INVALID_REQUEST, errors=(FieldError(pointer, message),))


def error_response(error: Exception, scope: Scope) -> EncodedResponse:
    """Return the problem document of `error` in the language that the request prefers. Logs what nobody foresaw.

    Sets the problem of the access log.
    """
    response = problem_response(error, preferred_language(header(scope, b"accept-language")))
    if response.status == ErrorCode.INTERNAL_ERROR.status:
        _LOGGER.error("a request failed", exc_info=error)
    return response


def problem_response(error: Exception, language: Language) -> EncodedResponse:
    """Return the problem document of `error` in `language`; an unforeseen error becomes a 500 without details."""
    match error:
        case ApiError(code=code, detail=detail, errors=errors, headers=headers, retry_after=seconds):
            return _response(_document(language, code, detail, seconds, errors=errors or UNSET), language, headers)
        case Refused(reason=Reason.NOT_INVITED) | NoSuchGame():
            return _response(_document(language, ErrorCode.NOT_FOUND, ErrorDetail.NO_SUCH_GAME), language)
        case NoSuchScoreKeeper():
            return _response(_document(language, ErrorCode.NOT_FOUND, ErrorDetail.NO_SUCH_SCORE_KEEPER), language)
        case NoSuchPlayer():
            return _response(_document(language, ErrorCode.NOT_FOUND), language)
        case InvalidCredential():
            return _response(_document(language, ErrorCode.UNAUTHENTICATED), language, CHALLENGE)
        case NoSuchMatch():
            return _response(_document(language, ErrorCode.NOT_FOUND, ErrorDetail.NO_SUCH_MATCH), language)
        case NoSuchCode():
            return _response(_document(language, ErrorCode.NOT_FOUND, ErrorDetail.NO_SUCH_CODE), language)
        case Refused():
            return _response(_refusal(language, error), language)
        case PlayerRequired():
            return _response(_document(language, ErrorCode.NOT_YOUR_SEAT, ErrorDetail.ONLY_PLAYERS), language)
        case OwnerRequired():
            return _response(_document(language, ErrorCode.NOT_THE_HOST, ErrorDetail.ONLY_APPS), language)
        case NoSuchWebhook():
            return _response(_document(language, ErrorCode.NOT_FOUND, ErrorDetail.NO_SUCH_WEBHOOK), language)
        case NoSuchDelivery():
            return _response(_document(language, ErrorCode.NOT_FOUND, ErrorDetail.NO_SUCH_DELIVERY), language)
        case TooManyWebhooks():
            return _response(_document(language, ErrorCode.ILLEGAL_WEBHOOK, ErrorDetail.TOO_MANY_WEBHOOKS), language)
        case StaleVersion(current=current):
            return _response(_document(language, ErrorCode.VERSION_CONFLICT, current_version=current), language)
        case ContradictoryRuleset(contradictions=found):
            errors = tuple(FieldError(f"/house_rules{one.pointer}", one.message) for one in found)
            return _response(_document(language, ErrorCode.ILLEGAL_RULESET, errors=errors), language)
        case _:
            return _response(_document(language, _plain_code(error)), language)


def _plain_code(error: Exception) -> ErrorCode:
    match error:
        case KeyReused():
            return ErrorCode.IDEMPOTENCY_KEY_REUSED
        case ForbiddenTarget():
            return ErrorCode.ILLEGAL_WEBHOOK
        case AppRequired():
            return ErrorCode.APP_REQUIRED
        case GameNotOver():
            return ErrorCode.GAME_NOT_OVER
        case StoreUnavailable():
            return ErrorCode.OVERLOADED
        case _:
            return ErrorCode.INTERNAL_ERROR


def _refusal(language: Language, refused: Refused) -> Problem:
    code, rule = _CODES_OF_REASONS[refused.reason]
    facts = {name: value for name, value in msgspec.structs.asdict(refused.facts).items() if value is not None}
    document = _document(language, code, reason=refused.reason, rule=rule or UNSET, **facts)
    return msgspec.structs.replace(document, detail=messages_in(language).refusal(refused.reason, facts))


def _document(
    language: Language,
    code: ErrorCode,
    detail: ErrorDetail | None = None,
    retry_after: int | None = None,
    **members: Any,
) -> Problem:
    messages = messages_in(language)
    texts = messages.codes[code.code]
    text = messages.details[detail] if detail else texts.detail
    if code in _TEMPORARY:
        members["retry_after"] = retry_after_seconds() if retry_after is None else retry_after
    return Problem(f"{path_prefix()}/problems/{code.code}", texts.title, code.status, code.code, text, **members)


def _response(document: Problem, language: Language, headers: Mapping[str, str] | None = None) -> EncodedResponse:
    current_request().problem = document.code
    all_headers = {"Content-Language": language, "Vary": "Accept-Language", **(headers or {})}
    if document.retry_after is not UNSET:
        all_headers["Retry-After"] = str(document.retry_after)
    return EncodedResponse(_encode(document), document.status, "application/problem+json", all_headers)
