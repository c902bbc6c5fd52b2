"""`/docs`, the documentation pages and the API reference, and `/openapi.json`. Nothing of it needs the internet."""

from functools import lru_cache
from importlib import resources
from pathlib import Path

import msgspec
from litestar import get

from service.rest.docs import catalog, site
from service.rest.docs.site import Document
from service.rest.errors import ApiError, ErrorCode
from service.rest.i18n import preferred_language
from service.rest.middleware.path_prefix import path_prefix
from service.rest.negotiation import header_of
from service.rest.requests import AnyRequest
from service.rest.responses import EncodedResponse
from service.rest.routing import Handlers

_HTML = "text/html; charset=utf-8"
_PAGE_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_API_REFERENCE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_PAGE_CACHING = "public, no-cache"
_ASSET_CACHING = "public, max-age=86400"


def contract() -> bytes:
    """Return `api/openapi.yaml` as it is in the repository; an installed package carries it."""
    packaged = resources.files("service.rest").joinpath("openapi.yaml")
    return packaged.read_bytes() if packaged.is_file() else _checkout().read_bytes()


def _checkout() -> Path:
    return Path(__file__).parents[3] / "api" / "openapi.yaml"


@lru_cache(maxsize=8)
def _contract_as_json(prefix: str = "") -> bytes:
    """Return the contract, whose servers that are paths begin with `prefix`."""
    document = msgspec.yaml.decode(contract())
    for server in document["servers"]:
        if server["url"].startswith("/"):
            server["url"] = f"{prefix}{server['url']}".rstrip("/") or "/"
    return msgspec.json.encode(document)


def handlers() -> Handlers:
    """Return the handlers of `/openapi.json` and `/docs`."""

    @get("/openapi.json")
    async def get_contract() -> EncodedResponse:
        return EncodedResponse(_contract_as_json(path_prefix()))

    @get(f"/{catalog.ROOT}")
    async def get_docs(request: AnyRequest) -> EncodedResponse:
        return _page(request, catalog.ROOT)

    @get(f"/{catalog.ROOT}/{{name:str}}")
    async def get_docs_page(request: AnyRequest) -> EncodedResponse:
        path = f"{catalog.ROOT}/{request.path_params['name']}"
        if path in catalog.in_languages():
            return _to_language(request, path)
        return _page(request, path)

    @get(f"/{catalog.ROOT}/{{name:str}}/{{part:str}}")
    async def get_docs_part(request: AnyRequest) -> EncodedResponse:
        name, part = request.path_params["name"], request.path_params["part"]
        return _asset(request, part) if name == "static" else _page(request, f"{catalog.ROOT}/{name}/{part}")

    return [get_contract, get_docs, get_docs_page, get_docs_part]


def _page(request: AnyRequest, path: str) -> EncodedResponse:
    page = catalog.pages().get(path)
    if page is None:
        raise ApiError(ErrorCode.NOT_FOUND)
    is_reference = page.source == catalog.API_REFERENCE
    headers = {
        "Cache-Control": _PAGE_CACHING,
        "Content-Language": page.language,
        "Content-Security-Policy": _API_REFERENCE_POLICY if is_reference else _PAGE_POLICY,
    }
    return _conditional(request, site.html(path), _HTML, headers)


def _asset(request: AnyRequest, name: str) -> EncodedResponse:
    media_type = site.ASSETS.get(name)
    if media_type is None:
        raise ApiError(ErrorCode.NOT_FOUND)
    return _conditional(request, site.asset(name), media_type, {"Cache-Control": _ASSET_CACHING})


def _to_language(request: AnyRequest, path: str) -> EncodedResponse:
    """Redirect to the page in the reader's language. A browser keeps the anchor of the address that it asked for."""
    pages = catalog.in_languages()[path]
    page = pages[preferred_language(header_of(request.scope, b"accept-language"))]
    location = page.path.removeprefix(f"{catalog.ROOT}/")
    return EncodedResponse(
        b"", 302, headers={"Location": location, "Cache-Control": _PAGE_CACHING, "Vary": "Accept-Language"}
    )


def _conditional(request: AnyRequest, document: Document, media_type: str, headers: dict[str, str]) -> EncodedResponse:
    """Answer with a document, or with 304 where the caller has it (RFC 9110, 13.1.2)."""
    headers["ETag"] = document.etag
    asked = {tag.strip().removeprefix("W/") for tag in header_of(request.scope, b"if-none-match").split(",")}
    if asked & {document.etag, "*"}:
        return EncodedResponse(b"", 304, headers=headers)
    return EncodedResponse(document.body, 200, media_type, headers)
