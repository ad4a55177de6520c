"""Copies a venue into a file and says what the copy has. The client is the one named by the first argument."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from venue_data import AsyncVenueData, FileCursor, VenueData

folder = Path(sys.argv[2])
file = folder / "copy.json"
kept: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
came: list[str] = []


class Copy:
    def upsert(self, change: Any) -> None:
        came.append(f"{change['kind']} {change['id']}")
        kept[came[-1]] = change["data"]

    def delete(self, record: Any) -> None:
        kept.pop(f"{record['kind']} {record['id']}", None)

    def records(self) -> list[Any]:
        return [{"kind": name.split()[0], "id": int(name.split()[1])} for name in kept]


class AsyncCopy:
    """The same, with functions that are awaited."""

    def __init__(self) -> None:
        self.copy = Copy()

    async def upsert(self, change: Any) -> None:
        self.copy.upsert(change)

    async def delete(self, record: Any) -> None:
        self.copy.delete(record)

    def records(self) -> list[Any]:
        return self.copy.records()


class AsyncFile:
    """A cursor store whose functions are awaited."""

    def __init__(self) -> None:
        self.file = FileCursor(folder / "venue.cursor")

    async def load(self) -> str | None:
        return self.file.load()

    async def save(self, cursor: str | None, /) -> None:
        self.file.save(cursor)


options: Any = {"key": os.environ["VENUE_KEY"], "base_url": os.environ["VENUE_URL"]}


async def copy() -> None:
    async with AsyncVenueData(**options) as venue:
        await venue.sync(into=AsyncCopy(), store=AsyncFile(), live=False, limit=2)


if sys.argv[1] == "async":
    asyncio.run(copy())
else:
    with VenueData(**options) as venue:
        venue.sync(into=Copy(), store=FileCursor(folder / "venue.cursor"), live=False, limit=2)

file.write_text(json.dumps(kept))
print(json.dumps({"came": came, "kept": sorted(kept)}))
