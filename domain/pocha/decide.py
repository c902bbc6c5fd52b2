"""What follows from a command: one short case each. The rules are asked, the conclusions become events, or the command is refused."""

from domain import tricks
from domain.pocha import dealing, ending, legal, ruleset, scoring
from domain.pocha.commands import (
    Command,
    CreateGame,
    DealHand,
    LeaveSeat,
    MakeBid,
    PlayCard,
    SeatRobot,
    StartGame,
    TakeSeat,
)
from domain.pocha.events import (
    BidMade,
    CardPlayed,
    Event,
    GameAbandoned,
    GameCreated,
    GameOver,
    GameStarted,
    HandDealt,
    HandScored,
    RobotSeated,
    SeatLeft,
    SeatTaken,
    TrickTaken,
)
from domain.pocha.evolve import evolve
from domain.pocha.refusals import Facts, Reason, Refused
from domain.pocha.state import (
    Abandoned,
    Bidding,
    Dealing,
    Finished,
    Match,
    NotCreated,
    Playing,
    State,
    Waiting,
    next_hand,
    table_of,
    turn_of,
)
from domain.pocha.table import Level, Occupant, Player, Table

Events = tuple[Event, ...]


def decide(state: State, command: Command) -> Events:
    """Return what happens when `command` is asked in `state`.

    Raises:
        Refused: it may not be done here and now; nothing happens.
    """
    match state, command:
        case Playing(), PlayCard():
            return _play(state, command)
        case Bidding(), MakeBid():
            return _bid(state, command)
        case Dealing(), DealHand():
            return _deal(state.match, command)
        case NotCreated(), CreateGame():
            return _create(command)
        case Waiting(), TakeSeat():
            return _take_seat(state.table, command)
        case Waiting(), SeatRobot():
            return _seat_robot(state.table, command)
        case Waiting(), LeaveSeat():
            return _leave_waiting(state.table, command)
        case Waiting(), StartGame() if not state.table.free_seats():
            return _start(state.table, command)
        case ((Bidding() | Playing()), LeaveSeat()):
            return _leave_started(state.match.table, command)
        case _:
            raise _wrong_moment(state, command)


def _wrong_moment(state: State, command: Command) -> Refused:
    match state, command:
        case (NotCreated(), _):
            return Refused(Reason.WRONG_PHASE)
        case (_, TakeSeat(player=player, invite_code=code)) if not table_of(state).admits(player.player_id, code):
            return Refused(Reason.NOT_INVITED)
        case ((Finished() | Abandoned()), _):
            return Refused(Reason.GAME_OVER)
        case (_, TakeSeat()):
            return Refused(Reason.GAME_FULL)
        case _:
            return Refused(Reason.WRONG_PHASE, Facts(phase=type(state).__name__.lower()))


def _create(command: CreateGame) -> Events:
    allowed = command.ruleset.players.allowed
    if command.players not in allowed:
        raise Refused(Reason.WRONG_NUMBER_OF_PLAYERS, Facts(players_allowed=allowed))
    if len(command.robots) >= command.players:
        raise Refused(Reason.TOO_MANY_ROBOTS)
    created = GameCreated(
        ruleset=command.ruleset,
        players=command.players,
        host=command.host,
        visibility=command.visibility,
        seed=command.seed,
        commitment=command.commitment,
        invite_code=command.invite_code,
    )
    first = command.players - len(command.robots)
    robots = (RobotSeated(first + place, level) for place, level in enumerate(command.robots))
    return created, SeatTaken(0, command.host), *robots


def _take_seat(table: Table, command: TakeSeat) -> Events:
    if not table.admits(command.player.player_id, command.invite_code):
        raise Refused(Reason.NOT_INVITED)
    if table.seat_of(command.player.player_id) is not None:
        raise Refused(Reason.ALREADY_SEATED)
    free = table.free_seats()
    if not free:
        raise Refused(Reason.GAME_FULL)
    if command.seat is None:
        return (SeatTaken(free[0], command.player),)
    _require_free(table, command.seat)
    return (SeatTaken(command.seat, command.player),)


def _seat_robot(table: Table, command: SeatRobot) -> Events:
    if command.player_id != table.host.player_id:
        raise Refused(Reason.NOT_THE_HOST)
    _require_free(table, command.seat)
    return (RobotSeated(command.seat, command.level),)


def _require_free(table: Table, seat: int) -> None:
    if _occupant(table, seat) is not None:
        raise Refused(Reason.SEAT_TAKEN)


def _leave_waiting(table: Table, command: LeaveSeat) -> Events:
    player = _own_seat(table, command)
    others = any(isinstance(occupant, Player) for occupant in table.seats if occupant != player)
    left = SeatLeft(command.seat, player)
    return (left,) if others else (left, GameAbandoned())


def _leave_started(table: Table, command: LeaveSeat) -> Events:
    return SeatLeft(command.seat, _own_seat(table, command)), RobotSeated(command.seat, Level.EASY)


def _own_seat(table: Table, command: LeaveSeat) -> Player:
    occupant = _occupant(table, command.seat)
    if not isinstance(occupant, Player) or occupant.player_id != command.player_id:
        raise Refused(Reason.NOT_YOUR_SEAT)
    return occupant


def _occupant(table: Table, seat: int) -> Occupant | None:
    if seat not in range(len(table.seats)):
        raise Refused(Reason.NO_SUCH_SEAT)
    return table.seats[seat]


def _start(table: Table, command: StartGame) -> Events:
    # No seat is free here, so every occupant is somebody.
    seats = tuple(occupant for seat in command.order if (occupant := table.seats[seat]) is not None)
    schedule = ruleset.hand_schedule(table.ruleset, len(seats))
    return (GameStarted(seats, command.dealer, schedule),)


def _deal(match: Match, command: DealHand) -> Events:
    plan = next_hand(match)
    if plan is None:
        raise Refused(Reason.WRONG_PHASE)
    dealer = (match.first_dealer + len(match.results)) % match.players
    dealt = dealing.deal(command.deck, plan, dealer, match.players)
    return (
        HandDealt(
            number=len(match.results) + 1,
            kind=plan.kind,
            cards=plan.cards,
            dealer=dealer,
            hands=dealt.hands,
            stock=dealt.stock,
            multiplier=scoring.multiplier(dealt.trump, dealt.turn_up, match.table.ruleset.scoring),
            trump=dealt.trump,
            turn_up=dealt.turn_up,
        ),
    )


def _bid(state: Bidding, command: MakeBid) -> Events:
    _require_turn(state, command.seat)
    allowed = legal.legal_bids(state)
    if command.bid not in allowed:
        forbidden = legal.forbidden_bid(state)
        reason = Reason.HOOK if command.bid == forbidden else Reason.OUT_OF_RANGE
        raise Refused(reason, Facts(legal_bids=allowed, forbidden_bid=forbidden))
    return (BidMade(command.seat, command.bid),)


def _play(state: Playing, command: PlayCard) -> Events:
    _require_turn(state, command.seat)
    _require_legal(state, command)
    played = CardPlayed(command.seat, command.card)
    return _with_conclusions(state, played)


def _require_turn(state: Bidding | Playing, seat: int) -> None:
    on_turn = turn_of(state)
    if seat != on_turn:
        raise Refused(Reason.NOT_YOUR_TURN, Facts(seat_on_turn=on_turn))


def _require_legal(state: Playing, command: PlayCard) -> None:
    allowed = legal.legal_cards(state)
    if command.card in allowed:
        return
    hand = legal.hand_on_turn(state)
    if command.card not in hand:
        raise Refused(Reason.NOT_IN_HAND, Facts(legal_cards=allowed))
    duty = tricks.broken_duty(command.card, hand, state.trick.cards, state.deal.trump)
    raise Refused(Reason(duty.value), Facts(legal_cards=allowed))


def _with_conclusions(state: Playing, played: CardPlayed) -> Events:
    """A card may complete a trick, the trick the hand, and the hand the game."""
    events: Events = (played,)
    after = evolve(state, played)
    for conclude in (_trick_taken, _hand_scored, _game_over):
        follows = conclude(after)
        if follows is None:
            return events
        events = (*events, follows)
        after = evolve(after, follows)
    return events


def _trick_taken(state: State) -> TrickTaken | None:
    if not isinstance(state, Playing) or len(state.trick.cards) < state.match.players:
        return None
    strength = tricks.ranks(state.match.table.ruleset.deck.rank_order)
    card = tricks.winning_card(state.trick.cards, state.deal.trump, strength)
    place = state.trick.cards.index(card)
    return TrickTaken((state.trick.leader + place) % state.match.players, card)


def _hand_scored(state: State) -> HandScored | None:
    if not isinstance(state, Playing) or any(state.hands):
        return None
    match, deal, rules = state.match, state.deal, state.match.table.ruleset
    points = tuple(
        scoring.points(bid, won, deal.plan.cards, deal.multiplier, rules.scoring)
        for bid, won in zip(state.bids, state.tricks_won, strict=True)
    )
    missed = tuple(
        before + (bid != won) for before, bid, won in zip(match.missed, state.bids, state.tricks_won, strict=True)
    )
    totals = tuple(before + won for before, won in zip(match.totals, points, strict=True))
    ranks = ending.ranks(totals, missed, rules.tiebreak)
    return HandScored(deal.number, state.bids, state.tricks_won, points, totals, missed, ranks)


def _game_over(state: State) -> GameOver | None:
    if not isinstance(state, Dealing) or next_hand(state.match) is not None:
        return None
    return GameOver(ending.winners(state.match.ranks))
