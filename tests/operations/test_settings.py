"""The settings: documented from themselves, and refused by name when they are wrong."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from service.bootstrap.settings import InvalidSetting, Settings, from_environment, unknown_variables, variable
from service.cli import settings as settings_command
from tests.e2e.test_cli import pocha

ROOT = Path(__file__).parents[2]
VARIABLES = tuple(variable(field) for field in Settings.__struct_fields__)
WRONG: Mapping[str, tuple[str, ...]] = {
    "POCHA_HOST": ("\x00", "local\nhost"),
    "POCHA_PORT": ("eighty", "-1", "65536", "80.5"),
    "POCHA_PATH_PREFIX": ("pocha", "/pocha/", "/", "//a", "/a/../b", "/a b", "https://example.com/pocha"),
    "POCHA_DATABASE_URL": (
        "mysql://root:hunter2@localhost/pocha",
        "localhost:5432",
        "postgresql://u:hunter2@h/d?sslmod=require",
        "postgresql://u:hunter2@h:port/d",
        "postgresql://a/b postgresql://u:hunter2@h/d#e",
    ),
    "POCHA_DATABASE_DIRECT_URL": ("http://hunter2@localhost", "postgresql://a/b postgresql://a/c"),
    "POCHA_DATA_DIR": ("~nobody-of-that-name/x", "/data\n"),
    "POCHA_PG_BIN": ("~nobody-of-that-name/bin",),
    "POCHA_SECRET": ("hunter2", "s" * 31, "\udcff" * 40),
    "POCHA_SECRET_PREVIOUS": ("hunter2", "p" * 32),  # alone, without a current one
    "POCHA_TABLE": ("maybe", "2"),
    "POCHA_LOG_LEVEL": ("loud", "INFO"),
    "POCHA_LOG_FORMAT": ("xml",),
    "POCHA_OTLP_ENDPOINT": ("collector:4318",),
    "POCHA_DRAIN_SECONDS": ("-1", "5.1", "soon", "nan"),
    "POCHA_ABANDON_AFTER_DAYS": ("0", "4000", "never"),
    "POCHA_ABANDON_UNATTENDED_AFTER_MINUTES": ("0", "1000001", "never"),
    "POCHA_CLOSE_WAITING_AFTER_SECONDS": ("0", "86401", "never"),
    "POCHA_REMATCH_KEEP_SECONDS": ("-1", "86401", "always"),
    "POCHA_DELETE_AFTER_DAYS": ("0", "36501", "nan", "never"),
    "POCHA_TOKEN_HOURS": ("0", "-1", "inf"),
    "POCHA_JWT_ISSUER": ("https://login.example",),  # each of the three alone
    "POCHA_JWT_AUDIENCE": ("pocha",),
    "POCHA_JWT_JWKS": ("http://login.example/keys", "https://login.example/keys"),
    "POCHA_JWT_LEEWAY_SECONDS": ("-1", "301"),
    "POCHA_LIMIT_COMMANDS": ("60", "0/10", "60/0", "60/10s"),
    "POCHA_LIMIT_READS": ("many", "10/3601"),
    "POCHA_LIMIT_STREAMS": ("OFF",),
    "POCHA_LIMIT_CREATION": ("1000000/10",),
    "POCHA_LIMIT_JOINS": ("20",),
    "POCHA_LIMIT_REACTIONS": ("6",),
    "POCHA_LIMIT_ADDRESS_FACTOR": ("-1", "1001", "ten"),
    "POCHA_RATE_STORE_URL": ("http://localhost:6379", "redis://:hunter2@host:port/0"),
    "POCHA_CORS_ORIGINS": ("*", "app.example", "https://app.example/", "https://*.example", "null"),
    "POCHA_WEBHOOK_PRIVATE_TARGETS": ("maybe",),
    "POCHA_TRUSTED_PROXIES": ("10.0.0.0/33", "proxy.example"),
}


def test_the_table_of_the_operations_page_is_the_one_that_the_settings_give() -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    [table] = re.findall(r"<!-- pocha settings -->\n(.*?)<!-- end -->", page, re.DOTALL)
    assert table == settings_command.markdown_table(), "paste what `pocha settings` prints"


def test_the_command_prints_the_table() -> None:
    done = pocha("settings", environment={"POCHA_PORT": "wrong, and not read"})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == settings_command.markdown_table()


def test_every_setting_has_a_meaning_and_its_bounds_in_the_table() -> None:
    rows = settings_command.markdown_table().splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == list(VARIABLES)
    for row in rows:
        assert re.fullmatch(r"\| `POCHA_[A-Z_]+` \| (none|`[^`]+`) \| [A-Z`][^|]{9,} \|", row), row
    assert "| `POCHA_PORT` | `8000` | Its port; `0` is any free one; 0 to 65,535 |" in rows


def test_every_setting_has_wrong_values_here() -> None:
    assert sorted(WRONG) == sorted(VARIABLES)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WRONG.items() for value in values])
def test_a_wrong_value_is_refused_by_name_and_is_not_repeated(name: str, value: str) -> None:
    with pytest.raises(InvalidSetting) as refused:
        from_environment({name: value})
    said = str(refused.value)
    # What is missing beside it is named, where a setting is wrong because it stands alone.
    assert said.startswith("POCHA_")
    assert name in said or said.startswith(("POCHA_JWT_", "POCHA_SECRET: "))
    assert "hunter2" not in said


@pytest.mark.parametrize(
    ("name", "value", "needed"),
    [
        ("POCHA_TABLE", "yes", "`true` or `false`"),
        ("POCHA_WEBHOOK_PRIVATE_TARGETS", "on", "`true` or `false`"),
        ("POCHA_LOG_LEVEL", "trace", "`debug`, `info`, `warning` or `error`"),
        ("POCHA_LIMIT_JOINS", "20", "`60/10` or `off`"),
        ("POCHA_RATE_STORE_URL", "localhost", "`redis://HOST:6379/0`"),
    ],
)
def test_a_refusal_shows_a_value_that_would_do(name: str, value: str, needed: str) -> None:
    """Kind: an operator is told what was wrong, and not what would be right."""
    with pytest.raises(InvalidSetting, match=re.escape(needed)):
        from_environment({name: value})


def test_an_address_may_be_pasted_with_blanks() -> None:
    address = "postgresql://u:p@host/name"
    assert from_environment({"POCHA_DATABASE_URL": f" {address}  "}).database_url == address


@pytest.mark.parametrize("name", VARIABLES)
def test_an_empty_variable_is_as_good_as_none(name: str) -> None:
    assert from_environment({name: ""}) == Settings()


def test_variables_that_look_like_settings_and_are_none_are_found() -> None:
    environment = {"POCHA_PORT": "1", "POCHA_PROT": "1", "PATH": "/", "POCHA_": ""}
    assert unknown_variables(environment) == ["POCHA_", "POCHA_PROT"]


@pytest.mark.parametrize(
    "command", [("apps", "list"), ("ratings", "rebuild"), ("delete-games", "--older-than-days", "1")]
)
def test_every_command_warns_of_a_misspelt_setting(command: tuple[str, ...], tmp_path: Path) -> None:
    """Kind: a command for another database than was meant. With a misspelt address it is the embedded one's."""
    misspelt = {"POCHA_DATABSE_URL": "postgresql://u@host/name", "POCHA_DATA_DIR": str(tmp_path)}
    done = pocha(*command, environment=misspelt)
    assert done.returncode == 1
    assert "there is no setting POCHA_DATABSE_URL" in done.stderr
