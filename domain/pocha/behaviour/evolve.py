"""How the game stands after an event: one short case each, deciding nothing."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.pocha.model.events import (
    AuctionBidMade,
    AuctionPassed,
    AuctionWon,
    BidMade,
    BlindPickMade,
    CardPlayed,
    Event,
    GameAbandoned,
    GameCreated,
    GameOver,
    GameStarted,
    HandDealt,
    HandScored,
    RenuncioClaimed,
    RobotSeated,
    SeatLeft,
    SeatTaken,
    TrickTaken,
    TrumpChosen,
    TurnExpired,
)
from domain.pocha.model.state import (
    Abandoned,
    Auction,
    Auctioning,
    Bidding,
    ChoosingTrump,
    Claim,
    Deal,
    Dealing,
    Finished,
    HandResult,
    InHand,
    NotCreated,
    PickingBlind,
    PlayedHand,
    Playing,
    Progress,
    State,
    TakenTrick,
    Trick,
    Waiting,
)
from domain.pocha.rules.auction import Call
from domain.pocha.rules.schedule import HandKind, HandPlan
from domain.seats import changed_at
from domain.table import evolve as table_after
from domain.table.table import OnTimeout, Table


class ImpossibleEvent(Exception):
    """An event that cannot follow this state: the log is damaged, or was written by other rules code."""


def fold(state: State, events: Iterable[Event]) -> State:
    """Return `state` after all `events`, in order."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: Event) -> State:
    """Return `state` after `event`.

    Raises:
        ImpossibleEvent: it cannot have happened here.
    """
    match state, event:
        case Playing(), CardPlayed():
            return _card_played(state, event)
        case Playing(), TrickTaken():
            return _trick_taken(state, event)
        case Bidding(), BidMade():
            return _bid_made(state, event)
        case Playing(), HandScored():
            return _hand_scored(state, event)
        case Dealing(), HandDealt():
            return _hand_dealt(state, event)
        case PickingBlind(), BlindPickMade():
            return _blind_pick_made(state, event)
        case Auctioning(), AuctionBidMade(seat=seat, bid=bid):
            return _called(state, seat, bid)
        case Auctioning(), AuctionPassed(seat=seat):
            return _called(state, seat, None)
        case Auctioning(), AuctionWon():
            return _auction_won(state, event)
        case ChoosingTrump(), TrumpChosen():
            return _trump_chosen(state, event)
        case _:
            return _evolve_match(state, event)


def _evolve_match(state: State, event: Event) -> State:
    match state, event:
        case ((PickingBlind() | Auctioning() | ChoosingTrump() | Bidding() | Playing()), RenuncioClaimed()):
            return replace(state, progress=_claimed(state.progress, event))
        case Dealing(), GameOver():
            return Finished(state.progress, event.winners)
        case _:
            return _evolve_table(state, event)


def _evolve_table(state: State, event: Event) -> State:
    match state, event:
        case NotCreated(), GameCreated():
            return _game_created(event)
        case Waiting(), GameStarted():
            return _game_started(state, event)
        case Waiting(), GameAbandoned():
            return Abandoned(state.table, state.ruleset)
        case Waiting(), (SeatTaken() | SeatLeft() | RobotSeated()):
            return Waiting(table_after.before_start(state.table, event), state.ruleset)
        case _ if isinstance(state, InHand):
            return _evolve_started(state, event)
        case _:
            raise _impossible(state, event)


def _evolve_started(state: InHand, event: Event) -> State:
    match event:
        case SeatTaken() | SeatLeft() | RobotSeated() | TurnExpired():
            return replace(
                state, progress=replace(state.progress, table=table_after.in_play(state.progress.table, event))
            )
        case GameAbandoned():
            return Abandoned(state.progress.table, state.progress.ruleset, state.progress)
        case _:
            raise _impossible(state, event)


def _impossible(state: State, event: Event) -> ImpossibleEvent:
    return ImpossibleEvent(f"{type(event).__name__} cannot follow {type(state).__name__}")


def _game_created(event: GameCreated) -> Waiting:
    return Waiting(
        Table(
            host=event.host,
            seats=(None,) * event.players,
            visibility=event.visibility,
            seed=event.seed,
            commitment=event.commitment,
            invite_code=event.invite_code,
            client_seeds=(None,) * event.players,
            turn_seconds=event.turn_seconds,
            on_timeout=event.on_timeout or OnTimeout(),
            tenant=event.tenant,
        ),
        event.ruleset,
    )


def _game_started(state: Waiting, event: GameStarted) -> Dealing:
    players = len(event.seats)
    none = (0,) * players
    order = event.order or tuple(range(players))
    seeds = tuple(state.table.client_seeds[seat] for seat in order)
    return Dealing(
        Progress(
            table=replace(state.table, seats=event.seats, client_seeds=seeds),
            ruleset=state.ruleset,
            schedule=event.schedule,
            first_dealer=event.dealer,
            order=order,
            results=(),
            claims=(),
            totals=none,
            missed=none,
            ranks=(1,) * players,
        )
    )


def _hand_dealt(state: Dealing, event: HandDealt) -> PickingBlind | Auctioning | Bidding:
    deal = Deal(
        number=event.number,
        plan=HandPlan(event.kind, event.cards),
        dealer=event.dealer,
        trump=event.trump,
        turn_up=event.turn_up,
        multiplier=event.multiplier,
        hands=event.hands,
        stock=event.stock,
    )
    if event.face_down:
        return PickingBlind(state.progress, deal)
    return Auctioning(state.progress, deal) if event.kind is HandKind.SUBASTADO else Bidding(state.progress, deal)


def _blind_pick_made(state: PickingBlind, event: BlindPickMade) -> Bidding:
    card = event.card
    deal = replace(state.deal, trump=card.suit, turn_up=card, multiplier=event.multiplier)
    return Bidding(_after_move(state.progress, event.seat), deal)


def _called(state: Auctioning, seat: int, call: Call) -> Auctioning:
    return Auctioning(_after_move(state.progress, seat), state.deal, (*state.calls, call))


def _auction_won(state: Auctioning, event: AuctionWon) -> ChoosingTrump:
    return ChoosingTrump(state.progress, state.deal, Auction(state.calls, event.seat, event.bid, event.locked))


def _trump_chosen(state: ChoosingTrump, event: TrumpChosen) -> Bidding:
    deal = replace(state.deal, trump=event.suit, multiplier=event.multiplier, auction=state.auction)
    return Bidding(_after_move(state.progress, event.seat), deal)


def _bid_made(state: Bidding, event: BidMade) -> Bidding | Playing:
    bids = (*state.bids, event.bid)
    progress, deal = _after_move(state.progress, event.seat), state.deal
    if len(bids) < len(deal.bidders):
        return Bidding(progress, deal, bids)
    by_seat = dict(zip(deal.bidders, bids, strict=True))
    if deal.auction is not None and deal.auction.locked:
        by_seat[deal.auction.winner] = deal.auction.bid
    players = len(deal.hands)
    in_order = tuple(by_seat[seat] for seat in range(players))
    return Playing(progress, deal, deal.hands, in_order, (0,) * players, Trick(deal.mano))


def _card_played(state: Playing, event: CardPlayed) -> Playing:
    left = tuple(card for card in state.hands[event.seat] if card is not event.card)
    progress = state.progress
    # An india hand plays itself: nobody has made a move.
    if progress.table.expired and state.deal.plan.kind is not HandKind.INDIA:
        progress = _after_move(progress, event.seat)
    return Playing(
        progress,
        state.deal,
        changed_at(state.hands, event.seat, left),
        state.bids,
        state.tricks_won,
        Trick(state.trick.leader, (*state.trick.cards, event.card)),
        state.taken,
    )


def _trick_taken(state: Playing, event: TrickTaken) -> Playing:
    return Playing(
        state.progress,
        state.deal,
        state.hands,
        state.bids,
        changed_at(state.tricks_won, event.seat, state.tricks_won[event.seat] + 1),
        Trick(event.seat),
        (*state.taken, TakenTrick(event.seat, state.trick)),
    )


def _hand_scored(state: Playing, event: HandScored) -> Dealing:
    deal, progress = state.deal, state.progress
    result = HandResult(
        plan=deal.plan,
        dealer=deal.dealer,
        trump=deal.trump,
        turn_up=deal.turn_up,
        multiplier=deal.multiplier,
        bids=event.bids,
        tricks=event.tricks,
        points=event.points,
    )
    return Dealing(
        replace(
            progress,
            results=(*progress.results, result),
            totals=event.totals,
            missed=event.missed,
            ranks=event.ranks,
            last_hand=PlayedHand(deal, tuple(taken.trick for taken in state.taken)),
        )
    )


def _claimed(progress: Progress, event: RenuncioClaimed) -> Progress:
    claim = Claim(
        claimant=event.claimant,
        seat=event.seat,
        hand=event.hand,
        trick=event.trick,
        proven=event.proven,
        penalty=event.penalty,
    )
    return replace(progress, claims=(*progress.claims, claim), totals=event.totals, ranks=event.ranks)


def _after_move(progress: Progress, seat: int) -> Progress:
    """Nearly always nothing changes: no time has run out."""
    return replace(progress, table=table_after.after_move(progress.table, seat)) if progress.table.expired else progress
