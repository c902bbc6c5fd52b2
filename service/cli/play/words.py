"""The words of `pocha play`, from `words.toml`, in the player's language."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

LANGUAGES = ("en", "es", "fr", "de")
TEXTS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
)
"""By key and language."""


def language_of(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language of the terminal, English where it is none of ours."""
    said = environment.get("LC_ALL") or environment.get("LC_MESSAGES") or environment.get("LANG") or ""
    return said[:2].lower() if said[:2].lower() in LANGUAGES else LANGUAGES[0]


class Words:
    """The words in one language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, key: str, **values: object) -> str:
        """Return a text with its values."""
        return TEXTS[key][self.language].format(**values)
