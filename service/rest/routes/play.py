"""The table in the browser, under `/play`, and the way there from `/`."""

import hashlib

from litestar import get
from litestar.params import FromPath

from service.rest.docs import catalog
from service.rest.errors import ApiError, ErrorCode
from service.rest.play import site
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import EncodedResponse, is_current
from service.rest.routing import Router
from service.rest.scope import header

_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_LIMIT = rate_limit(Policy.READS)
_UNTIL_ASKED = "public, no-cache"
_FOREVER = "public, max-age=31536000, immutable"


def home_router(*, has_table: bool) -> Router:
    """Return the route of `/`, which leads browsers to the table, if there is one, and all others to the documentation."""

    @get("/", opt=_LIMIT)
    async def get_home(request: ApiRequest) -> EncodedResponse:
        is_browser = "text/html" in header(request.scope, b"accept")
        location = f"/{site.ROOT if has_table and is_browser else catalog.ROOT}"
        return EncodedResponse(
            b"", 302, headers={"Location": location, "Cache-Control": _UNTIL_ASKED, "Vary": "Accept"}
        )

    return Router("/", route_handlers=[get_home])


def router() -> Router:
    """Return the routes of the page and of its files."""

    @get(f"/{site.ROOT}", opt=_LIMIT)
    async def get_table(request: ApiRequest) -> EncodedResponse:
        body = site.page()
        etag = f'W/"{hashlib.sha256(body).hexdigest()[:16]}"'
        headers = {"Cache-Control": _UNTIL_ASKED, "Content-Security-Policy": _PAGE_POLICY, "ETag": etag}
        if is_current(request.scope, etag):
            return EncodedResponse(b"", 304, headers=headers | {"Vary": "Accept-Encoding"})
        return EncodedResponse(body, 200, "text/html; charset=utf-8", headers)

    @get(f"/{site.ROOT}/{{version:str}}/{{path:path}}", opt=_LIMIT)
    async def get_table_file(version: FromPath[str], path: FromPath[str]) -> EncodedResponse:
        file = site.files().get(path.strip("/"))
        if file is None:
            raise ApiError(ErrorCode.NOT_FOUND)
        # While versions of the service change, another one may have served the page: its files then come from here, but are not kept.
        caching = _FOREVER if version == site.version() else _UNTIL_ASKED
        return EncodedResponse(file.body, 200, file.media_type, {"Cache-Control": caching})

    return Router("/", route_handlers=[get_table, get_table_file])
