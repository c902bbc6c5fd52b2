"""Whether a record's rules are those of the preset that they are named after."""

from collections.abc import Mapping
from typing import Any, cast

from domain.pocha.rules.house_rules import HouseRules
from domain.pocha.rules.presets import PRESETS
from domain.pocha.rules.ruleset import Ruleset
from service.application.record.mismatch import InvalidRecord, as_json, require_equal

_PLACE = "/ruleset"


def require_known(written: Any) -> None:
    """Return when the rules, as `written`, are a preset's, but for what house rules may change.

    An edition older than the one known here is taken at its word. What does not look like rules at all is left to whoever decodes them.

    Raises:
        InvalidRecord: they are not.
    """
    if not isinstance(written, dict):
        return
    rules = cast("Mapping[str, Any]", written)
    name, edition = rules.get("id"), rules.get("version")
    if not isinstance(name, str) or type(edition) is not int:
        return
    preset = PRESETS.get(name)
    if preset is None:
        raise InvalidRecord(f"{_PLACE}/id", f"no ruleset {name} is known here")
    if not 1 <= edition <= preset.version:
        raise InvalidRecord(f"{_PLACE}/version", f"edition {edition} of {name} is not known here")
    if edition == preset.version:
        _require_same(preset, rules)


def _require_same(preset: Ruleset, rules: Mapping[str, Any]) -> None:
    expected = as_json(preset)
    if rules.get("house_rules") is True:
        expected |= {part: rules.get(part) for part in HouseRules.__struct_fields__} | {"house_rules": True}
    try:
        require_equal(expected, rules, _PLACE)
    except InvalidRecord as wrong:
        hint = "" if rules.get("house_rules") else f", and {_PLACE}/house_rules are not said to be played"
        raise InvalidRecord(wrong.place, f"{wrong.message}: the rules are {preset.id} {preset.version}{hint}") from None
