"""The one rule for the names under which players are shown.

It goes by Unicode's properties, not by a list of characters, so that a character nobody thought of is judged like its kind.
"""

import unicodedata

import regex

MAX_CHARACTERS = 40
"""Characters as people count them: extended grapheme clusters (Unicode Standard Annex 29)."""

MAX_CODE_POINTS = 480
"""A bound on what is looked at; a family of four with skin tones is one character of eleven code points."""

_MAX_CLUSTER = 12
_CONTROL = regex.compile(r"[\p{Cc}\p{Cs}]")
_BLANK = regex.compile(
    r"[\p{White_Space}\u2800\U0001D159\U00013441\U00013442]+"
)  # and letters and symbols that are drawn as nothing
# Removed: line and paragraph separators, what turns the direction of the text beside a name, private use, noncharacters, and
# all that is invisible but for what joins or varies a visible character (emoji, Persian, Indic scripts).
_REMOVED = regex.compile(
    r"[\p{Bidi_Control}\p{Co}\p{Noncharacter_Code_Point}\uFFF9-\uFFFC]"
    r"|[\p{Default_Ignorable_Code_Point}--[\u200C\u200D\uFE0E\uFE0F\U000E0020-\U000E007F]]",
    regex.V1,
)
_VISIBLE = regex.compile(r"[\p{L}\p{N}\p{P}\p{S}]")
_JOINER = regex.compile(r"(?<![\p{L}\p{M}\p{So}\p{Sk}\p{N}#*\u200D\uFE0F])[\u200C\u200D\uFE0E\uFE0F]")
_TAGS = regex.compile(r"(?<!\U0001F3F4[\U000E0020-\U000E007E]*)[\U000E0020-\U000E007F]")
_CLUSTER = regex.compile(r"\X")


class InvalidName(ValueError):
    """The text is not a name that can be shown; the message says why."""


def clean_name(text: str) -> str:
    """Return `text` as it is shown: composed (NFC), blanks joined and trimmed, characters that nobody sees removed.

    Raises:
        InvalidName: it has control characters, no visible character, or more than `MAX_CHARACTERS`.
    """
    if _CONTROL.search(text):
        raise InvalidName("must not contain control characters")
    name = _cleaned(text)
    if not _VISIBLE.search(name):
        raise InvalidName("must contain a visible character")
    if len(_CLUSTER.findall(name)) > MAX_CHARACTERS:
        raise InvalidName(f"must not be longer than {MAX_CHARACTERS} characters")
    return name


def shortened_name(text: str) -> str:
    """Return `clean_name` of the longest beginning of `text` that is a name, for names that cannot be sent back for correction.

    Raises:
        InvalidName: as `clean_name`, but for the length.
    """
    return clean_name("".join(_CLUSTER.findall(_BLANK.sub(" ", text[:MAX_CODE_POINTS]).strip())[:MAX_CHARACTERS]))


def _cleaned(text: str) -> str:
    name = _REMOVED.sub("", _BLANK.sub(" ", text))
    name = _TAGS.sub("", _JOINER.sub("", name))
    clusters = _CLUSTER.findall(unicodedata.normalize("NFC", name))
    return _BLANK.sub(" ", "".join(cluster[:_MAX_CLUSTER] for cluster in clusters)).strip()
