"""A service for the tests of apps: it answers what a script, or a recording of a real service, says. It knows no rules."""

from collections import defaultdict, deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Self

import httpx
import msgspec

from pocha_client.wire import Frame


class Exchange(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request, and what was answered."""

    method: str
    path: str
    """Without its query."""
    body: Any = None
    status: int = 200
    answer: Any = None


class Request(msgspec.Struct, frozen=True):
    """What the fake was asked."""

    method: str
    path: str
    body: Any = None


class FakePocha:
    """Answers each request by its method and path: answers in the order of the script, the last one again and again.

    `transport` is for `Pocha` and `AsyncPocha`; `requests` are those so far. What is not in the script is a `PochaError` with the code
    `not-scripted`.
    """

    def __init__(self, exchanges: Iterable[Exchange] = ()) -> None:
        self.requests: list[Request] = []
        self.transport = httpx.MockTransport(self._answer)
        self._script: defaultdict[tuple[str, str], deque[httpx.Response]] = defaultdict(deque)
        for each in exchanges:
            self.answer(each.method, each.path, each.answer, status=each.status)

    @classmethod
    def of(cls, recording: Path) -> Self:
        """Return a fake that answers as the service did when a `Recorder` wrote the file."""
        return cls(msgspec.json.decode(recording.read_bytes(), type=list[Exchange]))

    def answer(self, method: str, path: str, answer: object = None, *, status: int = 200) -> None:
        """Answer a request with this JSON value."""
        content = b"" if answer is None else msgspec.json.encode(answer)
        self._script[method, path].append(httpx.Response(status, content=content))

    def refuse(self, method: str, path: str, code: str, *, status: int, **members: object) -> None:
        """Answer a request with a problem, which has these further members, such as `legal_cards`."""
        self.answer(method, path, _problem(code, status, code) | members, status=status)

    def stream(self, path: str, frames: Iterable[Frame]) -> None:
        """Send these frames to who opens the stream; who opens it again hears that there are no more."""
        text = "".join(f"id: {frame.id}\nevent: {frame.event}\ndata: {frame.data}\n\n" for frame in frames)
        self._script["GET", path] += [httpx.Response(200, text=text), httpx.Response(204)]

    def _answer(self, request: httpx.Request) -> httpx.Response:
        body = msgspec.json.decode(request.content) if request.content else None
        asked = Request(request.method, request.url.path, body)
        self.requests.append(asked)
        answers = self._script[asked.method, asked.path]
        if not answers:
            told = f"nothing is scripted for {asked.method} {asked.path}"
            return httpx.Response(404, json=_problem("not-scripted", 404, told))
        answer = answers[0] if len(answers) == 1 else answers.popleft()
        return httpx.Response(answer.status_code, content=answer.content)


class Recorder(httpx.BaseTransport):
    """Passes requests of a `Pocha` on to a service, and keeps what it answers, tokens included. Streams are not kept."""

    def __init__(self) -> None:
        self.exchanges: list[Exchange] = []
        self._transport = httpx.HTTPTransport()

    def save(self, recording: Path) -> None:
        """Write what was recorded, for `FakePocha.of`."""
        recording.write_bytes(msgspec.json.format(msgspec.json.encode(self.exchanges)))

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Pass a request on."""
        response = self._transport.handle_request(request)
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            content = response.read()
            kept = Exchange(
                method=request.method,
                path=request.url.path,
                body=msgspec.json.decode(request.content) if request.content else None,
                status=response.status_code,
                answer=msgspec.json.decode(content) if content else None,
            )
            self.exchanges.append(kept)
        return response

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()


def _problem(code: str, status: int, detail: str) -> dict[str, Any]:
    return {"type": "about:blank", "title": code, "status": status, "code": code, "detail": detail}
