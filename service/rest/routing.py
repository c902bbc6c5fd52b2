"""The routers that the routes are registered with."""

from typing import Self

import litestar


class Router(litestar.Router):
    """A router of one app.

    Litestar copies a router deeply at each registration, so that several apps can have it, and with it all that its handlers know:
    a third of the time in which an app is built.
    """

    def __deepcopy__(self, _: object) -> Self:
        return self
