"""All that is limited, and how, in one value."""

import msgspec

from service.limits.addresses import Addresses
from service.limits.policies import Policies
from service.limits.rates import RateStore


class Limits(msgspec.Struct, frozen=True):
    """How much who may ask for, where that is counted, and what tells where requests come from."""

    policies: Policies
    store: RateStore
    addresses: Addresses
