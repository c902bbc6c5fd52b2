"""Settings: the environment, read once into one frozen record. A wrong value stops the start, with the variable's name."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

DatabaseUrl = Annotated[str, Meta(pattern=r"^postgres(ql)?://")]


class WrongSetting(ValueError):
    """A variable of the environment has a value that does not fit; the message names it."""


class Settings(msgspec.Struct, frozen=True):
    """Each field is the variable `POCHA_` and its name in capitals.

    host, port: where HTTP is served. database_url: the Postgres to use; without it the service runs a private one of its own.
    database_direct_url: the same Postgres without a pooler in between, for notifications and migrations; without it, database_url.
    data_dir: where that one and the generated secret live. pg_bin: the folder of the Postgres programs to run it with.
    secret: signs the players' tokens; without it one is generated and kept in data_dir. log_level: how much is logged.
    drain_seconds: how long everything is still served after SIGTERM, while whoever routes requests takes notice.
    abandon_after_days: how long a table is kept where nobody does anything.
    """

    host: Annotated[str, Meta(min_length=1)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    database_url: DatabaseUrl | None = None
    database_direct_url: DatabaseUrl | None = None
    data_dir: Path | None = None
    pg_bin: Path | None = None
    secret: Annotated[str, Meta(min_length=32)] | None = None
    log_level: Annotated[str, Meta(pattern="^(debug|info|warning|error)$")] = "info"
    drain_seconds: Annotated[float, Meta(ge=0, le=4)] = 2
    abandon_after_days: Annotated[float, Meta(gt=0, le=3650)] = 7.0


def read(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings that `environment` gives; unset and empty variables leave the default.

    Raises:
        WrongSetting: a value does not fit.
    """
    given = {field: value for field in Settings.__struct_fields__ if (value := environment.get(_variable(field), ""))}
    for field, value in given.items():
        if not value.isprintable():
            raise WrongSetting(f"{_variable(field)}: Expected text without control characters, in UTF-8")
        _convert({field: value}, _variable(field))
    return _convert(given, "POCHA_*")


def _variable(field: str) -> str:
    return f"POCHA_{field.upper()}"


def _convert(given: dict[str, str], named: str) -> Settings:
    try:
        return msgspec.convert(given, Settings, strict=False, dec_hook=_path)
    except msgspec.ValidationError as error:
        # The value itself may be a secret.
        raise WrongSetting(f"{named}: {str(error).partition(' - at ')[0]}") from None


def _path(kind: type[Any], value: object) -> Path:
    assert kind is Path  # noqa: S101 - the only field type that msgspec does not know
    try:
        return Path(str(value)).expanduser()
    except RuntimeError as error:
        raise ValueError(str(error)) from None
