"""What the modules of handlers give to the app."""

from collections.abc import Sequence

from litestar.handlers import HTTPRouteHandler

Handlers = Sequence[HTTPRouteHandler]
