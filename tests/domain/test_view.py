"""What views and events say, besides what they keep to themselves (`test_secrecy`)."""

from datetime import UTC, datetime

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model import events
from domain.pocha.model.events import (
    AutoPlayChosen,
    Event,
    GameAbandoned,
    GameOver,
    GameStarted,
    RobotSeated,
    SeatCleared,
    SeatLeft,
    SeatTaken,
    TrickTaken,
)
from domain.pocha.model.state import InHand, NotCreated, progress_of, ruleset_of, table_of
from domain.pocha.rules.schedule import HandKind, HandPlan
from domain.pocha.view import schema
from domain.pocha.view.event_view import redact
from domain.pocha.view.game_view import see, status, turn_view
from domain.pocha.view.schema import Action, SeatBid, SeatCard, Status
from domain.table.table import AutoPlay, Level, OnTimeout, Visibility
from tests.domain import tables
from tests.domain.playout import FRAME, named
from tests.domain.tables import ANA, BEA, COMMITMENT, INVITE, bids, cards, dealt, plays, started

AT = datetime(2024, 5, 6, tzinfo=UTC)
EASY = Level.EASY
DEAL = dealt("oros-1 oros-2 oros-3", "copas-1 copas-2 copas-3", "bastos-1 bastos-2 bastos-3", turn_up="espadas-4")
PLAYING = (*started(), DEAL, *bids(2, 0, 0))
SCORED = events.HandScored(1, (0, 2, 0), (0, 2, 1), (10, 20, -5), (10, 20, -5), (0, 0, 1), (2, 1, 3))


def view(*history: Event, viewer: int | None = None) -> schema.GameView:
    return see(fold(NotCreated(), history), viewer, FRAME)


def hand(shown: schema.GameView) -> schema.HandView:
    assert shown.hand is not UNSET
    return shown.hand


def turn(shown: schema.GameView) -> schema.TurnView:
    assert shown.turn is not UNSET
    return shown.turn


def test_a_waiting_table_shows_who_sits_where_and_no_hand() -> None:
    shown = view(*tables.waiting(2), RobotSeated(2, EASY))
    assert shown == schema.GameView(
        game_id="game",
        version=7,
        status=Status.WAITING,
        ruleset=schema.RulesetRef("casa", 1, "Reglas de la casa"),
        players=3,
        visibility=Visibility.PUBLIC,
        created_at=FRAME.created_at,
        server_time=FRAME.now,
        seats=(
            schema.SeatView(0, player=schema.PlayerRef("ana", "Ana")),
            schema.SeatView(1, player=schema.PlayerRef("bea", "Bea")),
            schema.SeatView(2, robot=schema.RobotRef(EASY)),
        ),
        scores=(),
        commitment=COMMITMENT,
    )


def test_a_free_seat_is_shown_with_nobody() -> None:
    assert view(*tables.waiting()).seats[1:] == (schema.SeatView(1), schema.SeatView(2))


def test_who_sits_at_a_private_table_sees_its_code_and_their_seat() -> None:
    shown = view(*tables.private(2), viewer=1)
    assert (shown.invite_code, shown.my_seat) == (INVITE, 1)
    assert view(*tables.private(2)).invite_code is UNSET


def test_a_table_that_is_not_cannot_be_seen() -> None:
    with pytest.raises(ValueError, match="not created"):
        see(NotCreated(), None, FRAME)


def test_bids_are_shown_in_the_order_in_which_they_are_made() -> None:
    shown = view(*started(), DEAL, *bids(2, 1, 0)[:2], viewer=0)
    assert hand(shown).bids == (SeatBid(1, 2), SeatBid(2, 1))
    assert hand(view(*PLAYING)).bids == (SeatBid(1, 2), SeatBid(2, 0), SeatBid(0, 0))


def test_the_seat_on_turn_to_bid_is_told_what_it_may_and_what_it_must_not_say() -> None:
    shown = view(*started(), DEAL, *bids(2, 0, 0)[:2], viewer=0)
    assert turn(shown) == schema.BidTurn(0, legal_bids=(0, 2, 3), forbidden_bid=1)
    assert turn(view(*started(), DEAL, viewer=1)) == schema.BidTurn(1, legal_bids=(0, 1, 2, 3))
    for viewer in (None, 0, 2):
        assert turn(view(*started(), DEAL, viewer=viewer)) == schema.WaitTurn(1, Action.BID)


def test_the_seat_on_turn_to_play_is_told_its_legal_cards() -> None:
    assert turn(view(*PLAYING, viewer=1)) == schema.PlayTurn(1, legal_cards=cards("copas-1 copas-2 copas-3"))
    for viewer in (None, 0, 2):
        assert turn(view(*PLAYING, viewer=viewer)) == schema.WaitTurn(1, Action.PLAY)


def test_a_hand_shows_its_trump_its_tricks_and_the_cards_on_the_table() -> None:
    first = (*plays("copas-1 bastos-1 oros-1"), TrickTaken(1, Card.COPAS_1))
    shown = hand(view(*PLAYING, *first, *plays("copas-2 bastos-2")[:2], viewer=0))
    assert shown == schema.HandView(
        number=1,
        of=1,
        kind=HandKind.NORMAL,
        cards=3,
        dealer=0,
        mano=1,
        multiplier=1,
        stock_count=0,
        bids=(SeatBid(1, 2), SeatBid(2, 0), SeatBid(0, 0)),
        tricks_won=(0, 1, 0),
        trick=(SeatCard(1, Card.COPAS_2), SeatCard(2, Card.BASTOS_2)),
        trump=Suit.ESPADAS,
        turn_up=Card.ESPADAS_4,
        my_cards=cards("oros-2 oros-3"),
        last_trick=schema.LastTrick(
            1, (SeatCard(1, Card.COPAS_1), SeatCard(2, Card.BASTOS_1), SeatCard(0, Card.OROS_1))
        ),
    )


def test_while_bids_are_made_nobody_has_taken_a_trick() -> None:
    assert hand(view(*started(), DEAL)).tricks_won == (0, 0, 0)
    assert hand(view(*PLAYING)).tricks_won == (0, 0, 0)


def test_before_the_first_trick_is_taken_there_is_no_last_one() -> None:
    assert hand(view(*PLAYING, *plays("copas-1"))).last_trick is UNSET


def test_a_ciega_hand_shows_no_trump_and_what_does_not_apply_is_absent() -> None:
    shown = view(*started(), dealt("oros-1", "copas-1", "bastos-1", turn_up=None, kind=HandKind.CIEGA))
    assert set(msgspec.to_builtins(hand(shown))) == {
        "number", "of", "kind", "cards", "dealer", "mano", "multiplier", "stock_count", "bids", "tricks_won", "trick",
    }  # fmt: skip


# Special hands.

FACE_DOWN = replace(DEAL, trump=None, turn_up=None, face_down=True)
SUBASTADO = replace(DEAL, trump=None, turn_up=None, kind=HandKind.SUBASTADO)
CALLS = (events.AuctionBidMade(1, 1), events.AuctionPassed(2), events.AuctionBidMade(0, 2))


def test_an_india_hand_shows_a_seat_all_cards_but_its_own() -> None:
    history = (*started(), dealt("oros-1", "copas-1", "bastos-1", turn_up="espadas-4", kind=HandKind.INDIA))
    shown = hand(view(*history, viewer=2))
    assert shown.my_cards is UNSET
    assert shown.seen_cards == (schema.SeatCards(0, cards("oros-1")), schema.SeatCards(1, cards("copas-1")))
    assert (shown.trump, shown.turn_up) == (Suit.ESPADAS, Card.ESPADAS_4)
    assert turn(view(*history, viewer=1)) == schema.BidTurn(1, legal_bids=(0, 1))
    assert hand(view(*history)).seen_cards is UNSET


def test_before_a_blind_pick_nobody_sees_a_card_and_the_dealer_is_told_the_positions() -> None:
    for viewer in (None, 0, 1, 2):
        shown = hand(view(*started(), FACE_DOWN, viewer=viewer))
        assert (shown.my_cards, shown.seen_cards, shown.trump, shown.turn_up) == (UNSET,) * 4
        assert shown.auction is UNSET
    dealers = turn(view(*started(), FACE_DOWN, viewer=0))
    assert dealers == schema.BlindPickTurn(0, positions=(0, 1, 2))
    for viewer in (None, 1, 2):
        assert turn(view(*started(), FACE_DOWN, viewer=viewer)) == schema.WaitTurn(0, Action.BLIND_PICK)


def test_after_a_blind_pick_each_seat_sees_its_own_cards_and_all_see_the_one_picked() -> None:
    picked = events.BlindPickMade(0, Card.OROS_2, 3, DEAL.hands, 1)
    shown = hand(view(*started(), FACE_DOWN, picked, viewer=1))
    assert (shown.my_cards, shown.turn_up, shown.trump, shown.multiplier) == (
        cards("copas-1 copas-2 copas-3"),
        Card.OROS_2,
        Suit.OROS,
        3,
    )


def test_in_an_auction_the_calls_are_shown_and_the_seat_on_turn_is_told_what_it_may_say() -> None:
    history = (*started(), SUBASTADO, *CALLS[:2])
    shown = view(*history, viewer=0)
    assert hand(shown).auction == (schema.SeatCall(1, passed=False, bid=1), schema.SeatCall(2, passed=True))
    assert hand(shown).my_cards == cards("oros-1 oros-2 oros-3")
    # The ruleset of these tests has no auction; what may be said is that of an ascending one.
    assert turn(shown) == schema.AuctionTurn(0, legal_bids=(2, 3), may_pass=True)
    for viewer in (None, 1, 2):
        assert turn(view(*history, viewer=viewer)) == schema.WaitTurn(0, Action.AUCTION_BID)


def test_who_won_the_auction_is_told_the_suits() -> None:
    history = (*started(), SUBASTADO, *CALLS, events.AuctionWon(0, 2, locked=True))
    assert turn(view(*history, viewer=0)) == schema.ChooseTrumpTurn(0, legal_suits=tuple(Suit))
    assert turn(view(*history, viewer=1)) == schema.WaitTurn(0, Action.CHOOSE_TRUMP)
    assert hand(view(*history)).bids == (schema.SeatBid(0, 2),)  # `locked`: it is the bid for the hand already
    assert len(hand(view(*history)).auction or ()) == 3


def test_a_locked_bid_is_shown_first_and_the_auction_stays_to_be_seen() -> None:
    won = (*CALLS, events.AuctionWon(0, 2, locked=True), events.TrumpChosen(0, Suit.OROS, 1))
    bidding = hand(view(*started(), SUBASTADO, *won, events.BidMade(1, 1)))
    assert bidding.bids == (SeatBid(0, 2), SeatBid(1, 1))
    playing = hand(view(*started(), SUBASTADO, *won, events.BidMade(1, 1), events.BidMade(2, 1)))
    assert playing.bids == (SeatBid(0, 2), SeatBid(1, 1), SeatBid(2, 1))
    assert playing.auction == (
        schema.SeatCall(1, passed=False, bid=1),
        schema.SeatCall(2, passed=True),
        schema.SeatCall(0, passed=False, bid=2),
    )


def test_a_bid_that_is_not_locked_is_made_again() -> None:
    won = (*CALLS, events.AuctionWon(0, 2), events.TrumpChosen(0, Suit.OROS, 1))
    assert hand(view(*started(), SUBASTADO, *won, *bids(1, 1, 0))).bids == (SeatBid(1, 1), SeatBid(2, 1), SeatBid(0, 0))


def test_an_extra_hand_is_the_last_of_as_many_as_there_are() -> None:
    extra = dealt("oros-1", "copas-1", "bastos-1", turn_up="espadas-1", number=4, kind=HandKind.TIE_BREAK)
    assert hand(view(*started(), extra)).of == 4


def test_scores_tell_points_hands_hit_and_missed_and_the_rank() -> None:
    shown = view(*PLAYING, SCORED)
    assert shown.scores == (schema.Score(0, 10, 1, 0, 2), schema.Score(1, 20, 1, 0, 1), schema.Score(2, -5, 0, 1, 3))
    assert (shown.status, shown.hand, shown.turn) == (Status.PLAYING, UNSET, UNSET)


def test_before_the_first_hand_all_are_first() -> None:
    assert [score.rank for score in view(*started()).scores] == [1, 1, 1]


def test_a_finished_game_shows_its_winners() -> None:
    shown = view(*PLAYING, SCORED, GameOver((1,)))
    assert (shown.status, shown.result) == (Status.FINISHED, schema.Result((1,)))
    assert shown.scores[1].points == 20


def test_an_abandoned_table_says_so() -> None:
    shown = view(*tables.waiting(), SeatLeft(0, ANA), GameAbandoned())
    assert (shown.status, shown.scores) == (Status.ABANDONED, ())


def test_a_game_given_up_after_its_start_keeps_its_scores_and_shows_no_hand() -> None:
    shown = view(*PLAYING, SCORED, DEAL, GameAbandoned(), viewer=1)
    assert [score.points for score in shown.scores] == [10, 20, -5]
    assert (shown.status, shown.hand, shown.turn, shown.result) == (Status.ABANDONED, UNSET, UNSET, UNSET)


def test_a_table_with_times_says_them_and_what_happens_when_one_is_over() -> None:
    made = replace(tables.created(), turn_seconds=30, on_timeout=OnTimeout(EASY, 2))
    shown = view(made)
    assert shown.turn_seconds == 30
    assert shown.on_timeout == schema.TimeoutView(schema.RobotRef(EASY), 2)
    without = view(tables.created())
    assert (without.turn_seconds, without.on_timeout) == (UNSET, UNSET)


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
@pytest.mark.parametrize(
    "history",
    [
        (*started(), replace(DEAL, trump=None, turn_up=None, face_down=True)),
        (*started(), replace(DEAL, trump=None, turn_up=None, kind=HandKind.SUBASTADO)),
        (*started(), replace(DEAL, kind=HandKind.SUBASTADO), events.AuctionWon(1, 2)),
        (*started(), DEAL),
        PLAYING,
    ],
    ids=[action.value for action in Action],
)
def test_every_viewer_is_told_until_when_the_game_waits(history: tuple[Event, ...], viewer: int | None) -> None:
    state = fold(NotCreated(), history)
    waits = turn(see(state, viewer, replace(FRAME, deadline=AT)))
    assert waits.deadline == AT
    assert turn(see(state, viewer, FRAME)) == replace(waits, deadline=UNSET)
    assert turn_view(state, viewer, AT) == waits


def test_where_no_turn_is_there_is_no_deadline() -> None:
    for history in (tables.waiting(), started(), (*started(), GameOver((0,))), (*PLAYING, GameAbandoned())):
        state = fold(NotCreated(), history)
        assert turn_view(state, None, AT) is UNSET
        assert see(state, None, replace(FRAME, deadline=AT)).turn is UNSET


def test_presence_is_shown_of_the_players_at_seats_as_far_as_it_is_known() -> None:
    here, gone = schema.PresenceView(connected=True, last_seen=AT), schema.PresenceView(connected=False, last_seen=AT)
    frame = replace(FRAME, presence={"ana": here, "bea": gone, "dani": here})
    state = fold(NotCreated(), (*PLAYING, SeatLeft(1, BEA), RobotSeated(1, EASY)))
    assert [seat.presence for seat in see(state, 0, frame).seats] == [here, UNSET, UNSET]
    assert [seat.presence for seat in see(fold(NotCreated(), PLAYING), None, frame).seats] == [here, gone, UNSET]


def test_before_its_making_a_game_would_be_waiting() -> None:
    assert status(NotCreated()) is Status.WAITING


def test_results_and_turn_are_told_of_any_state() -> None:
    histories: list[tuple[tuple[Event, ...], int | None, int | None]] = [
        ((), None, None),
        (tables.waiting(), None, None),
        ((*tables.waiting(), GameAbandoned()), None, None),
        (started(), 0, None),
        ((*started(), DEAL), 0, 1),
        (PLAYING, 0, 1),
        ((*PLAYING, SCORED), 1, None),
        ((*PLAYING, SCORED, GameOver((1,))), 1, None),
    ]
    for history, results, on_turn in histories:
        state = fold(NotCreated(), history)
        progress = progress_of(state)
        assert (progress and len(progress.results)) == results
        assert (state.turn if isinstance(state, InHand) else None) == on_turn


def test_a_game_that_is_not_has_no_table() -> None:
    with pytest.raises(ValueError, match="not created"):
        table_of(NotCreated())
    with pytest.raises(ValueError, match="was not created"):
        ruleset_of(NotCreated())


# Events.

REF = schema.PlayerRef("ana", "Ana")
REDACTED: dict[str, tuple[Event, dict[str, object]]] = {
    "game_created": (
        tables.created(visibility=Visibility.PRIVATE, invite_code=INVITE),
        {
            "ruleset": {"ruleset_id": "casa", "version": 1, "title": "Reglas de la casa", "house_rules": False},
            "players": 3,
            "visibility": "private",
            "commitment": COMMITMENT,
        },
    ),
    "seat_taken": (SeatTaken(0, ANA), {"seat": 0, "player": {"player_id": "ana", "display_name": "Ana"}}),
    "auto_play_chosen": (AutoPlayChosen(1, AutoPlay.FORCED), {"seat": 1, "auto_play": "forced"}),
    "seat_cleared": (SeatCleared(1, BEA), {"seat": 1, "player": {"player_id": "bea", "display_name": "Bea"}}),
    "seat_left": (SeatLeft(1, BEA), {"seat": 1, "player": {"player_id": "bea", "display_name": "Bea"}}),
    "robot_seated": (RobotSeated(2, EASY), {"seat": 2, "robot": {"level": "easy"}}),
    "game_started": (
        GameStarted((ANA, BEA), 1, (HandPlan(HandKind.NORMAL, 1),) * 5),
        {
            "seats": [
                {"seat": 0, "player": {"player_id": "ana", "display_name": "Ana"}},
                {"seat": 1, "player": {"player_id": "bea", "display_name": "Bea"}},
            ],
            "dealer": 1,
            "hands": 5,
        },
    ),
    "hand_dealt": (
        DEAL,
        {
            "number": 1,
            "kind": "normal",
            "cards": 3,
            "dealer": 0,
            "mano": 1,
            "multiplier": 1,
            "stock_count": 0,
            "trump": "espadas",
            "turn_up": "espadas-4",
            "my_cards": ["bastos-1", "bastos-2", "bastos-3"],
        },
    ),
    "blind_pick_made": (
        events.BlindPickMade(0, Card.OROS_2, 3, DEAL.hands, 1),
        {
            "seat": 0,
            "card": "oros-2",
            "trump": "oros",
            "multiplier": 3,
            "position": 1,
            "my_cards": ["bastos-1", "bastos-2", "bastos-3"],
        },
    ),
    "auction_bid_made": (events.AuctionBidMade(1, 2), {"seat": 1, "bid": 2}),
    "auction_passed": (events.AuctionPassed(1), {"seat": 1}),
    "auction_won": (events.AuctionWon(1, 2, locked=True), {"seat": 1, "bid": 2, "locked": True}),
    "trump_chosen": (events.TrumpChosen(1, Suit.OROS, 3), {"seat": 1, "suit": "oros", "multiplier": 3}),
    "bid_made": (events.BidMade(1, 2), {"seat": 1, "bid": 2}),
    "card_played": (events.CardPlayed(1, Card.OROS_1), {"seat": 1, "card": "oros-1"}),
    "trick_taken": (TrickTaken(1, Card.OROS_1), {"seat": 1, "card": "oros-1"}),
    "hand_scored": (
        SCORED,
        {
            "number": 1,
            "scores": [
                {"seat": 0, "bid": 0, "tricks": 0, "points": 10, "total": 10, "rank": 2},
                {"seat": 1, "bid": 2, "tricks": 2, "points": 20, "total": 20, "rank": 1},
                {"seat": 2, "bid": 0, "tricks": 1, "points": -5, "total": -5, "rank": 3},
            ],
        },
    ),
    "renuncio_claimed": (
        events.RenuncioClaimed(0, 1, 3, 2, Card.OROS_5, proven=True, penalty=100, totals=(5, -100, 0), ranks=(1, 3, 2)),
        {
            "claimant": 0,
            "seat": 1,
            "hand": 3,
            "trick": 2,
            "card": "oros-5",
            "proven": True,
            "penalty": 100,
            "totals": [5, -100, 0],
            "ranks": [1, 3, 2],
        },
    ),
    "game_over": (GameOver((0, 2)), {"result": {"winners": [0, 2]}}),
    "game_abandoned": (GameAbandoned(), {}),
    "turn_expired": (events.TurnExpired(1, 2), {"seat": 1, "in_a_row": 2}),
}


@pytest.mark.parametrize(("event", "expected"), REDACTED.values(), ids=REDACTED)
def test_an_event_is_told_in_its_wire_form(
    event: Event, expected: dict[str, object], request: pytest.FixtureRequest
) -> None:
    told = msgspec.json.decode(msgspec.json.encode(redact(event, 2, 9, AT, named)))
    name = request.node.callspec.id
    assert told == {"type": name, "version": 9, "at": "2024-05-06T00:00:00Z", **expected}


@pytest.mark.parametrize(("event", "expected"), REDACTED.values(), ids=REDACTED)
def test_a_spectator_is_told_the_same_but_for_cards_in_hands(event: Event, expected: dict[str, object]) -> None:
    told = msgspec.json.decode(msgspec.json.encode(redact(event, None, 9, AT)))
    assert set(told) - {"type", "version", "at"} == set(expected) - {"my_cards"}


def wire(event: Event, viewer: int | None) -> dict[str, object]:
    told = msgspec.json.decode(msgspec.json.encode(redact(event, viewer, 9, AT)))
    return {name: value for name, value in told.items() if name not in ("type", "version", "at")}


def test_a_seed_that_a_player_gives_is_public() -> None:
    assert wire(SeatTaken(0, ANA, "suerte"), None)["client_seed"] == "suerte"
    assert "client_seed" not in wire(SeatTaken(0, ANA), None)


def test_a_deal_tells_how_many_cards_stay_out_and_not_which() -> None:
    told = wire(replace(DEAL, stock=cards("bastos-11 bastos-12")), 1)
    assert told["stock_count"] == 2
    assert "bastos-11" not in str(told)


def test_the_making_of_a_table_with_times_tells_them() -> None:
    made = replace(tables.created(), turn_seconds=30, on_timeout=OnTimeout())
    told = wire(made, None)
    assert (told["turn_seconds"], told["on_timeout"]) == (30, {"robot": {"level": "easy"}, "takes_seat_after": 3})
    assert not {"turn_seconds", "on_timeout"} & set(wire(tables.created(), None))


def test_a_deal_face_down_shows_no_card_to_anybody() -> None:
    face_down = replace(DEAL, trump=None, turn_up=None, face_down=True)
    for viewer in (None, 0, 1, 2):
        told = wire(face_down, viewer)
        assert told["face_down"] is True
        assert not {"my_cards", "seen_cards", "turn_up", "trump"} & set(told)


def test_the_last_card_dealt_is_told_without_a_position() -> None:
    told = wire(events.BlindPickMade(0, Card.OROS_3, 3, DEAL.hands), 0)
    assert "position" not in told
    assert told["my_cards"] == ["oros-1", "oros-2", "oros-3"]


def test_an_india_deal_shows_each_seat_the_others_cards_and_a_spectator_none() -> None:
    deal = dealt("oros-1", "copas-1", "bastos-1", turn_up="espadas-4", kind=HandKind.INDIA)
    told = wire(deal, 1)
    assert told["seen_cards"] == [{"seat": 0, "cards": ["oros-1"]}, {"seat": 2, "cards": ["bastos-1"]}]
    assert "my_cards" not in told
    assert not {"my_cards", "seen_cards"} & set(wire(deal, None))


def test_every_event_has_a_wire_form() -> None:
    assert len(REDACTED) == len(Event.__args__) == len(schema.EventView.__args__)
