"""Rate-limit policies: the quotas of each kind of caller, and what a route counts as."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

import msgspec
from litestar.types import Scope

from service.rest.rate_limit.store import Quota
from service.rest.scope import route_options

OFF = "off"
RATE_PATTERN = f"^({OFF}|[1-9][0-9]{{0,5}}/([1-9][0-9]{{0,2}}|[12][0-9]{{3}}|3[0-5][0-9]{{2}}|3600))$"
"""The form of a rate: `60/10` is 60 requests in 10 seconds; at most 999,999 in at most 3,600 seconds."""
ADDRESS_FACTOR = 10
"""The default quota of one address, in players' quotas."""
APP_FACTOR = 50
"""The quota of an app's own key, in players' quotas."""

BY_ADDRESS = "-by-address"
"""Ends the names of policies that count addresses."""

Quotas = Mapping["Policy", Quota]


class Policy(StrEnum):
    """A policy; requests of one policy are counted together."""

    COMMANDS = "commands"
    READS = "reads"
    STREAMS = "streams"
    CREATION = "creation"
    JOINS = "joins"
    REACTIONS = "reactions"


DEFAULTS: Mapping[Policy, str] = MappingProxyType(
    {
        Policy.COMMANDS: "60/10",
        Policy.READS: "1000/10",
        Policy.STREAMS: "120/60",
        Policy.CREATION: "120/60",
        Policy.JOINS: "20/60",
        Policy.REACTIONS: "6/10",
    }
)
"""The default rates of one player."""


class RouteLimit(msgspec.Struct, frozen=True):
    """How requests of a route are counted: under `policy`, each `cost` times.

    With `only_unsuccessful`, requests are served first, and only refused and replayed ones are counted.
    """

    policy: Policy
    cost: int = 1
    only_unsuccessful: bool = False


_OPTION = "rate_limit"


def rate_limit(
    policy: Policy | Callable[[Scope], RouteLimit], cost: int = 1, *, only_unsuccessful: bool = False
) -> dict[str, Any]:
    """Return the `opt` of a route handler with its rate limit; a callable chooses the limit for each request.

    Routes without one are not limited.
    """
    return {_OPTION: RouteLimit(policy, cost, only_unsuccessful) if isinstance(policy, Policy) else policy}


def limit_of(scope: Scope) -> RouteLimit | None:
    """Return the limit of the route that a request matched, if any."""
    limit: RouteLimit | Callable[[Scope], RouteLimit] | None = route_options(scope).get(_OPTION)
    return limit if limit is None or isinstance(limit, RouteLimit) else limit(scope)


class PolicyQuotas:
    """The quotas of all policies by kind of caller, from written rates. Policies that are `off` have none.

    An `address_factor` of 0 turns the quotas of addresses off.
    """

    def __init__(self, rates: Mapping[Policy, str] = DEFAULTS, address_factor: int = ADDRESS_FACTOR) -> None:
        self.of_player: Quotas = _quotas(rates, 1)
        self.of_app: Quotas = _quotas(rates, APP_FACTOR)
        self.of_address: Quotas = _quotas(rates, address_factor, BY_ADDRESS) if address_factor else {}


def _quotas(rates: Mapping[Policy, str], factor: int, suffix: str = "") -> Quotas:
    return {policy: _quota(f"{policy}{suffix}", rate, factor) for policy, rate in rates.items() if rate != OFF}


def _quota(name: str, rate: str, factor: int) -> Quota:
    limit, _, seconds = rate.partition("/")
    return Quota(name, int(limit) * factor, int(seconds))
