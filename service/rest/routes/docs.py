"""The documentation: pages and the API reference under `/docs`, and the contract as `/openapi.json`. None of it needs the internet."""

from functools import lru_cache
from importlib import resources
from pathlib import Path

import msgspec
from litestar import get
from litestar.params import FromPath
from litestar.types import Scope

from service.rest.docs import catalog, site
from service.rest.docs.site import Document
from service.rest.errors import ApiError, ErrorCode
from service.rest.i18n import preferred_language
from service.rest.middleware.path_prefix import path_prefix
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import CachedJson, EncodedResponse, is_current
from service.rest.routing import Router
from service.rest.scope import header

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
_LIMIT = rate_limit(Policy.READS)

GUESSED = {
    "/health": "/healthz",
    "/livez": "/healthz",
    "/ready": "/readyz",
    "/v1": f"/{catalog.ROOT}/api",
    "/openapi.yaml": "/openapi.json",
    "/favicon.ico": f"/{catalog.ROOT}/static/favicon-32x32.png",
}
"""Addresses that people and programs try, and where they lead."""
_PROBLEM_CODES = frozenset(code.code for code in ErrorCode)


def contract() -> bytes:
    """Return `api/openapi.yaml` as it is in the repository; an installed package carries it."""
    packaged = resources.files("service.rest").joinpath("openapi.yaml")
    return packaged.read_bytes() if packaged.is_file() else _checkout().read_bytes()


def _checkout() -> Path:
    return Path(__file__).parents[3] / "api" / "openapi.yaml"


@lru_cache(maxsize=8)
def _contract_as_json(prefix: str = "") -> CachedJson:
    """Return the contract as this service serves it: its server is this one, and links to the documentation begin with `prefix`."""
    document = msgspec.yaml.decode(contract().replace(b"](/docs", f"]({prefix}/docs".encode()))
    document["servers"] = [{"url": prefix or "/", "description": "The service that serves this document."}]
    return CachedJson(document)


def router() -> Router:
    """Return the routes of `/openapi.json` and `/docs`, and the `type` of every problem, which leads there."""

    @get("/openapi.json", opt=_LIMIT)
    async def get_contract(request: ApiRequest) -> EncodedResponse:
        return _contract_as_json(path_prefix()).response(request.scope)

    @get(f"/{catalog.ROOT}", opt=_LIMIT)
    async def get_docs(request: ApiRequest) -> EncodedResponse:
        return _page(request.scope, catalog.ROOT)

    @get(f"/{catalog.ROOT}/{{name:str}}", opt=_LIMIT)
    async def get_docs_page(request: ApiRequest, name: FromPath[str]) -> EncodedResponse:
        path = f"{catalog.ROOT}/{name}"
        if path in catalog.in_languages():
            return _redirect_to_language(request.scope, path)
        return _page(request.scope, path)

    @get(f"/{catalog.ROOT}/{{name:str}}/{{part:str}}", opt=_LIMIT)
    async def get_docs_part(request: ApiRequest, name: FromPath[str], part: FromPath[str]) -> EncodedResponse:
        if name == "static":
            return _asset(request.scope, part)
        return _page(request.scope, f"{catalog.ROOT}/{name}/{part}")

    @get(list(GUESSED), opt=_LIMIT)
    async def get_guessed(request: ApiRequest) -> EncodedResponse:
        return _redirect(GUESSED[request.scope["path"]])

    @get("/problems/{code:str}", opt=_LIMIT)
    async def get_problem_page(code: FromPath[str]) -> EncodedResponse:
        if code not in _PROBLEM_CODES:
            raise ApiError(ErrorCode.NOT_FOUND)
        return _redirect(f"/{catalog.ROOT}/errors#{code}")

    return Router(
        "/",
        route_handlers=[
            get_contract,
            get_docs,
            get_docs_page,
            get_docs_part,
            get_guessed,
            get_problem_page,
        ],
    )


def _page(scope: Scope, path: str) -> EncodedResponse:
    page = catalog.pages().get(path)
    if page is None:
        raise ApiError(ErrorCode.NOT_FOUND)
    is_reference = page.source == catalog.API_REFERENCE
    headers = {
        "Cache-Control": _PAGE_CACHING,
        "Content-Language": page.language,
        "Content-Security-Policy": _API_REFERENCE_POLICY if is_reference else _PAGE_POLICY,
    }
    return _conditional(scope, site.html(path), _HTML, headers)


def _asset(scope: Scope, name: str) -> EncodedResponse:
    media_type = site.ASSETS.get(name)
    if media_type is None:
        raise ApiError(ErrorCode.NOT_FOUND)
    return _conditional(scope, site.asset(name), media_type, {"Cache-Control": _ASSET_CACHING})


def _redirect(path: str) -> EncodedResponse:
    return EncodedResponse(b"", 302, headers={"Location": path, "Cache-Control": _PAGE_CACHING})


def _redirect_to_language(scope: Scope, path: str) -> EncodedResponse:
    """Redirect to the page in the reader's language. A browser keeps the anchor of the address that it asked for."""
    pages = catalog.in_languages()[path]
    page = pages[preferred_language(header(scope, b"accept-language"))]
    location = page.path.removeprefix(f"{catalog.ROOT}/")
    return EncodedResponse(
        b"", 302, headers={"Location": location, "Cache-Control": _PAGE_CACHING, "Vary": "Accept-Language"}
    )


def _conditional(scope: Scope, document: Document, media_type: str, headers: dict[str, str]) -> EncodedResponse:
    """Return a document, or 304 where the client has it."""
    headers["ETag"] = document.etag
    if is_current(scope, document.etag):
        return EncodedResponse(b"", 304, headers=headers | {"Vary": "Accept-Encoding"})
    return EncodedResponse(document.body, 200, media_type, headers)
