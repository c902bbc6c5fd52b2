"""A value outside an enum is refused with the values that there are, wherever the enum stands."""

from typing import Any

import msgspec
import pytest

from service.application.validation_errors import pointer_and_message
from service.rest.schemas.requests import NewGame, PlayRequest, RobotSpec, TrumpRequest


def refusal(document: object, kind: Any) -> tuple[str, str]:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(msgspec.json.encode(document), type=kind)
    return pointer_and_message(caught.value, kind)


@pytest.mark.parametrize(
    ("document", "kind", "pointer", "values"),
    [
        ({"level": "genius"}, RobotSpec, "/level", "easy"),
        ({"suit": "hearts"}, TrumpRequest, "/suit", "oros, copas, espadas, bastos."),
        ({"card": "oros-13"}, PlayRequest, "/card", "oros-1, oros-2"),
        ({"players": 4, "visibility": "secret"}, NewGame, "/visibility", "public, private."),
        ({"players": 4, "robots": [{"level": "easy"}, {"level": ""}]}, NewGame, "/robots/1/level", "easy"),
    ],
)
def test_the_values_of_an_enum_are_listed(document: object, kind: Any, pointer: str, values: str) -> None:
    where, message = refusal(document, kind)
    assert where == pointer
    assert message.startswith(f"Expected one of {values}")


def test_the_wrong_value_is_not_repeated() -> None:
    assert "hearts" not in refusal({"suit": "hearts"}, TrumpRequest)[1]


def test_other_errors_keep_their_message() -> None:
    assert refusal({"suit": 1}, TrumpRequest) == ("/suit", "Expected `str`, got `int`")
