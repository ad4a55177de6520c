"""What the SDK does, as steps: each core is a generator that says what is to be done next and is told what came of it.

So how calls are sent, lists read, feeds followed and copies kept is written once; a driver that blocks (`_drive.py`) and one
that awaits (`_async_drive.py`) do what the cores ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeAlias, TypeVar

import httpx

T = TypeVar("T")


@dataclass(frozen=True)
class Attempt:
    """Send this once and read the whole answer."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    content: bytes | None = field(repr=False)
    seconds: float


@dataclass(frozen=True)
class Received:
    """What came back of an attempt."""

    status: int
    headers: httpx.Headers
    content: bytes = field(repr=False)


@dataclass(frozen=True)
class Failed:
    """An attempt of which nothing, or only a part, came back."""

    name: str
    message: str = field(repr=False)
    took_too_long: bool = False


@dataclass(frozen=True)
class Do:
    """Call this, and wait for what it gives where that is to be awaited."""

    function: Callable[[], Any] = field(repr=False)


Steps: TypeAlias = Generator["Attempt | Do", Any, T]


def sends_nothing(_: Attempt) -> NoReturn:
    """For cores that make no attempts."""
    raise AssertionError("This core sends nothing.")


class TookTooLong(Exception):
    """An attempt had no more time."""


def failed(error: Exception, asked: Attempt) -> Failed:
    """What is said of an attempt that broke off; nothing of it may hold on to the request, which has the key."""
    if isinstance(error, (httpx.TimeoutException, TookTooLong)):
        return Failed(type(error).__name__, f"No answer within {asked.seconds:g} s.", True)
    return Failed(type(error).__name__, str(error) or type(error).__name__)
