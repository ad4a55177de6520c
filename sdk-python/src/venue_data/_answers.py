"""The results of calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

import httpx

from ._generated.records import RecordKind

T = TypeVar("T")


@dataclass(frozen=True)
class Answer(Generic[T]):
    """An answer with its status and headers."""

    status: int
    body: T
    etag: str | None
    """The version of the record in the body, for `if_match` and `if_none_match`."""
    request_id: str | None
    """Quote it when you ask about the request."""
    replayed: bool
    """Whether it is the stored answer of an earlier attempt with the same Idempotency-Key."""
    attempts: int
    """How many attempts were made."""
    headers: httpx.Headers


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list."""

    items: list[T]
    next: str | None
    """For `after` of the next page; `None` on the last one."""
    changes_cursor: str | None
    """The cursor with which `changes(after=...)` continues from this list; on the list's first page."""
    count: str | None
    """How many match in total, or `10000+`, if `count` was requested."""


@dataclass(frozen=True)
class FeedPage(Generic[T]):
    """One page of a feed."""

    items: list[T]
    next: str
    """For `after` of the next page."""
    more: bool
    """Whether more is available now."""
    kinds: list[RecordKind] | None = None
    """Of changes: the kinds of records that the page covers, those asked for or all that the key may read now."""
