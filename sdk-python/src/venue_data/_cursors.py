"""Where the cursor of a feed is kept over restarts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol


class CursorStore(Protocol):
    """Keeps a feed's cursor across restarts. Use one store per feed."""

    def load(self) -> str | None:
        """What was saved last; `None`: nothing yet, or it was cleared."""
        ...

    def save(self, cursor: str | None, /) -> None:
        """Saves a cursor; `None` clears it."""
        ...


class AsyncCursorStore(Protocol):
    """An async `CursorStore`, for `AsyncVenueData`."""

    async def load(self) -> str | None:
        """What was saved last; `None`: nothing yet, or it was cleared."""
        ...

    async def save(self, cursor: str | None, /) -> None:
        """Saves a cursor; `None` clears it."""
        ...


class MemoryCursor:
    """Keeps a cursor as long as the program runs: for tests, and for programs that may start over."""

    def __init__(self, cursor: str | None = None) -> None:
        self.cursor = cursor

    def load(self) -> str | None:
        return self.cursor

    def save(self, cursor: str | None, /) -> None:
        self.cursor = cursor


class FileCursor:
    """Keeps a cursor in a file, which is always complete: a new cursor replaces the old one atomically.

    Example:
        >>> for change in venue.changes(store=FileCursor("changes.cursor")):
        ...     print(change["kind"], change["id"])
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def load(self) -> str | None:
        try:
            return self.path.read_text(encoding="utf-8").strip() or None
        except FileNotFoundError:
            return None

    def save(self, cursor: str | None, /) -> None:
        if cursor is None:
            self.path.unlink(missing_ok=True)
            return
        new = self.path.with_name(f"{self.path.name}.new")
        with new.open("w", encoding="utf-8") as file:
            file.write(f"{cursor}\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.path)
