"""Where the cursor of a feed is kept over restarts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol


class CursorStore(Protocol):
    """Keeps the cursor of a feed over restarts. One store is for one feed."""

    def load(self) -> str | None:
        """What was saved last; `None`: nothing yet, or it was taken away."""
        ...

    def save(self, cursor: str | None, /) -> None:
        """Keeps a cursor; `None` takes it away."""
        ...


class AsyncCursorStore(Protocol):
    """A `CursorStore` that is awaited, for `AsyncVenueData`."""

    async def load(self) -> str | None:
        """What was saved last; `None`: nothing yet, or it was taken away."""
        ...

    async def save(self, cursor: str | None, /) -> None:
        """Keeps a cursor; `None` takes it away."""
        ...


class MemoryCursor:
    """Keeps a cursor as long as the program runs: for tests, and for what may begin anew."""

    def __init__(self, cursor: str | None = None) -> None:
        self.cursor = cursor

    def load(self) -> str | None:
        return self.cursor

    def save(self, cursor: str | None, /) -> None:
        self.cursor = cursor


class FileCursor:
    """Keeps a cursor in a file, which is always whole: the new one takes the place of the old one at once.

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
