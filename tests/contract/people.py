"""People at a table who do what they should, and what they should not, and hold every answer to the contract and to a book they keep."""

import random
from collections import Counter
from copy import copy
from functools import cache
from hashlib import sha256
from typing import Any
from uuid import uuid4

from schemathesis import Response

from service.adapters.memory.store import MemoryStore
from tests.contract.book import Book, Place
from tests.contract.document import Json
from tests.contract.keys import ask_again, lasting
from tests.contract.kinds import PENALISED, Kind
from tests.contract.running import Client, RepeatableShuffler, promise_of, service
from tests.kit.board import fold

SHUFFLER = RepeatableShuffler()
PEOPLE = ("Ana", "Beto", "Carmen", "Diego")
STRANGER = "Eva"
ALL_CARDS = [f"{suit}-{number}" for suit in ("oros", "copas", "espadas", "bastos") for number in range(1, 13)]
ROBOT = "robot"
NOBODY = ""
PHASES = {
    "blind_pick": "picking-blind",
    "auction_bid": "auctioning",
    "choose_trump": "choosing-trump",
    "bid": "bidding",
    "play": "playing",
}
MOVES: dict[str, tuple[str, Json]] = {
    "blind_pick": ("pickBlind", {"position": 0}),
    "auction_bid": ("makeAuctionBid", {"bid": 1}),
    "pass": ("passAuction", {}),
    "choose_trump": ("chooseTrump", {"suit": "copas"}),
    "bid": ("makeBid", {"bid": 1}),
    "play": ("playCard", {"card": "oros-1"}),
}
PASSES = {"auction_bid": "pass"}
STREAMED = ("version", "status", "turn")
LANGUAGES = {"es-MX, en;q=0.1": "es", "de, fr;q=0.9": "de", "fr": "fr", "it": "en", "*;q=0.1, en": "en", ";;": "en"}
TOLD = {
    "blind_pick": {"positions"},
    "auction_bid": {"legal_bids", "may_pass"},
    "choose_trump": {"legal_suits"},
    "bid": {"legal_bids"},
    "play": {"legal_cards"},
    "wait": {"awaits"},
}


@cache
def client() -> Client:
    """Return a client of the one service that all examples share; each makes its own table."""
    return Client(promise_of(service(MemoryStore(), SHUFFLER)))


@cache
def token(name: str) -> str:
    """Return the token of somebody."""
    return client().ask("createPlayer", body={"display_name": name}).json()["token"]


class People:
    """A table, and people who do what they should, and what they should not."""

    def __init__(self, seen: Counter[str], chance: random.Random) -> None:
        self.seen, self.chance = seen, chance
        # What has no influence on the game is left to another chance, so that games stay what they were.
        self.habits = copy(chance)

    def make_the_table(
        self, kind: Kind, size: int, people: int, seats_left_free: int, *, private: bool, penalised: bool
    ) -> None:
        robots = max(0, size - people - seats_left_free)
        body: Json = {"players": size, "robots": [{"level": "easy"}] * robots}
        body |= {"ruleset": kind.ruleset} if kind.ruleset else {}
        house_rules = {**kind.house_rules, **(PENALISED if penalised else {})}
        body |= {"house_rules": house_rules} if house_rules else {}
        body |= {"client_seed": "of-the-host"} if self.perhaps() else {}
        self.host, self.private, self.ruleset = PEOPLE[0], private, kind.ruleset or "clasica"
        self.penalised, self.house_rules = penalised, house_rules
        SHUFFLER.begin_again()
        body |= {"turn_seconds": self.habits.choice((60, 3600, 604_800))} if self.habits.random() < 0.5 else {}
        self.turn_seconds: int | None = body.get("turn_seconds")
        made = self._command(
            "createGame", self.host, None, body={**body, "visibility": "private" if private else "public"}
        )
        assert made.status_code == 201
        game = made.json()
        assert made.headers["location"] == [f"/v1/games/{game['game_id']}"]
        self.game_id: str = game["game_id"]
        self.invite: Json = {"invite_code": game["invite_code"]} if private else {}
        self.seats = [self.host, *([NOBODY] * (size - robots - 1)), *([ROBOT] * robots)]
        self.away, self.has_a_rematch = dict[int, str](), False
        self.version, self.status = 1, "waiting"
        self.illegal = set[Place]()
        self.played_by: Json = self.ask("getGameRuleset", self.host).json()
        self.book = self._new_book()
        self._follow_up()
        for name in PEOPLE[1:people]:
            self._sit_down(name, choose=False)

    def _new_book(self) -> Book:
        return Book(self.played_by["ruleset"], self.played_by["schedule"], self.illegal)

    # What people should do.

    def somebody_sits_down(self) -> None:
        self._sit_down(self.chance.choice(PEOPLE[1:]), choose=self.perhaps())

    def _sit_down(self, name: str, *, choose: bool) -> None:
        seat = self.seats.index(NOBODY)
        body = {**self.invite, **({"seat": seat} if choose else {}), **({"client_seed": name} if choose else {})}
        answer = self._command("joinGame", name, self.game_id, body=body)
        if name in self.seats:
            self.refused(answer, 409, "seat-taken")
        else:
            self._done(answer, 201)
            self.seats[seat] = name
            self._follow_up()

    def the_host_seats_a_robot(self) -> None:
        seat = self.seats.index(NOBODY)
        self._done(self._command("seatRobot", self.host, self.game_id, body={"level": "easy"}, seat=seat), 200)
        self.seats[seat] = ROBOT
        self._follow_up()

    def somebody_gets_up(self) -> None:
        name = self.chance.choice(PEOPLE)
        # People seldom leave: otherwise few games would be played to their end by people.
        if name not in self.seats or self.perhaps(3):
            return
        seat = self.seats.index(name)
        answer = self._command("leaveGame", name, self.game_id, seat=seat)
        if self.status in {"finished", "abandoned"}:
            self.refused(answer, 409, "game-over")
            return
        self._done(answer, 200)
        self.seats[seat] = ROBOT if self.status == "playing" else NOBODY
        self.away |= {seat: name} if self.status == "playing" else {}
        if not any(occupant in PEOPLE for occupant in self.seats) and self.status == "waiting":
            self.status = "abandoned"
        self._follow_up()
        if self.status == "playing" and not any(occupant in PEOPLE for occupant in self.seats):
            self._it_rests()
            self.somebody_comes_back()

    def _it_rests(self) -> None:
        """No person sits there, so nobody makes a move."""
        view: Json = self.ask("getGame", self.chance.choice([*self.away.values()])).json()
        assert (view["version"], view["status"]) == (self.version, "playing")
        assert set(view["turn"]) == {"seat", "action", "awaits"}

    def somebody_comes_back(self) -> None:
        if not self.away:
            return
        seat, name = self.chance.choice([*self.away.items()])
        if self.status != "playing":
            self.refused(self.ask("joinGame", name, body={}), 409, "game-over")
            return
        problem = self.refused(
            self.ask("joinGame", name, body={"seat": (seat + 1) % len(self.seats)}), 409, "seat-taken"
        )
        assert problem["reason"] == "seat-taken"
        answer = self._command("joinGame", name, self.game_id, body={"seat": seat} if self.perhaps() else {})
        self._done(answer, 201)
        self.seats[seat] = self.away.pop(seat)
        self._is_as_it_should_be(answer.json(), name)
        self._follow_up()

    def somebody_makes_a_legal_move(self) -> None:
        self._move_legally(*self._on_turn(), {"expected_version": self.version} if self.perhaps() else {})

    def people_play_on(self, most: int = 40) -> None:
        name, view = self._on_turn()
        for _ in range(self.chance.randint(2, most)):
            if not self.perhaps(20):
                self.claims_what_cannot_be(name)
            view = self._move_legally(name, view, {"expected_version": self.version})
            if self.status != "playing":
                break
            if view["turn"]["seat"] != view["my_seat"]:
                name, view = self._on_turn()

    def a_rival_claims_a_renuncio(self) -> None:
        seated = [seat for seat, name in enumerate(self.seats) if name in PEOPLE]
        book = self.book
        claimant = self.chance.choice(seated)
        places = [place for place in book.played if place[0] == book.claimable and place[2] != claimant]
        illegal = [place for place in places if place in self.illegal]
        if places:
            self._claim(claimant, self.chance.choice(illegal if illegal and self.perhaps() else places))

    def _claim(self, claimant: int, place: Place) -> None:
        _, trick, seat = place
        answer = self.ask("claimRenuncio", self.seats[claimant], body={"seat": seat, "trick": trick})
        claimed = {(by, proven) for what, by, proven in self.book.claims if what == place}
        if any(proven or by == claimant for by, proven in claimed):
            assert self.refused(answer, 422, "illegal-claim")["reason"] == "already-claimed"
        else:
            self._moved(answer, {"type": "renuncio_claimed", "claimant": claimant, "seat": seat, "trick": trick})

    # What people should not do.

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
        else:
            misdeeds.append(self.asks_for_the_record_too_early)
        if self.status == "playing":
            misdeeds += [self.makes_an_illegal_move] * 4 + [self.does_the_other_thing, self.others_move_too]
            misdeeds += [self.claims_what_cannot_be, self.asks_for_the_record_too_early]
        self.chance.choice(misdeeds)(self.chance.choice((*PEOPLE, STRANGER)))
        if self.habits.random() < 0.2:
            self.gives_the_table_up(self.habits.choice((*PEOPLE, STRANGER)))

    def moves_out_of_turn(self, name: str) -> None:
        action = self.chance.choice(list(MOVES))
        if not self.knows_of_it(name):
            self.refused(self._move(name, action), 404, "not-found")
        elif name not in self.seats:
            self.refused(self._move(name, action), 403, "not-your-seat")
        elif self.status == "waiting":
            assert self.refused(self._move(name, action), 409, "wrong-phase")["phase"] == "waiting"
        elif self.status != "playing":
            self.refused(self._move(name, action), 409, "game-over")
        else:
            self.others_move_too(name)

    def others_move_too(self, _: str) -> None:
        on_turn, view = self._on_turn()
        for other in self.seats:
            if other in PEOPLE and other != on_turn:
                problem = self.refused(self._move(other, view["turn"]["action"]), 409, "not-your-turn")
                assert problem["seat_on_turn"] == view["turn"]["seat"]

    def does_the_other_thing(self, name: str) -> None:
        if self.status == "playing":
            name, view = self._on_turn()
            due = view["turn"]["action"]
            # A pass belongs to the auction too.
            other = self.chance.choice([action for action in MOVES if action != due and action != PASSES.get(due)])
            problem = self.refused(self._move(name, other), 409, "wrong-phase")
            assert problem["phase"] == PHASES[due]

    def moves_at_another_version(self, name: str) -> None:
        seated = [someone for someone in self.seats if someone in PEOPLE]
        if seated:
            name = name if name in seated else seated[-1]
            action = self.chance.choice(list(MOVES))
            other = self.chance.choice([*range(1, self.version), self.version + 1])
            problem = self.refused(self._move(name, action, expected_version=other), 409, "version-conflict")
            assert problem["current_version"] == self.version

    def makes_an_illegal_move(self, name: str) -> None:
        if self.status == "playing":
            name, view = self._on_turn()
            self._move_illegally(name, view)

    def _move_illegally(self, name: str, view: Json) -> None:
        match view["turn"]["action"]:
            case "bid":
                self._bid_illegally(name, view)
            case "auction_bid":
                self._call_illegally(name, view["turn"])
            case "blind_pick":
                self._pick_illegally(name, view["turn"])
            case "play":
                self._play_illegally(name, view)
            case _:
                pass

    def _call_illegally(self, name: str, turn: Json) -> None:
        legal, may_pass = turn["legal_bids"], turn["may_pass"]
        if not may_pass and self.perhaps():
            problem = self.refused(self.ask("passAuction", name, body={}), 422, "illegal-bid")
            assert problem["reason"] == "must-bid"
        else:
            bid = self.chance.choice([bid for bid in range(self.book.cards + 3) if bid not in legal])
            problem = self.refused(self.ask("makeAuctionBid", name, body={"bid": bid}), 422, "illegal-bid")
            expected = "out-of-range" if bid > self.book.cards else "not-higher" if may_pass else "hook"
            assert problem["reason"] == expected
        assert (problem["legal_bids"], problem["may_pass"]) == (legal, may_pass)

    def _pick_illegally(self, name: str, turn: Json) -> None:
        position = len(turn["positions"])
        problem = self.refused(self.ask("pickBlind", name, body={"position": position}), 422, "illegal-pick")
        assert (problem["reason"], problem["positions"]) == ("no-such-position", turn["positions"])

    def claims_what_cannot_be(self, name: str) -> None:
        if self.status != "playing" or name not in self.seats:
            return
        own, number = self.seats.index(name), len(self.seats)
        rival = (own + 1) % number
        if not self.penalised:
            self._cannot_claim(name, rival, 1, "renuncio-enforced")
            return
        self._cannot_claim(name, own, 1, "own-play")
        self._cannot_claim(name, rival, 24, "not-played")
        answer = self.ask("claimRenuncio", name, body={"seat": number, "trick": 1})
        assert self.refused(answer, 404, "not-found")["reason"] == "no-such-seat"

    def _cannot_claim(self, name: str, seat: int, trick: int, reason: str) -> None:
        answer = self.ask("claimRenuncio", name, body={"seat": seat, "trick": trick})
        assert self.refused(answer, 422, "illegal-claim")["reason"] == reason

    def asks_for_the_record_too_early(self, name: str) -> None:
        if self.status == "finished" or not self.knows_of_it(name):
            return
        self.refused(self.ask("getRecord", name), 409, "game-not-over")
        self.refused(self.ask("requestRematch", name, body={}), 409, "game-not-over")

    def _bid_illegally(self, name: str, view: Json) -> None:
        legal, forbidden = view["turn"]["legal_bids"], view["turn"].get("forbidden_bid")
        below = [bid for bid in range(min(legal)) if bid != forbidden]
        others = below or [*range(self.book.cards + 1, 25)]
        bid = forbidden if forbidden is not None and self.perhaps() else self.chance.choice(others)
        problem = self.refused(self.ask("makeBid", name, body={"bid": bid}), 422, "illegal-bid")
        assert problem["reason"] == (
            "hook" if bid == forbidden else "below-auction-bid" if bid in below else "out-of-range"
        )
        assert (problem["legal_bids"], problem.get("forbidden_bid")) == (legal, forbidden)

    def _play_illegally(self, name: str, view: Json) -> None:
        legal, held = view["turn"]["legal_cards"], view["hand"]["my_cards"]
        held_back = [card for card in held if card not in legal]
        others = [card for card in ALL_CARDS if card not in held]
        # Where renuncios are punished, whatever one holds is accepted.
        card = self.chance.choice(held_back if held_back and self.perhaps(3) and not self.penalised else others)
        problem = self.refused(self.ask("playCard", name, body={"card": card}), 422, "illegal-card")
        assert (problem["reason"] == "not-in-hand") == (card not in held)
        assert problem["legal_cards"] == legal

    def seats_a_robot_as_a_guest(self, name: str) -> None:
        if name == self.host:
            return
        answer = self.ask("seatRobot", name, body={"level": "easy"}, seat=self.chance.randint(0, 9))
        if not self.knows_of_it(name):
            self.refused(answer, 404, "not-found")
        elif self.status == "waiting":
            self.refused(answer, 403, "not-the-host")
        else:
            self.refused(answer, 409, "wrong-phase" if self.status == "playing" else "game-over")

    def clears_the_seat_of_another(self, name: str) -> None:
        seat = self.chance.randint(0, 9)
        if self.seats[seat : seat + 1] == [name] or (self.status == "waiting" and self.speaks_for_the_table(name)):
            return
        answer = self.ask("leaveGame", name, seat=seat)
        if not self.knows_of_it(name):
            self.refused(answer, 404, "not-found")
        elif self.status in {"finished", "abandoned"}:
            self.refused(answer, 409, "game-over")
        elif seat >= len(self.seats):
            self.refused(answer, 404, "not-found")
        else:
            self.refused(answer, 403, "not-your-seat")

    def sits_down_too_late(self, name: str) -> None:
        if self.status != "playing":
            self.refused(self.ask("joinGame", name, body=self.invite), 409, "game-over")
        elif name in self.seats:
            problem = self.refused(self.ask("joinGame", name, body=self.invite), 409, "seat-taken")
            assert problem["reason"] == "already-seated"
        elif name not in self.away.values():
            self.refused(self.ask("joinGame", name, body=self.invite), 409, "game-full")

    def guesses_the_invite_code(self, name: str) -> None:
        if not self.knows_of_it(name):
            self.refused(self.ask("joinGame", name, body={"invite_code": "a-guess"}), 404, "not-found")

    def shows_no_token(self, _: str) -> None:
        operation = self.chance.choice(("getGame", "listEvents", "getScoreSheet"))
        self.refused(client().ask(operation, game_id=self.game_id), 401, "unauthenticated")

    def gives_the_table_up(self, name: str) -> None:
        """Before the start its host may; after it only an app, and there is none here."""
        refusal = (403, "not-the-host") if self.knows_of_it(name) else (404, "not-found")
        if self.speaks_for_the_table(name) and self.status != "playing":
            if self.status == "waiting":
                return
            refusal = (409, "game-over")
        self.refused(self.ask("abandonGame", name), *refusal)

    # What everybody can read.

    def somebody_reads(self) -> None:
        name = self.chance.choice((*PEOPLE, STRANGER))
        if not self.knows_of_it(name):
            operation = self.chance.choice(("getGame", "listEvents", "getScoreSheet"))
            self.refused(self.ask(operation, name), 404, "not-found")
        else:
            read = self.chance.choice(
                (self.the_game, self.what_happened, self.the_score_sheet, self.the_lobby, self.where_chance_comes_from)
            )
            read(name)
            if self.habits.random() < 0.2:
                self.the_game_by_a_new_token(name)

    def all_read_everything(self) -> None:
        strangers = () if self.private else (STRANGER,)
        for name in (*(name for name in self.seats if name in PEOPLE), *self.away.values(), *strangers):
            self.the_game(name)
            self.what_happened(name)
            self.the_score_sheet(name)
            self.where_chance_comes_from(name)

    def the_game_by_a_new_token(self, name: str) -> None:
        """A new token speaks for the same player as the old one."""
        renewed = client().ask("renewToken", token(name))
        assert (renewed.status_code, renewed.json()["display_name"]) == (200, name)
        seen = client().ask("getGame", renewed.json()["token"], game_id=self.game_id)
        self._is_as_it_should_be(seen.json(), name)

    def the_game(self, name: str) -> None:
        answer = self.ask("getGame", name)
        assert answer.status_code == 200
        self._is_as_it_should_be(answer.json(), name)
        known = {"If-None-Match": answer.headers["etag"][0]}
        again = self.ask("getGame", name, headers=known)
        assert (again.status_code, again.content) == (304, b"")
        # There is news already, and then there is none and no time to wait for any.
        news = self.ask("getGame", name, query={"after_version": self.habits.randrange(self.version), "wait": 30})
        assert lasting(news.json()) == lasting(answer.json())
        nothing = self.ask("getGame", name, query={"after_version": self.version, "wait": 0}, headers=known)
        assert (nothing.status_code, nothing.content) == (304, b"")
        if name in PEOPLE and self.habits.random() < 0.3:
            self._is_told_whether_it_is_their_turn(name, answer.json())

    def _is_told_whether_it_is_their_turn(self, name: str, view: Json) -> None:
        turns = client().ask("listMyTurns", token(name), query={"wait": 0}).json()["items"]
        here = [turn for turn in turns if turn["game_id"] == self.game_id]
        mine = view.get("turn", {}).get("seat", -1) == view.get("my_seat")
        assert here == (
            [{part: view[part] for part in ("game_id", "version", "ruleset", "my_seat", "turn")}] if mine else []
        )
        deadlines = [turn["turn"].get("deadline", "9999") for turn in turns]
        assert deadlines == sorted(deadlines)

    def what_happened(self, name: str) -> None:
        seen, after, limit = list[Json](), 0, self.chance.randint(1, 60)
        while after < self.version:
            page = self.ask("listEvents", name, query={"after": after, "limit": limit}).json()
            assert (page["version"], page["next_after"]) == (self.version, min(after + limit, self.version))
            seen, after = [*seen, *page["items"]], page["next_after"]
        book = self._new_book()
        for event in seen:
            book.write(event)
            self._shows_what_it_should(event, name)
        assert book == self.book
        assert [*dict.fromkeys(event["version"] for event in seen)] == [*range(1, self.version + 1)]

    def _shows_what_it_should(self, event: Json, name: str) -> None:
        dealt, seated = event["type"] == "hand_dealt", name in self.seats
        india = dealt and event["kind"] == "india"
        own = (dealt and not india and "face_down" not in event) or event["type"] == "blind_pick_made"
        assert ("my_cards" in event) == (seated and own)
        assert ("seen_cards" in event) == (seated and india)
        if "seen_cards" in event:
            assert self.seats.index(name) not in [others["seat"] for others in event["seen_cards"]]

    def the_score_sheet(self, name: str) -> None:
        sheet = self.ask("getScoreSheet", name).json()
        assert (sheet["version"], sheet["status"], len(sheet["rows"])) == (self.version, self.status, self.book.hands)
        assert sheet["totals"] == self.book.totals
        assert sheet.get("result", {}).get("winners") == self.book.winners
        for row in sheet["rows"][-1:]:
            lost = sheet.get("open_penalties", [0] * len(self.seats))
            totals = [entry["total"] - less for entry, less in zip(row["entries"], lost, strict=True)]
            assert totals == self.book.totals
        form = self.chance.choice(("text/csv", "text/html", "image/png"))
        answer = self.ask("getScoreSheet", name, headers={"Accept": form})
        assert answer.headers["content-type"][0].startswith(form if form != "image/png" else "application/problem+json")
        if form == "image/png":
            self.refused(answer, 406, "not-acceptable")

    def where_chance_comes_from(self, name: str) -> None:
        fairness = self.ask("getFairness", name).json()
        assert ("server_seed" in fairness) == (self.status in {"finished", "abandoned"})
        assert ("first_dealer" in fairness) == (self.status in {"playing", "finished"})
        assert self.ask("getGameRuleset", name).json() == self.played_by
        if self.status == "finished":
            record = self.ask("getRecord", name).json()
            assert sha256(bytes.fromhex(record["server_seed"])).hexdigest() == fairness["commitment"]
            assert [hand["number"] for hand in record["hands"]] == [*range(1, self.book.hands + 1)]
            assert [score["points"] for score in record["scores"]] == self.book.totals
            assert [claim["proven"] for hand in record["hands"] for claim in hand["claims"]] == [
                proven for *_, proven in self.book.claims
            ]

    def the_lobby(self, name: str) -> None:
        query = {"status": self.status, "ruleset": self.ruleset, "limit": 3}
        page = client().ask("listGames", token(name), query=query).json()
        # The newest comes first, and no table is newer than this one.
        assert [game["game_id"] for game in page["items"]].count(self.game_id) == (0 if self.private else 1)
        if not self.private:
            assert page["items"][0]["free_seats"] == self.seats.count(NOBODY)
            self._seats_are_as_they_should_be(page["items"][0]["seats"])

    def one_of_them_looks(self) -> None:
        name = next((name for name in self.seats if name in PEOPLE), None)
        if name is not None:
            self._is_as_it_should_be(self.ask("getGame", name).json(), name)

    # How it is done.

    def perhaps(self, times: int = 1) -> bool:
        """Say no once in `times` + 1 times."""
        return self.chance.randint(0, times) > 0

    def ask(self, operation: str, name: str, **more: Any) -> Response:
        return client().ask(operation, token(name), game_id=self.game_id, **more)

    def _command(self, operation: str, name: str, game_id: str | None, **more: Any) -> Response:
        """Send a command; sometimes under a key, and then again, as if it had not been answered."""
        at_the_table = {} if game_id is None else {"game_id": game_id}
        if self.habits.random() < 0.75:
            return client().ask(operation, token(name), **at_the_table, **more)
        self.seen["idempotency-key-reused"] += 1
        return ask_again(client(), operation, token(name), str(uuid4()), **at_the_table, **more)

    def speaks_for_the_table(self, name: str) -> bool:
        """Tell whether somebody is the host: who made the table, or once they have left, the player at the lowest seat."""
        seated = [each for each in self.seats if each in PEOPLE]
        return name == (self.host if self.host in seated else next(iter(seated), None))

    def knows_of_it(self, name: str) -> bool:
        """Tell whether somebody may look at the table."""
        return not self.private or name in self.seats or name in self.away.values()

    def _move(self, name: str, action: str, **more: Any) -> Response:
        operation, body = MOVES[action]
        language = self.chance.choice(list(LANGUAGES))
        answer = self.ask(operation, name, body={**body, **more}, headers={"Accept-Language": language})
        assert answer.headers.get("content-language", [LANGUAGES[language]]) == [LANGUAGES[language]]
        return answer

    def refused(self, answer: Response, status: int, code: str) -> Json:
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (status, code), answer.text
        assert (problem["status"], problem["type"]) == (status, f"/problems/{code}")
        self.seen.update({code, problem.get("reason", code)})
        return problem

    def _done(self, answer: Response, status: int) -> None:
        assert answer.status_code == status, answer.text
        self.version += 1
        assert answer.json()["version"] == self.version

    def _move_legally(self, name: str, view: Json, told: Json) -> Json:
        """Make one of the moves that the view of `name` offers, perhaps after a wrong one, and return the view after it."""
        turn = view["turn"]
        if turn["action"] == "bid" and "forbidden_bid" in turn and self.perhaps():
            self._bid_illegally(name, view)
        elif (
            turn["action"] in {"blind_pick", "auction_bid"}
            or 0 not in turn.get("legal_bids", [0])
            or not self.perhaps(9)
        ):
            self._move_illegally(name, view)
        operation, body, event = self._legal_move(view)
        answer = self._command(operation, name, self.game_id, body={**body, **told})
        after = self._moved(answer, {"type": event, **body, "seat": turn["seat"]})
        told_by_a_stream = {"events": answer.json()["events"]} | {
            part: after[part] for part in STREAMED if part in after
        }
        assert lasting(fold(view, told_by_a_stream)) == lasting(after)
        return after

    def _legal_move(self, view: Json) -> tuple[str, Json, str]:
        """Return the operation, the body and the event of one of the moves that a view offers."""
        turn = view["turn"]
        match turn["action"]:
            case "blind_pick":
                return "pickBlind", {"position": self.chance.choice(turn["positions"])}, "blind_pick_made"
            case "auction_bid" if turn["may_pass"] and (not turn["legal_bids"] or self.perhaps()):
                return "passAuction", {}, "auction_passed"
            case "auction_bid":
                return "makeAuctionBid", {"bid": self.chance.choice(turn["legal_bids"])}, "auction_bid_made"
            case "choose_trump":
                return "chooseTrump", {"suit": self.chance.choice(turn["legal_suits"])}, "trump_chosen"
            case "bid":
                return "makeBid", {"bid": self.chance.choice(turn["legal_bids"])}, "bid_made"
            case _:
                return "playCard", {"card": self._card(view)}, "card_played"

    def _card(self, view: Json) -> str:
        """Choose a card, where they are punished sometimes an illegal one."""
        turn, held = view["turn"], view["hand"]["my_cards"]
        renuncios = [card for card in held if card not in turn["legal_cards"]]
        if not (self.penalised and renuncios and self.perhaps()):
            return self.chance.choice(turn["legal_cards"])
        self.illegal.add((self.book.number, sum(self.book.tricks) + 1, turn["seat"]))
        return self.chance.choice(renuncios)

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
        """When the last seat is taken the game starts."""
        if self.status == "waiting" and NOBODY not in self.seats:
            self.status = "playing"
        readers = (name for name in (*self.seats, *self.away.values()) if name in PEOPLE)
        reader = next(readers, None if self.private else STRANGER)
        if reader is not None:
            page = self.ask("listEvents", reader, query={"after": self.version - 1}).json()
            self._take_down(page["items"])

    def _take_down(self, events: list[Json]) -> None:
        self.seen.update(event["type"] for event in events)
        self.seen.update(event["kind"] for event in events if event["type"] == "hand_dealt")
        for event in events:
            self.book.write(event)
        if self.book.winners is not None:
            self.status = "finished"

    def _on_turn(self) -> tuple[str, Json]:
        """Return who is on turn, and what they see: a person, since robots do not wait."""
        name = self.seats[self.seat_on_turn]
        return name, self.ask("getGame", name).json()

    def _is_as_it_should_be(self, view: Json, name: str) -> None:
        assert (view["version"], view["status"]) == (self.version, self.status)
        assert view.get("my_seat") == (self.seats.index(name) if name in self.seats else None)
        assert ("invite_code" in view) == (self.private and name in self.seats)
        assert [score["points"] for score in view["scores"]] in ([], self.book.totals)
        assert ("hand" in view) == ("turn" in view) == (self.status == "playing")
        assert view.get("turn_seconds") == self.turn_seconds
        assert ("on_timeout" in view) == (self.turn_seconds is not None)
        assert [seat["seat"] for seat in view["seats"] if "away" in seat] == sorted(self.away)
        assert view.get("result", {}).get("winners") == self.book.winners
        self._seats_are_as_they_should_be(view["seats"])
        if self.status == "playing":
            self._hand_is_as_it_should_be(view["hand"], name)
            self._turn_is_as_it_should_be(view["turn"], view["hand"], view.get("my_seat"))

    def _seats_are_as_they_should_be(self, seats: list[Json]) -> None:
        shown = [seat.get("player", {}).get("display_name", ROBOT if "robot" in seat else NOBODY) for seat in seats]
        assert shown == self.seats
        for seat in seats:
            if "away" in seat:
                assert self.away[seat["seat"]] == seat["away"]["display_name"]

    def _hand_is_as_it_should_be(self, hand: Json, name: str) -> None:
        book = self.book
        assert (hand["number"], hand["kind"], hand["cards"], hand["mano"]) == (
            book.number,
            book.kind,
            book.cards,
            book.mano,
        )
        assert (hand.get("trump", ""), hand["multiplier"]) == (book.trump, book.multipliers.get(book.number, 1))
        assert [(bid["seat"], bid["bid"]) for bid in hand["bids"]] == [*book.bids.items()]
        assert [(call["seat"], call.get("bid")) for call in hand.get("auction", [])] == book.calls
        assert ("auction" in hand) == (book.kind == "subastado")
        assert all(("bid" in call) != call["passed"] for call in hand.get("auction", []))
        assert hand["tricks_won"] == book.tricks
        assert [(play["seat"], play["card"]) for play in hand["trick"]] == book.trick
        self._cards_are_as_they_should_be(hand, name)

    def _cards_are_as_they_should_be(self, hand: Json, name: str) -> None:
        book, seated = self.book, name in self.seats
        assert ("my_cards" in hand) == (seated and not book.face_down and book.kind != "india")
        assert ("seen_cards" in hand) == (seated and book.kind == "india")
        if "my_cards" in hand:
            played = self.seats.index(name) in dict(book.trick)
            assert len(set(hand["my_cards"])) == book.cards - sum(book.tricks) - played
        if "seen_cards" in hand:
            others = [seat for seat in range(len(self.seats)) if seat != self.seats.index(name)]
            assert [seen["seat"] for seen in hand["seen_cards"]] == others

    def _turn_is_as_it_should_be(self, turn: Json, hand: Json, my_seat: int | None) -> None:
        assert self.seats[turn["seat"]] in PEOPLE
        assert (turn.get("awaits", turn["action"]), turn["seat"]) == self.book.due()
        self.seat_on_turn: int = turn["seat"]
        mine = turn["seat"] == my_seat
        assert (turn["action"] == "wait") == (not mine)
        told = TOLD[turn["action"]]
        timed = {"deadline"} if self.turn_seconds is not None else set[str]()
        assert set(turn) - {"seat", "action", "forbidden_bid"} == told | timed
        assert set(turn.get("legal_cards", [])) <= set(hand.get("my_cards", []))
        if "forbidden_bid" in turn:
            assert mine
            calls = [call or 0 for _, call in self.book.calls] if turn["action"] == "auction_bid" else []
            assert turn["forbidden_bid"] + sum([*self.book.bids.values(), *calls]) == self.book.cards
