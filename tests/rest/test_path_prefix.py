"""Kind: served under a path prefix, every address in a response leads back to the service."""

import re
from html.parser import HTMLParser
from ipaddress import ip_network
from typing import Any, cast
from urllib.parse import urljoin

import httpx
import pytest

from service.bootstrap.service import Service
from service.rest.middleware.path_prefix import PathPrefixMiddleware
from tests.kit.player import Api

PREFIXES = ["/pocha", "/games/pocha-2", "/~ana", "/v1"]
PROXY = (ip_network("127.0.0.0/8"),)


class Links(HTMLParser):
    """Collects what a page links to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {value for name, value in attrs if name in {"href", "src", "action"} and value and tag != "html"}


def client(service: Service, prefix: str = "", *, said: str = "", peer: str = "127.0.0.1") -> httpx.AsyncClient:
    """Return a client of the service under a fixed prefix, or of a proxy at `peer` that has taken off the prefix that it `said`."""
    app = PathPrefixMiddleware(service.asgi, prefix, PROXY)
    transport = httpx.ASGITransport(cast("Any", app), client=(peer, 4711))
    headers = {"X-Forwarded-Prefix": said} if said else {}
    return httpx.AsyncClient(transport=transport, base_url="http://pocha.example", headers=headers)


@pytest.mark.parametrize("prefix", PREFIXES[:-1])
async def test_a_proxy_that_leaves_the_prefix_on_and_one_that_takes_it_off_get_the_same(
    service: Service, prefix: str
) -> None:
    async with client(service, prefix) as fixed, client(service, said=prefix) as told:
        for path in ("/v1/rulesets/clasica", "/nowhere", "/openapi.json"):
            answers = [await fixed.get(prefix + path), await told.get(path)]
            assert len({(answer.status_code, answer.content) for answer in answers}) == 1
            assert answers[0].status_code in {200, 404}


@pytest.mark.parametrize("prefix", PREFIXES)
async def test_location_server_and_types_of_problems_begin_with_the_prefix(service: Service, prefix: str) -> None:
    async with client(service, said=prefix) as proxied:
        ana = await Api(proxied).guest()
        created = await ana.ask("POST", "/v1/games", {"players": 4})
        assert created.headers["location"] == f"{prefix}/v1/games/{created.json()['game_id']}"
        refused = await ana.ask("GET", "/v1/games/nonsense")
        assert refused.json()["type"].startswith(f"{prefix}/")
        [server, *_] = (await proxied.get("/openapi.json")).json()["servers"]
        document = f"http://pocha.example{prefix}/openapi.json"
        assert urljoin(document, server["url"]).rstrip("/") == f"http://pocha.example{prefix}"


async def test_paths_in_answers_begin_with_the_prefix_and_lead_back(service: Service) -> None:
    async with client(service, "/pocha") as proxied:
        ana = await Api(proxied).guest()
        game = await ana.create()
        links = (await ana.ask("POST", f"/v1/games/{game['game_id']}/score-sheet-links")).json()
        for form in ("html", "csv"):
            assert (await proxied.get(links[form])).status_code == 200
        for body in ({}, {"game_id": game["game_id"]}):
            ticket = (await ana.ask("POST", "/v1/stream-tickets", body)).json()
            assert ticket["path"].startswith("/pocha/v1/")


async def test_links_in_the_contract_lead_to_the_documentation_under_the_prefix(service: Service) -> None:
    async with client(service, "/pocha") as proxied:
        document = (await proxied.get("/pocha/openapi.json")).text
        linked = set(re.findall(r"\]\((/[^)#]+)", document))
        assert len(linked) > 5
        for path in linked:
            assert (await proxied.get(path, follow_redirects=True)).status_code == 200, path


@pytest.mark.parametrize(("path", "location"), [("/", "/docs"), ("/problems/not-found", "/docs/errors#not-found")])
async def test_redirects_lead_to_a_page_under_the_prefix(service: Service, path: str, location: str) -> None:
    async with client(service, "/pocha") as proxied:
        response = await proxied.get(f"/pocha{path}")
        assert (response.status_code, response.headers["location"]) == (302, f"/pocha{location}")


async def test_every_link_of_the_documentation_leads_to_a_page_under_the_prefix(service: Service) -> None:
    async with client(service, "/pocha") as proxied:
        seen, todo = set[str](), ["http://pocha.example/pocha/docs"]
        while todo:
            page = await proxied.get(todo[-1], follow_redirects=True)
            assert page.status_code == 200, todo[-1]
            seen.add(todo.pop())
            if page.headers["content-type"].startswith("text/html"):
                links = Links()
                links.feed(page.text)
                for link in links.found:
                    address = urljoin(str(page.url), link).partition("#")[0]
                    if address.startswith("http://pocha.example"):
                        assert address.startswith("http://pocha.example/pocha/"), (page.url, link)
                        todo += [address] if address not in seen and address not in todo else []
        assert len(seen) > 10


@pytest.mark.parametrize(
    "said",
    ["pocha", "/pocha/", "/a/../b", "/..", "//evil.example", "/a b", "/a\\b", "https://evil.example", "/a,/b", "/" * 3],
)
async def test_what_is_no_prefix_is_passed_over(service: Service, said: str) -> None:
    async with client(service, said=said) as proxied:
        assert (await proxied.get("/nowhere")).json()["type"] == "/problems/not-found"


async def test_a_prefix_is_not_believed_of_anybody(service: Service) -> None:
    async with client(service, said="/evil", peer="203.0.113.9") as stranger:
        assert (await stranger.get("/nowhere")).json()["type"] == "/problems/not-found"
    async with client(service, "/pocha", said="/evil") as proxied:
        assert re.match("/pocha/", (await proxied.get("/nowhere")).json()["type"])


async def test_no_request_sees_the_prefix_of_another(service: Service) -> None:
    async with client(service, said="/pocha") as proxied, client(service) as plain:
        await proxied.get("/nowhere")
        assert (await plain.get("/nowhere")).json()["type"] == "/problems/not-found"
