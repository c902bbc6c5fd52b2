"""Adds a game up again from what was seen of it, by the words of the rules alone: nothing of the service's code."""

from collections import defaultdict
from typing import Any

from tests.kit.player import Guest, Json, all_events

_FOURNIER = [1, 12, 11, 10, 7, 6, 5, 4, 3, 2]
_TORO = [1, 3, 12, 11, 10, 7, 6, 5, 4, 2]


def taken_by(plays: list[tuple[int, str]], trump: str | None, ranks: list[int]) -> int:
    """Say who takes a trick, from the words of the rules alone."""

    def height(card: str) -> tuple[int, int]:
        suit, number = card.split("-")
        led = plays[0][1].split("-")[0]
        return (2 if suit == trump else 1 if suit == led else 0, -ranks.index(int(number)))

    return max(plays, key=lambda play: height(play[1]))[0]


class Reckoning:
    """Adds a game up from its events, without the service's code."""

    def __init__(self, ruleset: str, players: int) -> None:
        self._ranks = _FOURNIER if ruleset == "fournier" else _TORO
        self._players = players
        self._trump: str | None = None
        self._bids: dict[int, int] = {}
        self._plays: list[tuple[int, str]] = []
        self._tricks: defaultdict[int, int] = defaultdict(int)
        self._multiplier = 1
        self.points = [0] * players
        self.ranks = [1] * players
        self.hands = 0

    def add(self, event: Json) -> None:
        """Take in one event; an event that contradicts the earlier ones fails the test."""
        match event:
            case {"type": "hand_dealt"}:
                self._trump, self._multiplier = event.get("trump"), event["multiplier"]
                self._bids, self._tricks = {}, defaultdict(int)
            case {"type": "blind_pick_made" | "trump_chosen"}:
                self._trump, self._multiplier = event.get("trump") or event["suit"], event["multiplier"]
            case {"type": "auction_won", "locked": True, "seat": seat, "bid": bid}:
                self._bids[seat] = bid
            case {"type": "bid_made", "seat": seat, "bid": bid}:
                self._bids[seat] = bid
            case {"type": "card_played", "seat": seat, "card": card}:
                self._plays.append((seat, card))
            case {"type": "trick_taken", "seat": seat, "card": card}:
                assert seat == taken_by(self._plays, self._trump, self._ranks)
                assert (seat, card) in self._plays
                assert len(self._plays) == self._players
                self._tricks[seat] += 1
                self._plays = []
            case {"type": "hand_scored"}:
                self._score(event)
            case _:
                pass

    def _score(self, event: Json) -> None:
        self.hands += 1
        for seat in range(self._players):
            bid, tricks = self._bids[seat], self._tricks[seat]
            gained = (10 + 5 * tricks if bid == tricks else -5 * abs(bid - tricks)) * self._multiplier
            self.points[seat] += gained
            told = {"seat": seat, "bid": bid, "tricks": tricks, "points": gained, "total": self.points[seat]}
            assert event["scores"][seat] == {**told, "rank": event["scores"][seat]["rank"]}
        self.ranks = [score["rank"] for score in event["scores"]]


async def check_that_it_adds_up(guest: Guest, ruleset: str, last: Json) -> None:
    """Compare the last view of a game of a preset, its score sheet and its schedule with what its events add up to."""
    players, game_id = int(last["players"]), str(last["game_id"])
    reckoning = Reckoning(ruleset, players)
    for event in await all_events(guest, game_id):
        reckoning.add(event)
    sheet: dict[str, Any] = (await guest.ask("GET", f"/v1/games/{game_id}/score-sheet")).json()
    preset: dict[str, Any] = (await guest.ask("GET", f"/v1/rulesets/{ruleset}")).json()
    scheduled = next(len(one["hands"]) for one in preset["schedules"] if one["players"] == players)
    assert reckoning.hands >= scheduled
    assert [score["points"] for score in last["scores"]] == reckoning.points
    assert [score["rank"] for score in last["scores"]] == reckoning.ranks
    assert sheet["totals"] == reckoning.points
    assert len(sheet["rows"]) == reckoning.hands
    best = max(reckoning.points)
    leaders = [seat for seat, points in enumerate(reckoning.points) if points == best]
    if preset["ruleset"]["tiebreak"]["steps"]:
        assert len(last["result"]["winners"]) == 1
        assert last["result"]["winners"][0] in leaders
    else:
        assert reckoning.hands == scheduled
        assert last["result"]["winners"] == leaders
