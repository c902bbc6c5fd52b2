"""All that a viewer may know of a game (`see`) and of what happened in it (`redact`); rulebook section 6.

Built from an allow-list: a fact that is not copied here is not seen. A viewer is a seat, or none: a spectator, who sees no unplayed card.
Two games that differ only in what a viewer may not know give that viewer equal views and events.
"""

from datetime import datetime
from typing import TypeVar, assert_never

import msgspec
from msgspec import UNSET, UnsetType

from domain.pocha import events, legal, seen
from domain.pocha.ruleset import Ruleset
from domain.pocha.seen import Action, Status
from domain.pocha.state import (
    Abandoned,
    Bidding,
    Dealing,
    Finished,
    InHand,
    Match,
    NotCreated,
    Playing,
    State,
    Trick,
    Waiting,
    table_of,
    turn_of,
)
from domain.pocha.table import Occupant, Player, Robot
from domain.seats import from_seat, next_seat

T = TypeVar("T")


class Frame(msgspec.Struct, frozen=True):
    """What a view says beside the game itself: id, version, when the game was made, and the time now (UTC)."""

    game_id: str
    version: int
    created_at: datetime
    now: datetime


def see(state: State, viewer: int | None, frame: Frame) -> seen.GameView:
    """Return the game as `viewer` may see it.

    Raises:
        ValueError: the game was not created.
    """
    table = table_of(state)
    return seen.GameView(
        game_id=frame.game_id,
        version=frame.version,
        status=status(state),
        ruleset=ruleset_ref(table.ruleset),
        players=len(table.seats),
        visibility=table.visibility,
        created_at=frame.created_at,
        server_time=frame.now,
        seats=seat_views(table.seats),
        scores=_scores(state),
        commitment=table.commitment,
        invite_code=UNSET if viewer is None else _present(table.invite_code),
        my_seat=_present(viewer),
        hand=_hand(state, viewer) if isinstance(state, InHand) else UNSET,
        turn=_turn(state, viewer) if isinstance(state, InHand) else UNSET,
        result=seen.Result(state.winners) if isinstance(state, Finished) else UNSET,
    )


def status(state: State) -> Status:
    """Return where the game stands, from outside."""
    match state:
        case NotCreated() | Waiting():
            return Status.WAITING
        case Dealing() | Bidding() | Playing():
            return Status.PLAYING
        case Finished():
            return Status.FINISHED
        case Abandoned():
            return Status.ABANDONED
        case _:
            assert_never(state)


def ruleset_ref(ruleset: Ruleset) -> seen.RulesetRef:
    """Return the name under which a ruleset is shown."""
    return seen.RulesetRef(ruleset.id, ruleset.version, ruleset.title)


def seat_views(occupants: tuple[Occupant | None, ...]) -> tuple[seen.SeatView, ...]:
    """Return who sits where."""
    return tuple(_seat(seat, occupant) for seat, occupant in enumerate(occupants))


def _seat(seat: int, occupant: Occupant | None) -> seen.SeatView:
    match occupant:
        case None:
            return seen.SeatView(seat)
        case Player():
            return seen.SeatView(seat, player=_player(occupant))
        case Robot(level=level):
            return seen.SeatView(seat, robot=seen.RobotRef(level))
        case _:
            assert_never(occupant)


def _player(player: Player) -> seen.PlayerRef:
    return seen.PlayerRef(player.player_id, player.display_name)


def _scores(state: State) -> tuple[seen.Score, ...]:
    match state:
        case Dealing(match=match) | Bidding(match=match) | Playing(match=match) | Finished(match=match):
            return tuple(_score(match, seat) for seat in range(match.players))
        case _:
            return ()


def _score(match: Match, seat: int) -> seen.Score:
    missed = match.missed[seat]
    return seen.Score(seat, match.totals[seat], len(match.results) - missed, missed, match.ranks[seat])


def _hand(state: InHand, viewer: int | None) -> seen.HandView:
    deal, players = state.deal, state.match.players
    playing = state if isinstance(state, Playing) else None
    return seen.HandView(
        number=deal.number,
        of=max(deal.number, len(state.match.schedule)),
        kind=deal.plan.kind,
        cards=deal.plan.cards,
        dealer=deal.dealer,
        mano=deal.mano(players),
        multiplier=deal.multiplier,
        stock_count=len(deal.stock),
        bids=_bids(state),
        tricks_won=playing.tricks_won if playing else (0,) * players,
        trick=_plays(playing.trick, players) if playing else (),
        trump=_present(deal.trump),
        turn_up=_present(deal.turn_up),
        my_cards=UNSET if viewer is None else state.hands[viewer],
        last_trick=_last_trick(playing) if playing else UNSET,
    )


def _bids(state: InHand) -> tuple[seen.SeatBid, ...]:
    """In the order in which they were made, from the mano."""
    players = state.match.players
    mano = state.deal.mano(players)
    if isinstance(state, Bidding):
        return tuple(seen.SeatBid((mano + place) % players, bid) for place, bid in enumerate(state.bids))
    return tuple(seen.SeatBid(seat, state.bids[seat]) for seat in from_seat(mano, players))


def _plays(trick: Trick, players: int) -> tuple[seen.SeatCard, ...]:
    return tuple(seen.SeatCard((trick.leader + place) % players, card) for place, card in enumerate(trick.cards))


def _last_trick(state: Playing) -> seen.LastTrick | UnsetType:
    if state.last_trick is None:
        return UNSET
    return seen.LastTrick(state.last_trick.winner, _plays(state.last_trick.trick, state.match.players))


def _turn(state: InHand, viewer: int | None) -> seen.TurnView:
    seat = turn_of(state)
    match state:
        case Bidding() if seat == viewer:
            forbidden = _present(legal.forbidden_bid(state))
            return seen.TurnView(seat, Action.BID, legal_bids=legal.legal_bids(state), forbidden_bid=forbidden)
        case Bidding():
            return seen.TurnView(seat, Action.BID)
        case Playing() if seat == viewer:
            return seen.TurnView(seat, Action.PLAY, legal_cards=legal.legal_cards(state))
        case Playing():
            return seen.TurnView(seat, Action.PLAY)
        case _:
            assert_never(state)


def redact(event: events.Event, viewer: int | None, version: int, at: datetime) -> seen.SeenEvent:
    """Return `event` as `viewer` may see it, as part of commit `version` made `at` (UTC)."""
    match event:
        case events.CardPlayed(seat=seat, card=card):
            return seen.CardPlayedEvent(version=version, at=at, seat=seat, card=card)
        case events.TrickTaken(seat=seat, card=card):
            return seen.TrickTakenEvent(version=version, at=at, seat=seat, card=card)
        case events.BidMade(seat=seat, bid=bid):
            return seen.BidMadeEvent(version=version, at=at, seat=seat, bid=bid)
        case events.HandDealt():
            return _hand_dealt(event, viewer, version, at)
        case events.HandScored():
            return _hand_scored(event, version, at)
        case events.GameCreated():
            return _game_created(event, version, at)
        case events.SeatTaken(seat=seat, player=player):
            return seen.SeatTakenEvent(version=version, at=at, seat=seat, player=_player(player))
        case events.SeatLeft(seat=seat, player=player):
            return seen.SeatLeftEvent(version=version, at=at, seat=seat, player=_player(player))
        case events.RobotSeated(seat=seat, level=level):
            return seen.RobotSeatedEvent(version=version, at=at, seat=seat, robot=seen.RobotRef(level))
        case events.GameStarted(seats=seats, dealer=dealer, schedule=hands):
            shown = seat_views(seats)
            return seen.GameStartedEvent(version=version, at=at, seats=shown, dealer=dealer, hands=len(hands))
        case events.GameOver(winners=winners):
            return seen.GameOverEvent(version=version, at=at, result=seen.Result(winners))
        case events.GameAbandoned():
            return seen.GameAbandonedEvent(version=version, at=at)
        case _:
            assert_never(event)


def _game_created(event: events.GameCreated, version: int, at: datetime) -> seen.GameCreatedEvent:
    return seen.GameCreatedEvent(
        version=version,
        at=at,
        ruleset=ruleset_ref(event.ruleset),
        players=event.players,
        visibility=event.visibility,
        commitment=event.commitment,
    )


def _hand_dealt(event: events.HandDealt, viewer: int | None, version: int, at: datetime) -> seen.HandDealtEvent:
    return seen.HandDealtEvent(
        version=version,
        at=at,
        number=event.number,
        kind=event.kind,
        cards=event.cards,
        dealer=event.dealer,
        mano=next_seat(event.dealer, len(event.hands)),
        multiplier=event.multiplier,
        trump=_present(event.trump),
        turn_up=_present(event.turn_up),
        my_cards=UNSET if viewer is None else event.hands[viewer],
    )


def _hand_scored(event: events.HandScored, version: int, at: datetime) -> seen.HandScoredEvent:
    rows = zip(event.bids, event.tricks, event.points, event.totals, strict=True)
    scores = tuple(seen.SeatScore(seat, *row) for seat, row in enumerate(rows))
    return seen.HandScoredEvent(version=version, at=at, number=event.number, scores=scores)


def _present(value: T | None) -> T | UnsetType:
    """Absent means absent: a fact that there is not is left out."""
    return UNSET if value is None else value
