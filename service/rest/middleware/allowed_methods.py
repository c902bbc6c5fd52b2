"""The `Allow` header of each path. Litestar's own lists only the first handler's methods for OPTIONS, and never HEAD."""

import re
from collections.abc import Iterable, Sequence

from litestar.routes import BaseRoute, HTTPRoute

_PARAMETER = re.compile(r"\{[^}]*\}")


class AllowedMethods:
    """Finds the allowed methods of a path among the routes of an app."""

    def __init__(self, routes: Iterable[BaseRoute]) -> None:
        http_routes = [route for route in routes if isinstance(route, HTTPRoute)]
        # `/v1/rulesets/validate` also matches `/v1/rulesets/{ruleset_id}`: as in the router, fewer parameters go first.
        http_routes.sort(key=lambda route: len(route.path_parameters))
        self._routes: Sequence[tuple[re.Pattern[str], str]] = [
            (re.compile(_PARAMETER.sub("[^/]+", route.path_format)), allow_header(route.methods))
            for route in http_routes
        ]

    def allow(self, path: str) -> str | None:
        """Return the value of `Allow` for a path; None where no route matches."""
        return next((allow for pattern, allow in self._routes if pattern.fullmatch(path)), None)


def allow_header(methods: Iterable[str]) -> str:
    """Return the value of `Allow` for the methods of a route: sorted, with OPTIONS, and HEAD where there is GET."""
    all_methods = {*methods, "OPTIONS"}
    return ", ".join(sorted(all_methods | {"HEAD"} if "GET" in all_methods else all_methods))
