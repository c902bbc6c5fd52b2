"""What follows from a command: one short case each. The rules are asked, the conclusions become events, or the command is refused."""

from domain import tricks
from domain.pocha.behaviour import beginning, legal, renuncio
from domain.pocha.behaviour.consequences import with_conclusions
from domain.pocha.behaviour.evolve import evolve, fold
from domain.pocha.model.commands import (
    AbandonGame,
    ChooseTrump,
    ClaimRenuncio,
    Command,
    CreateGame,
    DealHand,
    ExpireTurn,
    LeaveSeat,
    MakeAuctionBid,
    MakeBid,
    PassAuction,
    PickBlind,
    PlayCard,
    SeatRobot,
    StartGame,
    TakeSeat,
)
from domain.pocha.model.events import (
    AuctionBidMade,
    AuctionPassed,
    AuctionWon,
    BidMade,
    BlindPickMade,
    CardPlayed,
    Event,
    GameAbandoned,
    HandDealt,
    RenuncioClaimed,
    TrumpChosen,
)
from domain.pocha.model.refusals import Facts, Reason, Refused
from domain.pocha.model.state import (
    Abandoned,
    Auctioning,
    Bidding,
    ChoosingTrump,
    Dealing,
    Finished,
    InHand,
    NotCreated,
    PickingBlind,
    PlayedHand,
    Playing,
    Progress,
    State,
    Waiting,
    next_hand,
    table_of,
    turn_of,
)
from domain.pocha.rules import auction, dealing, scoring, standings
from domain.pocha.rules.ruleset import RenuncioMode, TrumpWhenAllDealt, WinnerSecondBid
from domain.pocha.rules.schedule import HandKind
from domain.table import decide as at_table
from domain.table.refusals import RefusedByTable

Events = tuple[Event, ...]


def decide(state: State, command: Command) -> Events:
    """Return what happens when `command` is asked in `state`.

    Raises:
        Refused: it may not be done here and now; nothing happens.
    """
    try:
        return _decide(state, command)
    except RefusedByTable as refused:
        raise Refused(Reason(refused.reason.value)) from None


def _decide(state: State, command: Command) -> Events:
    match state, command:
        case Playing(), PlayCard():
            return _play(state, command)
        case Bidding(), MakeBid():
            return _bid(state, command)
        case Dealing(), DealHand():
            return _deal(state.progress, command)
        case PickingBlind(), PickBlind():
            return _pick_blind(state, command)
        case Auctioning(), MakeAuctionBid():
            return _auction_bid(state, command)
        case Auctioning(), PassAuction():
            return _auction_pass(state, command)
        case ChoosingTrump(), ChooseTrump():
            return _choose_trump(state, command)
        case ((PickingBlind() | Auctioning() | ChoosingTrump() | Bidding() | Playing()), ClaimRenuncio()):
            return _claim(state, command)
        case _:
            return _decide_table(state, command)


def _decide_table(state: State, command: Command) -> Events:
    match state, command:
        case NotCreated(), CreateGame():
            return beginning.create(command)
        case Waiting(), TakeSeat():
            return at_table.take_seat(state.table, command)
        case Waiting(), SeatRobot():
            return at_table.seat_robot(state.table, command)
        case Waiting(), LeaveSeat():
            return at_table.leave_waiting(state.table, command)
        case Waiting(), StartGame() if not state.table.free_seats():
            return beginning.start(state, command)
        case Waiting(), AbandonGame():
            return (GameAbandoned(),)
        case _ if isinstance(state, InHand):
            return _decide_started(state, command)
        case _:
            raise _wrong_moment(state, command)


def _decide_started(state: InHand, command: Command) -> Events:
    match command:
        case LeaveSeat():
            return at_table.leave_started(state.progress.table, command)
        case TakeSeat():
            return at_table.come_back(state.progress.table, command)
        case ExpireTurn():
            return _expire_turn(state, command)
        case AbandonGame():
            return (GameAbandoned(),)
        case _:
            raise _wrong_moment(state, command)


def _wrong_moment(state: State, command: Command) -> Refused:
    match state, command:
        case (NotCreated(), _):
            return Refused(Reason.WRONG_PHASE)
        case (_, TakeSeat()) if not at_table.may_join(table_of(state), command):
            return Refused(Reason.NOT_INVITED)
        case ((Finished() | Abandoned()), _):
            return Refused(Reason.GAME_OVER)
        case (_, TakeSeat()):
            return Refused(Reason.GAME_FULL)
        case _:
            return Refused(Reason.WRONG_PHASE, Facts(phase=phase_of(state)))


def phase_of(state: State) -> str:
    """Return the name of the moment, as refusals tell it: `waiting`, `picking-blind`, `bidding` and so on."""
    name = type(state).__name__
    return name[0].lower() + "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name[1:])


def _expire_turn(state: InHand, command: ExpireTurn) -> Events:
    _require_turn(state, command.seat)
    table = state.progress.table
    if table.turn_seconds is None or table.robot_at(command.seat) is not None:
        raise _wrong_moment(state, command)
    return at_table.expire_turn(table, command)


def _deal(progress: Progress, command: DealHand) -> Events:
    plan = next_hand(progress)
    if plan is None:
        raise Refused(Reason.WRONG_PHASE)
    rules = progress.ruleset
    dealer = (progress.first_dealer + len(progress.results)) % progress.players
    dealt = dealing.deal(command.deck, plan, dealer, progress.players)
    picks = rules.trump.when_all_dealt is TrumpWhenAllDealt.DEALER_BLIND_PICK
    face_down = picks and dealt.turn_up is not None and dealt.turn_up in dealt.hands[dealer]
    return (
        HandDealt(
            number=len(progress.results) + 1,
            kind=plan.kind,
            cards=plan.cards,
            dealer=dealer,
            hands=dealt.hands,
            stock=dealt.stock,
            multiplier=1 if face_down else scoring.multiplier(dealt.trump, dealt.turn_up, rules.scoring),
            trump=None if face_down else dealt.trump,
            turn_up=None if face_down else dealt.turn_up,
            face_down=face_down,
        ),
    )


def _pick_blind(state: PickingBlind, command: PickBlind) -> Events:
    """Without a position the last card dealt marks trump, "en su defecto" (seed 004:8, rulebook R-TRU-2)."""
    _require_turn(state, command.seat)
    positions = legal.legal_positions(state)
    position = positions[-1] if command.position is None else command.position
    if position not in positions:
        raise Refused(Reason.NO_SUCH_POSITION, Facts(positions=positions))
    card = state.deal.hands[command.seat][position]
    multiplier = scoring.multiplier(card.suit, card, state.progress.ruleset.scoring)
    return (BlindPickMade(command.seat, card, multiplier, state.deal.hands, command.position),)


def _auction_bid(state: Auctioning, command: MakeAuctionBid) -> Events:
    _require_turn(state, command.seat)
    allowed = legal.legal_calls(state)
    if command.bid not in allowed.bids:
        within = 0 <= command.bid <= state.deal.plan.cards
        reason = _why_no_auction_bid(state, command.bid) if within else Reason.OUT_OF_RANGE
        raise Refused(reason, Facts(legal_bids=allowed.bids, may_pass=allowed.may_pass))
    return _with_auction_end(state, AuctionBidMade(command.seat, command.bid))


def _why_no_auction_bid(state: Auctioning, bid: int) -> Reason:
    said = [call for call in state.calls if call is not None]
    return Reason.NOT_HIGHER if legal.legal_calls(state).may_pass and bid <= max(said) else Reason.HOOK


def _auction_pass(state: Auctioning, command: PassAuction) -> Events:
    _require_turn(state, command.seat)
    allowed = legal.legal_calls(state)
    if not allowed.may_pass:
        raise Refused(Reason.MUST_BID, Facts(legal_bids=allowed.bids, may_pass=False))
    return _with_auction_end(state, AuctionPassed(command.seat))


def _with_auction_end(state: Auctioning, called: AuctionBidMade | AuctionPassed) -> Events:
    after = evolve(state, called)
    if not isinstance(after, Auctioning) or len(after.calls) < state.progress.players:
        return (called,)
    place, bid = auction.best_call(after.calls)
    rules = state.progress.ruleset.auction
    winner = (state.deal.mano + place) % state.progress.players
    return called, AuctionWon(winner, bid, rules.winner_second_bid is WinnerSecondBid.LOCKED)


def _choose_trump(state: ChoosingTrump, command: ChooseTrump) -> Events:
    _require_turn(state, command.seat)
    multiplier = scoring.multiplier(command.suit, None, state.progress.ruleset.scoring)
    return (TrumpChosen(command.seat, command.suit, multiplier),)


def _bid(state: Bidding, command: MakeBid) -> Events:
    _require_turn(state, command.seat)
    allowed = legal.legal_bids(state)
    if command.bid not in allowed:
        raise Refused(
            _why_no_bid(state, command.bid), Facts(legal_bids=allowed, forbidden_bid=legal.forbidden_bid(state))
        )
    made = BidMade(command.seat, command.bid)
    after = evolve(state, made)
    if isinstance(after, Playing) and after.deal.plan.kind is HandKind.INDIA:
        return made, *_india_plays(after)
    return (made,)


def _why_no_bid(state: Bidding, bid: int) -> Reason:
    if bid == legal.forbidden_bid(state):
        return Reason.HOOK
    return Reason.BELOW_AUCTION_BID if 0 <= bid < min(legal.legal_bids(state)) else Reason.OUT_OF_RANGE


def _india_plays(state: Playing) -> Events:
    """Nobody has a choice, and nobody may learn the own card before it lies on the table: the hand plays itself (R-IND-3)."""
    events: Events = ()
    now: State = state
    while isinstance(now, Playing):
        seat = turn_of(now)
        follows = with_conclusions(now, CardPlayed(seat, now.hands[seat][0]))
        events, now = events + follows, fold(now, follows)
    return events


def _play(state: Playing, command: PlayCard) -> Events:
    _require_turn(state, command.seat)
    _require_playable(state, command)
    return with_conclusions(state, CardPlayed(command.seat, command.card))


def _require_turn(state: InHand, seat: int) -> None:
    on_turn = turn_of(state)
    if seat != on_turn:
        raise Refused(Reason.NOT_YOUR_TURN, Facts(seat_on_turn=on_turn))


def _require_playable(state: Playing, command: PlayCard) -> None:
    allowed = legal.legal_cards(state)
    if command.card in allowed:
        return
    hand = legal.hand_on_turn(state)
    if command.card not in hand:
        raise Refused(Reason.NOT_IN_HAND, Facts(legal_cards=allowed))
    if state.progress.ruleset.renuncio.mode is RenuncioMode.ENFORCED:
        duty = tricks.broken_duty(command.card, hand, state.trick.cards, state.deal.trump)
        raise Refused(Reason(duty.value), Facts(legal_cards=allowed))


def _claim(state: InHand, command: ClaimRenuncio) -> Events:
    """A claim is about the hand being played; before its first card, about the hand before."""
    progress = state.progress
    rules = progress.ruleset
    if rules.renuncio.mode is RenuncioMode.ENFORCED:
        raise Refused(Reason.RENUNCIO_ENFORCED)
    if not {command.seat, command.claimant} <= set(range(progress.players)):
        raise Refused(Reason.NO_SUCH_SEAT)
    if command.seat == command.claimant:
        raise Refused(Reason.OWN_PLAY)
    begun = isinstance(state, Playing) and (state.taken or state.trick.cards)
    hand = renuncio.played_so_far(state) if isinstance(state, Playing) and begun else progress.last_hand
    card = renuncio.card_of(hand, command.seat, command.trick) if hand else None
    if hand is None or card is None:
        raise Refused(Reason.NOT_PLAYED)
    _require_new_claim(progress, hand, command)
    proven = renuncio.was_illegal(hand, command.seat, command.trick, rules)
    penalty = renuncio.penalty(rules.renuncio, hand.deal.multiplier, proven=proven)
    loser = command.seat if proven else command.claimant
    totals = tuple(total - penalty * (seat == loser) for seat, total in enumerate(progress.totals))
    return (
        RenuncioClaimed(
            claimant=command.claimant,
            seat=command.seat,
            hand=hand.deal.number,
            trick=command.trick,
            card=card,
            proven=proven,
            penalty=penalty,
            totals=totals,
            ranks=standings.ranks(totals, progress.missed, rules.tiebreak),
        ),
    )


def _require_new_claim(progress: Progress, hand: PlayedHand, command: ClaimRenuncio) -> None:
    """A proven renuncio is punished once, and nobody claims the same one twice."""
    for claim in progress.claims:
        same = (claim.hand, claim.seat, claim.trick) == (hand.deal.number, command.seat, command.trick)
        if same and (claim.proven or claim.claimant == command.claimant):
            raise Refused(Reason.ALREADY_CLAIMED)
