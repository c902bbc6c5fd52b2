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
# all that is invisible but for what joins or varies characters, which is judged by where it stands.
_REMOVED = regex.compile(
    r"[\p{Bidi_Control}\p{Co}\p{Noncharacter_Code_Point}\uFFF9-\uFFFC]"
    r"|[\p{Default_Ignorable_Code_Point}--[\u200C\u200D\uFE0E\uFE0F\U000E0020-\U000E007F]]",
    regex.V1,
)
_VISIBLE = regex.compile(r"[\p{L}\p{N}\p{P}\p{S}]")
# What joins or varies a character is removed too, but for where it changes what is drawn (the first group): in scripts that join letters
# (Unicode Standard Annex 31, 2.3), in emoji, and in the flags of regions.
_JOINER = regex.compile(
    r"((?<=\p{ccc=Virama}\p{M}*)[\u200C\u200D]|(?<=\p{L}\p{M}*)[\u200C\u200D](?=\p{M}*\p{ccc=Virama})"
    r"|(?<=\p{Joining_Type=D}\p{Joining_Type=T}*)(?:\u200D|\u200C(?=\p{Joining_Type=T}*[\p{Joining_Type=D}\p{Joining_Type=R}]))"
    r"|(?<=\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]?)\u200D(?=\p{Extended_Pictographic})"
    r"|(?<=[\p{Emoji}--[0-9#*]])[\uFE0E\uFE0F]|(?<=[0-9#*])\uFE0F(?=\u20E3))|[\u200C\u200D\uFE0E\uFE0F]",
    regex.V1,
)
_TAGS = regex.compile(
    r"(\U0001F3F4[\U000E0030-\U000E0039\U000E0061-\U000E007A]{3,6}\U000E007F)|[\U000E0020-\U000E007F]"
)
_BEGINNING = regex.compile(r"^[ \p{M}\u200C\u200D]+")  # a mark without a letter would join what stands before the name
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
    name = _BEGINNING.sub("", _TAGS.sub(r"\1", _JOINER.sub(r"\1", name)))
    clusters = _CLUSTER.findall(unicodedata.normalize("NFC", name))
    return _BLANK.sub(" ", "".join(map(_shortened_cluster, clusters))).strip()


def _shortened_cluster(cluster: str) -> str:
    return cluster if len(cluster) <= _MAX_CLUSTER else cluster[:_MAX_CLUSTER].rstrip("\u200c\u200d")
