"""Whole games, played in any way that hypothesis thinks of; every answer is held to the contract, and to a small model of the table.

Hypothesis decides what is done in which order, and one seed decides the rest, so that choices stay as varied as they are many.
The model believes nothing that it can find out: it keeps the book of bids, tricks and points itself, from the moves that it sees.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from schemathesis import Response

from service.store.memory import MemoryLog
from tests.contract.document import Json
from tests.contract.running import Client, RepeatableShuffler, promise_of, service

SHUFFLER = RepeatableShuffler()
RANKS = (1, 3, 12, 11, 10, 7, 6, 5, 4, 2)
PEOPLE = ("Ana", "Beto", "Carmen", "Diego")
STRANGER = "Eva"
ALL_CARDS = [f"{suit}-{number}" for suit in ("oros", "copas", "espadas", "bastos") for number in range(1, 13)]
ROBOT = "robot"
NOBODY = ""


@cache
def client() -> Client:
    """Return a client of the one service that all examples share; each makes its own table."""
    return Client(promise_of(service(MemoryLog(), SHUFFLER)))


@cache
def token(name: str) -> str:
    """Return the token of somebody."""
    return client().ask("createPlayer", body={"display_name": name}).json()["token"]


@dataclass
class Book:
    """What happened in a game, as anybody at the table could write it down."""

    totals: list[int]
    cards: int = 0
    trump: str = ""
    mano: int = 0
    bids: dict[int, int] = field(default_factory=dict[int, int])
    tricks: list[int] = field(default_factory=list[int])
    trick: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    hands: int = 0
    winners: list[int] | None = None

    def write(self, event: Json) -> None:
        """Take down an event, and check that it follows from those before."""
        match event["type"]:
            case "hand_dealt":
                self.cards, self.trump, self.mano = event["cards"], event["trump"], event["mano"]
                self.bids, self.tricks, self.trick = {}, [0] * len(self.totals), []
                assert event["number"] == self.hands + 1
                assert self.mano == (event["dealer"] + 1) % len(self.totals)
            case "bid_made":
                assert event["seat"] == (self.mano + len(self.bids)) % len(self.totals)
                self.bids[event["seat"]] = event["bid"]
                assert len(self.bids) < len(self.totals) or sum(self.bids.values()) != self.cards
            case "card_played":
                self.trick.append((event["seat"], event["card"]))
            case "trick_taken":
                assert (event["seat"], event["card"]) == self._taker()
                self.tricks[event["seat"]] += 1
                self.trick = []
            case "hand_scored":
                self._score(event["scores"])
            case "game_over":
                best = max(self.totals)
                self.winners = [seat for seat, total in enumerate(self.totals) if total == best]
                assert event["result"]["winners"] == self.winners
            case _:
                pass

    def _taker(self) -> tuple[int, str]:
        assert len(self.trick) == len(self.totals)
        led = self.trick[0][1].partition("-")[0]
        return max(self.trick, key=lambda play: self._strength(play[1], led))

    def _strength(self, card: str, led: str) -> tuple[bool, bool, int]:
        suit, _, number = card.partition("-")
        return suit == self.trump, suit == led, -RANKS.index(int(number))

    def _score(self, scores: list[Json]) -> None:
        assert sum(self.tricks) == self.cards
        for score in scores:
            seat: int = score["seat"]
            bid, tricks = self.bids[seat], self.tricks[seat]
            points = 10 + 5 * tricks if bid == tricks else -5 * abs(bid - tricks)
            self.totals[seat] += points
            assert (score["bid"], score["tricks"], score["points"]) == (bid, tricks, points)
            assert score["total"] == self.totals[seat]
        self.hands += 1


class Table(RuleBasedStateMachine):
    """A table, and people who do what they should, and what they should not."""

    ends: ClassVar[Counter[str]] = Counter()
    refusals: ClassVar[Counter[str]] = Counter()

    @initialize(
        size=st.sampled_from((3, 4)),
        people=st.integers(1, 3),
        seats_left_free=st.sampled_from((0, 0, 1, 2)),
        private=st.booleans(),
        seed=st.integers(0, 2**64 - 1),
    )
    def make_the_table(self, size: int, people: int, seats_left_free: int, private: bool, seed: int) -> None:
        self.chance = random.Random(seed)
        robots = max(0, size - people - seats_left_free)
        body: Json = {"ruleset": f"ludoteka-express-{size}", "players": size, "robots": [{"level": "easy"}] * robots}
        self.host, self.private = PEOPLE[0], private
        SHUFFLER.begin_again()
        made = client().ask(
            "createGame", token(self.host), body={**body, "visibility": "private" if private else "public"}
        )
        assert made.status_code == 201
        game = made.json()
        assert made.headers["location"] == [f"/v1/games/{game['game_id']}"]
        self.game_id: str = game["game_id"]
        self.invite: Json = {"invite_code": game["invite_code"]} if private else {}
        self.seats = [self.host, *([NOBODY] * (size - robots - 1)), *([ROBOT] * robots)]
        self.version, self.status = 1, "waiting"
        self.book = Book([0] * size)
        self._follow_up()
        for name in PEOPLE[1:people]:
            self._sit_down(name, choose=False)

    # What people should do.

    @precondition(lambda self: self.status == "waiting")
    @rule()
    def somebody_sits_down(self) -> None:
        self._sit_down(self.chance.choice(PEOPLE[1:]), choose=self._perhaps())

    def _sit_down(self, name: str, *, choose: bool) -> None:
        seat = self.seats.index(NOBODY)
        answer = self._ask("joinGame", name, body={**self.invite, **({"seat": seat} if choose else {})})
        if name in self.seats:
            self._refused(answer, 409, "seat-taken")
        else:
            self._done(answer, 201)
            self.seats[seat] = name
            self._follow_up()

    @precondition(lambda self: self.status == "waiting")
    @rule()
    def the_host_seats_a_robot(self) -> None:
        seat = self.seats.index(NOBODY)
        self._done(self._ask("seatRobot", self.host, body={"level": "easy"}, seat=seat), 200)
        self.seats[seat] = ROBOT
        self._follow_up()

    @rule()
    def somebody_gets_up(self) -> None:
        name = self.chance.choice(PEOPLE)
        # People seldom leave: otherwise few games would be played to their end by people.
        if name not in self.seats or self._perhaps(3):
            return
        seat = self.seats.index(name)
        answer = self._ask("leaveGame", name, seat=seat)
        if self.status in {"finished", "abandoned"}:
            self._refused(answer, 409, "game-over")
            return
        self._done(answer, 200)
        self.seats[seat] = ROBOT if self.status == "playing" else NOBODY
        if not any(occupant in PEOPLE for occupant in self.seats) and self.status == "waiting":
            self.status = "abandoned"
        self._follow_up()

    @precondition(lambda self: self.status == "playing")
    @rule()
    def somebody_makes_a_legal_move(self) -> None:
        self._move_legally(*self._on_turn(), {"expected_version": self.version} if self._perhaps() else {})

    @precondition(lambda self: self.status == "playing")
    @rule()
    def people_play_on(self) -> None:
        name, view = self._on_turn()
        for _ in range(self.chance.randint(2, 40)):
            view = self._move_legally(name, view, {"expected_version": self.version})
            if self.status != "playing":
                break
            if view["turn"]["seat"] != view["my_seat"]:
                name, view = self._on_turn()

    # What people should not do.

    @rule()
    def somebody_does_wrong(self) -> None:
        misdeeds = [
            self.moves_out_of_turn,
            self.moves_at_another_version,
            self.seats_a_robot_as_a_guest,
            self.clears_the_seat_of_another,
            self.shows_no_token,
        ]
        if self.private:
            misdeeds.append(self.guesses_the_invite_code)
        if self.status != "waiting":
            misdeeds.append(self.sits_down_too_late)
        if self.status == "playing":
            misdeeds += [self.makes_an_illegal_move] * 4 + [self.does_the_other_thing, self.others_move_too]
        self.chance.choice(misdeeds)(self.chance.choice((*PEOPLE, STRANGER)))

    def moves_out_of_turn(self, name: str) -> None:
        action = self.chance.choice(("bid", "play"))
        if self.private and name not in self.seats:
            self._refused(self._move(name, action), 404, "not-found")
        elif name not in self.seats:
            self._refused(self._move(name, action), 403, "not-your-seat")
        elif self.status == "waiting":
            assert self._refused(self._move(name, action), 409, "wrong-phase")["phase"] == "waiting"
        elif self.status != "playing":
            self._refused(self._move(name, action), 409, "game-over")
        else:
            self.others_move_too(name)

    def others_move_too(self, _: str) -> None:
        on_turn, view = self._on_turn()
        for other in self.seats:
            if other in PEOPLE and other != on_turn:
                problem = self._refused(self._move(other, view["turn"]["action"]), 409, "not-your-turn")
                assert problem["seat_on_turn"] == view["turn"]["seat"]

    def does_the_other_thing(self, name: str) -> None:
        if self.status == "playing":
            name, view = self._on_turn()
            bidding = view["turn"]["action"] == "bid"
            problem = self._refused(self._move(name, "play" if bidding else "bid"), 409, "wrong-phase")
            assert problem["phase"] == ("bidding" if bidding else "playing")

    def moves_at_another_version(self, name: str) -> None:
        seated = [someone for someone in self.seats if someone in PEOPLE]
        if seated:
            name = name if name in seated else seated[-1]
            action = self.chance.choice(("bid", "play"))
            other = self.chance.choice([*range(1, self.version), self.version + 1])
            problem = self._refused(self._move(name, action, expected_version=other), 409, "version-conflict")
            assert problem["current_version"] == self.version

    def makes_an_illegal_move(self, name: str) -> None:
        if self.status == "playing":
            name, view = self._on_turn()
            if view["turn"]["action"] == "bid":
                self._bid_illegally(name, view)
            else:
                self._play_illegally(name, view)

    def _bid_illegally(self, name: str, view: Json) -> None:
        legal, forbidden = view["turn"]["legal_bids"], view["turn"].get("forbidden_bid")
        bid = forbidden if forbidden is not None and self._perhaps() else max(legal) + self.chance.randint(1, 12)
        problem = self._refused(self._ask("makeBid", name, body={"bid": bid}), 422, "illegal-bid")
        assert problem["reason"] == ("hook" if bid == forbidden else "out-of-range")
        assert (problem["legal_bids"], problem.get("forbidden_bid")) == (legal, forbidden)

    def _play_illegally(self, name: str, view: Json) -> None:
        legal, held = view["turn"]["legal_cards"], view["hand"]["my_cards"]
        held_back = [card for card in held if card not in legal]
        others = [card for card in ALL_CARDS if card not in held]
        card = self.chance.choice(held_back if held_back and self._perhaps(3) else others)
        problem = self._refused(self._ask("playCard", name, body={"card": card}), 422, "illegal-card")
        assert (problem["reason"] == "not-in-hand") == (card not in held)
        assert problem["legal_cards"] == legal

    def seats_a_robot_as_a_guest(self, name: str) -> None:
        if name == self.host:
            return
        answer = self._ask("seatRobot", name, body={"level": "easy"}, seat=self.chance.randint(0, 9))
        if self.private and name not in self.seats:
            self._refused(answer, 404, "not-found")
        elif self.status == "waiting":
            self._refused(answer, 403, "not-the-host")
        else:
            self._refused(answer, 409, "wrong-phase" if self.status == "playing" else "game-over")

    def clears_the_seat_of_another(self, name: str) -> None:
        seat = self.chance.randint(0, 9)
        if self.seats[seat : seat + 1] == [name]:
            return
        answer = self._ask("leaveGame", name, seat=seat)
        if self.private and name not in self.seats:
            self._refused(answer, 404, "not-found")
        elif self.status in {"finished", "abandoned"}:
            self._refused(answer, 409, "game-over")
        elif seat >= len(self.seats):
            self._refused(answer, 404, "not-found")
        else:
            self._refused(answer, 403, "not-your-seat")

    def sits_down_too_late(self, name: str) -> None:
        if self.status != "waiting":
            answer = self._ask("joinGame", name, body=self.invite)
            self._refused(answer, 409, "game-full" if self.status == "playing" else "game-over")

    def guesses_the_invite_code(self, name: str) -> None:
        if self.private and name not in self.seats:
            self._refused(self._ask("joinGame", name, body={"invite_code": "a-guess"}), 404, "not-found")

    def shows_no_token(self, _: str) -> None:
        operation = self.chance.choice(("getGame", "listEvents", "getScoreSheet"))
        self._refused(client().ask(operation, game_id=self.game_id), 401, "unauthenticated")

    # What everybody can read.

    @rule()
    def somebody_reads(self) -> None:
        name = self.chance.choice((*PEOPLE, STRANGER))
        if self.private and name not in self.seats:
            operation = self.chance.choice(("getGame", "listEvents", "getScoreSheet"))
            self._refused(self._ask(operation, name), 404, "not-found")
        else:
            read = self.chance.choice((self.the_game, self.what_happened, self.the_score_sheet, self.the_lobby))
            read(name)

    def the_game(self, name: str) -> None:
        answer = self._ask("getGame", name)
        assert answer.status_code == 200
        self._is_as_it_should_be(answer.json(), name)
        again = self._ask("getGame", name, headers={"If-None-Match": answer.headers["etag"][0]})
        assert (again.status_code, again.content) == (304, b"")

    def what_happened(self, name: str) -> None:
        seen, after, limit = list[Json](), 0, self.chance.randint(1, 60)
        while after < self.version:
            page = self._ask("listEvents", name, query={"after": after, "limit": limit}).json()
            assert (page["version"], page["next_after"]) == (self.version, min(after + limit, self.version))
            seen, after = [*seen, *page["items"]], page["next_after"]
        book = Book([0] * len(self.seats))
        for event in seen:
            book.write(event)
            assert ("my_cards" in event) == (event["type"] == "hand_dealt" and name in self.seats)
        assert book == self.book
        assert [*dict.fromkeys(event["version"] for event in seen)] == [*range(1, self.version + 1)]

    def the_score_sheet(self, name: str) -> None:
        sheet = self._ask("getScoreSheet", name).json()
        assert (sheet["version"], sheet["status"], len(sheet["rows"])) == (self.version, self.status, self.book.hands)
        assert sheet["totals"] == self.book.totals
        for row in sheet["rows"][-1:]:
            assert [entry["total"] for entry in row["entries"]] == self.book.totals

    def the_lobby(self, name: str) -> None:
        query = {"status": self.status, "ruleset": f"ludoteka-express-{len(self.seats)}", "limit": 3}
        page = client().ask("listGames", token(name), query=query).json()
        # The newest comes first, and no table is newer than this one.
        assert [game["game_id"] for game in page["items"]].count(self.game_id) == (0 if self.private else 1)
        if not self.private:
            assert page["items"][0]["free_seats"] == self.seats.count(NOBODY)
            self._seats_are_as_they_should_be(page["items"][0]["seats"])

    @invariant()
    def everybody_at_the_table_sees_the_same_game(self) -> None:
        """One looks at it all after every step; the others by the rule for it."""
        name = next((name for name in self.seats if name in PEOPLE), None)
        if name is not None:
            self._is_as_it_should_be(self._ask("getGame", name).json(), name)

    def teardown(self) -> None:
        self.ends[getattr(self, "status", "not made")] += 1

    # How it is done.

    def _perhaps(self, times: int = 1) -> bool:
        """Say no once in `times` + 1 times."""
        return self.chance.randint(0, times) > 0

    def _ask(self, operation: str, name: str, **more: Any) -> Response:
        return client().ask(operation, token(name), game_id=self.game_id, **more)

    def _move(self, name: str, action: str, **more: Any) -> Response:
        if action == "bid":
            return self._ask("makeBid", name, body={"bid": 1, **more})
        return self._ask("playCard", name, body={"card": "oros-1", **more})

    def _refused(self, answer: Response, status: int, code: str) -> Json:
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (status, code), answer.text
        assert (problem["status"], problem["type"]) == (status, f"/problems/{code}")
        self.refusals.update({code, problem.get("reason", code)})
        return problem

    def _done(self, answer: Response, status: int) -> None:
        assert answer.status_code == status, answer.text
        self.version += 1
        assert answer.json()["version"] == self.version

    def _move_legally(self, name: str, view: Json, told: Json) -> Json:
        """Make one of the moves that the view of `name` offers, perhaps after a wrong one, and return the view after it."""
        turn = view["turn"]
        if turn["action"] == "bid":
            if "forbidden_bid" in turn and self._perhaps():
                self._bid_illegally(name, view)
            bid = self.chance.choice(turn["legal_bids"])
            answer = self._ask("makeBid", name, body={"bid": bid, **told})
            return self._moved(answer, {"type": "bid_made", "bid": bid, "seat": turn["seat"]})
        if not self._perhaps(9):
            self._play_illegally(name, view)
        card = self.chance.choice(turn["legal_cards"])
        answer = self._ask("playCard", name, body={"card": card, **told})
        return self._moved(answer, {"type": "card_played", "card": card, "seat": turn["seat"]})

    def _moved(self, answer: Response, first: Json) -> Json:
        self._done(answer, 200)
        result = answer.json()
        events: list[Json] = result["events"]
        view: Json = result["game"]
        assert {**events[0], **first} == events[0]
        assert {event["version"] for event in events} == {self.version}
        self._take_down(events)
        my_seat: int = view["my_seat"]
        self._is_as_it_should_be(view, self.seats[my_seat])
        return view

    def _follow_up(self) -> None:
        """When the last seat is taken the game starts, and when the last person leaves, robots play it to its end."""
        if self.status == "waiting" and NOBODY not in self.seats:
            self.status = "playing"
        reader = next((name for name in self.seats if name in PEOPLE), None if self.private else STRANGER)
        if reader is not None:
            page = self._ask("listEvents", reader, query={"after": self.version - 1}).json()
            self._take_down(page["items"])
        elif self.status == "playing":
            # Nobody is left who may look at a private table.
            self.status = "finished"

    def _take_down(self, events: list[Json]) -> None:
        for event in events:
            self.book.write(event)
        if self.book.winners is not None:
            self.status = "finished"

    def _on_turn(self) -> tuple[str, Json]:
        """Return who is on turn, and what they see: a person, since robots do not wait."""
        name = self.seats[self.seat_on_turn]
        return name, self._ask("getGame", name).json()

    def _is_as_it_should_be(self, view: Json, name: str) -> None:
        assert (view["version"], view["status"]) == (self.version, self.status)
        assert view.get("my_seat") == (self.seats.index(name) if name in self.seats else None)
        assert ("invite_code" in view) == (self.private and name in self.seats)
        assert [score["points"] for score in view["scores"]] in ([], self.book.totals)
        assert ("hand" in view) == ("turn" in view) == (self.status == "playing")
        assert view.get("result", {}).get("winners") == self.book.winners
        self._seats_are_as_they_should_be(view["seats"])
        if self.status == "playing":
            self._hand_is_as_it_should_be(view["hand"], name)
            self._turn_is_as_it_should_be(view["turn"], view["hand"], view.get("my_seat"))

    def _seats_are_as_they_should_be(self, seats: list[Json]) -> None:
        shown = [seat.get("player", {}).get("display_name", ROBOT if "robot" in seat else NOBODY) for seat in seats]
        assert shown == self.seats

    def _hand_is_as_it_should_be(self, hand: Json, name: str) -> None:
        book = self.book
        assert {bid["seat"]: bid["bid"] for bid in hand["bids"]} == book.bids
        assert hand["tricks_won"] == book.tricks
        assert [(play["seat"], play["card"]) for play in hand["trick"]] == book.trick
        assert ("my_cards" in hand) == (name in self.seats)
        if name in self.seats:
            played = self.seats.index(name) in dict(book.trick)
            assert len(set(hand["my_cards"])) == book.cards - sum(book.tricks) - played

    def _turn_is_as_it_should_be(self, turn: Json, hand: Json, my_seat: int | None) -> None:
        assert self.seats[turn["seat"]] in PEOPLE
        self.seat_on_turn: int = turn["seat"]
        mine = turn["seat"] == my_seat
        assert ("legal_bids" in turn) == (mine and turn["action"] == "bid")
        assert ("legal_cards" in turn) == (mine and turn["action"] == "play")
        assert set(turn.get("legal_cards", [])) <= set(hand.get("my_cards", []))
        if "forbidden_bid" in turn:
            assert turn["forbidden_bid"] + sum(self.book.bids.values()) == self.book.cards


MET_IN_EVERY_RUN = {
    "game-full",
    "game-over",
    "hook",
    "illegal-bid",
    "illegal-card",
    "must-follow",
    "not-found",
    "not-in-hand",
    "not-your-seat",
    "not-your-turn",
    "unauthenticated",
    "version-conflict",
    "wrong-phase",
}


def test_games_played_in_any_way_keep_to_the_contract_and_to_the_rules():
    Table.ends.clear()
    Table.refusals.clear()
    how = settings(
        max_examples=50,
        stateful_step_count=25,
        deadline=None,
        database=None,
        derandomize=True,
        # Steps are printed as they were found: to make them fewer takes minutes here. Add Phase.shrink when that is worth it.
        phases=(Phase.generate,),
        suppress_health_check=[HealthCheck.too_slow],
    )
    run_state_machine_as_test(Table, settings=how)
    assert Table.ends["finished"] >= 10, Table.ends
    assert MET_IN_EVERY_RUN - set(Table.refusals) == set()
