"""A value outside an enum is refused with the values that there are, wherever the enum stands."""

from typing import Any

import msgspec
import pytest

from service.application.validation_errors import pointer_and_message
from service.rest.schemas.requests import NewGame, NewPlayer, PlayRequest, RobotSpec, TrumpRequest
from service.rest.schemas.score_keepers import JoinByCodeRequest


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


@pytest.mark.parametrize(
    ("document", "kind", "message"),
    [
        ({"display_name": "a\tb"}, NewPlayer, "Expected text without control characters."),
        ({"display_name": "Ana", "external_id": "\x85"}, NewPlayer, "Expected text without control characters."),
        ({"ruleset": "Clasica", "players": 4}, NewGame, "Expected text of the form ^[a-z0-9]+(-[a-z0-9]+)*$"),
        ({"code": "abc-de"}, JoinByCodeRequest, "Expected text of the form ^[A-Za-z0-9]{6}$"),
        (
            {"players": 4, "house_rules": {"colour": {}}},
            NewGame,
            "Expected one of players, schedule, deck, seating, dealer, trump, bidding, auction, play, scoring, renuncio, tiebreak.",
        ),
    ],
)
def test_a_pattern_is_said_in_words_or_as_the_contract_writes_it(document: object, kind: Any, message: str) -> None:
    """Kind: a refusal that says how the service is written, and not what to send."""
    assert refusal(document, kind)[1] == message


def test_the_wrong_value_is_not_repeated() -> None:
    assert "hearts" not in refusal({"suit": "hearts"}, TrumpRequest)[1]


def test_other_errors_keep_their_message() -> None:
    assert refusal({"suit": 1}, TrumpRequest) == ("/suit", "Expected `str`, got `int`")
