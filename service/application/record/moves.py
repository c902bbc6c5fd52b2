"""A move of a record, judged by the rules as when it was first made; why one may not be made, in a sentence."""

from domain.pocha.behaviour.decide import decide
from domain.pocha.model import commands
from domain.pocha.model.commands import Command
from domain.pocha.model.events import Event
from domain.pocha.model.refusals import Reason, Refused
from domain.pocha.model.state import Auctioning, InHand
from domain.pocha.rules.auction import best_call
from service.application.record.mismatch import InvalidRecord


def judged(now: InHand, place: str, command: Command) -> tuple[Event, ...]:
    """Return what happens when the move at `place` is made.

    Raises:
        InvalidRecord: it may not be made.
    """
    try:
        return decide(now, command)
    except Refused as refused:
        raise InvalidRecord(place, _sentence(now, command, refused.reason, place)) from None


def _sentence(now: InHand, command: Command, reason: Reason, place: str) -> str:
    match command:
        case commands.PlayCard(card=card):
            return f"{card} may not be played ({reason})"
        case commands.MakeBid(bid=bid):
            return f"{bid} may not be bid ({reason})"
        case commands.MakeAuctionBid(bid=bid):
            return f"{bid} may not be bid ({reason}{_than_which(now, reason, place)})"
        case commands.PassAuction():
            return f"nobody may pass here ({reason})"
        case commands.ClaimRenuncio():
            return f"that renuncio may not be claimed ({reason})"
        case _:
            return f"that may not be done ({reason})"


def _than_which(now: InHand, reason: Reason, place: str) -> str:
    """In an ascending auction either of two calls may be the false one."""
    if reason is not Reason.NOT_HIGHER or not isinstance(now, Auctioning):
        return ""
    return f" than {place.rpartition('/')[0]}/{best_call(now.calls)[0]}"
