"""Requests to the service, by its public contract."""

import json
import time
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

Json = dict[str, Any]

_ATTEMPTS = 6
_READ_SECONDS = 10
_BUSY = frozenset({429, 500, 502, 503, 504})


class Refusal(Exception):
    """The service refused a request; the message says why, in the player's language."""

    def __init__(self, problem: Json) -> None:
        super().__init__(problem.get("detail", problem.get("title", "?")))
        self.code: str = problem.get("code", "")


class NoService(OSError):
    """There is no service at the address."""


class Api:
    """The service at `url`, as a guest sees it."""

    def __init__(self, url: str, language: str) -> None:
        self._url = url.rstrip("/")
        self._headers = {"Accept-Language": language, "Content-Type": "application/json"}

    def become_guest(self, name: str) -> None:
        """Get a token."""
        guest = self.ask("POST", "/v1/players", {"display_name": name})
        self._headers["Authorization"] = f"Bearer {guest['token']}"

    def ask(self, method: str, path: str, body: Json | None = None, wait: int = 0) -> Json:
        """Send a request, again with the same key where there was no answer, and return the answer.

        Raises:
            Refusal: the service refused it.
            NoService: there was no answer.
        """
        headers = {**self._headers, "Idempotency-Key": str(uuid4())}
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self._url}{path}", data, headers, method=method)  # noqa: S310 - checked by the command
        for attempt in range(_ATTEMPTS):
            try:
                with urlopen(request, timeout=wait + _READ_SECONDS) as response:  # noqa: S310 - as above
                    return json.load(response)
            except HTTPError as error:
                if error.code not in _BUSY or attempt == _ATTEMPTS - 1:
                    raise Refusal(_problem(error)) from None
            except (OSError, HTTPException) as error:
                if attempt == _ATTEMPTS - 1:
                    raise NoService(f"no answer from {self._url}: {error}") from None
            time.sleep(0.2 * 2**attempt)
        raise AssertionError("the last attempt returns or raises")


def _problem(error: HTTPError) -> Json:
    try:
        return json.load(error)
    except ValueError:
        return {"detail": f"{error.code} {error.reason}"}
