"""Comparison of a record's ruleset with the preset of its name."""

from collections.abc import Mapping
from typing import Any, cast

from domain.pocha.rules.house_rules import PARTS
from domain.pocha.rules.presets import PRESETS
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.view.parts import SOURCES, whole_ruleset
from service.application.record.mismatch import InvalidRecord, as_json, require_equal

_RETIRED = {
    "seating": ("direction", "counterclockwise"),
    "dealer": ("rotation", "right"),
    "deal": ("cut", "automatic"),
    "trump": ("when_stock_remains", "turn-up-next-card"),
    "auction": ("tie_break", "earliest-speaker"),
    "india": ("own_card_visible", False),
}
"""Members of rulesets in older records, by their part."""


def in_current_form(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record as it is written now.

    Older ones list the cards of a hand without their seats; their rulesets have a name called `id`, a number as source, and members
    with a single value.

    Raises:
        InvalidRecord: such a member has another value.
    """
    if not isinstance(record.get("ruleset"), dict):
        return record
    record = record | _hands_with_seats(record.get("hands"))
    rules = dict(cast("Mapping[str, Any]", record["ruleset"]))
    if "ruleset_id" not in rules and "id" in rules:
        rules = {"ruleset_id": rules.pop("id"), **rules}
    source = rules.get("source")
    if isinstance(source, str) and source in SOURCES:
        rules["source"] = SOURCES[source]
    for part, (name, value) in _RETIRED.items():
        members = rules.get(part)
        if isinstance(members, dict) and name in members:
            require_equal(value, members[name], f"/ruleset/{part}/{name}")
            rules[part] = {other: members[other] for other in cast("Mapping[str, Any]", members) if other != name}
            if part not in PARTS and not rules[part]:
                del rules[part]
    return {**record, "ruleset": rules}


def _hands_with_seats(hands: Any) -> dict[str, Any]:
    if not isinstance(hands, list):
        return {}
    return {"hands": [_with_seats(hand) for hand in cast("list[Any]", hands)]}


def _with_seats(hand: Any) -> Any:
    if not isinstance(hand, dict):
        return hand
    members = cast("dict[str, Any]", hand)
    cards: Any = members.get("hands")
    if not isinstance(cards, list) or not all(isinstance(each, list) for each in cast("list[Any]", cards)):
        return members
    return members | {"hands": [{"seat": seat, "cards": each} for seat, each in enumerate(cast("list[Any]", cards))]}


def require_known(rules: Any) -> None:
    """Compare a ruleset with the preset of its name; house rules, where it has any, may differ.

    A version older than the preset known here is accepted as it is. A value that is not a ruleset at all is left to the decoder.

    Raises:
        InvalidRecord: the preset or its version is unknown, or the ruleset differs from it.
    """
    if not isinstance(rules, dict):
        return
    members = cast("Mapping[str, Any]", rules)
    name, version = members.get("ruleset_id"), members.get("version")
    if not isinstance(name, str) or type(version) is not int:
        return
    preset = PRESETS.get(name)
    if preset is None:
        raise InvalidRecord("/ruleset/ruleset_id", f"no ruleset {name} is known here")
    if not 1 <= version <= preset.version:
        raise InvalidRecord("/ruleset/version", f"version {version} of {name} is not known here")
    if version == preset.version:
        _require_preset(preset, members)


def _require_preset(preset: Ruleset, rules: Mapping[str, Any]) -> None:
    expected = as_json(whole_ruleset(preset))
    if rules.get("house_rules") is True:
        expected |= {part: rules.get(part) for part in PARTS} | {"house_rules": True}
    require_equal(expected, rules, "/ruleset")
