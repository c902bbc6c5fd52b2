"""What a caller would like best of what there is: `Accept` and `Accept-Language` with their quality values (RFC 9110, section 12)."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from litestar.types import HTTPScope

T = TypeVar("T", bound=str)

EVENT_STREAM = "text/event-stream"
_QUALITY = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?")
Wishes = Sequence[tuple[str, float]]


def header_of(scope: HTTPScope, name: bytes) -> str:
    """Return a header whose value is a list; all its lines are one list. It is empty when the header is not there."""
    return ",".join(value.decode("latin-1") for found, value in scope["headers"] if found == name)


def wishes(header: str) -> Wishes:
    """Return the ranges of a header in order, each with its quality from 0 (never) to 1. What is not well-formed is passed over."""
    return tuple(_wishes(header))


def _wishes(header: str) -> Iterator[tuple[str, float]]:
    for item in header.lower().split(","):
        wanted, *parameters = (part.strip() for part in item.split(";"))
        quality = next((value[2:].strip() for value in parameters if value.startswith("q=")), "1")
        if wanted and _QUALITY.fullmatch(quality):
            yield wanted, float(quality)


def best(wanted: Wishes, offers: Sequence[T], fit: Callable[[str, T], int]) -> T | None:
    """Return the offer that is wanted most, the earlier wish and then the earlier offer among equals; none when nothing fits.

    `fit` tells how closely a range names an offer, 0 for not at all. The closest range decides about an offer.
    """

    def weight(offer: T) -> tuple[float, int]:
        fitting = [(fit(range_, offer), quality, -place) for place, (range_, quality) in enumerate(wanted)]
        closeness, quality, place = max(fitting, default=(0, 0.0, 0))
        return (quality, place) if closeness else (0.0, 0)

    chosen = max(offers, key=weight)
    return chosen if weight(chosen)[0] > 0 else None


def media_type(header: str, offers: Sequence[T]) -> T | None:
    """Return the media type to answer with, the first of `offers` where all are equal; none when none is accepted."""
    return best(wishes(header or "*/*"), offers, _media_fit)


def wants_a_stream(scope: HTTPScope) -> bool:
    """Tell whether the caller would rather have a stream of events than a page of them."""
    return media_type(header_of(scope, b"accept"), ("application/json", EVENT_STREAM)) == EVENT_STREAM


def _media_fit(range_: str, offer: str) -> int:
    ranges = ("*/*", f"{offer.partition('/')[0]}/*", offer)
    return ranges.index(range_) + 1 if range_ in ranges else 0


def language(header: str, offers: Sequence[T]) -> T:
    """Return the language to speak, a tag without region; the first of `offers` where none is wanted. `es-MX` is content with `es`."""
    return best(wishes(header), offers, _language_fit) or offers[0]


def _language_fit(range_: str, offer: str) -> int:
    if range_ == "*":
        return 1
    return 3 if range_ == offer else 2 * range_.startswith(f"{offer}-")
