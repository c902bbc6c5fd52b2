"""What msgspec says of a document that does not fit, as a place and a sentence."""

import re

_MESSAGE = re.compile(r"(?P<message>.*?)(?: - at (?:`key` in )?`\$(?P<path>.*)`)?", re.DOTALL)
_STEP = re.compile(r"\.([^.\[\]]+)|\[([^\]]*)\]")
_SOME_MEMBER = "..."
_LONGEST = 200


def pointer_and_message(error: Exception) -> tuple[str, str]:
    """Return a JSON pointer to what does not fit, and what is wrong there.

    Of a map, msgspec does not tell which member it is about: the pointer is the map's. What was sent is not repeated, but for the name of
    an unknown field.
    """
    found = _MESSAGE.fullmatch(str(error))
    steps = _STEP.findall((found["path"] if found else None) or "")
    pointer = "".join(f"/{name or index}" for name, index in steps if index != _SOME_MEMBER)
    return pointer, _sentence(found["message"] if found else str(error))


def _sentence(message: str) -> str:
    if message.startswith("Invalid enum value"):
        return "Expected one of the values that the contract lists."
    return message if len(message) <= _LONGEST else f"{message[:_LONGEST]} …"
