"""What the guides of docs/ show works as written."""

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import httpx

from domain.pocha.rules.presets import PRESETS
from tests.kit.service_process import ServiceProcess

DOCS = Path(__file__).parents[2] / "docs"
MARK = "<!-- run by tests/e2e/test_walkthroughs.py"
ELSEWHERE = re.compile(r"http://(127\.0\.0\.1|192\.168\.1\.20):8000")


def blocks(page: str) -> Mapping[str, str]:
    """Return the blocks of a page that are run here, by their label; those of one label are one script."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = re.findall(rf"{MARK}(?:: ([\w. ]+))? -->\n```(?:sh|python)\n(.*?)```", text, re.DOTALL)
    assert len(found) == text.count(MARK)
    scripts: dict[str, str] = {}
    for label, code in found:
        scripts[label] = scripts.get(label, "") + code
    return scripts


def shell(script: str, folder: Path, service: ServiceProcess) -> str:
    """Run a script, and return what it prints."""
    return finished(started(script, folder, service))


def started(script: str, folder: Path, service: ServiceProcess) -> subprocess.Popen[str]:
    ready = f'python3() {{ {sys.executable} "$@"; }}\n{ELSEWHERE.sub(service.url, script)}'
    return subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", ready], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder
    )


def finished(process: subprocess.Popen[str]) -> str:
    said, failed = process.communicate(timeout=200)
    assert process.returncode == 0, failed
    return said


def test_getting_started(service: ServiceProcess, tmp_path: Path) -> None:
    said = shell(blocks("getting-started.md")[""], tmp_path, service)
    assert '"legal_bids"' in said
    assert '"type":"bid_made"' in said
    assert '"code":"illegal-card"' in said or '"code":"wrong-phase"' in said or '"type":"card_played"' in said


def test_a_sheet_is_kept_as_the_page_says(service: ServiceProcess, tmp_path: Path) -> None:
    said = shell(blocks("score-keeper.md")[""], tmp_path, service).splitlines()
    assert "'action': 'tricks'" in said[3]
    assert "'points': -10" in said[4]
    assert "'points': 20, 'exact': 1" in said[6]
    assert "'version': 8" in said[7]


def test_a_quick_match_is_found_as_the_page_says(service: ServiceProcess, tmp_path: Path) -> None:
    assert shell(blocks("quick-match.md")[""], tmp_path, service) == "playing\n"


def test_the_bot_plays_the_default_ruleset_to_the_end(service: ServiceProcess, tmp_path: Path) -> None:
    assert re.fullmatch(r"finished \[.+\]\n", shell(blocks("write-a-bot.md")[""], tmp_path, service))


def test_the_bot_plays_every_other_preset_to_the_end(service: ServiceProcess, tmp_path: Path) -> None:
    bots = {name: started(bot_script(name), folder(tmp_path, name), service) for name in PRESETS if name != "clasica"}
    for name, bot in bots.items():
        assert re.fullmatch(r"finished \[.+\]\n", finished(bot)), name


def folder(parent: Path, name: str) -> Path:
    (parent / name).mkdir()
    return parent / name


def bot_script(ruleset: str) -> str:
    """Return what the page says, for a table of another ruleset."""
    players = PRESETS[ruleset].players.allowed[0]
    robots = ", ".join(['{"level": "easy"}'] * (players - 1))
    script = blocks("write-a-bot.md")[""].replace('"clasica"', f'"{ruleset}"')
    script = re.sub(r'"players": 3, "robots": \[[^]]+\]', f'"players": {players}, "robots": [{robots}]', script)
    assert f'"players": {players}' in script
    return script


def test_two_people_play_as_the_page_says(service: ServiceProcess, tmp_path: Path) -> None:
    page = blocks("play-with-friends.md")
    (tmp_path / "table.py").write_text(page["table.py"])
    ana = page[""].replace('"clasica"', '"ludoteka-express-3"') + "\ndeclare -p POCHA GAME CODE ANA"
    told = variables(shell(ana, tmp_path, service))
    beto = page["Beto"].replace("the-code", told["CODE"])
    joined = shell(beto + "\ndeclare -p BETO", tmp_path, service)
    assert joined.startswith("playing\n")
    told |= variables(joined)

    known = "\n".join(f"{name}={value}" for name, value in told.items())
    playing = [
        started(f"{known}\nyes 1 | {page[f'{name} plays'].strip()} || test $? = 141", tmp_path, service)
        for name in ("Ana", "Beto")
    ]
    for process in playing:
        said = finished(process)
        assert "The game is over: finished" in said
        assert said.count("Hand 3 of 3") > 1

    helper = re.search(r"^field\(\).*$", page[""], re.MULTILINE)
    assert helper
    first, second = shell(f"{helper[0]}\n{known}\n{page['afterwards']}", tmp_path, service).split()
    assert first == second != told["GAME"]
    assert "<!doctype html>" in (tmp_path / "score.html").read_text()


def variables(said: str) -> dict[str, str]:
    return dict(re.findall(r'^declare -- (\w+)="([^"]*)"$', said, re.MULTILINE))


def test_the_terminal_client_shows_the_choices_and_asks_again(service: ServiceProcess, tmp_path: Path) -> None:
    page = blocks("play-with-friends.md")
    (tmp_path / "table.py").write_text(page["table.py"])

    with httpx.Client(base_url=f"{service.url}/v1") as client:
        token = client.post("/players", json={"display_name": "Ana"}).json()["token"]
        table = {"ruleset": "ludoteka-express-3", "players": 3, "robots": [{"level": "easy"}] * 2}
        game = client.post("/games", json=table, headers={"Authorization": f"Bearer {token}"}).json()["game_id"]
    said = shell(
        f"printf 'x\\n99\\n1\\n' | python3 table.py {service.url} {token} {game} 2>&1 || true", tmp_path, service
    )
    assert said.count("Type one of the numbers in brackets.") == 2
    assert "bid: [1] 0" in said
