"""A player's games as the player may see them, in lists and in the stream of all of them."""

from uuid import UUID

from msgspec import UNSET

from domain.pocha.model.state import Finished, ruleset_of, table_of
from domain.pocha.view import game_view
from domain.pocha.view.parts import present, ruleset_ref
from domain.pocha.view.schema import Result
from service.application.caller import Caller
from service.application.repository import Game
from service.rest.i18n import Language
from service.rest.presenter import GamePresenter
from service.rest.schemas.responses import MyGame


def my_game(
    game: Game, caller: Caller, presenter: GamePresenter, language: Language, rematch: UUID | None = None
) -> MyGame:
    """Return a game of the caller; `rematch` is the next game of its table, where the caller may take a seat."""
    viewer, state = game.seat_of(caller), game.state
    table = table_of(state)
    return MyGame(
        game_id=str(game.game_id),
        version=game.version,
        status=game_view.status(state),
        ruleset=ruleset_ref(ruleset_of(state)),
        players=len(table.seats),
        visibility=table.visibility,
        created_at=game.created_at,
        seats=presenter.seats(game, language),
        scores=game_view.scores(state),
        my_seat=present(viewer),
        turn=presenter.turn(game, viewer),
        result=Result(state.winners) if isinstance(state, Finished) else UNSET,
        rematch_id=UNSET if rematch is None else str(rematch),
    )
