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
    """A record that is to be dropped from the copy, which may be gone already."""

    change: NotRequired[str]
    """Why. Without it the venue no longer has the record, and nothing says since when: the copy was away for too long, or the
    venue was restored from a backup."""
    mergedInto: NotRequired[int]
    """Of a guest who was merged: who has taken their place."""


class Copy(Protocol):
    """Your copy: where records are kept, in whatever form. Every function may be called again with what it was given before.

    A copy that can may also have `transaction()`, which gives a context manager: in it is done what belongs together, with
    the cursor that goes with it. Without it a page that was under way when your program ended is done again, which does no
    harm.
    """

    def upsert(self, change: KeptChange, /) -> None:
        """Keeps the record in `data`, new or not."""
        ...

    def delete(self, record: DroppedRecord, /) -> None:
        """Drops a record, which may be gone already."""
        ...

    def records(self) -> Iterable[CopiedRecord]:
        """Every record of the copy, of the kinds asked for. Called when the copy begins, and when it has to be made again."""
        ...


class AsyncCopy(Protocol):
    """A `Copy` that is awaited, for `AsyncVenueData`; `transaction()` gives an async context manager."""

    async def upsert(self, change: KeptChange, /) -> None:
        """Keeps the record in `data`, new or not."""
        ...

    async def delete(self, record: DroppedRecord, /) -> None:
        """Drops a record, which may be gone already."""
        ...

    def records(
        self,
    ) -> Iterable[CopiedRecord] | AsyncIterable[CopiedRecord] | Awaitable[Iterable[CopiedRecord]]:
        """Every record of the copy, of the kinds asked for. Called when the copy begins, and when it has to be made again."""
        ...


class SyncedPage(NamedTuple):
    """What is told after each page, such as for a progress bar."""

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
        # What was deleted meanwhile is told by nothing any more: everything is read again, and what does not come is dropped.
        yield Do(lambda: store.save(None))


def _follow(
    follow: Callable[[str | None], FeedSteps],
    into: Any,
    store: CursorStore | AsyncCursorStore,
    kinds: Sequence[RecordKind] | None,
    on_page: Callable[[SyncedPage], None] | None,
) -> Steps[None]:
    after = _cursor((yield Do(store.load)), kinds)
    # What the copy has and the venue may not: empty unless the copy is made from the beginning over another.
    unseen: dict[tuple[str, int], CopiedRecord] = {}
    if after is None:
        for record in (yield from _records(into)):
            # What is not asked for does not come, and may stay.
            if kinds is not None and record["kind"] not in kinds:
                continue
            unseen[record["kind"], record["id"]] = {"kind": record["kind"], "id": record["id"]}
    # Made over another, a copy is right only at its end; a program that is ended before that begins anew.
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
    """What is stored of a copy of some kinds: those, and the cursor."""
    return cursor if kinds is None else f"{','.join(kinds)} {cursor}"


def _cursor(stored: str | None, kinds: Sequence[RecordKind] | None) -> str | None:
    """The cursor to go on from, unless it never led past the older records of a kind that is wanted now."""
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
