"""Which deliveries were handled."""

from __future__ import annotations

import threading
from typing import Literal, Protocol


class SeenStore(Protocol):
    """Remembers deliveries, so that each is handled once: they may arrive twice, always with the same `id`. Keep ids for three
    days. A store that outlives the program lets what was begun and never ended lapse after a minute."""

    def begin(self, id: str, /) -> Literal["new", "done", "busy"]:
        """`new`: it is yours to handle. `done`: it was handled. `busy`: it is being handled right now."""
        ...

    def end(self, id: str, is_done: bool, /) -> None:
        """It was handled, or it failed and is to be handled when it comes again."""
        ...


class AsyncSeenStore(Protocol):
    """A `SeenStore` that is awaited, for receivers that await."""

    async def begin(self, id: str, /) -> Literal["new", "done", "busy"]:
        """`new`: it is yours to handle. `done`: it was handled. `busy`: it is being handled right now."""
        ...

    async def end(self, id: str, is_done: bool, /) -> None:
        """It was handled, or it failed and is to be handled when it comes again."""
        ...


class MemorySeen:
    """Remembers as long as the program runs, the latest deliveries up to a number; for one process with any number of threads."""

    def __init__(self, most: int = 100_000) -> None:
        self._most = most
        self._states: dict[str, Literal["done", "busy"]] = {}
        self._lock = threading.Lock()

    def begin(self, id: str, /) -> Literal["new", "done", "busy"]:
        with self._lock:
            state = self._states.get(id)
            if state is not None:
                return state
            self._states[id] = "busy"
            if len(self._states) > self._most:
                del self._states[next(iter(self._states))]
            return "new"

    def end(self, id: str, is_done: bool, /) -> None:
        with self._lock:
            if is_done:
                self._states[id] = "done"
            else:
                self._states.pop(id, None)
