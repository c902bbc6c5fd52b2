"""Configuration of rate limits."""

import msgspec

from service.rest.rate_limit.client_address import ClientAddresses
from service.rest.rate_limit.policies import PolicyQuotas
from service.rest.rate_limit.store import RateStore


class RateLimitConfig(msgspec.Struct, frozen=True):
    """The quotas, the store that counts, and the addresses of clients."""

    policies: PolicyQuotas
    store: RateStore
    addresses: ClientAddresses
