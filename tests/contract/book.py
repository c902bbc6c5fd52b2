"""The book of a game: what anybody at the table could write down, and what has to follow from it.

It is kept from the events alone, and checks each of them against those before, by the ruleset that the game says it is played by. Which
cards were illegal when they were played only those can tell who played them: `illegal` is given from outside.
"""

from dataclasses import dataclass, field

from tests.contract.document import Json

Place = tuple[int, int, int]
"""A hand, a trick of it, a seat."""

EXTRA_HANDS = {"oros-hands": "oros", "one-card-hands": "tie_break"}


@dataclass
class Book:
    """What happened in a game of `rules`, whose hands are `plan`."""

    rules: Json = field(compare=False)
    plan: Json = field(compare=False)
    illegal: set[Place] = field(default_factory=set[Place], compare=False)
    totals: list[int] = field(init=False)
    missed: list[int] = field(init=False)
    number: int = 0
    kind: str = ""
    cards: int = 0
    mano: int = 0
    leader: int = 0
    face_down: bool = False
    trump: str = ""
    multipliers: dict[int, int] = field(default_factory=dict[int, int])
    calls: list[tuple[int, int | None]] = field(default_factory=list[tuple[int, int | None]])
    winner: tuple[int, int] | None = None
    bids: dict[int, int] = field(default_factory=dict[int, int])
    tricks: list[int] = field(default_factory=list[int])
    trick: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    played: dict[Place, str] = field(default_factory=dict[Place, str])
    claims: list[tuple[Place, int, bool]] = field(default_factory=list[tuple[Place, int, bool]])
    hands: int = 0
    away: set[int] = field(default_factory=set[int])
    winners: list[int] | None = None

    def __post_init__(self) -> None:
        self.totals, self.missed = [0] * self.players, [0] * self.players

    @property
    def players(self) -> int:
        """Return the number of players."""
        return self.plan["players"]

    @property
    def is_playing(self) -> bool:
        """Tell whether all have bid."""
        return len(self.bids) == self.players

    @property
    def claimable(self) -> int:
        """Return the number of the hand that claims are about."""
        return self.number if self.is_playing else self.number - 1

    def due(self) -> tuple[str, int]:
        """Return what the game waits for, and from which seat."""
        if self.face_down:
            return "blind_pick", self._after(self.mano, -1)
        if self.kind == "subastado" and len(self.calls) < self.players:
            return "auction_bid", self._after(self.mano, len(self.calls))
        if self.winner is not None and not self.trump:
            return "choose_trump", self.winner[0]
        if not self.is_playing:
            return "bid", next(seat for seat in self._bidders() if seat not in self.bids)
        return "play", self._after(self.leader, len(self.trick))

    def write(self, event: Json) -> None:
        """Take down an event, and check that it follows from those before."""
        match event["type"]:
            case "hand_dealt":
                self._deal(event)
            case "blind_pick_made":
                assert ("blind_pick", event["seat"]) == self.due()
                self.face_down = False
                self._turn_up(event["card"], event["trump"], event["multiplier"])
            case "auction_bid_made" | "auction_passed":
                assert ("auction_bid", event["seat"]) == self.due()
                self._call(event["seat"], event.get("bid"))
            case "auction_won":
                self._win(event)
            case "trump_chosen":
                assert ("choose_trump", event["seat"]) == self.due()
                self.trump = event["suit"]
                self._multiply(event["multiplier"])
            case "bid_made":
                assert ("bid", event["seat"]) == self.due()
                self.bids[event["seat"]] = event["bid"]
                self._heed_the_hook(event["seat"])
            case "card_played":
                self._play(event["seat"], event["card"])
            case "trick_taken":
                self._take(event["seat"], event["card"])
            case "hand_scored":
                self._score(event["scores"])
            case "renuncio_claimed":
                self._claim(event)
            case "robot_seated" if self.number:
                self.away.add(event["seat"])
            case "seat_taken":
                self.away.discard(event["seat"])
            case "game_over":
                self._end(event["result"]["winners"])
            case _:
                pass

    def _deal(self, event: Json) -> None:
        self.number, self.kind, self.cards, self.mano = (event[name] for name in ("number", "kind", "cards", "mano"))
        assert self.number == self.hands + 1
        assert self.mano == self._after(event["dealer"], 1)
        assert {"kind": self.kind, "cards": self.cards} == self._next_hand()
        self.leader, self.calls, self.winner = self.mano, [], None
        self.bids, self.tricks, self.trick = {}, [0] * self.players, []
        self.face_down, self.trump = event.get("face_down", False), ""
        if "turn_up" in event:
            self._turn_up(event["turn_up"], event["trump"], event["multiplier"])
        else:
            self.trump = event.get("trump", "")
            assert self.trump == ("oros" if self.kind == "oros" else "")
            assert self.face_down or self.kind in {"subastado", "oros", "ciega"}
            self._multiply(event["multiplier"])

    def _next_hand(self) -> Json:
        scheduled: list[Json] = self.plan["hands"]
        if self.hands < len(scheduled):
            return scheduled[self.hands]
        assert len(self._leaders()) > 1
        most = (self.rules["deck"]["size"] - len(self.plan["removed"])) // self.players
        return {"kind": self._extra_hands(), "cards": most if self._extra_hands() == "oros" else 1}

    def _extra_hands(self) -> str | None:
        return next((EXTRA_HANDS[step] for step in self.rules["tiebreak"]["steps"] if step in EXTRA_HANDS), None)

    def _turn_up(self, card: str, trump: str, multiplier: int) -> None:
        assert trump == card.partition("-")[0]
        self.trump = trump
        self._multiply(multiplier, card)

    def _multiply(self, multiplier: int, card: str = "") -> None:
        by_card: dict[str, int] = self.rules["scoring"]["turn_up_multiplier"]
        by_suit: dict[str, int] = self.rules["scoring"]["suit_multiplier"]
        assert multiplier == by_card.get(card, by_suit.get(self.trump, 1))
        self.multipliers[self.number] = multiplier

    @property
    def _locked(self) -> bool:
        return self.rules["auction"]["winner_second_bid"] == "locked"

    def _bidders(self) -> list[int]:
        in_order = [self._after(self.mano, place) for place in range(self.players)]
        return [seat for seat in in_order if not (self._locked and self.winner and seat == self.winner[0])]

    def _call(self, seat: int, bid: int | None) -> None:
        if self.rules["auction"]["protocol"] == "double-bid":
            assert bid is not None
        elif bid is not None:
            assert all(earlier is None or earlier < bid for _, earlier in self.calls)
        elif not self.calls:
            assert not self.rules["auction"]["mano_must_bid"]
        else:
            assert len(self.calls) < self.players - 1 or any(earlier is not None for _, earlier in self.calls)
        self.calls.append((seat, bid))
        if self.rules["auction"]["hook_in_first_round"] and len(self.calls) == self.players:
            assert sum(said or 0 for _, said in self.calls) != self.cards

    def _win(self, event: Json) -> None:
        assert len(self.calls) == self.players
        highest = max(bid for _, bid in self.calls if bid is not None)
        self.winner = (next(seat for seat, bid in self.calls if bid == highest), highest)
        assert (event["seat"], event["bid"], event["locked"]) == (*self.winner, self._locked)
        if self._locked:
            self.bids = dict([self.winner])

    def _heed_the_hook(self, seat: int) -> None:
        hook: Json = self.rules["bidding"]["hook"]
        had_to = self.winner is not None and self.winner == (seat, self.bids[seat]) and self.bids[seat] == self.cards
        if self.is_playing and self.cards not in hook["exempt_cards"] and not had_to:
            assert sum(self.bids.values()) != self.cards

    def _play(self, seat: int, card: str) -> None:
        assert ("play", seat) == self.due()
        assert card not in {held for (hand, *_), held in self.played.items() if hand == self.number}
        self.played[self.number, sum(self.tricks) + 1, seat] = card
        self.trick.append((seat, card))

    def _take(self, seat: int, card: str) -> None:
        assert len(self.trick) == self.players
        led = self.trick[0][1].partition("-")[0]
        assert (seat, card) == max(self.trick, key=lambda play: self._strength(play[1], led))
        self.tricks[seat] += 1
        self.leader, self.trick = seat, []

    def _strength(self, card: str, led: str) -> tuple[bool, bool, int]:
        suit, _, number = card.partition("-")
        return suit == self.trump, suit == led, -self.rules["deck"]["rank_order"].index(int(number))

    def _score(self, scores: list[Json]) -> None:
        assert sum(self.tricks) == self.cards
        for score in scores:
            seat: int = score["seat"]
            bid, tricks = self.bids[seat], self.tricks[seat]
            points = 10 + 5 * tricks if bid == tricks else -5 * abs(bid - tricks)
            points *= self.multipliers[self.number]
            self.totals[seat] += points
            self.missed[seat] += bid != tricks
            assert (score["bid"], score["tricks"], score["points"]) == (bid, tricks, points)
            assert score["total"] == self.totals[seat]
        self.hands += 1

    def _claim(self, event: Json) -> None:
        hand, seat, rules = event["hand"], event["seat"], self.rules["renuncio"]
        place: Place = (hand, event["trick"], seat)
        proven = place in self.illegal
        assert (event["card"], event["proven"], hand) == (self.played[place], proven, self.claimable)
        factor = self.multipliers[hand] if rules["scales_with_multiplier"] else 1
        penalty = rules["penalty"] * factor if proven else rules["wrong_claim_penalty"]
        self.totals[seat if proven else event["claimant"]] -= penalty
        assert (event["penalty"], event["totals"]) == (penalty, self.totals)
        self.claims.append((place, event["claimant"], proven))

    def _end(self, winners: list[int]) -> None:
        self.winners = self._best({*range(self.players)} - self.away)
        assert winners == self.winners
        extra = self.hands - len(self.plan["hands"])
        all_played = self._extra_hands() is None or extra == self.rules["tiebreak"]["max_extra_hands"]
        assert extra >= 0
        assert len(self._leaders()) == 1 or all_played

    def _leaders(self) -> list[int]:
        return self._best({*range(self.players)})

    def _best(self, among: set[int]) -> list[int]:
        counts = "fewest-mistaken-bids" in self.rules["tiebreak"]["steps"]
        keys = [(total, -missed * counts) for total, missed in zip(self.totals, self.missed, strict=True)]
        return [seat for seat in sorted(among) if keys[seat] == max(keys[other] for other in among)]

    def _after(self, seat: int, places: int) -> int:
        return (seat + places) % self.players
