"""The documentation pages: what links lead to, what pages load, how they are cached, what is escaped."""

import asyncio
import json
import posixpath
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.rest.docs import catalog, markdown, site, sources
from tests.kit.player import Api, client_of
from tests.rest.conftest import SECRET

PATHS = tuple(f"/{path}" for path in catalog.pages())
EACH = pytest.mark.parametrize("path", PATHS)


class Page(HTMLParser):
    """What a page links to, loads and names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.inline += [name for name in given if name == "style" or name.startswith("on")]
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "a":
            self.links += [given["href"]] if "href" in given else []
        elif "href" in given or "src" in given:
            self.loads.append(given.get("href") or given["src"])


Site = Mapping[str, httpx.Response]


@pytest.fixture(scope="module")
def served() -> Site:
    """All pages and all files that they use, by path."""

    async def fetch() -> Site:
        service = Service(MemoryStore(), SystemClock(), SeededShuffler(), SECRET)
        async with client_of(service.asgi) as client:
            paths = [*PATHS, "/openapi.json", *(f"/docs/static/{name}" for name in site.ASSETS)]
            return {path: await client.get(path) for path in paths}

    return asyncio.run(fetch())


@EACH
def test_every_page_is_html_with_one_title_and_one_heading(served: Site, path: str) -> None:
    answer = served[path]
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    [title] = re.findall(r"<title>([^<]+)</title>", answer.text)
    assert title == "Pocha" or title.endswith(" · Pocha")
    page = Page(answer.text)
    assert page.tags.count("h1") == (0 if path == "/docs/api" else 1)
    assert page.tags.count("main") == 1
    assert f'<html lang="{answer.headers["content-language"]}">' in answer.text


def test_titles_are_unique(served: Site) -> None:
    titles = [re.findall(r"<title>([^<]+)</title>", served[path].text)[0] for path in PATHS]
    assert len(set(titles)) == len(titles)


@EACH
def test_every_link_resolves(served: Site, path: str) -> None:
    page = Page(served[path].text)
    inside = [link for link in page.links if not urlsplit(link).scheme]
    assert inside
    for link in inside:
        target = urlsplit(urljoin(path, link))
        assert target.path in served, link
        if target.fragment:
            assert target.fragment in Page(served[target.path].text).ids, link


@EACH
def test_links_and_files_are_relative_so_that_pages_work_behind_a_prefix(served: Site, path: str) -> None:
    page = Page(served[path].text)
    for address in (*page.links, *page.loads):
        assert not address.startswith("/"), address
        if not urlsplit(address).scheme:
            below = posixpath.normpath(urljoin(f"/some/prefix{path}", address))
            assert below.startswith(("/some/prefix/docs", "/some/prefix/openapi.json")), address


@EACH
def test_a_page_loads_only_files_of_the_service(served: Site, path: str) -> None:
    page = Page(served[path].text)
    assert page.loads
    for address in page.loads:
        target = urlsplit(urljoin(path, address))
        assert (target.scheme, target.netloc) == ("", ""), address
        assert served[target.path].status_code == 200, address


@EACH
def test_a_page_has_a_strict_policy_and_nothing_inline(served: Site, path: str) -> None:
    answer = served[path]
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none';")
    assert "http" not in policy
    page = Page(answer.text)
    assert page.inline == []
    assert "style" not in page.tags
    if path != "/docs/api":
        assert "script" not in page.tags
        assert "script-src" not in policy
        assert "unsafe" not in policy


def test_the_style_sheets_load_nothing() -> None:
    for name in ("docs.css", "docs-api.css"):
        assert not re.search(rb"url\(|@import", site.asset(name).body)


@EACH
def test_ids_are_unique_and_every_heading_has_one(served: Site, path: str) -> None:
    text = served[path].text
    ids = Page(text).ids
    assert len(set(ids)) == len(ids)
    assert not re.search(r"<article.*<h[1-4]>", text, re.DOTALL)


def test_the_contents_come_first_and_list_every_page(served: Site) -> None:
    links = [urljoin("/docs", link) for link in Page(served["/docs"].text).links]
    listed = [link for link in links if "#" not in link]
    assert set(listed) == set(PATHS)
    assert served["/docs"].text.index("Getting started") < 3000


def test_other_pages_list_the_pages_of_their_language_and_mark_the_present_one(served: Site) -> None:
    text = served["/docs/streams"].text
    assert re.findall(r'<a href="([^"]+)" aria-current="page">', text) == ["streams"]
    assert 'href="retries"' in text
    assert re.findall(r'href="((?:rules|glossary)/\w+)"', text) == ["rules/en", "glossary/en"]
    assert re.findall(r'<li><a href="(?:\.\./)?(\w+/\w\w|\w\w)"', served["/docs/rules/es"].text) == [
        "es",
        "glossary/es",
    ]


async def test_a_page_that_the_caller_has_is_not_sent_again(api: Api) -> None:
    for address in (
        "/docs",
        "/docs/streams",
        "/docs/api",
        "/docs/static/docs.css",
        "/docs/static/swagger-ui-bundle.js",
    ):
        first = await api.client.get(address)
        tag = first.headers["etag"]
        assert re.fullmatch(r'W/"[0-9a-f]{16}"', tag)
        assert first.headers["cache-control"].startswith("public")
        for known in (tag, f'"other", {tag.removeprefix("W/")}', "*"):
            again = await api.client.get(address, headers={"If-None-Match": known})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert (await api.client.get(address, headers={"If-None-Match": '"other"'})).status_code == 200


def test_a_new_version_of_a_file_has_a_new_address(served: Site) -> None:
    [address] = [load for load in Page(served["/docs/rules/en"].text).loads if "docs.css" in load]
    tag = served["/docs/static/docs.css"].headers["etag"]
    assert address == f"../static/docs.css?v={tag[3:-1]}"


@pytest.mark.parametrize(
    "path",
    [
        "/docs/nowhere",
        "/docs/rules/it",
        "/docs/static/nothing.css",
        "/docs/static/sheet.css",
        "/docs/README.md",
        "/docs/a/b/c",
    ],
)
async def test_other_addresses_are_not_found(api: Api, path: str) -> None:
    answer = await api.client.get(path)
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


@pytest.mark.parametrize("path", ["/docs/rules", "/docs/glossary"])
@pytest.mark.parametrize(
    ("asked", "given"), [("es-MX,en;q=0.5", "es"), ("fr", "fr"), ("de-AT", "de"), ("it", "en"), ("", "en")]
)
async def test_rules_and_glossary_are_shown_in_the_language_of_the_reader(
    api: Api, path: str, asked: str, given: str
) -> None:
    answer = await api.client.get(path, headers={"Accept-Language": asked})
    assert answer.status_code == 302
    assert answer.headers["vary"] == "Accept-Language"
    assert urljoin(path, answer.headers["location"]) == f"{path}/{given}"


def test_pages_of_several_languages_link_to_each_other(served: Site) -> None:
    text = served["/docs/rules/es"].text
    assert '<html lang="es">' in text
    assert re.findall(r'rel="alternate" hreflang="(\w\w)" href="(\w\w)"', text) == [
        (one, one) for one in ("en", "es", "fr", "de")
    ]


def test_html_in_a_page_is_escaped_but_for_comments_and_anchors() -> None:
    text = (
        '# A <b onclick="x()">title</b> <a id="hook"></a>\n\n<!-- dropped -->\n\n<script>alert(1)</script>\n\n'
        'fine & <img src=x> <a id="x"></a>\n'
    )
    rendered = markdown.render(text, str)
    assert rendered.body == (
        '<h1 id="hook">A &lt;b onclick=&quot;x()&quot;&gt;title&lt;/b&gt; </h1>\n'
        "&lt;script&gt;alert(1)&lt;/script&gt;\n"
        '<p>fine &amp; &lt;img src=x&gt; <a id="x"></a></p>\n'
    )
    assert rendered.headings[0][:2] == (1, "hook")


def test_code_is_escaped_and_a_script_is_no_link() -> None:
    body = markdown.render("`<i>` [here](javascript:alert)\n\n```sh\na < b && c\n```\n", str).body
    assert "<code>&lt;i&gt;</code>" in body
    assert "a &lt; b &amp;&amp; c" in body
    assert "<a" not in body


def test_a_link_to_a_file_that_is_no_page_is_an_error() -> None:
    page = catalog.pages()["docs/streams"]
    assert catalog.resolve(page, "retries.md#what-to-do") == "retries#what-to-do"
    assert catalog.resolve(page, "../SECURITY.md") == "security"
    with pytest.raises(LookupError, match="Makefile"):
        catalog.resolve(page, "../Makefile")


def test_pages_of_several_languages_have_the_same_anchors(served: Site) -> None:
    for languages in catalog.in_languages().values():
        first, *others = (sorted(Page(served[f"/{page.path}"].text).ids) for page in languages.values())
        assert all(other == first for other in others)


HOUSE_RULES = sources.read("docs/house-rules.md")


@pytest.mark.parametrize("written", re.findall(r"\| `({.+})`(?:,[^|]*)? \|$", HOUSE_RULES, re.MULTILINE))
async def test_the_house_rules_of_the_page_are_valid(api: Api, written: str) -> None:
    answer = await api.client.post("/v1/rulesets/validate", json={"house_rules": json.loads(written)})
    assert answer.status_code == 200, answer.text
    assert answer.json()["ruleset"]["house_rules"] is True


async def test_the_example_of_house_rules_makes_a_table(api: Api) -> None:
    [written] = re.findall(r"```json\n(.*?)```", HOUSE_RULES, re.DOTALL)
    answer = await (await api.guest()).ask("POST", "/v1/games", json.loads(written))
    assert answer.status_code == 201, answer.text
