"""The secret is changed in the steps of docs/operations.md, while processes change one by one."""

from itertools import pairwise

import pytest

from service.adapters.clock import SystemClock
from service.application.caller import InvalidCredential, player_caller
from service.rest.auth.tokens import Tokens

OLD, NEW = b"the secret of before, of thirty-two bytes", b"the secret from now on, of as many or more"
STEPS = ((OLD, None), (OLD, NEW), (NEW, OLD), (NEW, None))
ANA = player_caller("", "ana", "Ana")


def process(step: tuple[bytes, bytes | None]) -> Tokens:
    """Return what a process takes and gives at a step: its secret, and the one that it was given as the one before."""
    return Tokens(SystemClock(), *step)


@pytest.mark.parametrize(("before", "after"), list(pairwise(STEPS)))
def test_processes_of_a_step_and_of_the_next_take_each_others_tokens(
    before: tuple[bytes, bytes | None], after: tuple[bytes, bytes | None]
) -> None:
    for giving, taking in ((before, after), (after, before)):
        token = process(giving).issue(ANA).token
        assert process(taking).read(token).caller == ANA


def test_in_one_step_less_processes_that_have_not_changed_yet_would_refuse_the_new_tokens() -> None:
    token = process(STEPS[2]).issue(ANA).token
    with pytest.raises(InvalidCredential):
        process(STEPS[0]).read(token)


def test_after_the_last_step_tokens_of_the_old_secret_are_void() -> None:
    token = process(STEPS[0]).issue(ANA).token
    with pytest.raises(InvalidCredential):
        process(STEPS[3]).read(token)
