"""What a robot is given: what the person at its seat may know and could remember, and nothing else (rulebook section 6).

That is the view of the hand, its public events so far (who played what, and so who could not follow or beat), and of the hand before it the
cards that were played.
"""

from typing import assert_never

import msgspec

from domain.cards import Card, Suit
from domain.pocha.behaviour import legal
from domain.pocha.model.state import (
    Auctioning,
    Bidding,
    ChoosingTrump,
    HandState,
    InHand,
    PickingBlind,
    Playing,
    State,
    Trick,
)
from domain.pocha.rules.auction import Call
from domain.pocha.rules.schedule import HandKind, HandPlan
from domain.pocha.view.schema import Action
from domain.seats import from_seat


class NotOnTurn(ValueError):
    """The seat has no move to make, so there is nothing for a robot to choose."""


class Choices(msgspec.Struct, frozen=True):
    """What the seat may do: one of the moves of `action`. Only the list that belongs to the action has entries."""

    action: Action
    bids: tuple[int, ...] = ()
    may_pass: bool = False
    suits: tuple[Suit, ...] = ()
    cards: tuple[Card, ...] = ()

    @property
    def is_forced(self) -> bool:
        """Tell whether there is nothing to choose between, or nothing to choose by."""
        return self.action is Action.BLIND_PICK or (self.action is Action.PLAY and len(self.cards) == 1)


class TakenTrump(msgspec.Struct, frozen=True):
    """The outcome of an auction: who names trump, and the bid; `locked` when it stands for the hand."""

    winner: int
    bid: int
    locked: bool


class PublicHand(msgspec.Struct, frozen=True):
    """The cards of a hand that have been played, and under which trump."""

    number: int
    trump: Suit | None
    tricks: tuple[Trick, ...]


class Observation(msgspec.Struct, frozen=True):
    """One seat's knowledge at its turn. Lists named "by seat" have one entry a seat, from seat 0.

    Attributes:
        cards: how many cards each player was dealt, and so how many tricks the hand has.
        dealers_turn_up: whether the turn-up is one of the dealer's cards (all were dealt).
        hand: the own cards; none where they are hidden (an india hand, a blind pick).
        others: in an india hand the cards of the others, by seat; else empty.
        calls: what was said in the auction, from the mano; a pass is None.
        bids: by seat; None where there is none yet.
        to_bid: the seats that are still to bid after this one, in order.
        hooked: whether the last bid must not make the bids add up to the tricks.
        tricks: the complete tricks; `won` counts them by seat.
        following: the hands still to come after this one, extra hands apart.
        previous: the hand before this one.
        claims: the renuncios claimed so far: hand, seat and trick, and by whom, or None when proven.
    """

    seat: int
    players: int
    number: int
    kind: HandKind
    cards: int
    dealer: int
    trump: Suit | None
    turn_up: Card | None
    dealers_turn_up: bool
    multiplier: int
    hand: tuple[Card, ...]
    bids: tuple[int | None, ...]
    won: tuple[int, ...]
    tricks: tuple[Trick, ...]
    trick: Trick
    totals: tuple[int, ...]
    choices: Choices
    others: tuple[tuple[Card, ...], ...] = ()
    calls: tuple[Call, ...] = ()
    auction: TakenTrump | None = None
    to_bid: tuple[int, ...] = ()
    hooked: bool = False
    following: tuple[HandPlan, ...] = ()
    previous: PublicHand | None = None
    claims: tuple[tuple[int, int, int, int | None], ...] = ()

    @property
    def mano(self) -> int:
        """The seat that bids and leads first."""
        return (self.dealer + 1) % self.players


def observe(state: State, seat: int) -> Observation:
    """Return what `seat`, which is on turn, knows.

    Raises:
        NotOnTurn: another seat is, or none.
    """
    if not isinstance(state, InHand) or state.turn != seat:
        raise NotOnTurn
    progress, deal = state.progress, state.deal
    playing = state if isinstance(state, Playing) else None
    india = deal.plan.kind is HandKind.INDIA
    face_down = isinstance(state, PickingBlind)
    hands = playing.hands if playing else deal.hands
    return Observation(
        seat=seat,
        players=progress.players,
        number=deal.number,
        kind=deal.plan.kind,
        cards=deal.plan.cards,
        dealer=deal.dealer,
        trump=deal.trump,
        turn_up=deal.turn_up,
        dealers_turn_up=deal.turn_up is not None and deal.turn_up in deal.hands[deal.dealer],
        multiplier=deal.multiplier,
        hand=() if india or face_down else hands[seat],
        bids=_bids(state),
        won=playing.tricks_won if playing else (0,) * progress.players,
        tricks=tuple(taken.trick for taken in playing.taken) if playing else (),
        trick=playing.trick if playing else Trick(deal.mano),
        totals=progress.totals,
        choices=_choices(state),
        others=tuple(() if at == seat else held for at, held in enumerate(hands)) if india else (),
        calls=_calls(state),
        auction=_auction(state),
        to_bid=_to_bid(state, seat),
        hooked=isinstance(state, Bidding) and _is_hooked(state),
        following=progress.schedule[deal.number :],
        previous=_previous(state),
        claims=tuple(
            (claim.hand, claim.seat, claim.trick, None if claim.proven else claim.claimant) for claim in progress.claims
        ),
    )


def _bids(state: HandState) -> tuple[int | None, ...]:
    if isinstance(state, Playing):
        return state.bids
    made = dict(zip(state.deal.bidders, state.bids, strict=False)) if isinstance(state, Bidding) else {}
    held = _auction(state)
    if held is not None and held.locked:
        made[held.winner] = held.bid
    return tuple(made.get(seat) for seat in range(state.progress.players))


def _calls(state: HandState) -> tuple[Call, ...]:
    match state:
        case Auctioning(calls=calls):
            return calls
        case ChoosingTrump(auction=auction):
            return auction.calls
        case _:
            return state.deal.auction.calls if state.deal.auction else ()


def _auction(state: HandState) -> TakenTrump | None:
    held = state.auction if isinstance(state, ChoosingTrump) else state.deal.auction
    return None if held is None else TakenTrump(held.winner, held.bid, held.locked)


def _to_bid(state: HandState, seat: int) -> tuple[int, ...]:
    match state:
        case Bidding(deal=deal, bids=bids):
            return deal.bidders[len(bids) + 1 :]
        case Playing():
            return ()
        case _:
            return tuple(other for other in from_seat(state.deal.mano, state.progress.players) if other != seat)


def _is_hooked(state: Bidding) -> bool:
    """Tell whether the hook binds the last bidder of this hand, whoever that is."""
    bidders = state.deal.bidders
    last = Bidding(state.progress, state.deal, bidders[-1], (0,) * (len(bidders) - 1))
    return legal.forbidden_bid(last) is not None


def _choices(state: HandState) -> Choices:
    match state:
        case PickingBlind():
            return Choices(Action.BLIND_PICK)
        case Auctioning():
            calls = legal.legal_calls(state)
            return Choices(Action.AUCTION_BID, bids=calls.bids, may_pass=calls.may_pass)
        case ChoosingTrump():
            return Choices(Action.CHOOSE_TRUMP, suits=tuple(Suit))
        case Bidding():
            return Choices(Action.BID, bids=legal.legal_bids(state))
        case Playing():
            return Choices(Action.PLAY, cards=legal.legal_cards(state))
        case _:
            assert_never(state)


def _previous(state: HandState) -> PublicHand | None:
    last = state.progress.last_hand
    return None if last is None else PublicHand(last.deal.number, last.deal.trump, last.tricks)
