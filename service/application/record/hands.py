"""Record of one hand, copied from its events."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from msgspec import UNSET, UnsetType

from domain.pocha.model import events as ev
from domain.pocha.view.schema import SeatBid, SeatCard, SeatCards
from service.application.record.facts import (
    FORMAT,
    Format,
    RecordedAuction,
    RecordedCall,
    RecordedClaim,
    RecordedHand,
    RecordedPick,
    RecordedScore,
)

T = TypeVar("T")
E = TypeVar("E", bound=ev.Event)

MOVES = (
    ev.BlindPickMade,
    ev.AuctionBidMade,
    ev.AuctionPassed,
    ev.TrumpChosen,
    ev.BidMade,
    ev.CardPlayed,
)
"""Events that are moves of the hand, each made by the seat on turn."""


def split_by_hand(events: Iterable[ev.Event]) -> list[list[ev.Event]]:
    """Return the events of each hand, from its deal to the next deal; events before the first deal are left out."""
    hands: list[list[ev.Event]] = []
    for event in events:
        if isinstance(event, ev.HandDealt):
            hands.append([])
        if hands:
            hands[-1].append(event)
    return hands


def hand_of(events: Sequence[ev.Event], record_format: Format = FORMAT) -> RecordedHand:
    """Return the record of a hand; `events` begin with its deal and end with its score."""
    dealt, scored = _all(events, ev.HandDealt)[0], _all(events, ev.HandScored)[0]
    picks, chosen = _all(events, ev.BlindPickMade), _all(events, ev.TrumpChosen)
    trump, turn_up = dealt.trump, dealt.turn_up
    if picks:
        trump, turn_up = picks[0].card.suit, picks[0].card
    return RecordedHand(
        number=dealt.number,
        kind=dealt.kind,
        cards=dealt.cards,
        dealer=dealt.dealer,
        hands=tuple(SeatCards(seat, cards) for seat, cards in enumerate(dealt.hands)),
        stock=dealt.stock,
        blind_pick=_pick(picks[0]) if picks else UNSET,
        auction=_auction(events, chosen[0]) if chosen else UNSET,
        turn_up=_present(turn_up),
        trump=_present(chosen[0].suit if chosen else trump),
        multiplier=(picks or chosen or [dealt])[0].multiplier,
        bids=tuple(
            SeatBid(event.seat, event.bid) for event in [*_locked(events, record_format), *_all(events, ev.BidMade)]
        ),
        plays=tuple(SeatCard(event.seat, event.card) for event in _all(events, ev.CardPlayed)),
        tricks=tuple(event.seat for event in _all(events, ev.TrickTaken)),
        claims=tuple(_claims(events)),
        scores=_scores(scored),
    )


def _all(events: Iterable[ev.Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def _locked(events: Sequence[ev.Event], record_format: Format) -> list[ev.AuctionWon]:
    return [] if record_format == 1 else [won for won in _all(events, ev.AuctionWon) if won.locked]


def _pick(event: ev.BlindPickMade) -> RecordedPick:
    return RecordedPick(event.seat, event.card, _present(event.position))


def _auction(events: Sequence[ev.Event], chosen: ev.TrumpChosen) -> RecordedAuction:
    won = _all(events, ev.AuctionWon)[0]
    calls = tuple(call for event in events if (call := _call(event)))
    return RecordedAuction(calls, won.seat, won.bid, won.locked, chosen.suit)


def _call(event: ev.Event) -> RecordedCall | None:
    match event:
        case ev.AuctionBidMade(seat=seat, bid=bid):
            return RecordedCall(seat, bid)
        case ev.AuctionPassed(seat=seat):
            return RecordedCall(seat, passed=True)
        case _:
            return None


def _claims(events: Iterable[ev.Event]) -> Iterable[RecordedClaim]:
    moves = 0
    for event in events:
        moves += isinstance(event, MOVES)
        if isinstance(event, ev.RenuncioClaimed):
            yield _claim(event, moves)


def _claim(event: ev.RenuncioClaimed, moves: int) -> RecordedClaim:
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


def _scores(event: ev.HandScored) -> tuple[RecordedScore, ...]:
    rows = zip(event.bids, event.tricks, event.points, event.totals, strict=True)
    return tuple(RecordedScore(seat, *row) for seat, row in enumerate(rows))


def _present(value: T | None) -> T | UnsetType:
    return UNSET if value is None else value
