"""Both clients can do what an app for players needs: every operation of the contract that a player may call."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.contract.document import Json, operations

CLIENTS = Path(__file__).parents[2] / "clients"
PYTHON = CLIENTS / "python" / "src" / "pocha_client" / "aio.py"
TYPESCRIPT = CLIENTS / "typescript" / "src"

LEFT_OUT = {
    "score keepers": "an app of its own: no game, no robots; generated clients have it",
    "service": "for operators and documentation",
}
"""Tags of operations that neither client has."""
PAGES = ("score-sheet.csv", "score-sheet.html", "score-sheet-links", "{link}")
"""Parts of addresses that a browser opens."""
MOVES = ("bids", "auction-bids", "auction-passes", "plays", "trump", "blind-pick", "renuncio-claims", "robot-moves")


def wanted() -> set[str]:
    """Return what both clients must be able to do, as method and path."""
    return {
        f"{each.method.upper()} {re.sub(r'{[^}]*}', '{}', each.path)}"
        for each in operations()
        if not LEFT_OUT.keys() & {*each.what["tags"]}
        and not any(page in each.path for page in PAGES)
        and is_for_players(each.what.get("security"))
    } | {"POST /v1/joins"}


def is_for_players(security: list[Json] | None) -> bool:
    return not security or any("playerToken" in scheme for scheme in security)


def of_python() -> Iterator[str]:
    text = PYTHON.read_text(encoding="utf-8")
    paths = dict(re.findall(r'(\w+) = f?"(/v1/[^"]+)"', text))
    for method, path, name in re.findall(r'"(GET|POST|PUT|PATCH|DELETE)",\s*(?:f?"(/v1/[^"]*)"|(\w+))', text):
        yield f"{method} {places(path or paths.get(name, ''))}"
    yield from (f"GET {places(path)}" for path in re.findall(r'_frames\(\s*f?"(/v1/[^"]*)"', text))
    yield from (f"POST /v1/games/{{}}/{move}" for move in MOVES if f'"{move}"' in text)


def of_typescript() -> Iterator[str]:
    text = "\n".join(path.read_text(encoding="utf-8") for path in TYPESCRIPT.glob("*.ts") if path.name != "contract.ts")
    for statement in text.split(";\n"):
        method = re.search(r'method: "(\w+)"', statement)
        for path in re.findall(r'["`](/v1/[^"`]*)["`]', re.sub(r"\$\{query\(.*\)\}", "", statement)):
            yield f"{method[1] if method else 'GET'} {places(path)}"
    yield from (f"POST /v1/games/{{}}/{move}" for move in MOVES if f'["{move}"' in text)


def places(path: str) -> str:
    return re.sub(r"\$?{[^}]*}", "{}", path).partition("?")[0]


@pytest.mark.parametrize("found", [of_python, of_typescript])
def test_a_client_can_do_all_that_an_app_for_players_needs(found: Callable[[], Iterator[str]]) -> None:
    assert sorted(wanted() - {*found()}) == []
