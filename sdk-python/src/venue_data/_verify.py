"""Proving that a copy is true, and repairing what is not."""

from __future__ import annotations

from collections.abc import AsyncIterable, Awaitable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal, NamedTuple, Protocol

from ._cursors import AsyncCursorStore, CursorStore
from ._errors import ConflictError, GoneError, NotFoundError
from ._generated.records import KeptChange, RecordKind
from ._request import Request
from ._send import send
from ._settings import Settings
from ._steps import Do, Steps
from ._sync import CopiedRecord, DroppedRecord, Follow, all_records, in_transaction, read_stored, sync


class RevisedRecord(CopiedRecord):
    """A record of a copy, with the `revision` under which it was stored."""

    revision: int


class RevisedCopy(Protocol):
    """A `Copy` that can be compared with the venue: its records say their revision."""

    def upsert(self, change: KeptChange, /) -> None:
        """Stores the record in `data`, new or existing."""
        ...

    def delete(self, record: DroppedRecord, /) -> None:
        """Drops a record, which may be gone already."""
        ...

    def records(self) -> Iterable[RevisedRecord]:
        """Every record of the copy. Called up to three times."""
        ...


class AsyncRevisedCopy(Protocol):
    """An async `RevisedCopy`, for `AsyncVenueData`."""

    async def upsert(self, change: KeptChange, /) -> None:
        """Stores the record in `data`, new or existing."""
        ...

    async def delete(self, record: DroppedRecord, /) -> None:
        """Drops a record, which may be gone already."""
        ...

    def records(
        self,
    ) -> Iterable[RevisedRecord] | AsyncIterable[RevisedRecord] | Awaitable[Iterable[RevisedRecord]]:
        """Every record of the copy. Called up to three times."""
        ...


class Difference(NamedTuple):
    """A record that the copy did not have as the venue has it. It was repaired."""

    kind: RecordKind
    id: int
    was: Literal["missing", "outdated", "extra"]
    """`extra`: the venue has no such record."""


class Verified(NamedTuple):
    """What was found."""

    compared: int
    """How many records of the copy were compared."""
    differences: list[Difference]
    kinds: list[RecordKind]
    """The kinds that were compared."""
    not_copied: list[RecordKind]
    """Kinds that the key may read and of which the copy has nothing, such as one that it gained: `sync` reads them."""


def verify(
    settings: Settings,
    follow: Follow,
    into: RevisedCopy | AsyncRevisedCopy,
    store: CursorStore | AsyncCursorStore,
    kinds: Sequence[RecordKind] | None,
) -> Steps[Verified]:
    """Follows the changes to the end, compares the copy with the venue, and repairs what differs."""
    while True:
        readable = yield from _readable(settings)
        copies = _to_follow(read_stored((yield Do(store.load)))[1] or (), kinds or (), readable)
        yield from sync(follow, into, store, copies, None)
        after, copied = read_stored((yield Do(store.load)))
        if after is None:
            raise TypeError("The store did not keep the cursor.")
        asked: list[RecordKind] = [kind for kind in copied or kinds or () if kinds is None or kind in kinds]
        try:
            compared, differences = yield from _compare(settings, follow, into, asked, after)
            not_copied: list[RecordKind] = [kind for kind in readable if kind not in (copied or asked)]
            return Verified(compared, differences, asked, not_copied)
        except (ConflictError, GoneError) as error:
            # Much changed while it was compared, or the venue was restored just now: read on, and compare again.
            if error.reason not in ("cursor-behind", "cursor-expired"):
                raise


def _readable(settings: Settings) -> Steps[Sequence[RecordKind]]:
    """All that the key may read now; unknown to a service that does not say so."""
    request = Request(query={"after": "latest"})
    return (yield from send(settings, "listChanges", request)).body.get("kinds") or ()


def _to_follow(
    stored: Sequence[RecordKind], asked: Sequence[RecordKind], readable: Sequence[RecordKind]
) -> Sequence[RecordKind] | None:
    """As it was copied, since those not asked for stay in step with the cursor, and what is asked for.

    What the key may no longer read has only stopped coming, which is no fault of the copy.
    """
    every: list[RecordKind] = list(dict.fromkeys([*stored, *asked]))
    still: list[RecordKind] = [kind for kind in every if kind in asked or kind in readable]
    return still or every or None


BLOCK_IDS = 1000
"""Ids in a block; see the endpoint."""

Block = tuple[str, int]
"""A kind, and the first id of the block."""


def _compare(
    settings: Settings, follow: Follow, into: Any, kinds: Sequence[RecordKind], after: str
) -> Steps[tuple[int, list[Difference]]]:
    theirs: dict[Block, tuple[int, int]] = {}
    # Changed since the cursor: in no sum of the venue's, so in none of ours.
    changed: set[tuple[str, int]] = set()
    for kind in kinds:
        start: int | None = 0
        while start is not None:
            body = yield from _digest(settings, {"kind": kind, "after": after, "from": start})
            for block in body["blocks"]:
                theirs[kind, block["from"]] = (block["count"], int(block["digest"], 16))
            changed.update((kind, id) for id in body["changedSince"])
            start = body["next"]

    ours: dict[Block, tuple[int, int]] = {}
    compared = 0
    for record in _of(kinds, (yield from all_records(into))):
        if (record["kind"], record["id"]) in changed:
            continue
        compared += 1
        count, total = ours.get(_block_of(record), (0, 0))
        ours[_block_of(record)] = (count + 1, (total + _hash_of(record)) % 2**128)
    differing = sorted(block for block in {*theirs, *ours} if theirs.get(block) != ours.get(block))
    if not differing:
        return compared, []

    held: dict[Block, dict[int, int]] = {block: {} for block in differing}
    for record in _of(kinds, (yield from all_records(into))):
        mine = held.get(_block_of(record))
        if mine is not None:
            # One that is there twice is wrong, whatever its revision.
            mine[record["id"]] = -1 if record["id"] in mine else record["revision"]
    differences: list[Difference] = []
    for (kind, start), mine in held.items():
        body = yield from _digest(settings, {"kind": kind, "after": after, "block": start})
        for id in body["changedSince"]:
            mine.pop(id, None)
        for id, revision in body["records"]:
            had = mine.pop(id, None)
            if had != revision:
                differences.append(Difference(kind, id, "missing" if had is None else "outdated"))  # type: ignore[arg-type]
        differences.extend(Difference(kind, id, "extra") for id in mine)  # type: ignore[arg-type]
    for kind in kinds:
        some = [difference for difference in differences if difference.kind == kind]
        walk = sum(count for (of, _), (count, _) in theirs.items() if of == kind) // PAGE_SIZE + 1
        if sum(difference.was != "extra" for difference in some) > walk:
            yield from _repair_by_walk(follow, into, kind, some)
        else:
            for difference in some:
                yield from in_transaction(into, _repair(settings, into, difference))
    return compared, differences


def _digest(settings: Settings, query: Mapping[str, Any]) -> Steps[Any]:
    return (yield from send(settings, "digestChanges", Request(query=query))).body


def _of(kinds: Sequence[RecordKind], records: Iterable[Any]) -> Iterator[RevisedRecord]:
    # Databases may give numbers as text.
    return (
        {"kind": record["kind"], "id": int(record["id"]), "revision": int(record["revision"])}
        for record in records
        if record["kind"] in kinds
    )


def _block_of(record: RevisedRecord) -> Block:
    # What the venue cannot have is with the first: no block begins below it, or above what JSON can say.
    id = record["id"] if 0 < record["id"] < 2**53 else 0
    return record["kind"], id - id % BLOCK_IDS


def _hash_of(record: RevisedRecord) -> int:
    text = f"{record['kind']}|{record['id']}|{record['revision']}"
    return int.from_bytes(sha256(text.encode("ascii")).digest()[:16], "big")


PAGE_SIZE = 1000
"""The changes in an answer at most: with more to read one by one than a walk has pages, the walk is fewer calls."""


def _repair_by_walk(follow: Follow, into: Any, kind: RecordKind, differences: Iterable[Difference]) -> Steps[None]:
    wrong = {difference.id for difference in differences}

    def apply(changes: Iterable[Any]) -> Steps[None]:
        for change in changes:
            if change["data"] is not None and change["id"] in wrong:
                wrong.discard(change["id"])
                yield Do(lambda change=change: into.upsert(change))

    def drop() -> Steps[None]:
        for id in wrong:
            yield Do(lambda id=id: into.delete({"kind": kind, "id": id}))

    feed = follow(None, [kind], False)
    while (page := (yield from feed.next_page())) is not None:
        yield from in_transaction(into, apply(page.items))
    yield from in_transaction(into, drop())


def _repair(settings: Settings, into: Any, difference: Difference) -> Steps[None]:
    """Takes the record as it is now, which may be newer than the cursor: the feed brings it once more."""
    kind, id, was = difference
    dropped = {"kind": kind, "id": id}
    if was == "extra":
        yield Do(lambda: into.delete(dropped))
        return
    read = "get" + "".join(word.capitalize() for word in kind.split("_"))
    try:
        data: Any = (yield from send(settings, read, Request(path=(id,)))).body
    except (NotFoundError, GoneError):
        # Gone since the cursor.
        yield Do(lambda: into.delete(dropped))
        return
    change = {**dropped, "change": "updated", "revision": data["revision"], "at": data["updatedAt"], "data": data}
    yield Do(lambda: into.upsert(change))
