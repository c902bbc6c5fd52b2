"""Comparison of a record's ruleset with the preset of its name."""

from collections.abc import Mapping
from typing import Any, cast

from domain.pocha.rules.house_rules import HouseRules
from domain.pocha.rules.presets import PRESETS
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.view.parts import whole_ruleset
from service.application.record.mismatch import InvalidRecord, as_json, require_equal


def require_known(written: Any) -> None:
    """Compare the ruleset, as `written`, with the preset of its name; house rules, where it has any, may differ.

    A version older than the preset known here is accepted as it is. A value that is not a ruleset at all is left to the decoder.

    Raises:
        InvalidRecord: the preset or its version is unknown, or the ruleset differs from it.
    """
    if not isinstance(written, dict):
        return
    rules = cast("Mapping[str, Any]", written)
    name, version = rules.get("ruleset_id"), rules.get("version")
    if not isinstance(name, str) or type(version) is not int:
        return
    preset = PRESETS.get(name)
    if preset is None:
        raise InvalidRecord("/ruleset/ruleset_id", f"no ruleset {name} is known here")
    if not 1 <= version <= preset.version:
        raise InvalidRecord("/ruleset/version", f"version {version} of {name} is not known here")
    if version == preset.version:
        _require_preset(preset, rules)


def _require_preset(preset: Ruleset, rules: Mapping[str, Any]) -> None:
    expected = as_json(whole_ruleset(preset))
    if rules.get("house_rules") is True:
        expected |= {part: rules.get(part) for part in HouseRules.__struct_fields__} | {"house_rules": True}
    require_equal(expected, rules, "/ruleset")
