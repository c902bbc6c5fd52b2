"""How limits are set: what is refused at the start, and what a process and its replicas then do."""

import httpx
import pytest

from service.bootstrap import settings
from service.bootstrap.settings import InvalidSetting, Settings
from service.rest.rate_limit.policies import DEFAULTS, OFF, Policy, PolicyQuotas
from tests.kit.rate_server import running_server
from tests.kit.service_process import ServiceProcess
from tests.kit.waiting import wait_until

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


def settings_of(database_url: str) -> dict[str, str]:
    return {
        "POCHA_DATABASE_URL": database_url,
        "POCHA_SECRET": "s" * 32,
        "POCHA_LIMIT_READS": f"1/{HOUR}",
        "POCHA_LIMIT_ADDRESS_FACTOR": "3",
        "POCHA_TRUSTED_PROXIES": "127.0.0.0/8",
    }


def read_from(address: str, service: ServiceProcess) -> int:
    return httpx.get(f"{service.url}/v1/rulesets", headers={"X-Forwarded-For": address}).status_code


def test_a_process_keeps_to_its_settings(database_url: str) -> None:
    with ServiceProcess(settings_of(database_url)) as service:
        assert [read_from("203.0.113.1", service) for _ in range(4)] == [200, 200, 200, 429]
        assert read_from("203.0.113.2", service) == 200


def test_processes_with_a_rate_store_count_in_it(database_url: str) -> None:
    with running_server("valkey-server") as store:
        environment = settings_of(database_url) | {"POCHA_RATE_STORE_URL": store.url}
        with ServiceProcess(environment) as first, ServiceProcess(environment) as second:
            for address, service in (("203.0.113.1", first), ("203.0.113.2", second)):

                def is_counted(address: str = address, service: ServiceProcess = service) -> bool:
                    # A process that had to wait too long for the store counts by itself until that answers again.
                    assert read_from(address, service) in {200, 429}
                    return any(address in key for key in store.held())

                wait_until(is_counted)
