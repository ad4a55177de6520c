"""The interface through which the generated namespaces make calls."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from contextvars import ContextVar
from typing import Any

from ._answers import Answer
from ._lists import AsyncList, List, PageReader
from ._request import Request
from ._send import send
from ._settings import Settings
from ._steps import Steps

answers: ContextVar[list[Answer[Any]] | None] = ContextVar("answers", default=None)
"""Where `with_answer` collects the answers of the calls it makes."""


class _Asking:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def run_call(self, operation_id: str, *, query: Mapping[str, Any] | None = None, **parts: Any) -> Any:
        """The body of the answer, or an awaitable of it."""
        return self.settings.run(self._body(operation_id, Request(query=query or {}, **parts)))

    def _body(self, operation_id: str, request: Request) -> Steps[Any]:
        answer = yield from send(self.settings, operation_id, request)
        wanted = answers.get()
        if wanted is not None:
            wanted.append(answer)
        return answer.body

    def reader(self, operation_id: str, *, query: Mapping[str, Any], **parts: Any) -> PageReader:
        """Reads a page of a list: the first one, or the one after a cursor."""

        def read(after: str | None) -> Steps[Answer[Any]]:
            words = query if after is None else {**query, "after": after}
            return send(self.settings, operation_id, Request(query=words, **parts))

        return read


class Ask(_Asking):
    """Makes the calls of `VenueData`."""

    def call(self, operation_id: str, **parts: Any) -> Any:
        return self.run_call(operation_id, **parts)

    def pages(self, operation_id: str, **parts: Any) -> List[Any]:
        return List(self.settings.run, self.reader(operation_id, **parts))


class AsyncAsk(_Asking):
    """Makes the calls of `AsyncVenueData`."""

    def call(self, operation_id: str, **parts: Any) -> Awaitable[Any]:
        return self.run_call(operation_id, **parts)

    def pages(self, operation_id: str, **parts: Any) -> AsyncList[Any]:
        return AsyncList(self.settings.run, self.reader(operation_id, **parts))


class Namespace:
    def __init__(self, ask: Ask) -> None:
        self.ask = ask


class AsyncNamespace:
    def __init__(self, ask: AsyncAsk) -> None:
        self.ask = ask
