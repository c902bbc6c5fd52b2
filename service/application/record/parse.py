"""From the bytes of a record to its facts, strictly; what does not fit is told in a sentence."""

from typing import Any, cast

import msgspec

from domain.pocha.rules.ruleset import ContradictoryRuleset
from service.application.record import known_rules
from service.application.record.facts import FORMAT, GameRecord
from service.application.record.mismatch import InvalidRecord
from service.application.validation_errors import pointer_and_message

_decoder = msgspec.json.Decoder(GameRecord)


def read(document: bytes) -> tuple[dict[str, Any], GameRecord]:
    """Return a record as it is written, and as it is understood.

    Raises:
        InvalidRecord: it is no JSON, no record, or one of another format, or a fact does not fit the format.
    """
    written = _json(document)
    _require_known_format(written)
    known_rules.require_known(written.get("ruleset"))
    try:
        return written, _decoder.decode(document)
    except msgspec.ValidationError as misfit:
        raise _placed(misfit) from None


def _json(document: bytes) -> dict[str, Any]:
    try:
        written = msgspec.json.decode(document)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidRecord("", f"this is not JSON: {error}") from None
    if not isinstance(written, dict) or "format" not in written:
        raise InvalidRecord("", "this is no record of a game: a record is a JSON object that names its format")
    return cast("dict[str, Any]", written)


def _require_known_format(written: dict[str, Any]) -> None:
    found: Any = written["format"]
    if type(found) is not int or found != FORMAT:
        raise InvalidRecord("/format", f"this program reads records of format {FORMAT} only")


def _placed(misfit: msgspec.ValidationError) -> InvalidRecord:
    """Turn msgspec's `Expected ... - at `$.hands[0]`` into a pointer and a sentence."""
    if isinstance(misfit.__cause__, ContradictoryRuleset):
        first = misfit.__cause__.contradictions[0]
        return InvalidRecord(f"/ruleset{first.pointer}", first.message)
    return InvalidRecord(*pointer_and_message(misfit))
