"""All that is limited, and how, in one value."""

import msgspec

from service.rest.rate_limit.client_address import ClientAddresses
from service.rest.rate_limit.policies import PolicyQuotas
from service.rest.rate_limit.store import RateStore


class RateLimitConfig(msgspec.Struct, frozen=True):
    """How much who may ask for, where that is counted, and what tells where requests come from."""

    policies: PolicyQuotas
    store: RateStore
    addresses: ClientAddresses
