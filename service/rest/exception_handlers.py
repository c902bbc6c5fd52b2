"""Litestar's exception handlers: every exception becomes a problem document."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from litestar import Response
from litestar.enums import ParamType
from litestar.exceptions import HTTPException, ValidationException

from service.application.validation_errors import in_words
from service.rest.errors import ApiError, ErrorCode, ErrorDetail, error_response
from service.rest.middleware.allowed_methods import allow_header
from service.rest.requests import NOT_JSON
from service.rest.schemas.problems import FieldError
from service.rest.scope import AnyRequest


def _handle_exception(request: AnyRequest, error: Exception) -> Response[Any]:
    # Litestar wants a Response, and only calls its `to_asgi_response`.
    return cast("Response[Any]", error_response(error, request.scope))


def _handle_http_exception(request: AnyRequest, error: HTTPException) -> Response[Any]:
    return _handle_exception(request, _translate(error))


def _translate(error: HTTPException) -> Exception:
    match error:
        case ValidationException():
            return _invalid_parameters(cast("Sequence[Mapping[str, Any]]", error.extra or ()))
        case HTTPException(status_code=404):
            return ApiError(ErrorCode.NOT_FOUND)
        case HTTPException(status_code=405, headers=headers):
            allow = allow_header((headers or {}).get("allow", "").split(", "))
            return ApiError(ErrorCode.METHOD_NOT_ALLOWED, headers={"Allow": allow})
        case HTTPException(status_code=400):
            return ApiError(ErrorCode.INVALID_REQUEST, ErrorDetail.NOT_WELL_FORMED)
        case _:
            return error


def _invalid_parameters(found: Sequence[Mapping[str, Any]]) -> ApiError:
    return ApiError(ErrorCode.INVALID_REQUEST, errors=tuple(_field_error(each) for each in found))


def _field_error(found: Mapping[str, Any]) -> FieldError:
    if found["key"] == "data":  # a body that is missing
        return FieldError("", NOT_JSON)
    return FieldError(f"{ParamType(found['source']).value}/{found['key']}", in_words(found["message"]))


EXCEPTION_HANDLERS: dict[int | type[Exception], Callable[[AnyRequest, Any], Response[Any]]] = {
    HTTPException: _handle_http_exception,
    Exception: _handle_exception,
}
