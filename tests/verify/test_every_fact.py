"""A record changed by hand in one fact, of any sort, is refused, and the hand is named that the fact is in.

Facts that follow from others are compared even where the digest was made to fit again; the digest binds the rest.
"""

import re
from collections.abc import Iterator

import msgspec
import pytest

from domain.pocha.rules import presets
from service.application.record.verify import verify
from tests.verify import tables
from tests.verify.tampering import (
    Json,
    Path,
    at,
    changed,
    leaves,
    lists,
    names,
    other_values,
    pointer,
    sealed_again,
    wrong_with,
)

# Who played and when; that house rules were asked for, where they change nothing; calls that won nothing; who claimed, and just when.
ONLY_THE_DIGEST = re.compile(
    r"/(created_at|finished_at)"
    r"|/seats/\d+/(player/(player_id|display_name)|robot/level)"
    r"|/ruleset/house_rules"
    r"|/hands/\d+/auction/calls/\d+/bid"
    r"|/hands/\d+/claims/\d+/(claimant|after_moves)"
)
# A table's own rules have nothing to be compared with but the play.
HOUSE_RULES = re.compile(r"/ruleset/.*")
WHOLE_GAMES = [(presets.CLASICA, 4), (presets.ANTIGUA, 4), (presets.LUDOTEKA_LOCA, 4), (presets.FOURNIER, 5)]


def written(name: str) -> Json:
    return msgspec.json.decode(msgspec.json.encode(tables.record(*tables.SHORT[name])))


def complaints(record: Json, path: Path) -> Iterator[str]:
    """Yield what the verifier fails to find out about other values of one fact."""
    old, leaf = at(record, path), pointer(path)
    loose = record["ruleset"]["house_rules"] and HOUSE_RULES.fullmatch(leaf)
    for nth, new in enumerate(other_values(path, old)):
        tampered = changed(record, path, new)
        plain = wrong_with(tampered)
        change = f"{leaf}: {old!r} -> {new!r}"
        if plain is None:
            yield f"{change}: not found out"
        elif not loose and not (names(plain, path) or (plain.pointer == "/digest" and ONLY_THE_DIGEST.fullmatch(leaf))):
            yield f"{change}: {plain}"
        if loose or nth or leaf == "/digest":
            continue
        resealed = wrong_with(sealed_again(tampered))
        if ONLY_THE_DIGEST.fullmatch(leaf) and resealed is None:
            continue
        if resealed is None or not names(resealed, path):
            yield f"{change}, with a new digest: {resealed}"


def places(record: Json, most: int = 6) -> list[Path]:
    """Return the paths of facts of every sort, spread over the record: the first and the last of a sort, and some between."""
    sorts: dict[str, list[Path]] = {}
    for path, _ in leaves(record):
        sorts.setdefault(re.sub(r"\d+", "*", pointer(path)), []).append(path)
    return [paths[index] for paths in sorts.values() for index in _spread(len(paths), most)]


def _spread(count: int, most: int) -> list[int]:
    return sorted({round(step * (count - 1) / (most - 1)) for step in range(most)})


@pytest.mark.parametrize("name", tables.SHORT)
def test_the_records_are_right(name: str) -> None:
    assert verify(msgspec.json.encode(written(name))).hands == len(written(name)["hands"])


@pytest.mark.parametrize("name", tables.SHORT)
def test_a_change_of_one_fact_of_any_sort_is_refused_and_its_hand_named(name: str) -> None:
    record = written(name)
    paths = places(record)
    assert len(paths) > 100
    found = [complaint for path in paths for complaint in complaints(record, path)]
    assert not found, "\n".join([f"{len(found)} of them", *found[:40]])


@pytest.mark.parametrize(("ruleset", "players"), WHOLE_GAMES, ids=lambda value: getattr(value, "id", value))
def test_so_it_is_in_whole_games_of_the_presets(ruleset: presets.Ruleset, players: int) -> None:
    record = msgspec.json.decode(msgspec.json.encode(tables.record(ruleset, players, "whole")))
    every = [path for path, _ in leaves(record)]
    some = [path for path in places(record, 2) if path[0] != "hands"] + every[:: max(1, len(every) // 5)]
    found = [complaint for path in some for complaint in complaints(record, path)]
    assert not found, "\n".join([f"{len(found)} of them", *found[:40]])


@pytest.mark.parametrize("name", tables.SHORT)
def test_a_fact_left_out_or_doubled_is_refused_even_with_a_fitting_digest(name: str) -> None:
    record = written(name)
    for path in lists(record):
        if not (path[0] == "ruleset" and record["ruleset"]["house_rules"]):
            items = at(record, path)
            assert wrong_with(sealed_again(changed(record, path, items[:-1]))), pointer(path)
            assert wrong_with(sealed_again(changed(record, path, [*items, items[-1]]))), pointer(path)
