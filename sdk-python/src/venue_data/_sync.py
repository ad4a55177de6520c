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


Follow = Callable[["str | None", "Sequence[RecordKind] | None", "bool | None"], FeedSteps]
"""Goes through the changes after a cursor, of some kinds; whether to go on at the end, if it is not as the caller said."""


def sync(
    follow: Follow,
    into: Copy | AsyncCopy,
    store: CursorStore | AsyncCursorStore,
    kinds: Sequence[RecordKind] | None,
    on_page: Callable[[SyncedPage], None] | None,
) -> Steps[None]:
    """Makes the copy and keeps it in step."""
    while True:
        try:
            return (yield from _follow(follow, into, store, kinds, on_page))
        except GoneError as error:
            if error.reason != "cursor-expired":
                raise
        # Deletions in between are no longer known: everything is read again, and records that do not come are dropped.
        yield Do(lambda: store.save(None))


Missing = dict[tuple[str, int], CopiedRecord]
"""Records in the copy that the venue may no longer have, until they come."""


def _follow(
    follow: Follow,
    into: Any,
    store: CursorStore | AsyncCursorStore,
    kinds: Sequence[RecordKind] | None,
    on_page: Callable[[SyncedPage], None] | None,
) -> Steps[None]:
    copied: Sequence[RecordKind] | None
    after, copied = read_stored((yield Do(store.load)))
    # Empty unless a full copy is made over an existing one.
    unseen: Missing = {}
    if after is None:
        unseen = yield from _records(into, kinds)
    # A copy made over an existing one is correct only at the end; a program that stops before that starts over.
    is_anew = bool(unseen)
    complete = after is not None

    def apply(page: FeedPage[Change], copied: Sequence[RecordKind] | None) -> Steps[None]:
        yield from _take(into, page.items, unseen)
        if is_anew and not complete:
            return
        yield from _drop(into, unseen)
        yield Do(lambda: store.save(_stored(page.next, copied)))

    feed = follow(after, kinds, None)
    while (page := (yield from feed.next_page())) is not None:
        covered: Sequence[RecordKind] | None = page.kinds or kinds or copied
        # The kinds of which the copy has every record. Nothing is known of those of a cursor from elsewhere.
        copied = copied if copied is not None else covered
        further: list[RecordKind] = [kind for kind in covered or () if kind not in (copied or ())]
        # A kind that the key may no longer read is not followed: should it come back, its records are read anew.
        copied = None if copied is None else [kind for kind in copied if kind in (covered or ())]
        complete = complete or not page.more
        yield from in_transaction(into, apply(page, copied))
        is_behind = complete and bool(further)
        if on_page is not None:
            on_page(SyncedPage(len(page.items), complete and not is_behind))
        if is_behind:
            # Their older records lie before the cursor. Until all have come, the stored kinds are without them.
            done = _stored(page.next, covered)
            yield from _catch_up(follow(None, further, False), into, further, lambda: store.save(done), on_page)
            copied = covered


def _catch_up(
    feed: FeedSteps,
    into: Any,
    kinds: Sequence[RecordKind],
    save: Callable[[], Any],
    on_page: Callable[[SyncedPage], None] | None,
) -> Steps[None]:
    """Reads every record of some kinds into a copy that has all others."""
    missing = yield from _records(into, kinds)

    def apply(page: FeedPage[Change]) -> Steps[None]:
        yield from _take(into, page.items, missing)
        if not page.more:
            yield from _drop(into, missing)
            yield Do(save)

    while (page := (yield from feed.next_page())) is not None:
        yield from in_transaction(into, apply(page))
        if on_page is not None:
            on_page(SyncedPage(len(page.items), not page.more))


def _take(into: Any, changes: Iterable[Change], missing: Missing) -> Steps[None]:
    """Stores what a page brings; what came is no longer missing."""
    for change in changes:
        missing.pop((change["kind"], change["id"]), None)
        act = into.delete if change["data"] is None else into.upsert
        yield Do(lambda act=act, change=change: act(change))


def _drop(into: Any, missing: Missing) -> Steps[None]:
    for record in missing.values():
        yield Do(lambda record=record: into.delete(record))
    missing.clear()


def _stored(cursor: str, kinds: Sequence[RecordKind] | None) -> str:
    """What is stored: the kinds of which the copy has every record up to the cursor, and the cursor."""
    return cursor if kinds is None else f"{','.join(kinds)} {cursor}"


def read_stored(stored: str | None) -> tuple[str | None, Sequence[Any] | None]:
    kinds, space, cursor = (stored or "").rpartition(" ")
    return cursor or None, kinds.split(",") if space else None


def _records(into: Any, kinds: Sequence[RecordKind] | None) -> Steps[Missing]:
    """The records in the copy. Kinds that are not requested do not come, and may stay."""
    return {
        (record["kind"], record["id"]): {"kind": record["kind"], "id": record["id"]}
        for record in (yield from all_records(into))
        if kinds is None or record["kind"] in kinds
    }


def all_records(into: Any) -> Steps[list[CopiedRecord]]:
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


def in_transaction(into: Any, work: Steps[None]) -> Steps[None]:
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
