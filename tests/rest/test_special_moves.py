"""Auctions, blind picks, indias and renuncios over HTTP: what may be asked when, and what is told to whom."""

import random
from typing import Any

import pytest

from tests.kit.player import Api, Guest, Json, legal_moves, play_until

SUBASTADO: Json = {"schedule": {"blocks": [{"kind": "subastado", "first": "3", "last": "3"}]}, "dealer": {"first": "2"}}
INDIA: Json = {"schedule": {"blocks": [{"kind": "india", "first": "1", "last": "1"}]}, "dealer": {"first": "2"}}
ALL_DEALT: Json = {
    "schedule": {"blocks": [{"kind": "normal", "first": "max", "last": "max"}]},
    "dealer": {"first": "0"},
}
PUNISHED: Json = {
    "schedule": {"blocks": [{"kind": "normal", "first": "5", "last": "5", "times": "20"}]},
    "dealer": {"first": "2"},
    "renuncio": {"mode": "penalised", "penalty": 50},
}


async def table(api: Api, house_rules: Json, ruleset: str = "clasica", players: int = 3) -> tuple[list[Guest], Json]:
    guests = [await api.guest(f"Guest {seat}") for seat in range(players)]
    game = await guests[0].create(ruleset, players, house_rules=house_rules)
    for guest in guests[1:]:
        await guest.join(game["game_id"])
    return guests, await guests[0].look(game["game_id"])


async def ask(guest: Guest, game: Json, path: str, **body: Any) -> tuple[int, Json]:
    response = await guest.ask("POST", f"/v1/games/{game['game_id']}/{path}", body)
    return response.status_code, response.json()


async def test_a_double_bid_goes_from_the_first_round_to_trump_and_to_the_second_round(api: Api) -> None:
    guests, game = await table(api, SUBASTADO)
    assert game["turn"] == {"seat": 0, "action": "auction_bid", "legal_bids": [0, 1, 2, 3], "may_pass": False}
    assert "trump" not in game["hand"]
    assert "turn_up" not in game["hand"]
    for seat, bid in ((0, 1), (1, 2), (2, 2)):
        status, done = await ask(guests[seat], game, "auction-bids", bid=bid)
        assert status == 200
    assert [event["type"] for event in done["events"]] == ["auction_bid_made", "auction_won"]
    view = await guests[1].look(game["game_id"])
    assert view["turn"] == {"seat": 1, "action": "choose_trump", "legal_suits": ["oros", "copas", "espadas", "bastos"]}
    assert view["hand"]["auction"] == [
        {"seat": seat, "passed": False, "bid": bid} for seat, bid in ((0, 1), (1, 2), (2, 2))
    ]
    status, done = await ask(guests[1], game, "trump", suit="oros")
    assert status == 200
    assert (done["game"]["hand"]["trump"], done["game"]["hand"]["multiplier"]) == ("oros", 3)
    assert done["game"]["turn"] == {"seat": 0, "action": "wait", "awaits": "bid"}


async def test_an_ascending_auction_is_bid_higher_or_passed_and_locks_the_winners_bid(api: Api) -> None:
    guests, game = await table(api, SUBASTADO | {"players": {"allowed": [3]}}, "ludoteka-loca")
    status, problem = await ask(guests[0], game, "auction-passes")
    assert (status, problem["code"], problem["reason"]) == (422, "illegal-bid", "must-bid")
    assert (await ask(guests[0], game, "auction-bids", bid=1))[0] == 200
    status, problem = await ask(guests[1], game, "auction-bids", bid=1)
    assert (status, problem["reason"], problem["legal_bids"], problem["may_pass"]) == (422, "not-higher", [2, 3], True)
    assert (await ask(guests[1], game, "auction-passes"))[0] == 200
    assert (await ask(guests[2], game, "auction-passes"))[0] == 200
    status, done = await ask(guests[0], game, "trump", suit="bastos")
    assert status == 200
    assert done["game"]["hand"]["bids"] == [{"seat": 0, "bid": 1}]
    assert done["game"]["turn"] == {"seat": 1, "action": "wait", "awaits": "bid"}


async def test_only_the_winner_names_trump_and_only_a_suit(api: Api) -> None:
    guests, game = await table(api, SUBASTADO)
    for seat in range(3):
        await ask(guests[seat], game, "auction-bids", bid=seat)
    assert (await ask(guests[0], game, "trump", suit="oros"))[1]["code"] == "not-your-turn"
    for suit in ("picas", None, 1):
        assert (await ask(guests[2], game, "trump", suit=suit))[1]["errors"][0]["pointer"] == "/suit"
    assert (await ask(guests[2], game, "bids", bid=1))[1]["phase"] == "choosing-trump"


async def test_in_an_india_hand_everybody_sees_all_cards_but_the_own(api: Api) -> None:
    guests, game = await table(api, INDIA)
    seen: list[dict[int, str]] = []
    for guest in guests:
        hand = (await guest.look(game["game_id"]))["hand"]
        assert "my_cards" not in hand
        seen.append({one["seat"]: one["cards"][0] for one in hand["seen_cards"]})
    assert [sorted(cards) for cards in seen] == [[1, 2], [0, 2], [0, 1]]
    assert seen[0][2] == seen[1][2]
    stranger = (await (await api.guest()).look(game["game_id"]))["hand"]
    assert "seen_cards" not in stranger


async def test_an_india_hand_plays_itself_once_all_have_bid(api: Api) -> None:
    guests, game = await table(api, INDIA)
    events: list[Json] = []
    for guest in guests:
        events = (await guest.move(await guest.look(game["game_id"])))["events"]
    types = [event["type"] for event in events]
    assert types[:5] == ["bid_made", "card_played", "card_played", "card_played", "trick_taken"]
    assert [event["seat"] for event in events[1:4]] == [0, 1, 2]


async def test_before_a_blind_pick_nobody_has_looked_at_a_card(api: Api) -> None:
    guests, game = await table(api, ALL_DEALT, "antigua", 4)
    for guest in guests:
        view = await guest.look(game["game_id"])
        assert not {"my_cards", "seen_cards", "trump", "turn_up"} & set(view["hand"])
        events = (await guest.ask("GET", f"/v1/games/{game['game_id']}/events")).json()["items"]
        assert "my_cards" not in events[-1]
        assert events[-1]["face_down"] is True
    assert game["turn"] == {"seat": 0, "action": "blind_pick", "positions": list(range(10))}
    status, problem = await ask(guests[0], game, "blind-pick", position=10)
    assert (status, problem["code"], problem["positions"]) == (422, "illegal-pick", list(range(10)))
    assert (await ask(guests[1], game, "blind-pick", position=3))[1]["code"] == "not-your-turn"
    status, done = await ask(guests[0], game, "blind-pick", position=3)
    assert status == 200
    hand = done["game"]["hand"]
    assert hand["turn_up"] == hand["my_cards"][3] == done["events"][0]["card"]
    assert hand["trump"] == hand["turn_up"].split("-")[0]
    assert len((await guests[2].look(game["game_id"]))["hand"]["my_cards"]) == 10


async def test_the_house_rule_last_dealt_switches_the_blind_pick_off(api: Api) -> None:
    _, game = await table(api, ALL_DEALT | {"trump": {"when_all_dealt": "last-dealt"}}, "antigua", 4)
    assert game["hand"]["turn_up"] == game["hand"]["my_cards"][-1]
    assert game["ruleset"]["house_rules"] is True


async def find_a_renuncio(guests: list[Guest], game: Json) -> tuple[Json, int, int]:
    """Play until somebody can play an illegal card, let it happen, and return the view after it, whose it was, and the trick."""
    luck = random.Random(1)
    while True:
        guest = guests[int(game["turn"]["seat"])]
        view = await guest.look(game["game_id"])
        turn, hand = view["turn"], view["hand"]
        wrong = [card for card in hand.get("my_cards", []) if card not in turn.get("legal_cards", hand["my_cards"])]
        if turn["action"] == "play" and wrong:
            status, done = await ask(guest, view, "plays", card=wrong[0])
            assert status == 200
            return done["game"], turn["seat"], sum(hand["tricks_won"]) + 1
        game = (await guest.move(view, luck.randrange(len(legal_moves(view)))))["game"]


async def test_a_renuncio_stands_until_a_rival_claims_it(api: Api) -> None:
    guests, game = await table(api, PUNISHED, "torofun")
    game, culprit, trick = await find_a_renuncio(guests, game)
    rival = (culprit + 1) % 3
    before = {score["seat"]: score["points"] for score in game["scores"]}
    assert (await ask(guests[culprit], game, "renuncio-claims", seat=culprit, trick=trick))[1]["reason"] == "own-play"
    status, done = await ask(guests[rival], game, "renuncio-claims", seat=culprit, trick=trick)
    assert status == 200
    claimed = done["events"][0]
    assert (claimed["type"], claimed["proven"], claimed["penalty"], claimed["seat"]) == (
        "renuncio_claimed",
        True,
        50,
        culprit,
    )
    after = {score["seat"]: score["points"] for score in done["game"]["scores"]}
    assert after == before | {culprit: before[culprit] - 50}
    status, problem = await ask(guests[(culprit + 2) % 3], game, "renuncio-claims", seat=culprit, trick=trick)
    assert (status, problem["code"], problem["reason"]) == (422, "illegal-claim", "already-claimed")


async def test_a_wrong_claim_is_answered_and_costs_nothing_by_default(api: Api) -> None:
    guests, game = await table(api, PUNISHED, "torofun")
    game = await play_until(guests, game, "play")
    leader = int(game["turn"]["seat"])
    game = (await guests[leader].move(await guests[leader].look(game["game_id"])))["game"]
    status, done = await ask(guests[(leader + 1) % 3], game, "renuncio-claims", seat=leader, trick=1)
    assert (status, done["events"][0]["proven"], done["events"][0]["penalty"]) == (200, False, 0)
    assert [score["points"] for score in done["game"]["scores"]] == [score["points"] for score in game["scores"]]


@pytest.mark.parametrize(
    ("house_rules", "reason"), [({}, "renuncio-enforced"), ({"renuncio": PUNISHED["renuncio"]}, "not-played")]
)
async def test_a_claim_without_a_ground_is_refused(api: Api, house_rules: Json, reason: str) -> None:
    guests, game = await table(api, house_rules, "torofun")
    status, problem = await ask(guests[0], game, "renuncio-claims", seat=1, trick=1)
    assert (status, problem["code"], problem["reason"]) == (422, "illegal-claim", reason)


async def test_house_rules_are_shown_whole_before_a_table_is_made(api: Api) -> None:
    body = {
        "ruleset": "clasica",
        "house_rules": {"schedule": {"specials": False, "shape": "no-descent", "top_hands": "2"}},
    }
    shown = (await api.client.post("/v1/rulesets/validate", json=body)).json()
    assert shown["ruleset"]["house_rules"] is True
    four = next(one for one in shown["schedules"] if one["players"] == 4)
    assert [hand["cards"] for hand in four["hands"]] == [1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10]


async def test_house_rules_that_contradict_are_refused_with_all_places(api: Api) -> None:
    body = {"house_rules": {"play": {"must_trump": False}, "tiebreak": {"steps": ["oros-hands", "one-card-hands"]}}}
    for path, more in (("/v1/rulesets/validate", {}), ("/v1/games", {"players": 4})):
        response = await (await api.guest()).ask("POST", path, body | more)
        assert (response.status_code, response.json()["code"]) == (422, "illegal-ruleset")
        pointers = {error["pointer"] for error in response.json()["errors"]}
        assert pointers == {"/house_rules/play/must_overtrump", "/house_rules/tiebreak/steps"}


async def test_a_pack_of_48_is_dealt_and_ranked(api: Api) -> None:
    guests, game = await table(api, ALL_DEALT | {"deck": {"size": 48, "trim": "none"}}, "ludoteka-express-4", 4)
    cards: set[str] = set()
    for guest in guests:
        cards |= set((await guest.look(game["game_id"]))["hand"]["my_cards"])
    assert len(cards) == 48
    assert {"oros-8", "bastos-9"} <= cards


async def test_without_a_ruleset_a_table_plays_the_classic_one(api: Api) -> None:
    response = await (await api.guest()).ask("POST", "/v1/games", {"players": 4})
    assert response.json()["ruleset"] == {
        "ruleset_id": "clasica",
        "version": 1,
        "title": "Pocha clásica",
        "house_rules": False,
    }
