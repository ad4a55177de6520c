"""The SDK's work as steps: each core is a generator that yields the next step and receives its result.

So sending calls, reading lists, following feeds and keeping copies are written only once; a blocking driver
(`_drive.py`)
and an async one (`_async_drive.py`) carry out the steps.
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
    """The result of an attempt."""

    status: int
    headers: httpx.Headers
    content: bytes = field(repr=False)


@dataclass(frozen=True)
class Failed:
    """An attempt that got no answer, or only a part of one."""

    name: str
    message: str = field(repr=False)
    took_too_long: bool = False


@dataclass(frozen=True)
class Do:
    """Call this, and await its result if it is awaitable."""

    function: Callable[[], Any] = field(repr=False)


Steps: TypeAlias = Generator["Attempt | Do", Any, T]


def sends_nothing(_: Attempt) -> NoReturn:
    """For cores that make no attempts."""
    raise AssertionError("This core sends nothing.")


class TookTooLong(Exception):
    """An attempt timed out."""


def failed(error: Exception, asked: Attempt) -> Failed:
    """How a broken attempt is described; it must not keep a reference to the request, which has the key."""
    if isinstance(error, (httpx.TimeoutException, TookTooLong)):
        return Failed(type(error).__name__, f"No answer within {asked.seconds:g} s.", True)
    return Failed(type(error).__name__, str(error) or type(error).__name__)
