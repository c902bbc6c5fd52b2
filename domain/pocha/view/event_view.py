"""`redact`: the view of an event for one viewer (rulebook section 6).

Views of events are built from an allow-list: a fact that is not copied here stays secret.
"""

from datetime import datetime
from typing import assert_never

from msgspec import UNSET

from domain.pocha.model import events
from domain.pocha.rules.schedule import HandKind
from domain.pocha.view import schema
from domain.pocha.view.parts import Shown, others_cards, present, ruleset_ref, seat_views, timeout_view, unnamed
from domain.seats import next_seat
from domain.table.table import Seat

_TableEvent = (
    events.GameCreated
    | events.SeatTaken
    | events.SeatLeft
    | events.SeatCleared
    | events.RobotSeated
    | events.GameStarted
    | events.GameOver
    | events.GameAbandoned
    | events.AutoPlayChosen
    | events.TurnExpired
)


_DIFFERS = (events.HandDealt, events.BlindPickMade)


def differs_by_viewer(event: events.Event) -> bool:
    """Tell whether viewers may see different things of `event`; of all others, every viewer sees what a spectator does."""
    return isinstance(event, _DIFFERS)


def names_players(event: events.Event) -> bool:
    """Tell whether the view of `event` shows names, which may change later."""
    return isinstance(event, (events.SeatTaken, events.SeatLeft, events.GameStarted))


def redact(
    event: events.Event, viewer: int | None, version: int, at: datetime, shown: Shown = unnamed
) -> schema.EventView:
    """Return `event` as `viewer` may see it, as part of commit `version` made `at` (UTC). `shown` says how players are shown."""
    match event:
        case events.CardPlayed(seat=seat, card=card):
            return schema.CardPlayedEvent(version=version, at=at, seat=seat, card=card)
        case events.TrickTaken(seat=seat, card=card):
            return schema.TrickTakenEvent(version=version, at=at, seat=seat, card=card)
        case events.BidMade(seat=seat, bid=bid):
            return schema.BidMadeEvent(version=version, at=at, seat=seat, bid=bid)
        case events.HandDealt():
            return _hand_dealt(event, viewer, version, at)
        case events.HandScored():
            return _hand_scored(event, version, at)
        case events.BlindPickMade():
            return _blind_pick_made(event, viewer, version, at)
        case events.AuctionBidMade(seat=seat, bid=bid):
            return schema.AuctionBidMadeEvent(version=version, at=at, seat=seat, bid=bid)
        case events.AuctionPassed(seat=seat):
            return schema.AuctionPassedEvent(version=version, at=at, seat=seat)
        case events.AuctionWon(seat=seat, bid=bid, locked=locked):
            return schema.AuctionWonEvent(version=version, at=at, seat=seat, bid=bid, locked=locked)
        case events.TrumpChosen(seat=seat, suit=suit, multiplier=factor):
            return schema.TrumpChosenEvent(version=version, at=at, seat=seat, suit=suit, multiplier=factor)
        case events.RenuncioClaimed():
            return _renuncio_claimed(event, version, at)
        case _:
            return _redact_table(event, version, at, shown)


def _redact_table(event: _TableEvent, version: int, at: datetime, shown: Shown) -> schema.EventView:
    match event:
        case events.GameCreated():
            return _game_created(event, version, at)
        case events.SeatTaken(seat=seat, player=player, client_seed=given):
            taken_by = shown(player.player_id)
            return schema.SeatTakenEvent(version=version, at=at, seat=seat, player=taken_by, client_seed=present(given))
        case events.SeatLeft(seat=seat, player=player):
            return schema.SeatLeftEvent(version=version, at=at, seat=seat, player=shown(player.player_id))
        case events.SeatCleared(seat=seat, player=player):
            removed = UNSET if player is None else shown(player.player_id)
            return schema.SeatClearedEvent(version=version, at=at, seat=seat, player=removed)
        case events.RobotSeated(seat=seat, level=level):
            return schema.RobotSeatedEvent(version=version, at=at, seat=seat, robot=schema.RobotRef(level))
        case events.GameStarted(seats=seats, dealer=dealer, schedule=hands):
            views = seat_views((Seat(occupant) for occupant in seats), shown)
            return schema.GameStartedEvent(version=version, at=at, seats=views, dealer=dealer, hands=len(hands))
        case events.GameOver(winners=winners):
            return schema.GameOverEvent(version=version, at=at, result=schema.Result(winners))
        case events.GameAbandoned():
            return schema.GameAbandonedEvent(version=version, at=at)
        case events.AutoPlayChosen(seat=seat, auto_play=chosen):
            return schema.AutoPlayChosenEvent(version=version, at=at, seat=seat, auto_play=chosen)
        case events.TurnExpired(seat=seat, in_a_row=in_a_row):
            return schema.TurnExpiredEvent(version=version, at=at, seat=seat, in_a_row=in_a_row)
        case _:
            assert_never(event)


def _game_created(event: events.GameCreated, version: int, at: datetime) -> schema.GameCreatedEvent:
    return schema.GameCreatedEvent(
        version=version,
        at=at,
        ruleset=ruleset_ref(event.ruleset),
        players=event.players,
        visibility=event.visibility,
        commitment=event.commitment,
        turn_seconds=present(event.turn_seconds),
        robot_seconds=event.robot_seconds or UNSET,
        on_timeout=UNSET if event.on_timeout is None else timeout_view(event.on_timeout),
    )


def _hand_dealt(event: events.HandDealt, viewer: int | None, version: int, at: datetime) -> schema.HandDealtEvent:
    hidden = event.face_down or event.kind is HandKind.INDIA
    return schema.HandDealtEvent(
        version=version,
        at=at,
        number=event.number,
        kind=event.kind,
        cards=event.cards,
        dealer=event.dealer,
        mano=next_seat(event.dealer, len(event.hands)),
        multiplier=event.multiplier,
        stock_count=len(event.stock),
        trump=present(event.trump),
        turn_up=present(event.turn_up),
        my_cards=UNSET if viewer is None or hidden else event.hands[viewer],
        seen_cards=others_cards(event.kind, event.hands, viewer),
        face_down=True if event.face_down else UNSET,
    )


def _blind_pick_made(
    event: events.BlindPickMade, viewer: int | None, version: int, at: datetime
) -> schema.BlindPickMadeEvent:
    return schema.BlindPickMadeEvent(
        version=version,
        at=at,
        seat=event.seat,
        card=event.card,
        trump=event.trump,
        multiplier=event.multiplier,
        position=present(event.position),
        my_cards=UNSET if viewer is None else event.hands[viewer],
    )


def _renuncio_claimed(event: events.RenuncioClaimed, version: int, at: datetime) -> schema.RenuncioClaimedEvent:
    return schema.RenuncioClaimedEvent(
        version=version,
        at=at,
        claimant=event.claimant,
        seat=event.seat,
        hand=event.hand,
        trick=event.trick,
        card=event.card,
        proven=event.proven,
        penalty=event.penalty,
        totals=event.totals,
        ranks=event.ranks,
    )


def _hand_scored(event: events.HandScored, version: int, at: datetime) -> schema.HandScoredEvent:
    rows = zip(event.bids, event.tricks, event.points, event.totals, event.ranks, strict=True)
    scores = tuple(schema.SeatScore(seat, *row) for seat, row in enumerate(rows))
    return schema.HandScoredEvent(version=version, at=at, number=event.number, scores=scores)
