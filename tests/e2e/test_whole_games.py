"""Every ruleset, for every number of players, played to the end over HTTP against Postgres, and judged again from what was seen."""

import random
from collections import defaultdict
from typing import Any

import httpx
import pytest

from domain.pocha.rules.presets import PRESETS
from tests.kit.player import Api, Guest, Json
from tests.kit.service_process import ServiceProcess

TABLES = [(id_, players) for id_, ruleset in PRESETS.items() for players in ruleset.players.allowed]
RANKS = {"fournier": [1, 12, 11, 10, 7, 6, 5, 4, 3, 2]}
TORO = [1, 3, 12, 11, 10, 7, 6, 5, 4, 2]


async def play_to_the_end(guests: list[Guest], game: Json, luck: random.Random) -> Json:
    """Let the persons at the first seats move at random among what is legal, and return the last view."""
    while game["status"] == "playing":
        guest = guests[int(game["turn"]["seat"])]
        view = game if game["my_seat"] == game["turn"]["seat"] else await guest.look(game["game_id"])
        game = (await guest.move(view, luck.randrange(1000)))["game"]
    return game


async def all_events(guest: Guest, game_id: str) -> list[Json]:
    """Read every page."""
    events: list[Json] = []
    after = 0
    while True:
        page = (await guest.ask("GET", f"/v1/games/{game_id}/events?after={after}&limit=1000")).json()
        if not page["items"]:
            return events
        events += page["items"]
        after = page["next_after"]


def taken_by(plays: list[tuple[int, str]], trump: str | None, ranks: list[int]) -> int:
    """Say who takes a trick, from the words of the rules alone."""

    def height(card: str) -> tuple[int, int]:
        suit, number = card.split("-")
        led = plays[0][1].split("-")[0]
        return (2 if suit == trump else 1 if suit == led else 0, -ranks.index(int(number)))

    return max(plays, key=lambda play: height(play[1]))[0]


class Reckoning:
    """Adds a game up from its events, without the service's code."""

    def __init__(self, players: int, ranks: list[int]) -> None:
        self._ranks = ranks
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


@pytest.mark.parametrize(("ruleset", "players"), TABLES)
async def test_a_whole_game_adds_up(service: ServiceProcess, ruleset: str, players: int) -> None:
    async with httpx.AsyncClient(base_url=service.url) as client:
        guests, game = await Api(client).table_of_two(ruleset, players)
        last = await play_to_the_end(guests, game, random.Random(f"{ruleset} {players}"))
        reckoning = Reckoning(players, RANKS.get(ruleset, TORO))
        for event in await all_events(guests[0], game["game_id"]):
            reckoning.add(event)
        sheet: dict[str, Any] = (await guests[0].ask("GET", f"/v1/games/{game['game_id']}/score-sheet")).json()
        schedule = (await client.get(f"/v1/rulesets/{ruleset}")).json()["schedules"]
    scheduled = next(len(one["hands"]) for one in schedule if one["players"] == players)
    assert reckoning.hands >= scheduled
    assert [score["points"] for score in last["scores"]] == reckoning.points
    assert [score["rank"] for score in last["scores"]] == reckoning.ranks
    assert sheet["totals"] == reckoning.points
    assert len(sheet["rows"]) == reckoning.hands
    best = max(reckoning.points)
    leaders = [seat for seat, points in enumerate(reckoning.points) if points == best]
    if PRESETS[ruleset].tiebreak.steps:
        assert len(last["result"]["winners"]) == 1
        assert last["result"]["winners"][0] in leaders
    else:
        assert reckoning.hands == scheduled
        assert last["result"]["winners"] == leaders
