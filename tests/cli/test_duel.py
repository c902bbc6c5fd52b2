"""`pocha duel`: robots of the service and one's own, on duplicate deals."""

import json
from pathlib import Path

import pytest

from service.cli import main

OF_ONE_S_OWN = """
from domain.robots import easy

def choose(observation, ruleset, luck):
    return easy.choose(observation, ruleset, luck)

def cheat(observation, ruleset, luck):
    from domain.pocha.model.commands import MakeBid
    return MakeBid(observation.seat, 99)
"""
SHORT = ("--ruleset", "ludoteka-subebaja", "--deals", "4")


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Return how `pocha duel` ended, and what it printed."""
    status = main.main(["duel", *arguments])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "duelist_of_ones_own.py").write_text(OF_ONE_S_OWN)
    monkeypatch.chdir(tmp_path)


def test_the_report_names_both_robots_and_the_difference(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "normal", "easy", *SHORT)
    assert status == 0
    assert "ludoteka-subebaja, 4 players, 4 deals, seed 0" in out
    assert "normal makes " in out


@pytest.mark.usefixtures("own")
def test_a_robot_of_one_s_own_is_found_in_the_current_folder(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "duelist_of_ones_own:choose", "easy", *SHORT, "--json")
    report = json.loads(out)
    assert status == 0
    assert report["robots"][0]["robot"] == "duelist_of_ones_own:choose"
    assert report["difference"]["mean"] == pytest.approx(0)


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (
            ("grandmaster", "easy"),
            "there is no robot grandmaster: it must be one of easy, normal, hard, or module:function",
        ),
        (("duelist_of_ones_own:nothing", "easy"), "has no attribute 'nothing'"),
        (("no_such_module:choose", "easy"), "No module named 'no_such_module'"),
        (("duelist_of_ones_own:cheat", "easy", *SHORT), "a robot asked for something illegal: out-of-range"),
        (("easy", "easy", "--ruleset", "brisca"), "there is no ruleset brisca: it must be one of clasica"),
        (("easy", "easy", "--players", "9"), "clasica is for 3, 4, 5, 6, 7, 8 players, not for 9"),
        (("easy", "easy", "--deals", "0"), "--deals must be at least 1"),
        (("easy", "easy", "--house-rules", "{"), "--house-rules: "),
        (("easy", "easy", "--house-rules", '{"deck": {"size": 41}}'), "--house-rules: "),
    ],
)
def test_a_duel_that_cannot_be_held_says_why(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], reason: str
) -> None:
    status, out, err = said(capsys, *arguments)
    assert (status, out) == (1, "")
    assert reason in err
    assert "Traceback" not in err
