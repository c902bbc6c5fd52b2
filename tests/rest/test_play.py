"""The table in the browser as it is served: small, cached, closed to other hosts, in the words of the service."""

import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.rest.i18n import Language, messages_in
from service.rest.play import site
from tests.kit.player import Api, client_of
from tests.rest.conftest import SECRET

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "clients" / "table" / "src"
STATIC = ROOT / "service" / "rest" / "play" / "static"
MOST_BYTES = 120_000
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


async def test_the_page_has_a_strict_policy_and_loads_only_its_own_files(api: Api) -> None:
    answer = await api.client.get("/play")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script>", answer.text)
    addresses = re.findall(r'(?:href|src)="([^"]+)"', answer.text)
    assert addresses
    for address in addresses:
        assert not address.startswith(("/", "http")), address
        assert (await api.client.get(f"/{address}", follow_redirects=True)).status_code == 200, address


async def test_files_are_kept_for_good_under_an_address_of_their_version(api: Api) -> None:
    for path, file in site.files().items():
        answer = await api.client.get(f"/play/{site.version()}/{path}")
        assert (answer.status_code, answer.content) == (200, file.body), path
        assert answer.headers["content-type"] == file.media_type
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    of_another_version = await api.client.get("/play/0123456789abcdef/table.css")
    assert of_another_version.headers["cache-control"] == "public, no-cache"


async def test_the_page_is_asked_for_again_and_not_sent_again(api: Api) -> None:
    first = await api.client.get("/play")
    assert first.headers["cache-control"] == "public, no-cache"
    again = await api.client.get("/play", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path", ["nothing.js", "../site.py", "%2e%2e/site.py", "table/src/vendor/LICENSES", "words/it.json", "table"]
)
async def test_other_addresses_are_not_found(api: Api, path: str) -> None:
    assert (await api.client.get(f"/play/{site.version()}/{path}")).status_code == 404


async def test_all_of_it_is_small() -> None:
    packed = [gzip.compress(file.body) for file in site.files().values()]
    assert sum(map(len, packed)) + len(gzip.compress(site.page())) < MOST_BYTES


async def test_the_root_leads_browsers_to_the_table_and_others_to_the_documentation(api: Api) -> None:
    for headers, location in ((BROWSER, "/play"), ({}, "/docs")):
        answer = await api.client.get("/", headers=headers)
        assert (answer.status_code, answer.headers["location"], answer.headers["vary"]) == (302, location, "Accept")


async def test_a_setting_switches_the_table_off() -> None:
    service = Service(MemoryStore(), SystemClock(), SeededShuffler(), SECRET, has_table=False)
    async with client_of(service.asgi) as client:
        assert (await client.get("/play")).status_code == 404
        assert (await client.get(f"/play/{site.version()}/table.css")).status_code == 404
        assert (await client.get("/", headers=BROWSER)).headers["location"] == "/docs"


@pytest.mark.parametrize("language", Language)
async def test_the_words_are_those_of_the_service(api: Api, language: Language) -> None:
    words = (await api.client.get(f"/play/{site.version()}/words/{language}.json")).json()
    messages = messages_in(language)
    assert (words["language"], words["texts"], words["of_suit"]) == (language, messages.play, messages.of_suit)
    assert words["meanings"]["baza"][0] == {"en": "trick", "es": "baza", "fr": "pli", "de": "Stich"}[language]


def test_the_sources_use_every_text_and_no_other() -> None:
    written = "\n".join(path.read_text("utf-8") for path in SOURCES.glob("*.ts*"))
    texts = messages_in(Language.EN).play
    used = set(re.findall(r'"([a-z_]+)"', written))
    assert [key for key in texts if key not in used] == []
    # A choice between two texts stands within the brackets.
    asked = set(re.findall(r'\bt\("([a-z_]+)"', written)) | set(re.findall(r'\bt\([^()"]*\? "([a-z_]+)" : ', written))
    assert sorted(asked - texts.keys()) == []


def test_no_text_is_written_into_the_sources() -> None:
    """Between tags stand expressions and signs alone."""
    for path in SOURCES.glob("*.tsx"):
        found = re.findall(r">\s*([A-Za-z][a-z]+ [a-z][^<>{}();=&|]*)<", path.read_text("utf-8"))
        assert found == [], path.name


def test_the_compiled_files_are_those_of_the_sources(tmp_path: Path) -> None:
    """And the types those of the contract."""
    tools = ROOT / "clients" / "node_modules"
    if shutil.which("node") is None or not tools.is_dir():
        pytest.skip("no node or no clients/node_modules here (make client): compiled files are not compared")
    contract = (ROOT / "clients" / "typescript" / "src" / "contract.ts").read_bytes()
    subprocess.run(["sh", ROOT / "clients" / "build.sh", tmp_path], check=True, capture_output=True, timeout=240)
    assert (ROOT / "clients" / "typescript" / "src" / "contract.ts").read_bytes() == contract, "run make client"
    made = {path.relative_to(tmp_path) for path in tmp_path.rglob("*.js")}
    assert made == {path.relative_to(STATIC) for path in STATIC.rglob("*.js")}
    for path in made:
        assert (tmp_path / path).read_bytes() == (STATIC / path).read_bytes(), f"{path}: run make client"


def test_the_libraries_have_their_licences() -> None:
    vendored = STATIC / "table" / "src" / "vendor"
    locked = json.loads((ROOT / "clients" / "package-lock.json").read_text())["packages"]
    licences = (vendored / "LICENSES").read_text()
    for name in ("preact", "lean-qr"):
        assert f"node_modules/{name}" in locked
        assert f"{name}\n\n" in licences
    assert licences.count("Permission is hereby granted") == 2
