"""What a request says, read strictly: bodies by msgspec with its exact types, query and path by hand."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl
from uuid import UUID

import msgspec
from litestar import Request
from litestar.exceptions import HTTPException
from msgspec import UNSET, UnsetType

from service.application import idempotency
from service.application.caller import Caller
from service.application.idempotency import RequestKey
from service.application.validation_errors import pointer_and_message
from service.rest.errors import ApiError, ErrorCode, ErrorDetail
from service.rest.middleware.access_log import current_request
from service.rest.negotiation import header_of
from service.rest.schemas import FieldError

T = TypeVar("T")

AnyRequest = Request[Any, Any, Any]

MAX_BODY_BYTES = 64 * 1024
"""How long a body may be."""

_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SEAT = re.compile(r"[0-9]")
_KEY = re.compile(r"[!-~]([ -~]{0,126}[!-~])?")
_WHOLE_NUMBER = re.compile(r"0|[1-9][0-9]{0,9}")


def invalid(pointer: str, message: str) -> ApiError:
    """Return the problem of one thing that does not fit the contract; `pointer` says where, as `FieldError` does."""
    return ApiError(ErrorCode.INVALID_REQUEST, errors=(FieldError(pointer, message),))


class BodyOf(Generic[T]):
    """Reads bodies of one type.

    `await BodyOf(BidRequest).read(request)` raises `ApiError`: the media type is not JSON (415), or the body does not fit (400).
    """

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind
        self._decoder = msgspec.json.Decoder(kind)

    async def read(self, request: AnyRequest) -> T:
        """Return the decoded body. Operations that take one take no query."""
        query_of(request, {})
        _require_json(request)
        return self._decode(await _whole_body(request))

    async def read_if_any(self, request: AnyRequest) -> T:
        """Return the decoded body; where there is none, what `{}` would be."""
        query_of(request, {})
        body = await _whole_body(request)
        if body:
            _require_json(request)
        return self._decode(body or b"{}")

    def _decode(self, body: bytes) -> T:
        try:
            return self._decoder.decode(body)
        except msgspec.ValidationError as error:
            raise invalid(*pointer_and_message(error, self._kind)) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise invalid("", "The body is not JSON (RFC 8259) in UTF-8.") from None


async def _whole_body(request: AnyRequest) -> bytes:
    body, more = b"", True
    while more:
        message = await request.receive()
        if message["type"] != "http.request":
            raise invalid("", "The body ended before its time.")  # the client went away; it is no fault of ours
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY_BYTES:
            raise ApiError(ErrorCode.TOO_LARGE)
    return body


def _require_json(request: AnyRequest) -> None:
    media_type = header_of(request.scope, b"content-type").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise ApiError(ErrorCode.UNSUPPORTED_MEDIA_TYPE)


def given(value: T | UnsetType) -> T | None:
    """Return what a body gives, or none for what it leaves out."""
    return None if value is UNSET else value


def key_of(request: AnyRequest, caller: Caller, body: msgspec.Struct | None = None) -> RequestKey | None:
    """Return the key that names this request of `caller`, with `body` if it has one; none when it came without `Idempotency-Key`."""
    given_keys = headers_of(request, b"idempotency-key")
    if not given_keys:
        return None
    if len(given_keys) > 1 or not _KEY.fullmatch(given_keys[0]):
        raise invalid(
            "header/Idempotency-Key", "Expected 1 to 128 printable ASCII characters, without spaces at the ends."
        )
    asked = b"" if body is None else msgspec.json.encode(body)
    named = idempotency.for_request if "game_id" in request.path_params else idempotency.for_creation
    return named(caller.id, given_keys[0], request.method, request.scope["path"], asked)


def headers_of(request: AnyRequest, name: bytes) -> list[str]:
    """Return the values of a header, one a line; `name` is in small letters."""
    return [value.decode("latin-1") for found, value in request.scope["headers"] if found == name]


def game_id_of(request: AnyRequest) -> UUID:
    """Return the game that the path names."""
    written: str = request.path_params["game_id"]
    if not _UUID.fullmatch(written):
        raise invalid("path/game_id", "A game id is a UUID.")
    current_request().game_id = written
    return UUID(written)


def seat_of(request: AnyRequest) -> int:
    """Return the seat that the path names."""
    written: str = request.path_params["seat"]
    if not _SEAT.fullmatch(written):
        raise invalid("path/seat", "A seat is a number from 0 to 9.")
    return int(written)


def query_of(request: AnyRequest, known: Mapping[str, Callable[[str], T]]) -> dict[str, T]:
    """Return the query's parameters, each read by its reader, which raises ValueError with a sentence on what does not fit."""
    written: dict[str, T] = {}
    for name, value in _pairs(request):
        if name not in known:
            raise invalid(f"query/{_printable(name)}", "There is no such parameter.")
        if name in written:
            raise invalid(f"query/{name}", "The parameter is given more than once.")
        try:
            written[name] = known[name](value)
        except ValueError as error:
            raise invalid(f"query/{name}", str(error)) from None
    return written


def _pairs(request: AnyRequest) -> list[tuple[str, str]]:
    raw: bytes = request.scope["query_string"]
    try:
        return parse_qsl(raw.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=20)
    except ValueError:
        raise invalid("query", "The query is not well-formed.") from None


def _printable(name: str) -> str:
    return "".join(letter for letter in name[:40] if letter.isprintable())


def number_between(low: int, high: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from `low` to `high`."""

    def read(written: str) -> int:
        if not _WHOLE_NUMBER.fullmatch(written) or not low <= int(written) <= high:
            raise ValueError(f"Expected a whole number from {low} to {high}.")
        return int(written)

    return read


def text_like(pattern: str, what: str, longest: int = 64) -> Callable[[str], str]:
    """Return a reader of texts of a form and at most `longest` characters; `what` says in a sentence what is expected."""
    form = re.compile(pattern)

    def read(written: str) -> str:
        if len(written) > longest or not form.fullmatch(written):
            raise ValueError(what)
        return written

    return read


def problem_of_litestar(error: HTTPException) -> ApiError | None:
    """Translate what Litestar raises by itself; none for what it should not have raised."""
    match error.status_code:
        case 404:
            return ApiError(ErrorCode.NOT_FOUND)
        case 405:
            return ApiError(ErrorCode.METHOD_NOT_ALLOWED)
        case 400:
            return ApiError(ErrorCode.INVALID_REQUEST, ErrorDetail.NOT_WELL_FORMED)
        case _:
            return None
