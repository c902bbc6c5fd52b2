"""A commit is checked by what `make check` runs."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]


def test_the_hooks_of_a_commit_call_the_tools_of_make_check() -> None:
    recipe = (ROOT / "Makefile").read_text().partition("\ncheck:")[2].partition("\n\n")[0]
    by_make = set(re.findall(r"\$\(BIN\)/([\w-]+)", recipe))
    [repository] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    entries = [hook["entry"] for hook in repository["hooks"]]
    by_hooks = {entry.split()[0].removeprefix(".venv/bin/") for entry in entries if entry.startswith(".venv/bin/")}
    assert repository["repo"] == "local"
    assert by_make == by_hooks
    assert len(by_make) >= 5
