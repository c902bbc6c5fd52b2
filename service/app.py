"""The composition root: the only place where use cases, adapters and the HTTP layer are joined."""

from litestar import Litestar
from litestar.types import ASGIApp

from service.games import Games
from service.ports import Clock, GameLog, Shuffler
from service.rest import docs, games, glossary, health, moves, players, proofs, records, rulesets, sheet
from service.rest.auth import Tokens
from service.rest.framework import allowed_in, framework_app
from service.rest.shell import Shell


def create_app(log: GameLog, clock: Clock, shuffler: Shuffler, secret: bytes) -> ASGIApp:
    """Return the service as an ASGI app; `secret` (32 bytes or more) signs the players' tokens.

    The app owns nothing: whoever made `log` closes it.
    """
    framework = create_framework(log, clock, shuffler, secret)
    return Shell(framework, allowed_in(framework))


def create_framework(log: GameLog, clock: Clock, shuffler: Shuffler, secret: bytes) -> Litestar:
    """Return the Litestar app inside, which knows the routes."""
    use_cases = Games(log, clock, shuffler)
    tokens = Tokens(secret)
    return framework_app(
        [
            *players.handlers(tokens),
            *rulesets.handlers(),
            *glossary.handlers(),
            *games.handlers(use_cases, tokens, clock),
            *moves.handlers(use_cases, tokens, clock),
            *records.handlers(use_cases, tokens),
            *sheet.handlers(use_cases, tokens),
            *proofs.handlers(use_cases, tokens),
            *health.handlers(use_cases),
            *docs.handlers(),
        ]
    )
