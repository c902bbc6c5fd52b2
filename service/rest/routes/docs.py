"""The contract, and a page to read it by that needs no internet."""

from functools import cache
from importlib import resources
from pathlib import Path

import msgspec
from litestar import get

from service.rest.errors import ApiError, ErrorCode
from service.rest.requests import AnyRequest
from service.rest.responses import EncodedResponse
from service.rest.routing import Handlers

_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_MEDIA_TYPES = {
    "docs.js": "text/javascript; charset=utf-8",
    "favicon-32x32.png": "image/png",
    "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
    "swagger-ui.css": "text/css; charset=utf-8",
}


def contract() -> bytes:
    """Return `api/openapi.yaml`, which an installed package carries with it, as it stands."""
    packaged = resources.files("service.rest").joinpath("openapi.yaml")
    return packaged.read_bytes() if packaged.is_file() else _in_the_house().read_bytes()


def _in_the_house() -> Path:
    return Path(__file__).parents[3] / "api" / "openapi.yaml"


@cache
def _contract_as_json() -> bytes:
    return msgspec.json.encode(msgspec.yaml.decode(contract()))


@cache
def _static(name: str) -> bytes:
    return resources.files("service.rest").joinpath("static", name).read_bytes()


def handlers() -> Handlers:
    """Return the handlers of `/openapi.json` and `/docs`."""
    document = _contract_as_json()
    page, files = _static("docs.html"), {name: _static(name) for name in _MEDIA_TYPES}

    @get("/openapi.json")
    async def get_contract() -> EncodedResponse:
        return EncodedResponse(document)

    @get("/docs")
    async def get_docs() -> EncodedResponse:
        return EncodedResponse(page, 200, "text/html; charset=utf-8", {"Content-Security-Policy": _PAGE_POLICY})

    @get("/docs/{name:str}")
    async def get_docs_file(request: AnyRequest) -> EncodedResponse:
        name: str = request.path_params["name"]
        if name not in files:
            raise ApiError(ErrorCode.NOT_FOUND)
        return EncodedResponse(files[name], 200, _MEDIA_TYPES[name], {"Cache-Control": "public, max-age=86400"})

    return [get_contract, get_docs, get_docs_file]
