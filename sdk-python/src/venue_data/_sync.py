"""Keeping a copy of the venue's records in step."""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol, TypedDict

from ._answers import FeedPage
from ._cursors import AsyncCursorStore, CursorStore
from ._errors import GoneError
from ._feed import FeedSteps
from ._generated.records import Change, KeptChange, NotRequired, RecordKind
from ._steps import Do, Steps


class CopiedRecord(TypedDict):
    """A record of the copy, by its kind and id."""

    kind: RecordKind
    id: int


class DroppedRecord(CopiedRecord):
    """A record to drop from the copy, which may already be gone."""

    change: NotRequired[str]
    """Why. Without it the venue no longer has the record, and nothing says since when: the copy was away for too long,
    or the
    venue was restored from a backup."""
    mergedInto: NotRequired[int]
    """For a merged guest: the guest that replaced them."""


class Copy(Protocol):
    """Your copy: where records are kept, in any form. Every function may be called again with the same arguments.

    A copy may also have `transaction()`, which returns a context manager: each page is applied inside it, together with
    its cursor. Without it, a page that was interrupted is applied again, which does no harm.
    """

    def upsert(self, change: KeptChange, /) -> None:
        """Stores the record in `data`, new or existing."""
        ...

    def delete(self, record: DroppedRecord, /) -> None:
        """Drops a record, which may be gone already."""
        ...

    def records(self) -> Iterable[CopiedRecord]:
        """Every record of the copy, of the requested kinds.

        Called when the copy starts, and when it has to be rebuilt.
        """
        ...


class AsyncCopy(Protocol):
    """An async `Copy`, for `AsyncVenueData`; `transaction()` returns an async context manager."""

    async def upsert(self, change: KeptChange, /) -> None:
        """Stores the record in `data`, new or existing."""
        ...

    async def delete(self, record: DroppedRecord, /) -> None:
        """Drops a record, which may be gone already."""
        ...

    def records(
        self,
    ) -> Iterable[CopiedRecord] | AsyncIterable[CopiedRecord] | Awaitable[Iterable[CopiedRecord]]:
        """Every record of the copy, of the requested kinds.

        Called when the copy starts, and when it has to be rebuilt.
        """
        ...


class SyncedPage(NamedTuple):
    """The progress after a page."""

    changes: int
    complete: bool


def sync(
    follow: Callable[[str | None], FeedSteps],
    into: Copy | AsyncCopy,
    store: CursorStore | AsyncCursorStore,
    kinds: Sequence[RecordKind] | None,
    on_page: Callable[[SyncedPage], None] | None,
) -> Steps[None]:
    """Makes the copy and keeps it in step; `follow` goes through the changes after a cursor."""
    while True:
        try:
            return (yield from _follow(follow, into, store, kinds, on_page))
        except GoneError as error:
            if error.reason != "cursor-expired":
                raise
        # Deletions in between are no longer known: everything is read again, and records that do not come are dropped.
        yield Do(lambda: store.save(None))


def _follow(
    follow: Callable[[str | None], FeedSteps],
    into: Any,
    store: CursorStore | AsyncCursorStore,
    kinds: Sequence[RecordKind] | None,
    on_page: Callable[[SyncedPage], None] | None,
) -> Steps[None]:
    after = _cursor((yield Do(store.load)), kinds)
    # Records in the copy that the venue may no longer have: empty unless a full copy is made over an existing one.
    unseen: dict[tuple[str, int], CopiedRecord] = {}
    if after is None:
        for record in (yield from _records(into)):
            # Kinds that are not requested do not come, and may stay.
            if kinds is not None and record["kind"] not in kinds:
                continue
            unseen[record["kind"], record["id"]] = {"kind": record["kind"], "id": record["id"]}
    # A copy made over an existing one is correct only at the end; a program that stops before that starts over.
    is_anew = bool(unseen)
    complete = after is not None

    def apply(page: FeedPage[Change]) -> Steps[None]:
        for change in page.items:
            unseen.pop((change["kind"], change["id"]), None)
            act = into.delete if change["data"] is None else into.upsert
            yield Do(lambda act=act, change=change: act(change))
        if is_anew and not complete:
            return
        for record in unseen.values():
            yield Do(lambda record=record: into.delete(record))
        unseen.clear()
        yield Do(lambda: store.save(_stored(page.next, kinds)))

    feed = follow(after)
    while (page := (yield from feed.next_page())) is not None:
        complete = complete or not page.more
        yield from _in_transaction(into, apply(page))
        if on_page is not None:
            on_page(SyncedPage(len(page.items), complete))


def _stored(cursor: str, kinds: Sequence[RecordKind] | None) -> str:
    """What is stored for a copy of some kinds: the kinds and the cursor."""
    return cursor if kinds is None else f"{','.join(kinds)} {cursor}"


def _cursor(stored: str | None, kinds: Sequence[RecordKind] | None) -> str | None:
    """The stored cursor, unless it skipped the older records of a kind that is now requested."""
    copied, space, cursor = (stored or "").rpartition(" ")
    is_wider = space != "" and (kinds is None or not set(kinds) <= set(copied.split(",")))
    return None if is_wider else cursor or None


def _records(into: Any) -> Steps[list[CopiedRecord]]:
    given = yield Do(into.records)
    if not hasattr(given, "__aiter__"):
        return list(given)
    records: list[CopiedRecord] = []
    iterator = given.__aiter__()
    while True:
        try:
            records.append((yield Do(iterator.__anext__)))
        except StopAsyncIteration:
            return records


def _in_transaction(into: Any, work: Steps[None]) -> Steps[None]:
    if not hasattr(into, "transaction"):
        return (yield from work)
    manager = into.transaction()
    is_async = hasattr(manager, "__aenter__")
    leave = manager.__aexit__ if is_async else manager.__exit__
    yield Do(manager.__aenter__ if is_async else manager.__enter__)
    try:
        yield from work
    except GeneratorExit:
        raise
    except BaseException as error:
        failure = (type(error), error, error.__traceback__)
        yield Do(lambda: leave(*failure))
        raise
    yield Do(lambda: leave(None, None, None))
