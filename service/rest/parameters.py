"""Path and query parameters, checked strictly before Litestar converts them."""

import re
from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any
from urllib.parse import parse_qsl
from uuid import UUID

from litestar.handlers import BaseRouteHandler
from litestar.params import ParameterKwarg, PathParameter, QueryParameter
from litestar.typing import FieldDefinition

from domain.pocha.view.schema import MAX_VERSION
from service.rest.errors import invalid_request
from service.rest.middleware.access_log import current_request
from service.rest.scope import AnyRequest
from service.rest.score_sheet.csv_table import Dialect

GameId = Annotated[UUID, PathParameter()]
ScoreKeeperId = Annotated[UUID, PathParameter()]
WebhookId = Annotated[UUID, PathParameter()]
PlayerId = Annotated[UUID, PathParameter()]
PathSeat = Annotated[int, PathParameter(ge=0, le=9)]

MAX_WAIT_SECONDS = 30
AfterVersion = Annotated[int | None, QueryParameter(ge=0, le=MAX_VERSION)]
WaitSeconds = Annotated[int | None, QueryParameter(ge=0, le=MAX_WAIT_SECONDS)]

CsvDialect = Annotated[Dialect | None, QueryParameter()]

TicketParameter = Annotated[str | None, QueryParameter(max_length=2000)]

_MAX_QUERY_FIELDS = 20
_MAX_NAME_LENGTH = 40

_Form = tuple[re.Pattern[str], str]
"""How values of a type are written, and the message where one is not."""

_FORMS: Mapping[type, _Form] = {
    int: (re.compile(r"0|[1-9][0-9]{0,9}"), "Expected a whole number."),
    UUID: (re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"), "Expected a UUID."),
}
_ANY: _Form = (re.compile(r".*", re.DOTALL), "")


class ParameterCheck:
    """A `before_request` hook that refuses parameters that Litestar's lenient conversion accepts.

    Litestar ignores unknown query parameters, takes the last of repeated ones, and reads `1.0`, ` 3`, `1_0` and digits of other
    scripts as integers, `null` as absence, and 32 digits without hyphens as a UUID. Ranges and patterns stay Litestar's to check.
    """

    def __init__(self) -> None:
        self._forms: dict[int, Mapping[str, _Form]] = {}

    async def __call__(self, request: AnyRequest) -> None:
        """Check the parameters of a request, and log its game, score sheet or web hook.

        Raises:
            ApiError: one does not fit the contract.
        """
        forms = self._forms_of(request.scope["route_handler"])
        for name, value in request.path_params.items():
            _require_form(f"path/{name}", forms.get(name, _ANY), value)
        current_request().game_id = request.path_params.get("game_id", "").lower()
        current_request().score_keeper_id = request.path_params.get("score_keeper_id", "").lower()
        current_request().webhook_id = request.path_params.get("webhook_id", "").lower()
        if request.scope["query_string"]:
            _check_query(request.scope["query_string"], forms, request.path_params)

    def _forms_of(self, handler: BaseRouteHandler) -> Mapping[str, _Form]:
        forms = self._forms.get(id(handler))
        if forms is None:
            forms = self._forms[id(handler)] = _forms_of(handler.parsed_fn_signature.parameters)
        return forms


def _forms_of(parameters: Mapping[str, FieldDefinition]) -> Mapping[str, _Form]:
    return {
        name: _form_of(field)
        for name, field in parameters.items()
        if isinstance(field.kwarg_definition, ParameterKwarg)
    }


def _form_of(field: FieldDefinition) -> _Form:
    for each in field.inner_types if field.is_union else (field,):
        if each.annotation in _FORMS:
            return _FORMS[each.annotation]
        if each.is_subclass_of(Enum):
            values = [str(member.value) for member in each.annotation]
            return re.compile("|".join(map(re.escape, values))), f"Expected one of {', '.join(values)}."
    return _ANY


def _check_query(query: bytes, forms: Mapping[str, _Form], path_parameters: Mapping[str, Any]) -> None:
    found: set[str] = set()
    for name, value in _parse_query(query):
        if name not in forms or name in path_parameters:
            raise invalid_request(f"query/{_printable(name)}", _unknown_parameter(forms, path_parameters))
        if name in found:
            raise invalid_request(f"query/{name}", "The parameter is given more than once.")
        found.add(name)
        _require_form(f"query/{name}", forms[name], value)


def _unknown_parameter(forms: Mapping[str, _Form], path_parameters: Mapping[str, Any]) -> str:
    known = ", ".join(name for name in forms if name not in path_parameters)
    return (
        f"Unknown parameter. This operation takes {known}."
        if known
        else "Unknown parameter. This operation takes none."
    )


def _parse_query(query: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(
            query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MAX_QUERY_FIELDS
        )
    except ValueError:
        raise invalid_request("query", "The query is not well-formed.") from None


def _require_form(pointer: str, form: _Form, value: str) -> None:
    pattern, message = form
    if not pattern.fullmatch(value):
        raise invalid_request(pointer, message)


def _printable(name: str) -> str:
    return "".join(letter for letter in name[:_MAX_NAME_LENGTH] if letter.isprintable())
