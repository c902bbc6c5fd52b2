"""Scrubs secrets from log lines.

A last line of defence: no code logs secrets on purpose, but libraries and exceptions quote their input.
"""

import re
from collections.abc import Iterable

_MIN_SECRET_LENGTH = 6
"""A shorter known secret would match everywhere."""

_SECRETS = {
    "token": r"eyJ[\w-]{8,}(?:\.[\w-]*)*",
    "key": r"\bpocha_[0-9a-f]+_[0-9a-f]{16,}",
    "webhook secret": r"\bwhsec_[\w+/=-]+",
    "credentials": r"(?<=://)[^\s/@]*:[^\s@]*(?=@)|(?i:(?<=bearer )|(?<=basic ))[^\s,'\"]+",
    "password": r"(?i:(?<=password=)|(?<=passwd=)|(?<=secret=))[^\s&]+",
    "invite code": r"invite_code\\*['\"]?\s*[:=]\s*\\*['\"][\w-]+",  # escaped once or more, in quoted text
    "seed": r"\b[0-9a-fA-F]{64}\b|(?<![\w+/-])[\w+/-]{43}=",
    "bytes": r"\bb'(?:\\.|[^'\\])*'?|\bb\"(?:\\.|[^\"\\])*\"?",
    "card": r"(?i:\b(?:oros|copas|espadas|bastos)[-_]\d{1,2}\b)",
}
_PATTERN = "|".join(f"(?P<{name.replace(' ', '_')}>{pattern})" for name, pattern in _SECRETS.items())

# Not escaped by JSON: C1 controls, DEL, line separators, direction marks, surrogates.
_INVISIBLE = re.compile("[\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f]")


class Scrubber:
    """Replaces what looks like a secret, and the known `secrets`, by placeholders."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = sorted({secret for secret in secrets if len(secret) >= _MIN_SECRET_LENGTH}, key=len, reverse=True)
        given = [f"(?P<secret>{'|'.join(map(re.escape, known))})"] if known else []
        self._pattern = re.compile("|".join([*given, _PATTERN]))

    def scrub(self, text: str) -> str:
        """Return `text` with each secret replaced by its kind in brackets."""
        return self._pattern.sub(_placeholder, text)


def _placeholder(found: re.Match[str]) -> str:
    return f"[{(found.lastgroup or '').replace('_', ' ')}]"


def escape_invisible(text: str) -> str:
    """Return `text` with invisible characters escaped, except those that JSON escapes."""
    return _INVISIBLE.sub(_escape, text)


def escape_control(text: str) -> str:
    """Return `text` with control characters escaped, line breaks too."""
    return _CONTROL.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
