"""Legal bids (rulebook 1.4)."""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from domain.pocha.rules.schedule import HandKind, HandPlan


class Hook(msgspec.Struct, frozen=True):
    """The last bidder must not make the bids add up to the tricks (seed 000:45), but in the hands that are exempt."""

    enabled: bool = True
    exempt_cards: Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=24)], ...], msgspec.Meta(max_length=24)] = ()
    exempt_kinds: Annotated[tuple[HandKind, ...], msgspec.Meta(max_length=6)] = ()


def forbidden_bid(plan: HandPlan, previous: Sequence[int], players: int, hook: Hook) -> int | None:
    """Return the bid that the hook forbids after `previous`, if there is one (rulebook R-BID-2, R-BID-3)."""
    if not applies(plan, hook) or len(previous) < players - 1:
        return None
    missing = plan.cards - sum(previous)
    return missing if missing >= 0 else None


def legal_bids(plan: HandPlan, forbidden: int | None, floor: int = 0) -> tuple[int, ...]:
    """Return the legal bids: `floor` to all the tricks (rulebook R-BID-1), but for the forbidden one.

    Where the hook would leave none (the auction's winner must bid all the tricks, and all others have bid 0), it does not bind.
    """
    bids = tuple(range(floor, plan.cards + 1))
    if forbidden not in bids:
        return bids
    return tuple(bid for bid in bids if bid != forbidden) or bids


def applies(plan: HandPlan, hook: Hook) -> bool:
    """Tell whether the hook binds the last bidder of the hand."""
    return hook.enabled and plan.cards not in hook.exempt_cards and plan.kind not in hook.exempt_kinds
