"""Byte-bounded LRU cache."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)

_OVERHEAD = 256
"""About the bytes that any entry takes beside its value."""


class LruCache(Generic[K]):
    """Keeps byte strings of at most `max_item_bytes` each, in `max_bytes` together. The least recently used are evicted."""

    def __init__(self, max_bytes: int, max_item_bytes: int) -> None:
        self._free = max_bytes
        self._max_item_bytes = max_item_bytes
        self._items: OrderedDict[K, bytes] = OrderedDict()

    def get(self, key: K) -> bytes | None:
        """Return the value of a key; None where it has none."""
        value = self._items.get(key)
        if value is not None:
            self._items.move_to_end(key)
        return value

    def put(self, key: K, value: bytes) -> None:
        """Add a value, unless it is too long or the key has one."""
        if len(value) > self._max_item_bytes or key in self._items:
            return
        self._items[key] = value
        self._free -= len(value) + _OVERHEAD
        while self._free < 0:
            _, evicted = self._items.popitem(last=False)
            self._free += len(evicted) + _OVERHEAD

    def __len__(self) -> int:
        return len(self._items)
