"""How limits are set: what is refused at the start, and what a process and its replicas then do."""

import time
from collections.abc import Mapping

import httpx
import pytest

from service.bootstrap import settings
from service.bootstrap.settings import InvalidSetting, Settings
from service.rest.rate_limit.policies import DEFAULTS, OFF, Policy, PolicyQuotas
from tests.e2e.process import ServiceProcess
from tests.rate_limit.servers import running_server

HOUR = 3600


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        *((f"POCHA_LIMIT_{policy.upper()}", value) for policy in Policy for value in ("60", "on", "0/10", "60/3601")),
        *(
            ("POCHA_LIMIT_READS", value)
            for value in ("60/0", "-1/10", "1.5/10", "1000000/1", "60 / 10", "60/10s", "OFF")
        ),
        *(("POCHA_LIMIT_ADDRESS_FACTOR", value) for value in ("-1", "1001", "off", "1.5")),
        *(("POCHA_TRUSTED_PROXIES", value) for value in ("10.0.0.1/8", "proxy", "10.0.0.0/8 10.1.0.0/16", "*")),
        *(
            ("POCHA_RATE_STORE_URL", value)
            for value in ("http://x", "127.0.0.1:6379", "valkey://x", "redis://x:99999", "redis://x:port")
        ),
    ],
)
def test_what_is_malformed_is_refused_with_the_name_of_the_variable(variable: str, value: str) -> None:
    with pytest.raises(InvalidSetting, match=f"^{variable}: "):
        settings.from_environment({variable: value})


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        *(
            (f"POCHA_LIMIT_{policy.upper()}", value)
            for policy in Policy
            for value in (OFF, "1/1", "999999/3600", "60/10")
        ),
        *(("POCHA_LIMIT_ADDRESS_FACTOR", value) for value in ("0", "1", "1000")),
        *(("POCHA_TRUSTED_PROXIES", value) for value in ("10.0.0.0/8", "10.0.0.0/8, fd00::/8,192.0.2.7", "")),
        *(("POCHA_RATE_STORE_URL", value) for value in ("redis://x", "rediss://u:p@x:1/0", "unix:///run/valkey")),
    ],
)
def test_what_fits_is_taken(variable: str, value: str) -> None:
    assert settings.from_environment({variable: value})


def test_the_defaults_are_those_of_the_policies() -> None:
    chosen = Settings()
    assert {policy: getattr(chosen, f"limit_{policy}") for policy in Policy} == DEFAULTS


def test_every_policy_has_its_quotas_and_what_is_off_has_none() -> None:
    rates = {**DEFAULTS, Policy.READS: "10/5", Policy.STREAMS: OFF}
    policies = PolicyQuotas(rates, 3)
    told = [quotas[Policy.READS] for quotas in (policies.of_player, policies.of_address, policies.of_app)]
    assert [(quota.policy, quota.limit, quota.seconds) for quota in told] == [
        ("reads", 10, 5),
        ("reads-by-address", 30, 5),
        ("reads", 500, 5),
    ]
    for quotas in (policies.of_player, policies.of_address, policies.of_app):
        assert set(quotas) == set(Policy) - {Policy.STREAMS}
    assert PolicyQuotas(rates, 0).of_address == {}


def statuses(services: list[ServiceProcess], headers: Mapping[str, str]) -> list[int]:
    return [httpx.get(f"{service.url}/v1/rulesets", headers=headers).status_code for service in services]


def test_a_process_keeps_to_its_settings_and_replicas_count_together(database_url: str) -> None:
    told: list[int] = []
    with running_server("valkey-server") as store:
        environment = {
            "POCHA_DATABASE_URL": database_url,
            "POCHA_SECRET": "s" * 32,
            "POCHA_LIMIT_READS": f"1/{HOUR}",
            "POCHA_LIMIT_ADDRESS_FACTOR": "3",
            "POCHA_TRUSTED_PROXIES": "127.0.0.0/8",
            "POCHA_RATE_STORE_URL": store.url,
        }
        with ServiceProcess(environment) as first, ServiceProcess(environment) as second:
            # Where a process stands still for longer than it waits for the store, it counts by itself for a while: so try more than once.
            for number in range(10):
                headers = {"X-Forwarded-For": f"203.0.113.{number}"}
                told = statuses([first, second, first, second, first], headers)
                if told == [200, 200, 200, 429, 429]:
                    return
                time.sleep(1)
    raise AssertionError(f"the processes do not count together: {told}")
