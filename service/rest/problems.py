"""Every error as a problem document (RFC 9457): one closed list of codes, and the one map from refusals to them."""

from collections.abc import Mapping
from enum import Enum
from typing import Any

import msgspec
from msgspec import UNSET

from domain.pocha.refusals import Reason, Refused
from service.games import NoSuchGame, StaleVersion
from service.ports import LogUnavailable
from service.rest.bodies import FieldError, Problem
from service.rest.replies import Reply

_RETRY_AFTER_SECONDS = 1


class Code(Enum):
    """The codes, each with its HTTP status and its title."""

    INVALID_REQUEST = ("invalid-request", 400, "The request does not fit the contract")
    UNAUTHENTICATED = ("unauthenticated", 401, "A valid bearer token is needed")
    NOT_YOUR_SEAT = ("not-your-seat", 403, "That seat is not yours")
    NOT_THE_HOST = ("not-the-host", 403, "Only the creator of the table may do that")
    NOT_FOUND = ("not-found", 404, "There is nothing here")
    METHOD_NOT_ALLOWED = ("method-not-allowed", 405, "That method is not allowed here")
    NOT_ACCEPTABLE = ("not-acceptable", 406, "None of the accepted media types can be given")
    VERSION_CONFLICT = ("version-conflict", 409, "The game stands at another version")
    NOT_YOUR_TURN = ("not-your-turn", 409, "It is another seat's turn")
    WRONG_PHASE = ("wrong-phase", 409, "That cannot be done at this moment of the game")
    GAME_OVER = ("game-over", 409, "The game is over")
    SEAT_TAKEN = ("seat-taken", 409, "The seat is taken")
    GAME_FULL = ("game-full", 409, "The table is full")
    TOO_LARGE = ("too-large", 413, "The body is too large")
    UNSUPPORTED_MEDIA_TYPE = ("unsupported-media-type", 415, "The body must be application/json")
    ILLEGAL_TABLE = ("illegal-table", 422, "There is no such table")
    ILLEGAL_BID = ("illegal-bid", 422, "That bid may not be made")
    ILLEGAL_CARD = ("illegal-card", 422, "That card may not be played")
    INTERNAL_ERROR = ("internal-error", 500, "Something went wrong here")
    OVERLOADED = ("overloaded", 503, "The service cannot take this now")

    def __init__(self, code: str, status: int, title: str) -> None:
        self.code = code
        self.status = status
        self.title = title


_OF_REASON = {
    Reason.UNKNOWN_RULESET: (Code.ILLEGAL_TABLE, "There is no ruleset of that name; GET /v1/rulesets lists them."),
    Reason.WRONG_NUMBER_OF_PLAYERS: (Code.ILLEGAL_TABLE, "The ruleset is not for that number of players."),
    Reason.TOO_MANY_ROBOTS: (Code.ILLEGAL_TABLE, "You sit at seat 0; at most all the other seats can be robots'."),
    Reason.NOT_INVITED: (Code.NOT_FOUND, "There is no such game."),
    Reason.NO_SUCH_SEAT: (Code.NOT_FOUND, "The table has no such seat."),
    Reason.SEAT_TAKEN: (Code.SEAT_TAKEN, "Somebody sits there."),
    Reason.ALREADY_SEATED: (Code.SEAT_TAKEN, "You already sit at this table."),
    Reason.GAME_FULL: (Code.GAME_FULL, "Every seat was taken, and the game has started."),
    Reason.NOT_YOUR_SEAT: (Code.NOT_YOUR_SEAT, "You do not sit there."),
    Reason.NOT_THE_HOST: (Code.NOT_THE_HOST, "Only the creator of the table may do that."),
    Reason.WRONG_PHASE: (Code.WRONG_PHASE, "The game is at another moment."),
    Reason.GAME_OVER: (Code.GAME_OVER, "The game is over, or was abandoned."),
    Reason.NOT_YOUR_TURN: (Code.NOT_YOUR_TURN, "The game waits for another seat."),
    Reason.OUT_OF_RANGE: (Code.ILLEGAL_BID, "A bid is a number of tricks, from none to all of the hand."),
    Reason.HOOK: (Code.ILLEGAL_BID, "The last to bid must not make the bids add up to the tricks of the hand."),
    Reason.NOT_IN_HAND: (Code.ILLEGAL_CARD, "You do not hold that card."),
    Reason.MUST_FOLLOW: (Code.ILLEGAL_CARD, "You hold the suit that was led, and must follow it."),
    Reason.MUST_BEAT: (Code.ILLEGAL_CARD, "You can beat the highest card of the suit led, and must."),
    Reason.MUST_TRUMP: (Code.ILLEGAL_CARD, "You cannot follow suit, and must trump."),
    Reason.MUST_OVERTRUMP: (Code.ILLEGAL_CARD, "You can beat the highest trump on the table, and must."),
}

_encode = msgspec.json.Encoder().encode


class ApiError(Exception):
    """A problem found before the game is asked: `code`, a sentence, the fields that do not fit, and further headers."""

    def __init__(
        self,
        code: Code,
        detail: str,
        errors: tuple[FieldError, ...] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.errors = errors
        self.headers = headers or {}


def problem_of(error: Exception) -> Reply:
    """Return the answer to a request that failed with `error`; what is not foreseen is a 500 that tells nothing."""
    match error:
        case ApiError(code=code, detail=detail, errors=errors, headers=headers):
            return _reply(_document(code, detail, errors=errors or UNSET), headers)
        case Refused():
            return _refusal(error)
        case NoSuchGame():
            return _reply(_document(Code.NOT_FOUND, "There is no such game."))
        case StaleVersion(current=current):
            return _reply(_document(Code.VERSION_CONFLICT, "Read the game again.", current_version=current))
        case LogUnavailable():
            document = _document(Code.OVERLOADED, "Try again in a moment.", retry_after=_RETRY_AFTER_SECONDS)
            return _reply(document, {"Retry-After": str(_RETRY_AFTER_SECONDS)})
        case _:
            return _reply(_document(Code.INTERNAL_ERROR, "It has been logged; nothing was changed."))


def _refusal(refused: Refused) -> Reply:
    code, detail = _OF_REASON[refused.reason]
    if refused.reason is Reason.NOT_INVITED:
        return _reply(_document(code, detail))
    facts = {name: value for name, value in msgspec.structs.asdict(refused.facts).items() if value is not None}
    return _reply(_document(code, detail, reason=refused.reason, **facts))


def _document(code: Code, detail: str, **members: Any) -> Problem:
    return Problem(f"/problems/{code.code}", code.title, code.status, code.code, detail, **members)


def _reply(document: Problem, headers: Mapping[str, str] | None = None) -> Reply:
    return Reply(_encode(document), document.status, "application/problem+json", headers)
