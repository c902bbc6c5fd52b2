"""Settings, read once from the environment into a frozen record. An invalid value stops the start."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, get_type_hints
from urllib.parse import unquote, urlsplit

import msgspec
from msgspec import Meta

from service.adapters.postgres import address
from service.adapters.postgres.address_parameters import InvalidAddress
from service.rest.middleware.cors import ORIGIN_PATTERN
from service.rest.middleware.path_prefix import PREFIX_PATTERN
from service.rest.rate_limit.client_address import networks_of
from service.rest.rate_limit.policies import ADDRESS_FACTOR, DEFAULTS, RATE_PATTERN, Policy

DatabaseUrl = Annotated[str, Meta(pattern=r"^postgres(ql)?(\+\w+)?://[^ ]+$")]
KeySetSource = Annotated[str, Meta(pattern=r"^(https://|http://(localhost|127\.0\.0\.1)(:[0-9]+)?/|(?!https?:))")]
"""A file, or an address whose answers cannot be forged: https, or this machine."""
RateText = Annotated[str, Meta(pattern=RATE_PATTERN)]
RateStoreUrl = Annotated[str, Meta(pattern=r"^(rediss?|unix)://")]
Secret = Annotated[str, Meta(min_length=32)]

_PREFIX = "POCHA_"
_PASSWORD = re.compile(r"://[^/?#]*?:([^/?#]*)@|[?&](?:ssl)?password=([^&]*)")


class InvalidSetting(ValueError):
    """A variable of the environment has a value that does not fit; the message names it."""


class Settings(msgspec.Struct, frozen=True):
    """Each field is the variable `POCHA_` and its name in capitals; its description is its line in the table of `pocha settings`."""

    host: Annotated[str, Meta(min_length=1, description="Where HTTP is served")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="Its port; `0` is any free one")] = 8000
    path_prefix: Annotated[
        Annotated[str, Meta(pattern=rf"^{PREFIX_PATTERN}$", max_length=200)],
        Meta(
            description="The path that a proxy serves this under, such as `/pocha`, whether the proxy takes it off or not. Without it, "
            "what `X-Forwarded-Prefix` of a proxy in `POCHA_TRUSTED_PROXIES` says"
        ),
    ] = ""
    database_url: Annotated[
        DatabaseUrl | None,
        Meta(
            description="The Postgres (13 or newer) to use, `postgresql://USER:PASSWORD@HOST:5432/NAME`. Without it the "
            "service runs a private one of its own"
        ),
    ] = None
    database_direct_url: Annotated[
        DatabaseUrl | None,
        Meta(
            description="The same Postgres without a pooler in between, for notifications and `pocha migrate`. "
            "Default: `POCHA_DATABASE_URL`"
        ),
    ] = None
    data_dir: Annotated[
        Path | None,
        Meta(
            description="The folder of the embedded Postgres and the generated secret. Default: `~/.local/share/pocha` or the system's "
            "equivalent; for root with a closed home folder, `/var/lib/pocha`"
        ),
    ] = None
    pg_bin: Annotated[
        Path | None,
        Meta(
            description="The folder of the Postgres programs for the embedded Postgres. Default: a system installation, else the wheel of "
            "the extra `embedded`"
        ),
    ] = None
    secret: Annotated[
        Secret | None,
        Meta(
            description="The key that signs tokens, 32 characters or more. Default: generated, and kept in the file `secret` of "
            "`POCHA_DATA_DIR`"
        ),
    ] = None
    table: Annotated[
        bool, Meta(description="Whether the table in the browser is served, under `/play`: `true` or `false`")
    ] = True
    log_level: Annotated[
        str, Meta(pattern="^(debug|info|warning|error)$", description="`debug`, `info`, `warning` or `error`")
    ] = "info"
    log_format: Annotated[
        Annotated[str, Meta(pattern="^(json|text)$")] | None,
        Meta(
            description="The format of log lines, `json` or `text`. Default: text if standard error is a terminal, else JSON"
        ),
    ] = None
    otlp_endpoint: Annotated[
        Annotated[str, Meta(pattern="^https?://")] | None,
        Meta(
            description="The endpoint for traces (OTLP over HTTP), such as `http://collector:4318`; needs the extra `otel`. Default: no "
            "traces"
        ),
    ] = None
    drain_seconds: Annotated[
        float,
        Meta(
            ge=0,
            le=4,
            description="Seconds after SIGTERM during which everything is still served, while `/readyz` is 503 and streams end",
        ),
    ] = 2
    abandon_after_days: Annotated[
        float, Meta(gt=0, le=3650, description="Days without any action after which a game is abandoned")
    ] = 7.0
    abandon_unattended_after_minutes: Annotated[
        float,
        Meta(
            gt=0,
            le=1_000_000,
            description="Minutes after which a started game is abandoned at whose table no player sits; until then it rests",
        ),
    ] = 10.0
    close_waiting_after_seconds: Annotated[
        float,
        Meta(
            gt=0,
            le=86_400,
            description="Seconds after which a table that waits for players is abandoned when nothing is heard of its host",
        ),
    ] = 3600.0
    rematch_keep_seconds: Annotated[
        float,
        Meta(
            ge=0,
            le=86_400,
            description="Seconds for which a rematch keeps the seats of those who played the game before",
        ),
    ] = 120.0
    delete_after_days: Annotated[
        Annotated[float, Meta(ge=1, le=36_500)] | None,
        Meta(
            description="Days after its end when a game is deleted, with its score sheet and record. Default: never",
        ),
    ] = None
    secret_previous: Annotated[
        Secret | None,
        Meta(description="The previous `POCHA_SECRET`: tokens that it signed work until they expire"),
    ] = None
    token_hours: Annotated[float, Meta(gt=0, le=87_600, description="Hours for which new tokens are valid")] = 720.0
    jwt_issuer: Annotated[
        Annotated[str, Meta(max_length=500)] | None,
        Meta(
            description="The issuer (`iss`) whose tokens are accepted too. Set this, `POCHA_JWT_AUDIENCE` and `POCHA_JWT_JWKS`, or none"
        ),
    ] = None
    jwt_audience: Annotated[
        Annotated[str, Meta(max_length=500)] | None,
        Meta(description="The audience (`aud`) that those tokens must have"),
    ] = None
    jwt_jwks: Annotated[
        KeySetSource | None,
        Meta(description="The keys of those tokens: a JSON Web Key Set, as a file or an `https` URL"),
    ] = None
    jwt_leeway_seconds: Annotated[
        float, Meta(ge=0, le=300, description="Seconds by which the issuer's clock may differ")
    ] = 30.0
    limit_commands: Annotated[
        RateText,
        Meta(
            description="The quota of the rate limit policy `commands` (docs/limits.md) for one player: `60/10` is 60 in 10 seconds, `off` "
            "is no limit"
        ),
    ] = DEFAULTS[Policy.COMMANDS]
    limit_reads: Annotated[RateText, Meta(description="The quota of `reads`: `60/10` or `off`, for example")] = (
        DEFAULTS[Policy.READS]
    )
    limit_streams: Annotated[RateText, Meta(description="The quota of `streams`: `60/10` or `off`, for example")] = (
        DEFAULTS[Policy.STREAMS]
    )
    limit_creation: Annotated[RateText, Meta(description="The quota of `creation`: `60/10` or `off`, for example")] = (
        DEFAULTS[Policy.CREATION]
    )
    limit_joins: Annotated[RateText, Meta(description="The quota of `joins`: `60/10` or `off`, for example")] = (
        DEFAULTS[Policy.JOINS]
    )
    limit_reactions: Annotated[
        RateText, Meta(description="The quota of `reactions`: `60/10` or `off`, for example")
    ] = DEFAULTS[Policy.REACTIONS]
    limit_address_factor: Annotated[
        int, Meta(ge=0, le=1000, description="The quota of one address, in quotas of a player; `0` is no limit")
    ] = ADDRESS_FACTOR
    rate_store_url: Annotated[
        RateStoreUrl | None,
        Meta(
            description="The Redis or Valkey in which all processes count rates together, `redis://HOST:6379/0`. Default: each process "
            "counts by itself"
        ),
    ] = None
    trusted_proxies: Annotated[
        str,
        Meta(
            description="The networks of the proxies whose `X-Forwarded-For` is trusted, separated by commas, such as `10.0.0.0/8`"
        ),
    ] = ""

    cors_origins: Annotated[
        Annotated[str, Meta(pattern=rf"^({ORIGIN_PATTERN}( *, *{ORIGIN_PATTERN})*)?$", max_length=4000)],
        Meta(
            description="The origins of pages, beside the service's own, whose scripts may use the API, separated by commas, such as "
            "`https://app.example`"
        ),
    ] = ""

    webhook_private_targets: Annotated[
        bool,
        Meta(
            description="Whether web hooks may be sent to private addresses, to any port and over `http`, as for tests and development: "
            "`true` or `false`"
        ),
    ] = False

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins whose pages may use the API."""
        return tuple(origin.strip() for origin in self.cors_origins.split(",") if origin.strip())

    @property
    def direct_address(self) -> str:
        """The configured database without a pooler in between; empty where none is configured."""
        return self.database_direct_url or self.database_url or ""


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings that `environment` gives; unset and empty variables leave the default.

    Raises:
        InvalidSetting: a value does not fit.
    """
    given = {field: value for field in Settings.__struct_fields__ if (value := environment.get(variable(field), ""))}
    given |= {field: value.strip(" ") for field, value in given.items() if field.endswith("_url")}  # as they are pasted
    for field, value in given.items():
        if not value.isprintable():
            raise InvalidSetting(f"{variable(field)}: Expected text without control characters, in UTF-8")
        if field.startswith("database_") and len(value.split()) > 1:
            raise InvalidSetting(
                f"{variable(field)}: Expected one address. Several databases no longer share the games; see From several databases in "
                "docs/scaling.md"
            )
        _convert({field: value}, variable(field))
    settings = _convert(given, "POCHA_*")
    _require_together(settings)
    _require_readable(settings)
    _require_usable_addresses(settings)
    return settings


def secrets_of(settings: Settings) -> Iterator[str]:
    """Yield what must never be told: the secrets themselves, and the passwords in addresses, as written and as meant."""
    yield from filter(None, (settings.secret, settings.secret_previous))
    for written in (
        settings.database_url,
        settings.database_direct_url,
        settings.rate_store_url,
        settings.otlp_endpoint,
        settings.jwt_jwks,
    ):
        for found in _PASSWORD.finditer(written or ""):
            yield from filter(None, (found[1] or found[2], unquote(found[1] or found[2] or "")))


def warnings_of(settings: Settings) -> Iterator[str]:
    """Yield what the operator should know of settings that are taken."""
    yield from address.warnings_of(filter(None, (settings.database_url, settings.database_direct_url)))


def _require_usable_addresses(settings: Settings) -> None:
    for field in ("database_url", "database_direct_url"):
        written: str = getattr(settings, field) or ""
        try:
            if written:
                address.parse(written)
        except InvalidAddress as error:
            raise InvalidSetting(f"{variable(field)}: {error}") from None


def _require_readable(settings: Settings) -> None:
    try:
        networks_of(settings.trusted_proxies)
    except ValueError as error:
        raise InvalidSetting(f"POCHA_TRUSTED_PROXIES: {error}") from None
    try:
        _ = urlsplit(settings.rate_store_url or "").port
    except ValueError:  # it may tell of the password
        raise InvalidSetting("POCHA_RATE_STORE_URL: Expected an address such as redis://host:6379/0") from None


def _require_together(settings: Settings) -> None:
    if settings.secret_previous is not None and settings.secret_previous == settings.secret:
        raise InvalidSetting("POCHA_SECRET_PREVIOUS: Expected another one than POCHA_SECRET")
    if settings.secret_previous is not None and settings.secret is None:
        raise InvalidSetting("POCHA_SECRET: Expected one beside POCHA_SECRET_PREVIOUS")
    issuer = {field: getattr(settings, field) for field in ("jwt_issuer", "jwt_audience", "jwt_jwks")}
    for field, value in issuer.items():
        if value is None and any(issuer.values()):
            raise InvalidSetting(f"{variable(field)}: Expected one, as tokens of an issuer are to be taken")


def variable(field: str) -> str:
    """Return the name of the variable that gives `field`."""
    return f"{_PREFIX}{field.upper()}"


def _convert(given: dict[str, str], named: str) -> Settings:
    try:
        return msgspec.convert(given, Settings, strict=False, dec_hook=_path)
    except msgspec.ValidationError as error:
        # The value itself may be a secret.
        raise InvalidSetting(f"{named}: {_plainly(str(error).partition(' - at ')[0], given)}") from None


def _plainly(sentence: str, given: dict[str, str]) -> str:
    """Say what a setting is, where the sentence would show a pattern, or only the name of a type."""
    if not any(unclear in sentence for unclear in ("matching regex", "`bool`")) or len(given) > 1:
        return sentence
    return f"Expected another form (`pocha settings` tells). {description(*given)}"


def description(field: str) -> str:
    """Return the description of a field."""
    metas: tuple[Meta, ...] = get_type_hints(Settings, include_extras=True)[field].__metadata__
    return next(meta.description for meta in metas if meta.description)


def unknown_variables(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return the variables of `environment` that look like settings and are none: most likely misspelt."""
    known = {variable(field) for field in Settings.__struct_fields__}
    return sorted(name for name in environment if name.startswith(_PREFIX) and name not in known)


def _path(kind: type[Any], value: object) -> Path:
    assert kind is Path  # noqa: S101 - the only field type that msgspec does not know
    try:
        return Path(str(value)).expanduser()
    except RuntimeError as error:
        raise ValueError(str(error)) from None
