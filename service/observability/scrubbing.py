"""What must never be written where operators read: found in any text, and hidden there.

The last line of defence: nobody logs any of it on purpose. But libraries quote what they were given, and exceptions what they met.
"""

import re
from collections.abc import Iterable

_MIN_SECRET_LENGTH = 6
"""A secret that is shorter would be found everywhere."""

_HIDDEN = {
    "token": r"eyJ[\w-]{8,}(?:\.[\w-]*)*",
    "key": r"\bpocha_[0-9a-f]+_[0-9a-f]{16,}",
    "credentials": r"(?<=://)[^\s/@]*:[^\s@]*(?=@)|(?i:(?<=bearer )|(?<=basic ))[^\s,'\"]+",
    "password": r"(?i:(?<=password=)|(?<=passwd=)|(?<=secret=))[^\s&]+",
    "invite code": r"invite_code\\*['\"]?\s*[:=]\s*\\*['\"][\w-]+",  # escaped once or more, where texts are quoted in texts
    "seed": r"\b[0-9a-fA-F]{64}\b|(?<![\w+/-])[\w+/-]{43}=",
    "bytes": r"\bb'(?:\\.|[^'\\])*'?|\bb\"(?:\\.|[^\"\\])*\"?",
    "card": r"(?i:\b(?:oros|copas|espadas|bastos)[-_]\d{1,2}\b)",
}
_PATTERN = "|".join(f"(?P<{name.replace(' ', '_')}>{pattern})" for name, pattern in _HIDDEN.items())

# What JSON leaves as it is, and yet may end a line, turn its direction or be none: C1, DEL, separators of lines, marks, half characters.
_UNSEEN = re.compile("[\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f]")


class Scrubber:
    """Hides what looks like a secret, and the `secrets` that it was told of, however they look."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = sorted({secret for secret in secrets if len(secret) >= _MIN_SECRET_LENGTH}, key=len, reverse=True)
        told = [f"(?P<secret>{'|'.join(map(re.escape, known))})"] if known else []
        self._pattern = re.compile("|".join([*told, _PATTERN]))

    def scrub(self, text: str) -> str:
        """Return `text` with a word in brackets in the place of each secret."""
        return self._pattern.sub(_word, text)


def _word(found: re.Match[str]) -> str:
    return f"[{(found.lastgroup or '').replace('_', ' ')}]"


def escape_invisible(text: str) -> str:
    """Return `text` with an escape in the place of each character that nobody sees, but for those that JSON escapes."""
    return _UNSEEN.sub(_escape, text)


def escape_control(text: str) -> str:
    """Return `text` with an escape in the place of each control character, line breaks too."""
    return _CONTROL.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
