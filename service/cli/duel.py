"""`pocha duel`: robots against robots on duplicate deals."""

import argparse
import importlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from domain.pocha.model.refusals import Refused
from domain.pocha.rules import house_rules, presets
from domain.pocha.rules.house_rules import HouseRules
from domain.pocha.rules.ruleset import ContradictoryRuleset, Ruleset
from domain.robots import robot
from domain.table.table import Level
from service.application import duel
from service.application.duel import Contender, Report
from service.cli.process import CommandError

_BAR = 40
T = TypeVar("T")


class DuelRefused(CommandError):
    """The duel cannot be held as args."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    levels = ", ".join(Level)
    what = f"one of {levels}, or module:function of your own (docs/robots.md)"
    parser.add_argument("first", help=what)
    parser.add_argument("second", help="its opponents: the same")
    parser.add_argument("--players", type=int, default=4, help="how many play (default: 4)")
    parser.add_argument(
        "--deals", type=int, default=200, help="how many deals; each is played by all seats (default: 200)"
    )
    parser.add_argument("--ruleset", default=presets.DEFAULT.id, help=f"one of {', '.join(presets.PRESETS)}")
    parser.add_argument("--house-rules", metavar="JSON", help="what the table changes, as POST /v1/games takes it")
    parser.add_argument("--seed", type=int, default=0, help="other deals by another number (default: 0)")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(args: argparse.Namespace) -> None:
    """Hold the duel and print its report.

    Raises:
        DuelRefused: it cannot be held as args.
    """
    ruleset = _ruleset(args.ruleset, args.house_rules)
    if args.players not in ruleset.players.allowed:
        raise DuelRefused(f"{ruleset.id} is for {_listed(ruleset.players.allowed)} players, not for {args.players}")
    if args.deals < 1:
        raise DuelRefused("--deals must be at least 1")
    pair = (_contender(args.first), _contender(args.second))
    deals = duel.duel(pair, ruleset, args.players, args.deals, args.seed)
    try:
        results = list(_with_progress(deals, args.deals))
    except Refused as refused:
        raise DuelRefused(f"a robot asked for something illegal: {refused.reason.value}") from refused
    report = duel.report(pair, ruleset, args.players, args.seed, results)
    print(msgspec.json.encode(report).decode() if args.json else _table(report))


def _ruleset(name: str, changes: str | None) -> Ruleset:
    if name not in presets.PRESETS:
        raise DuelRefused(f"there is no ruleset {name}: it must be one of {_listed(presets.PRESETS)}")
    if changes is None:
        return presets.PRESETS[name]
    try:
        return house_rules.apply(msgspec.json.decode(changes, type=HouseRules), presets.PRESETS[name])
    except (msgspec.DecodeError, ContradictoryRuleset) as error:
        raise DuelRefused(f"--house-rules: {error}") from error


def _contender(name: str) -> Contender:
    """Return the robot of a level, or the function named `module:function`, looked for from the current folder as well."""
    if name in set(Level):
        return Contender(name, robot(Level(name)))
    module, colon, function = name.partition(":")
    if not colon:
        raise DuelRefused(f"there is no robot {name}: it must be one of {_listed(Level)}, or module:function")
    sys.path.insert(0, str(Path.cwd()))
    try:
        found: Any = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise DuelRefused(f"{name}: {error}") from error
    finally:
        sys.path.pop(0)
    return Contender(name, found)


def _with_progress(deals: Iterator[T], total: int) -> Iterator[T]:
    """Yield the deals; draw a bar on standard error while they are played, if that is a terminal."""
    for done, played in enumerate(deals, 1):
        if sys.stderr.isatty():
            full = _BAR * done // total
            end = "\n" if done == total else ""
            print(
                f"\r[{'#' * full}{'.' * (_BAR - full)}] {done} of {total} deals", end=end, file=sys.stderr, flush=True
            )
        yield played


def _table(report: Report) -> str:
    width = max(len(each.robot) for each in report.robots)
    lines = [
        f"{report.ruleset}, {report.players} players, {report.deals} deals, seed {report.seed}",
        f"{'':{width}}  exact bids      points a hand    ms a decision (mean, p95)",
    ]
    lines += [
        f"{each.robot:{width}}  {each.exact.mean:.3f} ± {each.exact.margin:.3f}"
        f"   {each.points.mean:+6.2f} ± {each.points.margin:4.2f}    {each.ms_mean:6.2f} {each.ms_p95:6.2f}"
        for each in report.robots
    ]
    lines.append(
        f"{report.robots[0].robot} makes {report.difference.mean:+.2f} ± {report.difference.margin:.2f} points a hand more"
        " with the same cards at the same seats (95 %)"
    )
    return "\n".join(lines)


def _listed(names: Iterable[object]) -> str:
    return ", ".join(str(name) for name in names)
