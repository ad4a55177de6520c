"""Following changes and events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from math import inf
from typing import Any, Generic, NamedTuple, TypeVar

from ._answers import FeedPage
from ._cursors import AsyncCursorStore, CursorStore
from ._request import Request
from ._send import send
from ._settings import Settings
from ._steps import Do, Steps

T = TypeVar("T")

WAIT_SECONDS = 20
"""How long the service is asked to wait before an empty answer."""
SOON_SECONDS = 5.0
"""An empty answer that came sooner did not wait: the key's other calls are already waiting."""
PAUSE_SECONDS = 2.0


class FeedOptions(NamedTuple):
    """How a feed is followed."""

    after: str | None
    store: CursorStore | AsyncCursorStore | None
    live: bool
    limit: int | None


class FeedSteps:
    """Goes through a feed page by page. The cursor is stored when what lies behind a page is asked for."""

    def __init__(
        self,
        settings: Settings,
        operation_id: str,
        field: str,
        options: FeedOptions,
        query: Mapping[str, Any],
    ) -> None:
        self.cursor = options.after
        self._settings = settings
        self._operation_id = operation_id
        self._field = field
        self._options = options
        self._query = query
        self._given: FeedPage[Any] | None = None
        self._asked_at = 0.0

    def start(self) -> None:
        self._given = None

    def next_page(self) -> Steps[FeedPage[Any] | None]:
        """The next page; `None` at the end of a feed that is not live."""
        runtime = self._settings.runtime
        if self._given is None:
            store = self._options.store
            if self.cursor in (None, "latest") and store is not None:
                self.cursor = (yield Do(store.load)) or self.cursor
        else:
            yield from self._keep(self._given.next)
            if not self._given.more:
                if not self._options.live:
                    return None
                if not self._given.items and runtime.now() - self._asked_at < SOON_SECONDS:
                    yield Do(lambda: runtime.sleep(PAUSE_SECONDS))
        self._asked_at = runtime.now()
        self._given = yield from self._ask()
        return self._given

    def _keep(self, cursor: str) -> Steps[None]:
        if self.cursor == cursor:
            return
        self.cursor = cursor
        store = self._options.store
        if store is not None:
            yield Do(lambda: store.save(cursor))

    def _ask(self) -> Steps[FeedPage[Any]]:
        _, _, live, limit = self._options
        # A live feed waits until an outage is over.
        patience: dict[str, Any] = {"retries": inf, "timeout": inf} if live else {}
        wait = WAIT_SECONDS if live else None
        words = {**self._query, "after": self.cursor, "wait": wait, "limit": limit}
        answer = yield from send(self._settings, self._operation_id, Request(query=words, **patience))
        body = answer.body
        return FeedPage(body[self._field], body["next"], body["more"], body.get("kinds"))


class Feed(Generic[T]):
    """A feed that is read while you iterate over it.

    The cursor is stored when you ask for the next page: if your program stops before that, the page comes again, and
    nothing is missed.
    """

    def __init__(self, run: Callable[[Steps[FeedPage[T] | None]], FeedPage[T] | None], steps: FeedSteps) -> None:
        self._run = run
        self._steps = steps

    @property
    def cursor(self) -> str | None:
        """The position up to which everything was handled."""
        return self._steps.cursor

    def pages(self) -> Iterator[FeedPage[T]]:
        """Page by page, to store a page and its `next` in one transaction."""
        self._steps.start()
        while (page := self._run(self._steps.next_page())) is not None:
            yield page

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.items


class AsyncFeed(Generic[T]):
    """A feed that is read while you iterate over it.

    The cursor is stored when you ask for the next page: if your program stops before that, the page comes again, and
    nothing is missed.
    """

    def __init__(self, run: Callable[[Steps[FeedPage[T] | None]], Any], steps: FeedSteps) -> None:
        self._run = run
        self._steps = steps

    @property
    def cursor(self) -> str | None:
        """The position up to which everything was handled."""
        return self._steps.cursor

    async def pages(self) -> AsyncIterator[FeedPage[T]]:
        """Page by page, to store a page and its `next` in one transaction."""
        self._steps.start()
        while (page := await self._run(self._steps.next_page())) is not None:
            yield page

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.items:
                yield item
