"""Requests and their bodies: strict JSON, decoded once by msgspec with exact types and without unknown fields."""

from collections.abc import Generator
from functools import cache
from typing import Any, cast

import msgspec
from litestar import Request
from litestar.datastructures import State
from litestar.dto import AbstractDTO, DTOFieldDefinition
from litestar.types import Receive, Scope
from litestar.typing import FieldDefinition
from typing_extensions import override

from service.application.caller import Caller
from service.application.validation_errors import pointer_and_message
from service.rest.errors import ApiError, ErrorCode, ErrorDetail, invalid_request
from service.rest.scope import header

MAX_BODY_BYTES = 64 * 1024
NOT_JSON = "The body is not JSON (RFC 8259) in UTF-8."
_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")  # gzip, zstd


class ApiRequest(Request[Caller, Any, State]):
    """The request class of the app. `user` is the authenticated caller, on routes behind authentication."""

    @override
    async def body(self) -> bytes:
        """Read the body of a request whose handler takes one.

        Raises:
            ApiError: it is not JSON by its media type, is too large, or the client disconnected before its end.
        """
        if not _data_field(self).has_default:
            _require_json(self.scope)
        length = header(self.scope, b"content-length")
        if length.isdecimal() and int(length) > MAX_BODY_BYTES:  # refused before it is sent
            raise ApiError(ErrorCode.TOO_LARGE)
        return await _read(self.receive)


class StrictJson(AbstractDTO[Any]):
    """Decodes the `data` of handlers. Without a DTO, Litestar converts leniently: it takes `"1"` for an integer."""

    @classmethod
    @override
    def create_for_field_definition(
        cls, field_definition: FieldDefinition, handler_id: str, backend_cls: type[Any] | None = None
    ) -> None:
        _decoder(field_definition.annotation)

    @override
    def decode_bytes(self, value: bytes) -> Any:
        """Return the decoded body.

        Raises:
            ApiError: the body does not fit its type, or is no JSON.
        """
        request = cast("ApiRequest", self.asgi_connection)
        field = _data_field(request)
        if field.has_default:  # an optional body: its media type matters only where there is one
            _require_json(request.scope)
        try:
            return _decoder(field.annotation).decode(value)
        except msgspec.ValidationError as error:
            raise invalid_request(*pointer_and_message(error, field.annotation)) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise invalid_request("", _not_json(value)) from None

    @classmethod
    @override
    def generate_field_definitions(cls, model_type: type[Any]) -> Generator[DTOFieldDefinition, None, None]:
        yield from ()

    @classmethod
    @override
    def detect_nested_field(cls, field_definition: FieldDefinition) -> bool:
        return False


def _data_field(request: ApiRequest) -> FieldDefinition:
    field = request.route_handler.parsed_data_field
    assert field is not None  # noqa: S101 - bodies are read only for handlers with a parameter `data`
    return field


def _not_json(value: bytes) -> str:
    if value.startswith(_BYTE_ORDER_MARKS):
        return "The body begins with a byte order mark. Send UTF-8 without one."
    if value.startswith(_COMPRESSED):
        return "The body is compressed. Send it as it is."
    return NOT_JSON


def _require_json(scope: Scope) -> None:
    if header(scope, b"content-encoding").strip().lower() not in ("", "identity"):
        raise ApiError(ErrorCode.UNSUPPORTED_MEDIA_TYPE, detail=ErrorDetail.CONTENT_ENCODING)
    if header(scope, b"content-type").partition(";")[0].strip().lower() != "application/json":
        raise ApiError(ErrorCode.UNSUPPORTED_MEDIA_TYPE)


async def _read(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise invalid_request("", "The body ended too early.")
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY_BYTES:
            raise ApiError(ErrorCode.TOO_LARGE)
    return body


@cache
def _decoder(kind: type) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)
