"""What is limited, and how much of it each kind of caller may have."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from service.rest.rate_limit.store import Quota

OFF = "off"
RATE_PATTERN = f"^({OFF}|[1-9][0-9]{{0,5}}/([1-9][0-9]{{0,2}}|[12][0-9]{{3}}|3[0-5][0-9]{{2}}|3600))$"
"""How a rate is written: `60/10` is 60 requests in 10 seconds; at most 999,999 in at most 3,600 seconds."""
ADDRESS_FACTOR = 10
"""How many players' worth one address may ask for, unless the settings say otherwise."""
APP_FACTOR = 50
"""How many players' worth an app may ask for with its own key."""

Quotas = Mapping["Policy", Quota]


class Policy(StrEnum):
    """What is counted together."""

    COMMANDS = "commands"
    READS = "reads"
    STREAMS = "streams"
    CREATION = "creation"


DEFAULTS: Mapping[Policy, str] = MappingProxyType(
    {Policy.COMMANDS: "60/10", Policy.READS: "1000/10", Policy.STREAMS: "120/60", Policy.CREATION: "120/60"}
)
"""What one player may ask for, unless the settings say otherwise."""


class PolicyQuotas:
    """The quotas of all policies, from rates as they are written; a policy that is `off` has none.

    With the factor 0 addresses may ask for whatever they like.
    """

    def __init__(self, rates: Mapping[Policy, str] = DEFAULTS, address_factor: int = ADDRESS_FACTOR) -> None:
        self.of_player: Quotas = _quotas(rates, 1)
        self.of_app: Quotas = _quotas(rates, APP_FACTOR)
        self.of_address: Quotas = _quotas(rates, address_factor, "-by-address") if address_factor else {}


def _quotas(rates: Mapping[Policy, str], factor: int, suffix: str = "") -> Quotas:
    return {policy: _quota(f"{policy}{suffix}", written, factor) for policy, written in rates.items() if written != OFF}


def _quota(name: str, written: str, factor: int) -> Quota:
    limit, _, seconds = written.partition("/")
    return Quota(name, int(limit) * factor, int(seconds))
