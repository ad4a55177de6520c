"""Says of which kinds `verify` proved a copy whose cursor is given. The client is the one named by the first argument."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

from venue_data import AsyncVenueData, MemoryCursor, VenueData

kept: dict[tuple[str, int], Any] = {}
store = MemoryCursor(os.environ["VENUE_STORED"])
kinds: Any = os.environ["VENUE_KINDS"].split(",") if os.environ["VENUE_KINDS"] else None
options: Any = {"key": os.environ["VENUE_KEY"], "base_url": os.environ["VENUE_URL"]}


class Copy:
    def upsert(self, change: Any) -> None:
        key = change["kind"], change["id"]
        kept[key] = {"kind": key[0], "id": key[1], "revision": change["data"]["revision"]}

    def delete(self, record: Any) -> None:
        kept.pop((record["kind"], record["id"]), None)

    def records(self) -> list[Any]:
        return list(kept.values())


class AsyncCopy:
    async def upsert(self, change: Any) -> None:
        Copy().upsert(change)

    async def delete(self, record: Any) -> None:
        Copy().delete(record)

    def records(self) -> list[Any]:
        return Copy().records()


class AsyncStore:
    async def load(self) -> str | None:
        return store.load()

    async def save(self, cursor: str | None, /) -> None:
        store.save(cursor)


async def awaited() -> Any:
    async with AsyncVenueData(**options) as venue:
        return await venue.verify(into=AsyncCopy(), store=AsyncStore(), kinds=kinds)


def blocking() -> Any:
    with VenueData(**options) as venue:
        return venue.verify(into=Copy(), store=store, kinds=kinds)


found = asyncio.run(awaited()) if sys.argv[1] == "async" else blocking()
print(json.dumps({"kinds": found.kinds, "notCopied": found.not_copied, "kept": sorted(kind for kind, _ in kept)}))
