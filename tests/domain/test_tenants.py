"""Whose a table is: kept in its first event, and nothing to the rules of the game."""

import msgspec
import pytest

from domain.pocha import decide
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.commands import CreateGame
from domain.pocha.model.events import Event, GameCreated
from domain.pocha.model.state import NotCreated, table_of
from domain.pocha.view.event_view import redact
from domain.pocha.view.game_view import see
from domain.table.table import Visibility
from tests.domain.playout import FRAME
from tests.domain.tables import ANA, COMMITMENT, HOUSE, SEED


def created(tenant: str) -> tuple[Event, ...]:
    return decide(
        NotCreated(), CreateGame(HOUSE, 3, ANA, (), Visibility.PUBLIC, SEED, COMMITMENT, tenant=tenant)
    ).events


@pytest.mark.parametrize("tenant", ["", "app:shop", "issuer:https://login.example"])
def test_a_table_belongs_to_whom_it_was_made_for(tenant: str) -> None:
    assert table_of(fold(NotCreated(), created(tenant))).tenant == tenant


def test_a_table_of_the_open_service_is_written_as_before_there_were_tenants() -> None:
    assert b"tenant" not in msgspec.json.encode(created(""))
    assert b'"tenant":"app:shop"' in msgspec.json.encode(created("app:shop"))


def test_what_was_written_before_there_were_tenants_is_the_open_services() -> None:
    written = msgspec.json.encode(created("")[0])
    assert msgspec.json.decode(written, type=GameCreated).tenant == ""


def test_nobody_at_the_table_is_told_whose_it_is() -> None:
    """Nor does anything else that is shown depend on it."""
    of_app, of_nobody = created("app:shop"), created("")
    for viewer in (None, 0):
        assert see(fold(NotCreated(), of_app), viewer, FRAME) == see(fold(NotCreated(), of_nobody), viewer, FRAME)
        for one, other in zip(of_app, of_nobody, strict=True):
            assert redact(one, viewer, 1, FRAME.now) == redact(other, viewer, 1, FRAME.now)
