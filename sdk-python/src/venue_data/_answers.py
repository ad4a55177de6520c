"""What comes back of a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

import httpx

T = TypeVar("T")


@dataclass(frozen=True)
class Answer(Generic[T]):
    """An answer with what came around its body."""

    status: int
    body: T
    etag: str | None
    """Names the state of the record in the body, for `if_match` and `if_none_match`."""
    request_id: str | None
    """To quote when asking about the request."""
    replayed: bool
    """Whether it is the kept answer of an earlier attempt with the same Idempotency-Key."""
    attempts: int
    """How often it was sent."""
    headers: httpx.Headers


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list."""

    items: list[T]
    next: str | None
    """For `after` of the next page; `None` on the last one."""
    changes_cursor: str | None
    """Where `changes(after=...)` goes on from what this list shows, if it is the list's first page."""
    count: str | None
    """How many match in all, or `10000+`, if `count` was asked for."""


@dataclass(frozen=True)
class FeedPage(Generic[T]):
    """One page of a feed."""

    items: list[T]
    next: str
    """For `after` of the next page."""
    more: bool
    """Whether there is more already."""
