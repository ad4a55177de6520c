"""Which deliveries were handled."""

from __future__ import annotations

import threading
from typing import Literal, Protocol


class SeenStore(Protocol):
    """Remembers deliveries, so that each is handled once: they may arrive twice, always with the same `id`.

    Keep ids for three days. A store that outlives the program forgets a delivery that was started but not finished
    after a minute.
    """

    def begin(self, id: str, /) -> Literal["new", "done", "busy"]:
        """`new`: it is yours to handle. `done`: it was handled. `busy`: it is being handled right now."""
        ...

    def end(self, id: str, is_done: bool, /) -> None:
        """Call it when a delivery was handled, or when it failed and should be handled the next time it comes."""
        ...


class AsyncSeenStore(Protocol):
    """An async `SeenStore`, for async receivers."""

    async def begin(self, id: str, /) -> Literal["new", "done", "busy"]:
        """`new`: it is yours to handle. `done`: it was handled. `busy`: it is being handled right now."""
        ...

    async def end(self, id: str, is_done: bool, /) -> None:
        """Call it when a delivery was handled, or when it failed and should be handled the next time it comes."""
        ...


class MemorySeen:
    """Remembers the latest deliveries, up to a number, as long as the program runs; for one process with any number of
    threads."""

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
