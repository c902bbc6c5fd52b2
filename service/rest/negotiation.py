"""Content negotiation by `Accept` and `Accept-Language` (RFC 9110, section 12.5). Werkzeug parses; here the best offer is chosen."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from litestar.types import Scope
from werkzeug.datastructures import Accept, LanguageAccept, MIMEAccept
from werkzeug.http import parse_accept_header

from service.rest.scope import header

A = TypeVar("A", bound=Accept)
T = TypeVar("T", bound=str)

JSON = "application/json"
EVENT_STREAM = "text/event-stream"

_BARE_FRACTION = re.compile(r"q=\s*\.", re.IGNORECASE)
"""A weight such as `q=.5`, which is against the standard, and sent all the same."""
_PARSED_CHARACTERS = 1000
"""How much of a header is parsed. Clients send less; 10 kB of ranges would take 40 ms."""


def best_media_type(accept: str, offers: Sequence[T]) -> T | None:
    """Return the media type that an `Accept` header prefers; None where it accepts no offer.

    Parameters of media ranges are ignored, except `q`.
    """
    return _best(_parse(MIMEAccept, accept or "*/*", lambda media_range: media_range), offers)


def best_language(accept_language: str, offers: Sequence[T]) -> T:
    """Return the language that an `Accept-Language` header prefers; the first offer where it prefers none.

    Offers are primary language subtags: `es` matches `es-MX`, and `es_ES` or `es.UTF-8` as some platforms write it.
    """
    return _best(_parse(LanguageAccept, accept_language, lambda tag: re.split("[-_.@]", tag)[0]), offers) or offers[0]


@lru_cache(256)
def accepts_gzip(accept_encoding: str) -> bool:
    """Return whether an `Accept-Encoding` header accepts gzip; without the header, nothing is compressed."""
    return _parse(Accept, accept_encoding, lambda coding: coding).quality("gzip") > 0


def prefers_event_stream(scope: Scope) -> bool:
    """Return whether the request prefers a stream of server-sent events to a page of JSON."""
    return _prefers_event_stream(header(scope, b"accept"))


@lru_cache(256)
def _prefers_event_stream(accept: str) -> bool:
    return best_media_type(accept, (JSON, EVENT_STREAM)) == EVENT_STREAM


def _parse(kind: Callable[[list[tuple[str, float]]], A], value: str, simplify: Callable[[str], str]) -> A:
    ranges = parse_accept_header(_BARE_FRACTION.sub("q=0.", value[:_PARSED_CHARACTERS]))
    return kind([(simplify(item.partition(";")[0].strip()), quality) for item, quality in ranges])


def _best(accepted: Accept, offers: Sequence[T]) -> T | None:
    """Return the offer of the highest quality; among equals the one that the header names first, then the first offer."""
    chosen = max(offers, key=lambda offer: (accepted.quality(offer), -accepted.find(offer)))
    return chosen if accepted.quality(chosen) > 0 else None
