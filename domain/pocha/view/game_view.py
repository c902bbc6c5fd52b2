"""`see`: the view of a game for one viewer (rulebook section 6).

Views are built from an allow-list: a fact that is not copied here stays secret. A viewer is a seat, or None: a spectator, who sees no
unplayed card. Two games that differ only in what a viewer may not know give that viewer equal views and events.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import assert_never

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.pocha.behaviour import legal
from domain.pocha.model.state import (
    Abandoned,
    Auctioning,
    Bidding,
    ChoosingTrump,
    Dealing,
    Finished,
    HandState,
    InHand,
    NotCreated,
    PickingBlind,
    Playing,
    Progress,
    State,
    Trick,
    Waiting,
    progress_of,
    ruleset_of,
    table_of,
)
from domain.pocha.rules.auction import Call
from domain.pocha.rules.schedule import HandKind
from domain.pocha.view import schema
from domain.pocha.view.parts import (
    NO_PRESENCE,
    Shown,
    others_cards,
    present,
    ruleset_ref,
    seats_at,
    timeout_view,
    unnamed,
)
from domain.pocha.view.schema import Action, Status
from domain.seats import seat_at
from domain.table.table import OnTimeout, Table


class ViewContext(msgspec.Struct, frozen=True):
    """Members of a view that are not in the state: id, version, time of creation, and the present time (UTC).

    `deadline` is the end of the present turn; `presence` holds the presence of players by their ids, as far as it is known; `shown` says
    how players are shown.
    """

    game_id: str
    version: int
    created_at: datetime
    now: datetime
    deadline: datetime | None = None
    presence: Mapping[str, schema.PresenceView] = NO_PRESENCE
    shown: Shown = unnamed


def see(state: State, viewer: int | None, context: ViewContext) -> schema.GameView:
    """Return the game as `viewer` may see it.

    Raises:
        ValueError: the game was not created.
    """
    public = spectator_view(state, context)
    return public if viewer is None else seat_view(public, state, viewer, context.deadline)


def spectator_view(state: State, context: ViewContext) -> schema.GameView:
    """Return the game as everybody may see it.

    Raises:
        ValueError: the game was not created.
    """
    table = table_of(state)
    return schema.GameView(
        game_id=context.game_id,
        version=context.version,
        status=status(state),
        ruleset=ruleset_ref(ruleset_of(state)),
        players=len(table.seats),
        visibility=table.visibility,
        created_at=context.created_at,
        server_time=context.now,
        seats=seats_at(table, context.now, context.shown, context.presence),
        scores=scores(state),
        commitment=table.commitment,
        hand=_hand(state) if isinstance(state, InHand) else UNSET,
        turn=turn_view(state, None, context.deadline),
        result=schema.Result(state.winners) if isinstance(state, Finished) else UNSET,
        turn_seconds=present(table.turn_seconds),
        on_timeout=_timeout(table),
        robot_seconds=table.robot_seconds or UNSET,
    )


def seat_view(public: schema.GameView, state: State, seat: int, deadline: datetime | None) -> schema.GameView:
    """Return the view of a seat: that of everybody, `public`, and what the seat may see besides."""
    code = present(table_of(state).invite_code)
    if not isinstance(state, InHand) or public.hand is UNSET:
        return replace(public, my_seat=seat, invite_code=code)
    own, seen = _own_cards(state, seat), others_cards(state.deal.plan.kind, state.deal.hands, seat)
    return replace(
        public,
        my_seat=seat,
        invite_code=code,
        hand=replace(public.hand, my_cards=own, seen_cards=seen),
        turn=turn_view(state, seat, deadline) if state.turn == seat else public.turn,
    )


def _timeout(table: Table) -> schema.TimeoutView | UnsetType:
    """Return the table's choice of a robot; nothing where turns have no limit and the robot is the default one."""
    is_told = table.turn_seconds is not None or table.on_timeout != OnTimeout()
    return timeout_view(table.on_timeout) if is_told else UNSET


def status(state: State) -> Status:
    """Return the status of the game."""
    match state:
        case NotCreated() | Waiting():
            return Status.WAITING
        case Dealing() | PickingBlind() | Auctioning() | ChoosingTrump() | Bidding() | Playing():
            return Status.PLAYING
        case Finished():
            return Status.FINISHED
        case Abandoned():
            return Status.ABANDONED
        case _:
            assert_never(state)


def turn_view(state: State, viewer: int | None, deadline: datetime | None) -> schema.TurnView | UnsetType:
    """Return the turn as `viewer` may see it, with its `deadline` if there is one; nothing between hands."""
    if not isinstance(state, InHand):
        return UNSET
    seat, due = state.turn, present(deadline)
    return _own_turn(state, seat, due) if seat == viewer else schema.WaitTurn(seat, _action(state), due)


def scores(state: State) -> tuple[schema.Score, ...]:
    """Return the score of each seat; none before the start."""
    progress = progress_of(state)
    return () if progress is None else tuple(_score(progress, seat) for seat in range(progress.players))


def _score(progress: Progress, seat: int) -> schema.Score:
    missed = progress.missed[seat]
    return schema.Score(seat, progress.totals[seat], len(progress.results) - missed, missed, progress.ranks[seat])


def _hand(state: InHand) -> schema.HandView:
    deal, players = state.deal, state.progress.players
    playing = state if isinstance(state, Playing) else None
    return schema.HandView(
        number=deal.number,
        of=max(deal.number, len(state.progress.schedule)),
        kind=deal.plan.kind,
        cards=deal.plan.cards,
        dealer=deal.dealer,
        mano=deal.mano,
        multiplier=deal.multiplier,
        stock_count=len(deal.stock),
        bids=_bids(state),
        tricks_won=playing.tricks_won if playing else (0,) * players,
        trick=_plays(playing.trick, players) if playing else (),
        trump=present(deal.trump),
        turn_up=present(deal.turn_up),
        auction=_calls(state),
        last_trick=_last_trick(playing) if playing else UNSET,
    )


def _own_cards(state: InHand, seat: int) -> tuple[Card, ...] | UnsetType:
    """Return the cards of a seat; none before a blind pick and in india hands (R-TRU-2, R-IND-2)."""
    if isinstance(state, PickingBlind) or state.deal.plan.kind is HandKind.INDIA:
        return UNSET
    return state.hands[seat] if isinstance(state, Playing) else state.deal.hands[seat]


def _calls(state: InHand) -> tuple[schema.SeatCall, ...] | UnsetType:
    """Return the calls of the auction, from the mano; they stay in the view until the hand ends."""
    if isinstance(state, Auctioning):
        calls = state.calls
    else:
        auction = state.auction if isinstance(state, ChoosingTrump) else state.deal.auction
        if auction is None:
            return UNSET
        calls = auction.calls
    mano, players = state.deal.mano, state.progress.players
    return tuple(_call(seat_at(mano, position, players), call) for position, call in enumerate(calls))


def _call(seat: int, call: Call) -> schema.SeatCall:
    return schema.SeatCall(seat, passed=call is None, bid=present(call))


def _bids(state: InHand) -> tuple[schema.SeatBid, ...]:
    """Return the bids in the order in which they were made, first the one that the auction has locked."""
    deal = state.deal
    made = state.bids if isinstance(state, Bidding) else ()
    if isinstance(state, Playing):
        made = tuple(state.bids[seat] for seat in deal.bidders)
    bids = tuple(schema.SeatBid(seat, bid) for seat, bid in zip(deal.bidders, made, strict=False))
    auction = state.auction if isinstance(state, ChoosingTrump) else deal.auction
    return (schema.SeatBid(auction.winner, auction.bid), *bids) if auction is not None and auction.locked else bids


def _plays(trick: Trick, players: int) -> tuple[schema.SeatCard, ...]:
    return tuple(
        schema.SeatCard(seat_at(trick.leader, position, players), card) for position, card in enumerate(trick.cards)
    )


def _last_trick(state: Playing) -> schema.LastTrick | UnsetType:
    if not state.taken:
        return UNSET
    last = state.taken[-1]
    return schema.LastTrick(last.winner, _plays(last.trick, state.progress.players))


def _action(state: HandState) -> Action:
    match state:
        case PickingBlind():
            return Action.BLIND_PICK
        case Auctioning():
            return Action.AUCTION_BID
        case ChoosingTrump():
            return Action.CHOOSE_TRUMP
        case Bidding():
            return Action.BID
        case Playing():
            return Action.PLAY
        case _:
            assert_never(state)


def _own_turn(state: HandState, seat: int, due: datetime | UnsetType) -> schema.OwnTurn:
    match state:
        case PickingBlind():
            return schema.BlindPickTurn(seat, legal.legal_positions(state), due)
        case Auctioning():
            calls = legal.legal_calls(state)
            return schema.AuctionTurn(seat, calls.bids, calls.may_pass, present(calls.forbidden), due)
        case ChoosingTrump():
            return schema.ChooseTrumpTurn(seat, tuple(Suit), due)
        case Bidding():
            return schema.BidTurn(seat, legal.legal_bids(state), present(legal.forbidden_bid(state)), due)
        case Playing():
            return schema.PlayTurn(seat, legal.legal_cards(state), due)
        case _:
            assert_never(state)
