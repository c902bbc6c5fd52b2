"""What the verifier says of a record that is wrong, and of what is no record at all."""

import hashlib
import json
import subprocess
import sys
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.cards import Card
from domain.pocha.rules.presets import CLASICA, PRESETS
from service.application.record.digest import canonical, digest
from service.application.record.mismatch import InvalidRecord
from service.application.record.verify import Verification, verify
from service.cli import main
from tests.verify import tables
from tests.verify.tampering import Json, at, changed, leaves, sealed_again, wrong_with
from tests.verify.tampering import Path as Steps

NONSENSE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=3)
    | st.sampled_from(Card),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=3), part, max_size=2),
    max_leaves=5,
)


SEEDS = "does not follow from the seeds"


@cache
def _written(name: str) -> bytes:
    return msgspec.json.encode(tables.record(*tables.SHORT[name]))


def written(name: str = "express") -> Json:
    return msgspec.json.decode(_written(name))


def judged(record: Any) -> str:
    """Say what is wrong with a record whose digest was made to fit."""
    with pytest.raises(InvalidRecord) as caught:
        verify(msgspec.json.encode(sealed_again(record)))
    return str(caught.value)


def every_step(record: Json) -> list[Steps]:
    """Return the paths of everything in a record, parts and facts."""
    return sorted({path[:length] for path, _ in leaves(record) for length in range(1, len(path) + 1)}, key=repr)


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=lambda ruleset: ruleset.id)
def test_the_record_of_a_game_of_every_preset_is_right(ruleset: tables.Ruleset) -> None:
    for players in ruleset.players.allowed:
        record = tables.record(ruleset, players, "preset")
        assert verify(msgspec.json.encode(record)).hands == len(record.hands)


def test_the_tampered_games_have_all_that_can_be_in_a_record() -> None:
    records = {name: written(name) for name in tables.SHORT}
    hands = [hand for record in records.values() for hand in record["hands"]]
    assert {hand["kind"] for hand in hands} >= {"normal", "india", "subastado", "oros", "ciega"}
    picks = [hand["blind_pick"] for hand in hands if "blind_pick" in hand]
    assert {"position" in pick for pick in picks} == {True, False}
    assert {call.get("passed") for hand in hands for call in hand.get("auction", {"calls": []})["calls"]} == {
        True,
        None,
    }
    claims = [(claim, hand["number"]) for hand in hands for claim in hand["claims"]]
    assert {claim["proven"] for claim, _ in claims} == {True, False}
    assert {claim["hand"] == number for claim, number in claims} == {True, False}
    assert records["all-kinds"]["order"] != [0, 1, 2, 3]
    assert any(len(record["hands"]) > 2 and record["client_seeds"] for record in records.values())


def test_the_moves_are_counted() -> None:
    hands = written()["hands"]
    assert verify(_written("express")) == Verification(3, sum(len(hand["bids"]) + len(hand["plays"]) for hand in hands))


def test_the_digest_is_that_of_the_canonical_json_of_all_the_rest() -> None:
    record = written("blind-picks")
    told = record.pop("digest")
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert told == hashlib.sha256(text.encode()).hexdigest()


def test_canonical_json_is_that_of_rfc_8785() -> None:
    value: Json = {"b": [True, 10, {}], "a": "«é» \u20ac\u000f\nA'B\"\\\u007f", "_": ""}
    assert canonical(value) == '{"_":"","a":"«é» €\\u000f\\nA\'B\\"\\\\\x7f","b":[true,10,{}]}'.encode()
    assert digest({"a": 1, "digest": "x"}) == hashlib.sha256(b'{"a":1}').hexdigest()


def test_white_space_and_the_order_of_members_are_no_facts() -> None:
    record = written()
    turned = json.dumps(dict(reversed(record.items())), indent=3)
    assert verify(turned.encode()).hands == 3


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (b"", "this is not JSON"),
        (b"\xff\xfe", "this is not JSON"),
        (b"[" * 100_000, "this is not JSON"),
        (b"{", "this is not JSON"),
        (b"[]", "this is not the record of a game"),
        (b'"format"', "this is not the record of a game"),
        (b"{}", "this is not the record of a game"),
        (b'{"format":3}', "/format: this program reads records of formats 1 and 2 only"),
        (b'{"format":true}', "/format: this program reads records of formats 1 and 2 only"),
        (b'{"format":"1"}', "/format: this program reads records of formats 1 and 2 only"),
        (b'{"format":1}', "Object missing required field"),
    ],
)
def test_what_is_no_record_is_told_in_a_sentence(document: bytes, said: str) -> None:
    with pytest.raises(InvalidRecord) as caught:
        verify(document)
    assert str(caught.value).startswith(said)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(tables.SHORT)), st.data())
def test_whatever_stands_anywhere_the_verifier_answers_in_its_own_words(name: str, data: st.DataObject) -> None:
    record = written(name)
    path = data.draw(st.sampled_from(every_step(record)))
    value = data.draw(NONSENSE | st.sampled_from([part for _, part in leaves(record)][:200]))
    tampered = changed(record, path, value)
    wrong = wrong_with(sealed_again(tampered))
    assert wrong is None or str(wrong)


def test_an_illegal_card_is_told_with_the_duty_that_it_breaks() -> None:
    """A card is exchanged with each later one of the same seat."""
    record, said = written(), set[str]()
    plays: list[Json] = record["hands"][0]["plays"]
    for (first, one), (later, two) in combinations(enumerate(plays), 2):
        if one["seat"] == two["seat"]:
            swapped = changed(record, ("hands", 0, "plays", first, "card"), two["card"])
            wrong = wrong_with(sealed_again(changed(swapped, ("hands", 0, "plays", later, "card"), one["card"])))
            place = f"/hands/0/plays/{first}: is against the rules ("
            said.add(str(wrong).removeprefix(place).removesuffix(")"))
    assert {"must-follow", "must-beat", "must-trump"} <= said


def test_the_last_bid_is_hooked() -> None:
    record = written()
    bids = record["hands"][0]["bids"]
    hooked = 12 - bids[0]["bid"] - bids[1]["bid"]
    assert 0 <= hooked <= 12
    told = changed(record, ("hands", 0, "bids", 2, "bid"), hooked)
    told = changed(told, ("hands", 0, "scores", bids[2]["seat"], "bid"), hooked)
    assert judged(told) == "/hands/0/bids/2: is against the rules (hook)"


def test_a_false_sum_is_told_with_the_right_one() -> None:
    record = written()
    total = record["hands"][1]["scores"][2]["total"]
    tampered = changed(record, ("hands", 1, "scores", 2, "total"), total + 5)
    assert judged(tampered) == f"/hands/1/scores/2/total: expected {total}, found {total + 5}"


def test_another_winner_is_found_out() -> None:
    record = written()
    winner = record["result"]["winners"][0]
    tampered = changed(record, ("result", "winners", 0), (winner + 1) % 3)
    assert judged(tampered) == f"/result/winners/0: expected {winner}, found {(winner + 1) % 3}"


def test_a_game_that_was_cut_short_is_not_over() -> None:
    record = written()
    assert judged({**record, "hands": record["hands"][:2]}) == "/hands/2: is missing: the game was not over"
    assert judged({**record, "hands": []}) == "/hands/0: is missing: the game was not over"


def test_a_hand_after_the_end_is_too_much() -> None:
    record = written()
    more = {**record, "hands": [*record["hands"], record["hands"][0]]}
    assert judged(more) == "/hands/3: the game was over before this hand"


def test_a_missing_bid_or_play_is_found() -> None:
    hand: Json = written()["hands"][0]
    last = hand["plays"][-1]["seat"]
    for what, said in (
        ("bids", "/hands/0/plays/0: is against the rules (wrong-phase)"),
        ("plays", f"/hands/0: a move of seat {last} is missing"),
    ):
        tampered = changed(written(), ("hands", 0, what), hand[what][:-1])
        assert judged(tampered) == said


@pytest.mark.parametrize(("name", "what"), [("blind-picks", "blind_pick"), ("ascending", "auction")])
def test_a_missing_pick_or_auction_is_found(name: str, what: str) -> None:
    record = written(name)
    place = next(index for index, hand in enumerate(record["hands"]) if what in hand)
    hand = {fact: value for fact, value in record["hands"][place].items() if fact != what}
    assert (
        judged(changed(record, ("hands", place), hand)) == f"/hands/{place}/bids/0: is against the rules (wrong-phase)"
    )


def test_a_fact_that_no_record_has_is_too_much() -> None:
    record = written()
    hand = {**record["hands"][1], "note": "all fair"}
    assert judged(changed(record, ("hands", 1), hand)) == "/hands/1/note: unexpected member"
    assert judged({**record, "note": "all fair"}) == "/note: unexpected member"


def test_another_seed_of_a_player_is_found() -> None:
    record = written("ascending")
    assert judged(changed(record, ("client_seeds", 0, "client_seed"), "other")).endswith(SEEDS)
    assert judged({**record, "client_seeds": []}).endswith(SEEDS)


def test_the_seed_of_another_game_does_not_fit_even_with_its_commitment() -> None:
    record, seed = written("ascending"), bytes(range(2, 34))
    fitting = {**record, "server_seed": seed.hex(), "commitment": hashlib.sha256(seed).hexdigest()}
    assert judged(fitting) == f"/hands/0/hands: {SEEDS}"


@pytest.mark.parametrize(
    ("other", "wrong"),
    [
        ({"game_id": "0198c0de-0000-7000-8000-000000000002"}, SEEDS),
        ({"algorithm": "pocha-shuffle-1"}, SEEDS),
        ({"game_id": "the-first-game"}, "/game_id: is not a UUID"),
        ({"algorithm": "pocha-shuffle-3"}, "/algorithm: no algorithm pocha-shuffle-3 is known here"),
    ],
)
def test_the_id_of_the_game_is_part_of_the_shuffle_and_the_algorithm_is_known(other: Json, wrong: str) -> None:
    assert judged(sealed_again({**written("ascending"), **other})).endswith(wrong)


def test_the_rules_of_a_preset_are_known_and_house_rules_have_to_be_named() -> None:
    record = written()
    other = changed(record, ("ruleset", "scoring", "hit_base"), 12)
    assert judged(other) == "/ruleset/scoring/hit_base: expected 10, found 12"
    unknown = changed(record, ("ruleset", "version"), 2)
    assert judged(unknown) == "/ruleset/version: version 2 of ludoteka-express-3 is not known here"
    assert (
        judged(changed(record, ("ruleset", "ruleset_id"), "mine"))
        == "/ruleset/ruleset_id: no ruleset mine is known here"
    )


RETIRED = {
    "seating": {"direction": "counterclockwise"},
    "dealer": {"rotation": "right"},
    "deal": {"cut": "automatic"},
    "trump": {"when_stock_remains": "turn-up-next-card"},
    "auction": {"tie_break": "earliest-speaker"},
    "india": {"own_card_visible": False},
}


def with_retired_members(record: Json) -> Json:
    """Return a record as it was when rulesets had members with one possible value."""
    parts = {part: record["ruleset"].get(part, {}) | members for part, members in RETIRED.items()}
    return {**record, "ruleset": {**record["ruleset"], **parts}}


@pytest.mark.parametrize("name", ["express", "ascending"])
def test_members_that_rulesets_no_longer_have_are_known_with_their_value(name: str) -> None:
    old = with_retired_members(written(name))
    assert verify(msgspec.json.encode(sealed_again(old))) == verify(_written(name))
    for part, [(member, value)] in ((part, list(members.items())) for part, members in RETIRED.items()):
        other = changed(old, ("ruleset", part, member), "other")
        assert judged(other).startswith(f"/ruleset/{part}/{member}: expected {json.dumps(value).strip(chr(34))}")


def test_rules_that_contradict_themselves_are_told_by_their_place() -> None:
    record = changed(written("ascending"), ("ruleset", "auction", "protocol"), "none")
    assert judged(record).startswith("/ruleset/auction/protocol: subastado hands need an auction")


def test_other_house_rules_show_in_what_they_lead_to() -> None:
    record = changed(written("large-pack"), ("ruleset", "scoring", "hit_base"), 11)
    assert "/scores/" in judged(record)


def test_the_players_must_be_as_many_as_the_rules_are_for() -> None:
    record = written()
    assert judged({**record, "seats": record["seats"][:2]}) == "/seats: the ruleset is not for 2 players"
    assert CLASICA.players.allowed


def test_seats_drawn_otherwise_are_found_out() -> None:
    record = written("all-kinds")
    one, two, *rest = record["order"]
    assert judged({**record, "order": [two, one, *rest]}) == "/order: does not follow from the seeds"
    assert judged({**record, "order": [one, one, *rest]}) == "/order: does not name every seat once"
    without = {fact: value for fact, value in record.items() if fact != "order"}
    assert judged(without) == "/order: does not name every seat once"
    assert judged({**written(), "order": [0, 1, 2]}) == "/order: unexpected member"


def test_another_first_dealer_is_found_out() -> None:
    record = written()
    dealer = record["first_dealer"]
    assert judged({**record, "first_dealer": (dealer + 1) % 3}) == f"/first_dealer: {SEEDS}"


def test_seeds_of_players_come_from_seats_that_there_are_and_one_from_each() -> None:
    record = written()
    elsewhere = changed(record, ("client_seeds", 0, "seat"), 9)
    twice = {**record, "client_seeds": [*record["client_seeds"], record["client_seeds"][-1]]}
    assert wrong_with(sealed_again(elsewhere))
    assert judged(twice).startswith("/client_seeds/1: unexpected item")


def auction_of(record: Json, *said: int | None) -> Json:
    """Return `record` whose first auction, said to be won by its highest call, had these calls."""
    place = next(index for index, hand in enumerate(record["hands"]) if "auction" in hand)
    auction = record["hands"][place]["auction"]
    calls = [
        {"seat": call["seat"], "passed": True} if bid is None else {"seat": call["seat"], "bid": bid}
        for call, bid in zip(auction["calls"], said, strict=True)
    ]
    best = max((bid, -index) for index, bid in enumerate(said) if bid is not None)
    told = {**auction, "calls": calls, "winner": calls[-best[1]]["seat"], "bid": best[0]}
    return changed(record, ("hands", place, "auction"), told)


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ((1, 1, None, 2), "1: is against the rules (not-higher)"),
        ((None, 1, 2, 3), "0: is against the rules (must-bid)"),
        ((2, 9, None, None), "1: is against the rules (out-of-range)"),
    ],
)
def test_calls_that_may_not_be_made_are_told_with_the_reason(said: tuple[int | None, ...], wrong: str) -> None:
    assert judged(auction_of(written("ascending"), *said)) == f"/hands/1/auction/calls/{wrong}"


def test_a_blind_pick_of_another_seat_or_of_no_card_is_told() -> None:
    record = written("blind-picks")
    assert record["hands"][0]["blind_pick"]
    position = changed(record, ("hands", 0, "blind_pick", "position"), 20)
    assert judged(position) == "/hands/0/blind_pick: is against the rules (no-such-position)"
    pick, turn_up = record["hands"][0]["blind_pick"], ("hands", 0, "turn_up")
    other = (pick["seat"] + 1) % 10
    card = record["hands"][0]["hands"][other]["cards"][0]
    told = changed(record, ("hands", 0, "blind_pick"), {"seat": other, "card": card, "position": 0})
    assert judged(changed(told, turn_up, card)) == "/hands/0/blind_pick: is against the rules (not-your-turn)"


def test_a_trick_that_is_not_told_is_missing() -> None:
    record = written()
    tricks = record["hands"][2]["tricks"]
    shorter = changed(record, ("hands", 2, "tricks"), tricks[:-1])
    assert judged(shorter) == f"/hands/2/tricks/11: is missing, expected {tricks[-1]}"


def test_the_first_wrong_thing_is_told() -> None:
    record = written()
    for path in [("hands", 2, "scores", 0, "points"), ("hands", 1, "tricks", 3), ("hands", 1, "multiplier")]:
        record = changed(record, path, (at(record, path) + 1) % 3)
    assert judged(record).startswith("/hands/1/multiplier: ")


def test_the_command_needs_no_settings_and_reads_files_and_standard_input(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(_written("renuncios"))
    for argument, given_in in ((str(file), b""), ("-", _written("renuncios"))):
        done = subprocess.run(
            [sys.executable, "-m", "service", "verify", argument],
            env={"POCHA_PORT": "nonsense"},
            cwd=Path(__file__).parents[2],
            input=given_in,
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode().startswith("the record is valid: 3 hands, ")


@pytest.mark.parametrize("content", [b"{", b'{"format":9}', b"null"])
def test_the_command_says_what_is_wrong_in_one_line_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(content)
    assert main.main(["verify", str(file)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("pocha: ")
    assert said.err.count("\n") == 1


def test_a_file_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["verify", str(tmp_path / "none.json")]) == 1
    assert "none.json" in capsys.readouterr().err


def test_a_change_in_a_file_is_told_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(msgspec.json.encode(changed(written(), ("seats", 1, "player", "display_name"), "Somebody else")))
    assert main.main(["verify", str(file)]) == 1
    assert capsys.readouterr().err.startswith("pocha: /digest: expected ")


def test_a_record_of_format_1_lacks_the_bid_that_an_auction_has_locked_and_is_right() -> None:
    record = written("ascending")
    for hand in record["hands"]:
        if hand.get("auction", {}).get("locked"):
            winner, bid = hand["auction"]["winner"], hand["auction"]["bid"]
            assert hand["bids"].pop(0) == {"seat": winner, "bid": bid}
    assert wrong_with(sealed_again(record)) is not None
    assert wrong_with(sealed_again({**record, "format": 1})) is None
