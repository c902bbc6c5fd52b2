"""Invite codes: who is invited to a private table."""

import pytest

from domain.table.table import Player, Seat, Table, Visibility
from service.application.invitations import is_invited, new_invite_code

CODE = "q7x-invite"


def table(invite_code: str | None) -> Table:
    return Table(Player("ana"), (Seat(), Seat()), Visibility.PRIVATE, b"", "", invite_code)


def test_the_right_code_invites() -> None:
    assert is_invited(table(CODE), CODE)


@pytest.mark.parametrize("code", [None, "", "wrong", CODE.upper(), f"{CODE} ", "ñandú", "\ud800"])
def test_no_other_code_invites(code: str | None) -> None:
    assert not is_invited(table(CODE), code)


@pytest.mark.parametrize("code", [None, "", "None"])
def test_a_table_without_a_code_invites_nobody(code: str | None) -> None:
    assert not is_invited(table(None), code)


def test_a_new_code_is_another_one_each_time() -> None:
    codes = {new_invite_code() for _ in range(100)}
    assert {len(code) for code in codes} == {16}
    assert len(codes) == 100
