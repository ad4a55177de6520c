"""The clients of one venue."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, ParamSpec, TypeVar

import httpx

from . import _async_drive, _drive
from ._answers import Answer
from ._calls import Ask, AsyncAsk, answers
from ._cursors import AsyncCursorStore, CursorStore, MemoryCursor
from ._feed import AsyncFeed, Feed, FeedOptions, FeedSteps
from ._generated.async_calls import AsyncAllCalls, AsyncChangesCalls, AsyncEventsCalls
from ._generated.calls import AllCalls, ChangesCalls, EventsCalls
from ._generated.operations import OperationId
from ._generated.records import Change, EventItem, RecordKind
from ._settings import Retry, Runtime, Settings, address_of, async_key_from, key_from
from ._sync import AsyncCopy, Copy, SyncedPage, sync
from ._verify import AsyncRevisedCopy, RevisedCopy, Verified, verify

P = ParamSpec("P")
T = TypeVar("T")


def _changes(settings: Settings, options: FeedOptions, **query: Any) -> FeedSteps:
    return FeedSteps(settings, "listChanges", "changes", options, query)


def _events(settings: Settings, options: FeedOptions, **query: Any) -> FeedSteps:
    return FeedSteps(settings, "listEvents", "items", options, query)


class Changes(ChangesCalls):
    """The calls of `changes`; calling it follows the feed."""

    def __call__(
        self,
        *,
        after: str | None = None,
        store: CursorStore | None = None,
        live: bool = True,
        limit: int | None = None,
        kinds: Sequence[RecordKind] | None = None,
        data: Literal["full", "none"] | None = None,
    ) -> Feed[Change]:
        """Changes to every kind of record: first every existing record, then each new, changed or deleted one, until
        you stop. Outages are waited out. A change may come twice if your program stopped while handling it; `revision`
        tells.

        Args:
            after: The cursor to continue from; absent: from the store, else from the beginning. `latest`: from the
                store, else from now on.
            store: Where the cursor is kept across restarts.
            live: Whether to wait for more at the end; `False`: stop there.
            limit: Items in one answer at most.
            kinds: Only these kinds of records.
            data: `none`: only which records changed.

        Example:
            >>> for change in venue.changes(store=FileCursor("changes.cursor")):
            ...     print(change["kind"], change["id"], change["revision"])
        """
        settings = self.ask.settings
        steps = _changes(settings, FeedOptions(after, store, live, limit), kinds=kinds, data=data)
        return Feed(settings.run, steps)


class AsyncChanges(AsyncChangesCalls):
    """The calls of `changes`; calling it follows the feed."""

    def __call__(
        self,
        *,
        after: str | None = None,
        store: CursorStore | AsyncCursorStore | None = None,
        live: bool = True,
        limit: int | None = None,
        kinds: Sequence[RecordKind] | None = None,
        data: Literal["full", "none"] | None = None,
    ) -> AsyncFeed[Change]:
        """What changes, of every kind of record, as with `VenueData.changes`, by `async for`.

        Example:
            >>> async for change in venue.changes(store=FileCursor("changes.cursor")):
            ...     print(change["kind"], change["id"], change["revision"])
        """
        settings = self.ask.settings
        steps = _changes(settings, FeedOptions(after, store, live, limit), kinds=kinds, data=data)
        return AsyncFeed(settings.run, steps)


class Events(EventsCalls):
    """The calls of `events`; calling it follows the feed."""

    def __call__(
        self,
        *,
        after: str | None = None,
        store: CursorStore | None = None,
        live: bool = True,
        limit: int | None = None,
        names: Sequence[str] | None = None,
        kinds: Sequence[RecordKind] | None = None,
        record: str | None = None,
        since: str | datetime | None = None,
    ) -> Feed[EventItem]:
        """Events, one by one, followed like `changes`; the last 30 days are kept.

        Args:
            names: Only these events; `reservation.*` is every reservation event.
            kinds: Only events of records of these kinds.
            record: Only events of this record: its kind, a colon and its id.
            since: Only events that happened at or after this moment: a text, or a datetime with its time zone.

        Example:
            >>> for event in venue.events(after="latest", names=["reservation.*"]):
            ...     print(event["event"], event["occurredAt"])
        """
        settings = self.ask.settings
        options = FeedOptions(after, store, live, limit)
        steps = _events(settings, options, names=names, kinds=kinds, record=record, since=since)
        return Feed(settings.run, steps)


class AsyncEvents(AsyncEventsCalls):
    """The calls of `events`; calling it follows the feed."""

    def __call__(
        self,
        *,
        after: str | None = None,
        store: CursorStore | AsyncCursorStore | None = None,
        live: bool = True,
        limit: int | None = None,
        names: Sequence[str] | None = None,
        kinds: Sequence[RecordKind] | None = None,
        record: str | None = None,
        since: str | datetime | None = None,
    ) -> AsyncFeed[EventItem]:
        """What happens, one by one, as with `VenueData.events`, by `async for`.

        Example:
            >>> async for event in venue.events(after="latest", names=["reservation.*"]):
            ...     print(event["event"], event["occurredAt"])
        """
        settings = self.ask.settings
        options = FeedOptions(after, store, live, limit)
        steps = _events(settings, options, names=names, kinds=kinds, record=record, since=since)
        return AsyncFeed(settings.run, steps)


def _sync(
    settings: Settings,
    into: Copy | AsyncCopy,
    store: CursorStore | AsyncCursorStore | None,
    kinds: Sequence[RecordKind] | None,
    live: bool,
    limit: int,
    on_page: Callable[[SyncedPage], None] | None,
) -> Any:
    def follow(after: str | None, of: Sequence[RecordKind] | None, goes_on: bool | None) -> FeedSteps:
        return _changes(settings, FeedOptions(after, None, live if goes_on is None else goes_on, limit), kinds=of)

    return settings.run(sync(follow, into, store or MemoryCursor(), kinds, on_page))


def _verify(
    settings: Settings,
    into: RevisedCopy | AsyncRevisedCopy,
    store: CursorStore | AsyncCursorStore | None,
    kinds: Sequence[RecordKind] | None,
) -> Any:
    def follow(after: str | None, of: Sequence[RecordKind] | None, _: bool | None) -> FeedSteps:
        return _changes(settings, FeedOptions(after, None, False, 1000), kinds=of)

    return settings.run(verify(settings, follow, into, store or MemoryCursor(), kinds))


class VenueData(AllCalls):
    """The client of one venue. It may be used by several threads.

    Example:
        >>> venue = VenueData(key=os.environ["VENUE_KEY"], base_url="http://127.0.0.1:8080")
        >>> booked = venue.reservations.create(
        ...     {"guestName": "Maya Okafor", "partySize": 2, "date": "2026-11-27", "time": "19:00"}
        ... )
    """

    def __init__(
        self,
        *,
        key: str | Callable[[], str],
        base_url: str,
        timeout: float = 90.0,
        attempt_timeout: float = 15.0,
        retries: int = 4,
        on_retry: Callable[[Retry], None] | None = None,
        http_client: httpx.Client | None = None,
        runtime: Runtime | None = None,
    ) -> None:
        """
        Args:
            key: The key, or a function that returns it before each attempt, for example while it is being replaced.
            base_url: Where the service is, such as `https://venue.example.com`; `/api/v1` may follow.
            timeout: Seconds for a call with all its attempts and the waits between them. The headers of an answer that
                comes drop by drop may take longer here, not in `AsyncVenueData`.
            attempt_timeout: Seconds for one attempt, more for calls that may take the service longer.
            retries: The maximum number of retries of a call. Waiting for `still-processing` does not count.
            on_retry: Called before each retry.
            http_client: Used instead of creating a client; you then have to close it.
            runtime: For tests: time and randomness.
        """
        http = http_client or httpx.Client()
        runtime = runtime or Runtime(time.monotonic, random.random, time.sleep)
        send = _drive.sending(http, runtime.now)
        self._close = http.close if http_client is None else lambda: None
        self._settings = Settings(
            address=address_of(base_url),
            key=key_from(key),
            timeout=timeout,
            attempt_timeout=attempt_timeout,
            retries=retries,
            on_retry=on_retry,
            runtime=runtime,
            run=lambda steps: _drive.drive(steps, send),
        )
        ask = Ask(self._settings)
        super().__init__(ask)
        self.changes = Changes(ask)
        self.events = Events(ask)

    def call(
        self,
        operation_id: OperationId,
        *,
        path: Sequence[str | int] = (),
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        if_match: int | str | None = None,
        if_none_match: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Any:
        """Makes any call by its id in the OpenAPI document, with its parts by name, as the API spells them.

        Example:
            >>> venue.call("cancelReservation", path=[48213], body={"by": "guest"})
        """
        return self.ask.call(
            operation_id,
            **dict(path=path, query=query, body=body, idempotency_key=idempotency_key),
            **dict(if_match=if_match, if_none_match=if_none_match, timeout=timeout, retries=retries),
        )

    def with_answer(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Answer[T]:
        """Makes a call and returns its answer with the status and the headers instead of only its body.

        Example:
            >>> answer = venue.with_answer(venue.guests.get, 4000)
            >>> answer.body["name"], answer.etag
        """
        wanted: list[Answer[Any]] = []
        token = answers.set(wanted)
        try:
            call(*args, **kwargs)
        finally:
            answers.reset(token)
        if not wanted:
            raise TypeError("Only a call that was sent has an answer; a list is sent as it is read, and its pages have theirs.")
        return wanted[-1]

    def sync(
        self,
        *,
        into: Copy,
        store: CursorStore | None = None,
        kinds: Sequence[RecordKind] | None = None,
        live: bool = True,
        limit: int = 1000,
        on_page: Callable[[SyncedPage], None] | None = None,
    ) -> None:
        """Keeps a copy of the venue's records: the first copy, every change after it, changes made while your program
        or the service was down, the records of a kind that the key may read only since then, and a service restored
        from a backup. Returns when the copy is complete with `live=False`, otherwise never.

        Args:
            into: Your copy.
            store: Where the cursor is kept across restarts. Without one, each start reads everything.
            kinds: Only these kinds of records; default: all that the key may read. They are stored with the cursor:
                of a kind that was not copied before, because it was not requested or the key could not read it, the
                older records are read first.
            live: Whether to continue when the copy is complete.
            limit: The maximum number of changes read and stored at once.
            on_page: Called after each page, for example for a progress bar.

        Example:
            >>> venue.sync(into=WarehouseCopy(), store=FileCursor("changes.cursor"))
        """
        _sync(self._settings, into, store, kinds, live, limit, on_page)

    def verify(
        self,
        *,
        into: RevisedCopy,
        store: CursorStore | None = None,
        kinds: Sequence[RecordKind] | None = None,
    ) -> Verified:
        """Proves that a copy has every record at its newest revision, and repairs what differs: reads the changes to the
        end as `sync` does, compares sums over blocks of a thousand ids, and fetches only records of blocks that differ.
        The venue may change meanwhile; nothing else may write into the copy. It compares which records there are and
        their revisions, not their contents.

        Args:
            into: Your copy.
            store: Where the cursor of the copy is kept. Without one, everything is read before it is compared.
            kinds: Only these kinds of records, which are read first where the copy does not have them; default: all that
                the copy has and the key may still read.

        Example:
            >>> compared, differences = venue.verify(into=WarehouseCopy(), store=FileCursor("changes.cursor"))
        """
        verified: Verified = _verify(self._settings, into, store, kinds)
        return verified

    def close(self) -> None:
        """Closes the connections. Using the client in `with` does the same."""
        self._close()

    def __enter__(self) -> VenueData:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncVenueData(AsyncAllCalls):
    """The async client of one venue.

    Example:
        >>> async with AsyncVenueData(key=os.environ["VENUE_KEY"], base_url="http://127.0.0.1:8080") as venue:
        ...     me = await venue.me()
    """

    def __init__(
        self,
        *,
        key: str | Callable[[], str | Awaitable[str]],
        base_url: str,
        timeout: float = 90.0,
        attempt_timeout: float = 15.0,
        retries: int = 4,
        on_retry: Callable[[Retry], None] | None = None,
        http_client: httpx.AsyncClient | None = None,
        runtime: Runtime | None = None,
    ) -> None:
        """Takes the same arguments as `VenueData`."""
        http = http_client or httpx.AsyncClient()
        runtime = runtime or Runtime(time.monotonic, random.random, asyncio.sleep)
        send = _async_drive.sending(http)
        self._own = http if http_client is None else None
        self._settings = Settings(
            address=address_of(base_url),
            key=async_key_from(key),
            timeout=timeout,
            attempt_timeout=attempt_timeout,
            retries=retries,
            on_retry=on_retry,
            runtime=runtime,
            run=lambda steps: _async_drive.drive(steps, send),
        )
        ask = AsyncAsk(self._settings)
        super().__init__(ask)
        self.changes = AsyncChanges(ask)
        self.events = AsyncEvents(ask)

    async def call(
        self,
        operation_id: OperationId,
        *,
        path: Sequence[str | int] = (),
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        if_match: int | str | None = None,
        if_none_match: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Any:
        """Makes any call by its id in the OpenAPI document, with its parts by name, as the API spells them.

        Example:
            >>> await venue.call("cancelReservation", path=[48213], body={"by": "guest"})
        """
        return await self.ask.call(
            operation_id,
            **dict(path=path, query=query, body=body, idempotency_key=idempotency_key),
            **dict(if_match=if_match, if_none_match=if_none_match, timeout=timeout, retries=retries),
        )

    async def with_answer(
        self, call: Callable[P, Awaitable[T]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Answer[T]:
        """Makes a call and returns its answer with the status and the headers instead of only its body.

        Example:
            >>> answer = await venue.with_answer(venue.guests.get, 4000)
            >>> answer.body["name"], answer.etag
        """
        wanted: list[Answer[Any]] = []
        token = answers.set(wanted)
        try:
            await call(*args, **kwargs)
        finally:
            answers.reset(token)
        if not wanted:
            raise TypeError("Only a call that was sent has an answer; a list is sent as it is read, and its pages have theirs.")
        return wanted[-1]

    async def sync(
        self,
        *,
        into: Copy | AsyncCopy,
        store: CursorStore | AsyncCursorStore | None = None,
        kinds: Sequence[RecordKind] | None = None,
        live: bool = True,
        limit: int = 1000,
        on_page: Callable[[SyncedPage], None] | None = None,
    ) -> None:
        """Keeps a copy of the venue's records, as with `VenueData.sync`; the functions of the copy may be async."""
        await _sync(self._settings, into, store, kinds, live, limit, on_page)

    async def verify(
        self,
        *,
        into: RevisedCopy | AsyncRevisedCopy,
        store: CursorStore | AsyncCursorStore | None = None,
        kinds: Sequence[RecordKind] | None = None,
    ) -> Verified:
        """Proves that a copy is true, as with `VenueData.verify`; the functions of the copy may be async."""
        verified: Verified = await _verify(self._settings, into, store, kinds)
        return verified

    async def aclose(self) -> None:
        """Closes the connections. Using the client in `async with` does the same."""
        if self._own is not None:
            await self._own.aclose()

    async def __aenter__(self) -> AsyncVenueData:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
