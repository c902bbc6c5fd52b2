"""What is kept since it may be asked for again: as much as there is room for, and no more."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)

_OVERHEAD = 256
"""About how many bytes it takes to keep anything, however short."""


class LruCache(Generic[K]):
    """Texts by their keys, in at most `most_bytes` in all, none above `longest`. Those not asked for lately are forgotten first."""

    def __init__(self, most_bytes: int, longest: int) -> None:
        self._room = most_bytes
        self._longest = longest
        self._texts: OrderedDict[K, bytes] = OrderedDict()

    def get(self, key: K) -> bytes | None:
        """Return the text of a key, if it is kept."""
        text = self._texts.get(key)
        if text is not None:
            self._texts.move_to_end(key)
        return text

    def put(self, key: K, text: bytes) -> None:
        """Keep a text, unless it is too long; what a key had before stays."""
        if len(text) > self._longest or key in self._texts:
            return
        self._texts[key] = text
        self._room -= len(text) + _OVERHEAD
        while self._room < 0:
            _, oldest = self._texts.popitem(last=False)
            self._room += len(oldest) + _OVERHEAD

    def __len__(self) -> int:
        return len(self._texts)
