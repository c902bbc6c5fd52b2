"""Strict parser of records."""

from typing import Any, cast, get_args

import msgspec

from domain.pocha.rules.ruleset import ContradictoryRuleset
from service.application.record import known_rules
from service.application.record.facts import Format, GameRecord
from service.application.record.mismatch import InvalidRecord
from service.application.validation_errors import pointer_and_message


def parse(document: bytes) -> tuple[dict[str, Any], dict[str, Any], GameRecord]:
    """Return the record as plain JSON: as it is written, and in the form of today; and as a `GameRecord`.

    Raises:
        InvalidRecord: the document is not JSON, not a record, of another format, or does not fit the schema.
    """
    written = _json(document)
    _require_known_format(written)
    current = known_rules.in_current_form(written)
    known_rules.require_known(current.get("ruleset"))
    try:
        return written, current, msgspec.convert(current, GameRecord)
    except msgspec.ValidationError as error:
        raise _invalid(error) from None


def _json(document: bytes) -> dict[str, Any]:
    try:
        written = msgspec.json.decode(document)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidRecord("", f"this is not JSON: {error}") from None
    if not isinstance(written, dict) or "format" not in written:
        raise InvalidRecord("", "this is not the record of a game: a record is a JSON object with a member `format`")
    return cast("dict[str, Any]", written)


def _require_known_format(written: dict[str, Any]) -> None:
    found: Any = written["format"]
    if type(found) is not int or found not in get_args(Format):
        raise InvalidRecord("/format", "this program reads records of formats 1 and 2 only")


def _invalid(error: msgspec.ValidationError) -> InvalidRecord:
    if isinstance(error.__cause__, ContradictoryRuleset):
        first = error.__cause__.contradictions[0]
        return InvalidRecord(f"/ruleset{first.pointer}", first.message)
    return InvalidRecord(*pointer_and_message(error, GameRecord))
