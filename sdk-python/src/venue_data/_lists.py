"""Lists, read page by page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Generic, TypeAlias, TypeVar

from ._answers import Answer, Page
from ._steps import Steps

T = TypeVar("T")

PageReader: TypeAlias = Callable[["str | None"], Steps[Answer[Any]]]
"""Reads the page after a cursor, or the first."""


def _page(read: PageReader, after: str | None) -> Steps[Page[Any]]:
    answer = yield from read(after)
    headers = answer.headers
    return Page(
        items=answer.body,
        next=headers.get("x-next-cursor"),
        changes_cursor=headers.get("x-changes-cursor"),
        count=headers.get("x-count"),
    )


class List(Generic[T]):
    """A list that is read page by page while you iterate over it. Nothing is sent before that.

    Example:
        >>> for guest in venue.guests.list(since="2026-11-01T00:00:00Z"):
        ...     print(guest["name"])
    """

    def __init__(self, run: Callable[[Steps[Page[T]]], Page[T]], read: PageReader) -> None:
        self._run = run
        self._read = read

    def page(self) -> Page[T]:
        """The first page, or the one after the cursor in `after`."""
        return self._run(_page(self._read, None))

    def pages(self) -> Iterator[Page[T]]:
        """Page by page instead of item by item."""
        page = self.page()
        yield page
        while page.next is not None:
            page = self._run(_page(self._read, page.next))
            yield page

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.items

    def all(self) -> list[T]:
        """Every item at once. Mind the size of the list."""
        return list(self)


class AsyncList(Generic[T]):
    """A list that is read page by page while you iterate over it. Nothing is sent before that.

    Example:
        >>> async for guest in venue.guests.list(since="2026-11-01T00:00:00Z"):
        ...     print(guest["name"])
    """

    def __init__(self, run: Callable[[Steps[Page[T]]], Any], read: PageReader) -> None:
        self._run = run
        self._read = read

    async def page(self) -> Page[T]:
        """The first page, or the one after the cursor in `after`."""
        return await self._run(_page(self._read, None))

    async def pages(self) -> AsyncIterator[Page[T]]:
        """Page by page instead of item by item."""
        page = await self.page()
        yield page
        while page.next is not None:
            page = await self._run(_page(self._read, page.next))
            yield page

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.items:
                yield item

    async def all(self) -> list[T]:
        """Every item at once. Mind the size of the list."""
        return [item async for item in self]
