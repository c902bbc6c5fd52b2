"""Turns a msgspec ValidationError into a JSON pointer and a message."""

import re

_ERROR = re.compile(r"(?P<message>.*?)(?: - at (?:`key` in )?`\$(?P<path>.*)`)?", re.DOTALL)
_STEP = re.compile(r"\.([^.\[\]]+)|\[([^\]]*)\]")
_ANY_MEMBER = "..."
_MAX_LENGTH = 200


def pointer_and_message(error: Exception) -> tuple[str, str]:
    """Return a JSON pointer to the wrong value, and what is wrong with it.

    msgspec does not name the member of a map: the pointer is then the map's. The message does not repeat the value, except the name of
    an unknown field.
    """
    found = _ERROR.fullmatch(str(error))
    steps = _STEP.findall((found["path"] if found else None) or "")
    pointer = "".join(f"/{name or index}" for name, index in steps if index != _ANY_MEMBER)
    return pointer, _message(found["message"] if found else str(error))


def _message(message: str) -> str:
    if message.startswith("Invalid enum value"):
        return "Expected one of the values that the contract lists."
    return message if len(message) <= _MAX_LENGTH else f"{message[:_MAX_LENGTH]} …"
