"""In-memory apps, for tests and beside the in-memory store."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace
from typing_extensions import override

from service.application.ports import ApiKey, App, Apps, StoreUnavailable


class MemoryApps(Apps):
    """Adapter of `service.application.ports.Apps` that forgets everything when the process ends."""

    def __init__(self) -> None:
        self._apps: dict[str, App] = {}
        self._closed = False

    @override
    async def create(self, key: ApiKey) -> bool:
        self._must_be_open()
        is_new = key.app not in self._apps
        if is_new:
            self._apps[key.app] = App(key.app, key.created_at, (key,))
        return is_new

    @override
    async def rotate(self, key: ApiKey, until: datetime) -> bool:
        self._must_be_open()
        if not self._end(key.app, until):
            return False
        app = self._apps[key.app]
        self._apps[key.app] = replace(app, keys=(key, *app.keys))
        return True

    @override
    async def revoke(self, app: str, now: datetime) -> bool:
        self._must_be_open()
        return self._end(app, now)

    @override
    async def keys(self, now: datetime) -> Sequence[ApiKey]:
        self._must_be_open()
        every = (key for app in self._apps.values() for key in app.keys)
        return [key for key in every if key.expires_at is None or key.expires_at > now]

    @override
    async def listed(self) -> Sequence[App]:
        self._must_be_open()
        return [self._apps[name] for name in sorted(self._apps)]

    @override
    async def close(self) -> None:
        self._closed = True

    def _must_be_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed")

    def _end(self, name: str, until: datetime) -> bool:
        app = self._apps.get(name)
        if app is None:
            return False
        keys = tuple(replace(key, expires_at=min(until, key.expires_at or until)) for key in app.keys)
        self._apps[name] = replace(app, keys=keys)
        return True
