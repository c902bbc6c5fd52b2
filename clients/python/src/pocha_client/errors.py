"""Problems that the service answers with, as exceptions by `code`. A code that is newer than this client is a plain `PochaError`."""

from collections.abc import Mapping

from pocha_client.models import Problem


class PochaError(Exception):
    """The service refused a request. `problem` has all that it says; its `detail` is in the language that was asked for."""

    def __init__(self, problem: Problem, request_id: str = "", retry_after: float | None = None) -> None:
        super().__init__(f"{problem.code}: {problem.detail} (request {request_id})")
        self.problem = problem
        self.request_id = request_id
        self.retry_after = retry_after

    @property
    def code(self) -> str:
        """The stable code."""
        return self.problem.code

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.problem.status

    @property
    def legal_cards(self) -> tuple[str, ...]:
        """What could have been played, where that is the problem."""
        return self.problem.legal_cards or ()

    @property
    def legal_bids(self) -> tuple[int, ...]:
        """What could have been bid, where that is the problem."""
        return self.problem.legal_bids or ()


class NoAnswer(Exception):
    """The service could not be reached, or gave no answer, however often it was asked. The request may have been carried out."""


class InvalidRequest(PochaError):
    """400: the request does not fit the contract."""


class Unauthenticated(PochaError):
    """401: the token is not valid, or not any more."""


class NotYourSeat(PochaError):
    """403: the caller does not sit there."""


class NotTheHost(PochaError):
    """403: only the creator of the table may do that."""


class NotFound(PochaError):
    """404: there is no such thing, or the caller may not know of it."""


class VersionConflict(PochaError):
    """409: the game has gone on since."""


class NotYourTurn(PochaError):
    """409: it is another seat's turn."""


class WrongPhase(PochaError):
    """409: that cannot be done at this moment of the game."""


class GameOver(PochaError):
    """409: the game is over."""


class GameNotOver(PochaError):
    """409: the game is not over yet."""


class SeatTaken(PochaError):
    """409: somebody sits there, or the caller sits at the table already."""


class GameFull(PochaError):
    """409: every seat is taken."""


class IllegalTable(PochaError):
    """422: there is no such ruleset, or it is not for such a table."""


class IllegalRuleset(PochaError):
    """422: the house rules contradict one another."""


class IllegalBid(PochaError):
    """422: the rules do not allow the bid."""


class IllegalCard(PochaError):
    """422: the rules do not allow the card."""


class IllegalPick(PochaError):
    """422: there is no such card to pick."""


class IllegalClaim(PochaError):
    """422: that cannot be claimed."""


class IdempotencyKeyReused(PochaError):
    """422: the key was used for another request."""


class RateLimited(PochaError):
    """429: too many requests, still after all retries."""


class Overloaded(PochaError):
    """503: the service cannot take the request now, still after all retries."""


BY_CODE: Mapping[str, type[PochaError]] = {
    "invalid-request": InvalidRequest,
    "unauthenticated": Unauthenticated,
    "not-your-seat": NotYourSeat,
    "not-the-host": NotTheHost,
    "not-found": NotFound,
    "version-conflict": VersionConflict,
    "not-your-turn": NotYourTurn,
    "wrong-phase": WrongPhase,
    "game-over": GameOver,
    "game-not-over": GameNotOver,
    "seat-taken": SeatTaken,
    "game-full": GameFull,
    "illegal-table": IllegalTable,
    "illegal-ruleset": IllegalRuleset,
    "illegal-bid": IllegalBid,
    "illegal-card": IllegalCard,
    "illegal-pick": IllegalPick,
    "illegal-claim": IllegalClaim,
    "idempotency-key-reused": IdempotencyKeyReused,
    "rate-limited": RateLimited,
    "overloaded": Overloaded,
    "draining": Overloaded,
}
