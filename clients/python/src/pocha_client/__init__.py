"""Client of Pocha: `Pocha` and `AsyncPocha`."""

from pocha_client import errors, models
from pocha_client.aio import AsyncPocha, AsyncTurn
from pocha_client.blocking import Pocha, Turn
from pocha_client.errors import NoAnswer, PochaError

__all__ = ["AsyncPocha", "AsyncTurn", "NoAnswer", "Pocha", "PochaError", "Turn", "errors", "models"]
