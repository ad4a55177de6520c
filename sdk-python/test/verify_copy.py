"""Plants three faults in a copy and says what `verify` found. The client is the one named by the first argument."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

from venue_data import AsyncVenueData, MemoryCursor, VenueData

kept: dict[tuple[str, int], Any] = {}
store = MemoryCursor()


class Copy:
    def upsert(self, change: Any) -> None:
        key = change["kind"], change["id"]
        kept[key] = {"kind": key[0], "id": key[1], "revision": change["data"]["revision"]}

    def delete(self, record: Any) -> None:
        kept.pop((record["kind"], record["id"]), None)

    def records(self) -> list[Any]:
        return list(kept.values())


class AsyncStore:
    async def load(self) -> str | None:
        return store.load()

    async def save(self, cursor: str | None, /) -> None:
        store.save(cursor)


class AsyncCopy:
    """The same, with functions that are awaited."""

    async def upsert(self, change: Any) -> None:
        Copy().upsert(change)

    async def delete(self, record: Any) -> None:
        Copy().delete(record)

    async def records(self) -> Any:
        for record in list(kept.values()):
            yield record


def plant() -> None:
    lost, stale, *_ = sorted(key for key in kept if key[0] == "guest")
    del kept[lost]
    kept[stale] = {**kept[stale], "revision": 77}
    for id in (900_500, -5, -1005, 2**60):
        kept["guest", id] = {"kind": "guest", "id": id, "revision": 1}


options: Any = {"key": os.environ["VENUE_KEY"], "base_url": os.environ["VENUE_URL"]}


async def awaited() -> list[Any]:
    async with AsyncVenueData(**options) as venue:
        first = await venue.verify(into=AsyncCopy(), store=AsyncStore())
        plant()
        return [first, await venue.verify(into=AsyncCopy(), store=AsyncStore(), kinds=["guest"]), await venue.verify(into=AsyncCopy(), store=AsyncStore())]


def blocking() -> list[Any]:
    with VenueData(**options) as venue:
        first = venue.verify(into=Copy(), store=store)
        plant()
        return [first, venue.verify(into=Copy(), store=store, kinds=["guest"]), venue.verify(into=Copy(), store=store)]


runs = asyncio.run(awaited()) if sys.argv[1] == "async" else blocking()
print(json.dumps({"runs": [run[:2] for run in runs], "kept": sorted([*kept], key=lambda key: (key[0], key[1]))}))
