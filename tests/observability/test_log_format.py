"""Records as lines: one each, whoever wrote what into them, and without secrets."""

import io
import json
import logging
import sys
import warnings
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from unicodedata import category
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.bootstrap import settings
from service.observability import log_format
from service.observability.log_format import LineFormatter
from service.observability.scrubbing import Scrubber
from tests.kit.waiting import until
from tests.observability.conftest import Json, Written

TOKEN = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"  # noqa: S105 - nobody's
KEY = "pocha_0123456789abcdef_" + "5f" * 32
SEED = bytes(range(100, 132))
SECRETS = {
    "a token": (TOKEN, TOKEN),
    "a token after its scheme": ("Authorization: Bearer abc.def", "abc.def"),
    "an API key": (f"key={KEY}", KEY),
    "a password in an address": ("cannot reach postgres://ana:hunter2@db.example/pocha", "hunter2"),
    "a password as a parameter": ("postgres:///pocha?host=/tmp&password=hunter2&x=1", "hunter2"),
    "a card": ("legal: oros-12", "oros-12"),
    "a card by its name": ("<Card.BASTOS_7: 7>", "BASTOS_7"),
    "a seed in hexadecimal": (SEED.hex(), SEED.hex()),
    "a seed as JSON has it": ('{"seed":"ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+f4CBgoM="}', "ZGVmZ2hpamtsbW5v"),
    "a seed as Python has it": (repr(SEED), "defghi"),
    "a seed that was cut short": (repr(SEED)[:20] + "...", "defghi"),
    "a secret of a web hook": (
        "HookSecret(text='whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD')",
        "C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
    ),
    "an invite code in a record": ("Table(invite_code='AbCd-_0123456789', x=1)", "AbCd-_0123456789"),
    "an invite code in JSON": ('{"invite_code":"AbCd-_0123456789"}', "AbCd-_0123456789"),
    "an invite code in a text in a text": (r"Table(invite_code=\\'AbCd-_0123456789\\')", "AbCd-_0123456789"),
    "a secret that it was told of": ("the secret is swordfish!", "swordfish"),
}


def record(message: object, *args: object, error: BaseException | None = None, **extra: object) -> logging.LogRecord:
    info = (type(error), error, error.__traceback__) if error else None
    return logging.getLogger("a.library").makeRecord(
        "a.library", logging.WARNING, "file.py", 1, message, args, info, extra=extra
    )


def line(message: object, *args: object, form: str = "json", **more: Any) -> str:
    return LineFormatter(form, ["swordfish"]).format(record(message, *args, **more))


def parsed(message: object, *args: object, **more: Any) -> Json:
    return json.loads(line(message, *args, **more))


def raised(message: str) -> Exception:
    try:
        json.loads("")
    except ValueError as error:
        error.args = (message,)
        return error
    raise AssertionError


def test_a_record_is_an_object_that_begins_with_time_level_logger_and_event() -> None:
    made = record("%d moves at %s", 3, "a table", game_id=UUID(int=7), seconds=0.5, is_late=True, seat=None)
    found = json.loads(LineFormatter("json").format(made))
    assert list(found)[:4] == ["timestamp", "level", "logger", "event"]
    assert datetime.fromisoformat(found["timestamp"]) == datetime.fromtimestamp(made.created, UTC)
    assert (found["level"], found["logger"], found["event"]) == ("warning", "a.library", "3 moves at a table")
    assert found["game_id"] == "00000000-0000-0000-0000-000000000007"
    assert (found["seconds"], found["is_late"], found["seat"]) == (0.5, True, None)


def test_text_says_the_same_for_people() -> None:
    said = line("%d moves", 3, form="text", game_id="g")
    head, _, rest = said.partition(" ")
    assert datetime.fromisoformat(head).utcoffset() is not None
    assert rest == "WARNING a.library 3 moves game_id=g"


def test_an_exception_is_told_with_its_trace() -> None:
    found = parsed("it failed", error=raised("because"))
    assert found["exception"].startswith("Traceback (most recent call last):\n")
    assert found["exception"].endswith("\njson.decoder.JSONDecodeError: because")
    said = line("it failed", error=raised("because\nFORGED"), form="text").split("\n")
    assert all(further.startswith("    | ") for further in said[1:])
    assert said[-2:] == ["    | json.decoder.JSONDecodeError: because", "    | FORGED"]


@given(message=st.text(), value=st.text(), reason=st.text(), form=st.sampled_from(["json", "text"]))
def test_whatever_a_text_holds_it_begins_no_line_and_steers_no_terminal(
    message: str, value: str, reason: str, form: str
) -> None:
    said = line(message.replace("%", ""), form=form, value=value, error=raised(reason))
    first, *others = said.splitlines()
    assert first.startswith('{"timestamp":' if form == "json" else "20")
    assert all(other.startswith("    | ") for other in others)
    assert form == "text" or not others
    assert not {category(letter) for letter in said.replace("\n", "")} & {"Cc", "Cs", "Zl", "Zp"}
    assert not set(said) & set("\u202e\u2066\u200f")


class Unspeakable:
    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    "value",
    [
        2**80,
        -(2**80),
        float("nan"),
        {"a": {1: object()}},
        [b"\xff"],
        Unspeakable(),
        "\ud800",
        datetime.max.replace(tzinfo=UTC),
    ],
)
def test_whatever_a_value_is_the_record_is_written(value: object) -> None:
    assert parsed("odd", value=value)["event"] == "odd"
    assert line("odd", value=value, form="text")


@pytest.mark.parametrize("form", ["json", "text"])
@pytest.mark.parametrize(("said", "secret"), SECRETS.values(), ids=SECRETS)
def test_no_record_tells(said: str, secret: str, form: str) -> None:
    for made in (
        line("it is %s", said, form=form),
        line("x", form=form, field=said),
        line("x", form=form, d={"k": said}),
    ):
        assert secret not in made
        assert "[" in made
    assert secret not in line("it failed", form=form, error=raised(said))


@pytest.mark.parametrize(
    "harmless",
    [
        "/v1/games/01a22b65-9f82-74a4-86b2-99ff9c4cab8e/plays",
        "postgres://db.example:5432/pocha?host=/tmp/pg",
        "0af7651916cd43dd8448eb211c80319c",
        "pocha_commit_batch_seconds_bucket",
        'File "/work/service/rest/access.py", line 12, in begun',
        "connection to server at localhost:5432 failed: timeout",
    ],
)
def test_what_is_no_secret_is_told(harmless: str) -> None:
    assert Scrubber().scrub(harmless) == harmless


def test_libraries_write_the_same_lines_and_warnings_are_records(written: Written) -> None:
    logging.getLogger("uvicorn.error").warning("slow", extra={"color_message": "\x1b[1mslow"})
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("old ways", stacklevel=1)
    slow, old = written.records()
    assert set(slow) == {"timestamp", "level", "logger", "event"}
    assert (old["logger"], old["level"]) == ("py.warnings", "warning")
    assert "old ways" in old["event"]


def test_only_records_from_the_level_on_are_written() -> None:
    stream = io.StringIO()
    log_format.configure("warning", "json", stream=stream)
    logging.getLogger("pocha").info("unimportant")
    logging.getLogger("pocha").warning("important")
    assert [json.loads(said)["event"] for said in stream.getvalue().splitlines()] == ["important"]


class Bound:
    def fields(self) -> Mapping[str, object]:
        return {"request_id": "r", "game_id": "g"}


def test_a_record_says_what_it_belongs_to_unless_it_knows_better(written: Written) -> None:
    logger = logging.getLogger("pocha")
    with log_format.bind_context(Bound()):
        logger.info("within")
        logger.info("within, of another game", extra={"game_id": "h"})
    logger.info("after")
    within, other, after = written.records()
    assert (within["request_id"], within["game_id"]) == ("r", "g")
    assert (other["request_id"], other["game_id"]) == ("r", "h")
    assert "request_id" not in after


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_people_get_text_and_machines_json_unless_somebody_chose() -> None:
    assert log_format.choose_format(None, Terminal()) == "text"
    assert log_format.choose_format(None, io.StringIO()) == "json"
    assert log_format.choose_format("json", Terminal()) == "json"
    assert log_format.choose_format(None) == ("text" if sys.stderr.isatty() else "json")


def test_the_settings_tell_their_secrets_so_that_they_can_be_hidden() -> None:
    chosen = settings.from_environment(
        {
            "POCHA_SECRET": "s" * 40,
            "POCHA_SECRET_PREVIOUS": "p" * 40,
            "POCHA_DATABASE_URL": "postgres://ana:hunter%402@db/pocha",
            "POCHA_RATE_STORE_URL": "redis://:sesame@store:6379/0",
            "POCHA_OTLP_ENDPOINT": "http://collector:4318",
        }
    )
    assert set(settings.secrets_of(chosen)) == {"s" * 40, "p" * 40, "hunter%402", "hunter@2", "sesame"}


@pytest.mark.parametrize(
    ("variable", "value"), [("POCHA_LOG_FORMAT", "xml"), ("POCHA_OTLP_ENDPOINT", "collector:4318")]
)
def test_a_wrong_setting_is_named(variable: str, value: str) -> None:
    with pytest.raises(settings.InvalidSetting, match=variable):
        settings.from_environment({variable: value})


def prepared(event: str) -> log_format.PreparedLine:
    return log_format.PreparedLine(datetime(2027, 1, 1, tzinfo=UTC), "info", "pocha.access", event)


def configured() -> io.StringIO:
    """Return what is written from now on; within a test, since pytest adds handlers of its own at its beginning."""
    stream = io.StringIO()
    log_format.configure("info", "json", stream=stream)
    return stream


class TestPreparedLines:
    async def test_they_are_written_together_and_soon(self) -> None:
        stream = configured()
        for number in range(3):
            log_format.write(prepared(str(number)), logging.INFO)
        assert not stream.getvalue()
        await until(stream.getvalue)
        assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == ["0", "1", "2"]

    async def test_they_keep_their_place_before_other_records(self) -> None:
        stream = configured()
        log_format.write(prepared("first"), logging.INFO)
        logging.getLogger("pocha").error("second")
        assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == ["first", "second"]

    async def test_many_do_not_wait(self) -> None:
        stream = configured()
        for number in range(1001):
            log_format.write(prepared(str(number)), logging.INFO)
        assert len(stream.getvalue().splitlines()) >= 1000

    async def test_at_the_end_of_the_process_they_are_written(self) -> None:
        stream = configured()
        log_format.write(prepared("last"), logging.INFO)
        (handler,) = logging.root.handlers
        handler.flush()  # as `logging` does at exit
        assert "last" in stream.getvalue()

    def test_without_an_event_loop_they_are_written_at_once(self) -> None:
        stream = configured()
        log_format.write(prepared("now"), logging.INFO)
        assert "now" in stream.getvalue()

    async def test_beside_other_handlers_they_are_records(self) -> None:
        stream = configured()
        other = io.StringIO()
        logging.root.addHandler(logging.StreamHandler(other))
        log_format.write(prepared("a line"), logging.INFO)
        assert "a line" in other.getvalue()
        assert "a line" in stream.getvalue()
