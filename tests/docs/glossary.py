"""Writes the glossary of one language from the terms that the service serves."""

import tomllib
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any

from service.rest.i18n import Language

Term = Mapping[str, Any]
"""A term: its id as `term`, and for each language its name and its meaning."""


def terms(language: Language) -> str:
    """Return all terms in Markdown, in the order of their names."""
    written = resources.files("service.rest.i18n").joinpath("glossary.toml").read_text("utf-8")
    found: list[Term] = tomllib.loads(written)["items"]
    in_order = sorted(found, key=lambda term: term[language][0].casefold())
    return "".join(f"{line}\n" for term in in_order for line in _lines(term, language))


def _lines(term: Term, language: Language) -> Iterator[str]:
    name, meaning = term[language]
    others = " · ".join(f"{other} *{term[other][0]}*" for other in Language if other is not language)
    yield f'- <a id="{term["term"]}"></a>**{name}**: {meaning} ({others})'
