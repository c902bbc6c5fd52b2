"""One hand of a record, dealt and played again: every move is judged by the rules, as when it was first made."""

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from domain.pocha.behaviour.decide import decide
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model import commands
from domain.pocha.model.commands import Command
from domain.pocha.model.events import Event, RenuncioClaimed
from domain.pocha.model.state import (
    Auctioning,
    Bidding,
    ChoosingTrump,
    Deal,
    Dealing,
    InHand,
    PickingBlind,
    Playing,
    State,
    turn_of,
)
from domain.pocha.view.schema import SeatCall
from service.application import autoplay
from service.application.ports import Shuffler
from service.application.record import consistency
from service.application.record.facts import RecordedAuction, RecordedClaim, RecordedHand, RecordedPick
from service.application.record.hands import hand_of
from service.application.record.mismatch import InvalidRecord, as_json, require_equal
from service.application.record.moves import judged

_WHERE = {
    PickingBlind: "blind_pick",
    Auctioning: "auction",
    ChoosingTrump: "auction/trump",
    Bidding: "bids",
    Playing: "plays",
}
_DEALT = ("number", "kind", "cards", "dealer", "hands", "stock")

Placed = tuple[str, Command]


def replay(
    before: Dealing, hand: RecordedHand, written: Any, place: str, shuffler: Shuffler
) -> tuple[State, list[Event]]:
    """Return how the game stands after `hand`, found at `place` and `written` so, and what happened in it.

    Raises:
        InvalidRecord: it was not dealt, played or scored so.
    """
    deal = decide(before, autoplay.deal_command(before.match, shuffler))
    dealt = fold(before, deal)
    if isinstance(dealt, InHand):
        _require_dealt(dealt.deal, hand, place)
        consistency.question(hand, dealt.deal.hands, place)
    after, moves = _played(dealt, hand, place)
    happened = [*deal, *moves]
    require_equal(as_json(hand_of(happened)), written, place)
    return after, happened


def _require_dealt(deal: Deal, hand: RecordedHand, place: str) -> None:
    dealt = (deal.number, deal.plan.kind, deal.plan.cards, deal.dealer, deal.hands, deal.stock)
    told = (hand.number, hand.kind, hand.cards, hand.dealer, hand.hands, hand.stock)
    for name, right, given in zip(_DEALT, dealt, told, strict=True):
        require_equal(as_json(right), as_json(given), f"{place}/{name}")


def _played(now: State, hand: RecordedHand, place: str) -> tuple[State, list[Event]]:
    """Make every move of the hand, claims among them, until it is over."""
    script, claims = _script(hand, place), [*enumerate(hand.claims)]
    happened: list[Event] = []
    made = 0
    while isinstance(now, InHand):
        if claims and claims[0][1].after_moves == made:
            index, claim = claims.pop(0)
            events = _claimed(now, claim, f"{place}/claims/{index}")
        else:
            events = judged(now, *_next(script[type(now)], now, place))
            made += 1
        now = fold(now, events)
        happened.extend(events)
    return now, happened


def _next(moves: Iterator[Placed], now: InHand, place: str) -> Placed:
    move = next(moves, None)
    if move is None:
        raise InvalidRecord(f"{place}/{_WHERE[type(now)]}", f"a move is missing, which seat {turn_of(now)} had to make")
    return move


def _script(hand: RecordedHand, place: str) -> dict[type[InHand], Iterator[Placed]]:
    """Return the moves that were made in each phase of the hand, each with its place."""
    pick, auction = hand.blind_pick, hand.auction
    return {
        PickingBlind: iter(() if pick is UNSET else ((f"{place}/blind_pick", _pick(pick)),)),
        Auctioning: iter(() if auction is UNSET else _calls(auction, f"{place}/auction/calls")),
        ChoosingTrump: iter(() if auction is UNSET else (_naming(auction, f"{place}/auction/trump"),)),
        Bidding: iter(
            [(f"{place}/bids/{at}", commands.MakeBid(made.seat, made.bid)) for at, made in enumerate(hand.bids)]
        ),
        Playing: iter(
            [(f"{place}/plays/{at}", commands.PlayCard(made.seat, made.card)) for at, made in enumerate(hand.plays)]
        ),
    }


def _pick(pick: RecordedPick) -> Command:
    return commands.PickBlind(pick.seat, None if pick.position is UNSET else pick.position)


def _calls(auction: RecordedAuction, place: str) -> Iterator[Placed]:
    for at, call in enumerate(auction.calls):
        yield f"{place}/{at}", _call(call)


def _call(call: SeatCall) -> Command:
    return commands.PassAuction(call.seat) if call.bid is UNSET else commands.MakeAuctionBid(call.seat, call.bid)


def _naming(auction: RecordedAuction, place: str) -> Placed:
    return place, commands.ChooseTrump(auction.winner, auction.trump)


def _claimed(now: InHand, claim: RecordedClaim, place: str) -> tuple[Event, ...]:
    events = judged(now, place, commands.ClaimRenuncio(claim.claimant, claim.seat, claim.trick))
    for event in events:
        if isinstance(event, RenuncioClaimed):
            _require_claim(event, claim, place)
    return events


def _require_claim(event: RenuncioClaimed, claim: RecordedClaim, place: str) -> None:
    """Where what follows is another thing, who claimed, whose card and which may be wrong as well."""
    if event.card != claim.card:
        raise InvalidRecord(place, f"seat {claim.seat} played {event.card} to that trick, not {claim.card}")
    if event.totals != claim.totals:
        raise InvalidRecord(place, f"the totals after it are {list(event.totals)}, not {list(claim.totals)}")
