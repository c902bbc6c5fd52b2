"""House rules: a JSON merge patch (RFC 7396) of a preset, with three short cuts for its hands."""

from collections.abc import Collection
from enum import StrEnum
from typing import Annotated, Any, assert_never

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.pocha.rules import effects
from domain.pocha.rules.ruleset import ContradictoryRuleset, DeckRules, PlayersRules, Ruleset, ScheduleRules
from domain.pocha.rules.schedule import Block, HandKind, Times

PARTS = tuple(
    name for name in Ruleset.__struct_fields__ if name not in ("id", "version", "title", "source", "house_rules")
)
"""The parts of a ruleset; its other members name it."""

HouseRules = dict[Annotated[str, msgspec.Meta(pattern=rf"^({'|'.join(PARTS)})\Z")], Any]
"""The patch, in JSON types: changes to parts of the ruleset. `schedule` also takes the members of `PatchedSchedule`."""

_SOTA = 10
_ONLY_IN_48 = (9, 8)


class Shape(StrEnum):
    """How long a game is: up and down, up only, or just the hands with all the cards (rulebook R-SCH-5)."""

    FULL = "full"
    NO_DESCENT = "no-descent"
    TOP_ONLY = "top-only"


class PatchedSchedule(ScheduleRules, frozen=True):
    """The blocks, and what is done to them: another shape, no special hands, another number of top hands, in this order."""

    specials: bool = True
    top_hands: Times | UnsetType = UNSET
    shape: Shape = Shape.FULL


class PatchedRuleset(Ruleset, frozen=True, kw_only=True):
    """A preset after the merge patch, before the short cuts are applied: it may still contradict itself."""

    schedule: PatchedSchedule  # pyright: ignore[reportIncompatibleVariableOverride]  # frozen, so a subtype will do

    def __post_init__(self) -> None:
        pass


def apply(patch: HouseRules, preset: Ruleset) -> Ruleset:
    """Return `preset` with `patch` merged into it. A member set to null gets its default: a map is emptied.

    Raises:
        msgspec.ValidationError: a member of the patch is unknown, or its value does not fit `PatchedRuleset`.
        ContradictoryRuleset: the result cannot be played, or a change has no effect in it.
    """
    patched = msgspec.convert(_merge(msgspec.to_builtins(preset), patch), PatchedRuleset)
    _require_known(patch, patched, PARTS, "$")
    parts = {part: getattr(patched, part) for part in PARTS} | {
        "players": _players(patched.players, patch.get("players") or {}),
        "deck": _deck(patched.deck, preset.deck, patch.get("deck") or {}),
        "schedule": _schedule(patched.schedule),
    }
    changed = replace(preset, **parts, house_rules=True)
    if idle := tuple(effects.idle_changes(changed, preset)):
        raise ContradictoryRuleset(idle)
    return changed


def _merge(target: dict[str, Any], patch: HouseRules) -> dict[str, Any]:
    """Return `target` patched by RFC 7396. Nulls in an object that is new stay, for the conversion to refuse."""
    merged = dict(target)
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        elif isinstance(value, dict) and isinstance(target.get(name), dict):
            merged[name] = _merge(target[name], value)  # pyright: ignore[reportUnknownArgumentType]  # JSON
        else:
            merged[name] = value
    return merged


def _require_known(patch: HouseRules, patched: msgspec.Struct, known: Collection[str], path: str) -> None:
    """Refuse members that a ruleset does not have: the conversion ignores them, as stored rulesets may have more."""
    for name, value in patch.items():
        if name not in known:
            raise msgspec.ValidationError(f"Object contains unknown field `{name}` - at `{path}`")
        part = getattr(patched, name)
        if isinstance(part, msgspec.Struct) and isinstance(value, dict):
            _require_known(value, part, part.__struct_fields__, f"{path}.{name}")  # pyright: ignore[reportUnknownArgumentType]  # JSON


def _players(rules: PlayersRules, named: Collection[str]) -> PlayersRules:
    """Numbers that are not allowed lose their marks, unless the patch names the marks."""
    marks = {
        mark: tuple(number for number in getattr(rules, mark) if number in rules.allowed)
        for mark in ("occasional", "extrapolated")
        if mark not in named
    }
    return replace(rules, **marks)


def _deck(rules: DeckRules, before: DeckRules, named: Collection[str]) -> DeckRules:
    """No document ranks 8 and 9; unless the patch does, they come below the sota, as they are numbered (rulebook R-DECK-1)."""
    if rules.size == before.size or "rank_order" in named:
        return rules
    below = rules.rank_order.index(_SOTA) + 1
    return replace(rules, rank_order=(*rules.rank_order[:below], *_ONLY_IN_48, *rules.rank_order[below:]))


def _schedule(patched: PatchedSchedule) -> ScheduleRules:
    blocks = _shaped(patched.blocks, patched.shape)
    if not patched.specials:
        blocks = tuple(block for block in blocks if block.kind is HandKind.NORMAL)
    times = patched.top_hands
    if times is not UNSET:
        blocks = tuple(replace(block, times=times) if _is_top(block) else block for block in blocks)
    return ScheduleRules(blocks)


def _shaped(blocks: tuple[Block, ...], shape: Shape) -> tuple[Block, ...]:
    """Special hands stay in every shape; normal ones after the last top block are the descent."""
    tops = [place for place, block in enumerate(blocks) if _is_top(block)]
    match shape:
        case Shape.FULL:
            return blocks
        case Shape.NO_DESCENT:
            end = tops[-1] if tops else len(blocks)
            kept = {place for place, block in enumerate(blocks) if place <= end or block.kind is not HandKind.NORMAL}
        case Shape.TOP_ONLY:
            kept = {place for place, block in enumerate(blocks) if place in tops or block.kind is not HandKind.NORMAL}
        case _:
            assert_never(shape)
    return tuple(block for place, block in enumerate(blocks) if place in kept)


def _is_top(block: Block) -> bool:
    return block.kind is HandKind.NORMAL and block.first == block.last == "max"
