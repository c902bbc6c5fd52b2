"""Logs: one line a record, for our own records and for those of libraries alike, as JSON or as text.

Who logs does so by the standard library, with what belongs to the record in `extra`; here structlog makes a line of it. No line tells a
secret (`service.observability.scrubbing`), whoever logged it, and no text that came from outside can begin a line of its own.
"""

import logging
import sys
from collections.abc import Iterable, Mapping
from contextvars import ContextVar, Token
from datetime import UTC, datetime
from typing import Protocol, TextIO

import msgspec
import structlog
from structlog.stdlib import ExtraAdder, ProcessorFormatter
from structlog.typing import EventDict

from service.observability.scrubbing import Scrubber, escape_control, escape_invisible

_encode = msgspec.json.Encoder().encode
_HEAD = ("timestamp", "level", "logger", "event")
_LEFT_OUT = (*_HEAD, "_record", "_from_structlog", "color_message")  # the last is uvicorn's, with codes for terminals
_INDENT = "\n    | "
_LARGEST = 2**53


class PreparedLine(msgspec.Struct, omit_defaults=True):
    """A record's message whose fields are known beforehand: it is its own line, made in a fraction of the time.

    Whoever makes it sees to it that it tells no secret. Fields that have their default are left out.
    """

    timestamp: datetime
    level: str
    logger: str
    event: str

    def as_json(self) -> str:
        """Return the line as JSON."""
        return _encode(self).decode()

    def as_text(self) -> str:
        """Return the line as text."""
        return _as_text(None, "", {**msgspec.to_builtins(self), "timestamp": self.timestamp})


class LogContext(Protocol):
    """What records belong to that are logged meanwhile, such as a request."""

    def fields(self) -> Mapping[str, object]:
        """Return what they are to say of it."""
        ...


_BOUND: ContextVar[LogContext | None] = ContextVar("pocha_bound", default=None)


def current_context() -> LogContext | None:
    """Return what a record belongs to that is logged now; none when to nothing."""
    return _BOUND.get()


class bind_context:  # noqa: N801 - used as a function; a generator would take three times as long, on every request
    """Let the records within the `with`, and of the tasks begun there, say what they belong to."""

    __slots__ = ("_to", "_token")
    _token: Token[LogContext | None]

    def __init__(self, to: LogContext) -> None:
        self._to = to

    def __enter__(self) -> None:
        self._token = _BOUND.set(self._to)

    def __exit__(self, *_: object) -> None:
        _BOUND.reset(self._token)


def choose_format(chosen: str | None, stream: TextIO | None = None) -> str:
    """Return the form that was chosen, `json` or `text`; when none was, text where `stream` (standard error) is a terminal, else JSON."""
    return chosen or ("text" if (stream or sys.stderr).isatty() else "json")


def configure(level: str, form: str, secrets: Iterable[str] = (), stream: TextIO | None = None) -> None:
    """Have all records from `level` on written to `stream` (standard error) in `form`, `json` or `text`, without `secrets`.

    Takes the place of what was set up before. Warnings of Python are records too.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(LineFormatter(form, secrets))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.captureWarnings(capture=True)
    # uvicorn says in four lines what the command says in one.
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)


class LineFormatter(ProcessorFormatter):
    """Makes a line of each record, in `form`, `json` or `text`."""

    def __init__(self, form: str, secrets: Iterable[str] = ()) -> None:
        self._is_json = form == "json"
        self._hiding = Scrubber(secrets)
        super().__init__(
            foreign_pre_chain=[ExtraAdder(), _belonging, _headed],
            processors=[
                structlog.processors.format_exc_info,
                self._plain,
                _as_json if self._is_json else _as_text,
            ],
        )

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        message: object = record.msg
        if isinstance(message, PreparedLine):
            return message.as_json() if self._is_json else message.as_text()
        return super().format(record)

    def _plain(self, _: object, __: str, event: EventDict) -> EventDict:
        """Put the head first, and make of every value one that can be written and may be read."""
        names = (*_HEAD, *(name for name in event if name not in _LEFT_OUT))
        return {str(name): self._written(event[name]) for name in names}

    def _written(self, value: object) -> object:
        match value:
            case None | bool() | float() | datetime():
                return value
            case int() if -_LARGEST < value < _LARGEST:
                return int(value)
            case _:
                return escape_invisible(self._hiding.scrub(_text_of(value)))


def _text_of(value: object) -> str:
    try:
        return str(value)
    except Exception as error:  # noqa: BLE001 - whatever it is, the record matters more
        return f"<{type(value).__name__} that cannot be shown: {type(error).__name__}>"


def _belonging(_: object, __: str, event: EventDict) -> EventDict:
    """Add what the record belongs to; what it says itself counts more."""
    to = _BOUND.get()
    return event if to is None else {**to.fields(), **event}


def _headed(_: object, __: str, event: EventDict) -> EventDict:
    record: logging.LogRecord = event["_record"]
    return {
        **event,
        "timestamp": datetime.fromtimestamp(record.created, UTC),
        "level": record.levelname.lower(),
        "logger": record.name,
    }


def _as_json(_: object, __: str, event: EventDict) -> str:
    return _encode(event).decode()


def _as_text(_: object, __: str, event: EventDict) -> str:
    timestamp, level, logger, said = (event.pop(name) for name in _HEAD)
    trace = str(event.pop("exception", ""))
    head = f"{timestamp:%Y-%m-%dT%H:%M:%S.%fZ} {level.upper()} {logger} {escape_control(str(said))}"
    fields = "".join(f" {name}={escape_control(str(value))}" for name, value in event.items())
    return head + fields + "".join(_INDENT + escape_control(line) for line in trace.split("\n") if line)
