"""All that is limited, and how, in one value."""

import msgspec

from service.rest.rate_limit.client_address import Addresses
from service.rest.rate_limit.policies import Policies
from service.rest.rate_limit.store import RateStore


class Limits(msgspec.Struct, frozen=True):
    """How much who may ask for, where that is counted, and what tells where requests come from."""

    policies: Policies
    store: RateStore
    addresses: Addresses
