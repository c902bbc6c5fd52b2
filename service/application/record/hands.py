"""From the events of one hand to what a record says of it: copying, no rules."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from msgspec import UNSET, UnsetType

from domain.pocha.model import events
from domain.pocha.view.schema import SeatBid, SeatCall, SeatCard
from service.application.record.facts import RecordedAuction, RecordedClaim, RecordedHand, RecordedPick, RecordedScore

T = TypeVar("T")
E = TypeVar("E", bound=events.Event)

MOVES = (
    events.BlindPickMade,
    events.AuctionBidMade,
    events.AuctionPassed,
    events.TrumpChosen,
    events.BidMade,
    events.CardPlayed,
)
"""The events that are moves of the hand, each made by the seat on turn."""


def split_by_hand(happened: Iterable[events.Event]) -> list[list[events.Event]]:
    """Return the events of each hand, from its deal to the next one; what came before the first is left out."""
    hands: list[list[events.Event]] = []
    for event in happened:
        if isinstance(event, events.HandDealt):
            hands.append([])
        if hands:
            hands[-1].append(event)
    return hands


def hand_of(happened: Sequence[events.Event]) -> RecordedHand:
    """Return the hand that begins with its deal, the first of the events that `happened`, and ends with its score."""
    dealt, scored = _all(happened, events.HandDealt)[0], _all(happened, events.HandScored)[0]
    picks, chosen = _all(happened, events.BlindPickMade), _all(happened, events.TrumpChosen)
    trump, turn_up = dealt.trump, dealt.turn_up
    if picks:
        trump, turn_up = picks[0].card.suit, picks[0].card
    return RecordedHand(
        number=dealt.number,
        kind=dealt.kind,
        cards=dealt.cards,
        dealer=dealt.dealer,
        hands=dealt.hands,
        stock=dealt.stock,
        blind_pick=_pick(picks[0]) if picks else UNSET,
        auction=_auction(happened, chosen[0]) if chosen else UNSET,
        turn_up=_present(turn_up),
        trump=_present(chosen[0].suit if chosen else trump),
        multiplier=(picks or chosen or [dealt])[0].multiplier,
        bids=tuple(SeatBid(event.seat, event.bid) for event in _all(happened, events.BidMade)),
        plays=tuple(SeatCard(event.seat, event.card) for event in _all(happened, events.CardPlayed)),
        tricks=tuple(event.seat for event in _all(happened, events.TrickTaken)),
        claims=tuple(_claims(happened)),
        scores=_scores(scored),
    )


def _all(happened: Iterable[events.Event], kind: type[E]) -> list[E]:
    return [event for event in happened if isinstance(event, kind)]


def _pick(event: events.BlindPickMade) -> RecordedPick:
    return RecordedPick(event.seat, event.card, _present(event.position))


def _auction(happened: Sequence[events.Event], chosen: events.TrumpChosen) -> RecordedAuction:
    won = _all(happened, events.AuctionWon)[0]
    calls = tuple(call for event in happened if (call := _call(event)))
    return RecordedAuction(calls, won.seat, won.bid, won.locked, chosen.suit)


def _call(event: events.Event) -> SeatCall | None:
    match event:
        case events.AuctionBidMade(seat=seat, bid=bid):
            return SeatCall(seat, bid)
        case events.AuctionPassed(seat=seat):
            return SeatCall(seat, passed=True)
        case _:
            return None


def _claims(happened: Iterable[events.Event]) -> Iterable[RecordedClaim]:
    moves = 0
    for event in happened:
        moves += isinstance(event, MOVES)
        if isinstance(event, events.RenuncioClaimed):
            yield _claim(event, moves)


def _claim(event: events.RenuncioClaimed, moves: int) -> RecordedClaim:
    return RecordedClaim(
        after_moves=moves,
        claimant=event.claimant,
        seat=event.seat,
        hand=event.hand,
        trick=event.trick,
        card=event.card,
        proven=event.proven,
        penalty=event.penalty,
        totals=event.totals,
    )


def _scores(event: events.HandScored) -> tuple[RecordedScore, ...]:
    rows = zip(event.bids, event.tricks, event.points, event.totals, strict=True)
    return tuple(RecordedScore(seat, *row) for seat, row in enumerate(rows))


def _present(value: T | None) -> T | UnsetType:
    return UNSET if value is None else value
