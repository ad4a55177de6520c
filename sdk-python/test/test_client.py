"""What the cases do not say: what is Python's own about the clients."""

from __future__ import annotations

import asyncio
import inspect
import json
import socket
import tempfile
import unittest
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx

from venue_data import (
    AsyncVenueData,
    ConnectionError,
    FileCursor,
    MemoryCursor,
    Retry,
    Runtime,
    TimeoutError,
    VenueData,
    VenueDataError,
)
from venue_data._generated.operations import operations

KEY = f"service_sk_{'k' * 40}"
Answering = Callable[[httpx.Request, int], httpx.Response]


def reply(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> httpx.Response:
    return httpx.Response(status, json=body, headers=headers)


class Client:
    """A client of either kind that is answered by a function, and what it asked."""

    def __init__(self, answer: Answering, is_async: bool = False, **options: Any) -> None:
        self.asked: list[httpx.Request] = []
        self.time = 0.0
        self.waits: list[float] = []

        def handle(request: httpx.Request) -> httpx.Response:
            self.asked.append(request)
            return answer(request, len(self.asked))

        transport = httpx.MockTransport(handle)
        given: dict[str, Any] = {"key": KEY, "base_url": "http://venue.test", **options}
        if is_async:
            runtime = Runtime(lambda: self.time, lambda: 0.5, self.asleep)
            self.venue: Any = AsyncVenueData(
                **given, runtime=runtime, http_client=httpx.AsyncClient(transport=transport)
            )
        else:
            runtime = Runtime(lambda: self.time, lambda: 0.5, self.sleep)
            self.venue = VenueData(**given, runtime=runtime, http_client=httpx.Client(transport=transport))

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.time += seconds

    async def asleep(self, seconds: float) -> None:
        self.sleep(seconds)


@contextmanager
def dripping() -> Iterator[str]:
    """A server that sends one header byte by byte and never comes to its end."""
    ended = Event()

    def drip(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\nX-Drops: ")
            while not ended.wait(0.01):
                connection.sendall(b".")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=drip, args=(listener,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            ended.set()
            thread.join()


class Calls(unittest.TestCase):
    def test_both_clients_have_the_same_calls_with_the_same_arguments(self) -> None:
        blocking, awaited = (Client(lambda *_: reply({}), kind).venue for kind in (False, True))
        sent: set[str] = set()
        for name, namespace in vars(blocking).items():
            if name.startswith("_") or name == "ask":
                continue
            for method, call in inspect.getmembers(namespace, inspect.ismethod):
                if method.startswith("__"):
                    continue
                other = getattr(getattr(awaited, name), method)
                self.assertEqual(list(inspect.signature(call).parameters), list(inspect.signature(other).parameters))
                sent.add(f"{name}.{method}")
        # me, search, figures and dry_run are in no namespace.
        self.assertEqual(len(sent), len(operations) - 4)

    def test_words_of_the_query_are_in_the_manner_of_the_api(self) -> None:
        client = Client(lambda *_: reply([]))
        evening = datetime(2026, 10, 6, 21, tzinfo=timezone(timedelta(hours=2)))
        client.venue.reservations.list(since=evening, date_from="2026-10-06", count=True, status=["a", "b"]).all()
        self.assertEqual(
            dict(client.asked[0].url.params),
            {"since": "2026-10-06T19:00:00Z", "dateFrom": "2026-10-06", "count": "true", "status": "a,b"},
        )
        with self.assertRaisesRegex(ValueError, "time zone"):
            client.venue.tasks.list(since=datetime(2026, 10, 6)).page()

    def test_the_address_may_have_the_path_of_the_api(self) -> None:
        for base_url in ("http://venue.test", "http://venue.test/", "http://venue.test/api/v1", "http://venue.test/api/v1/"):
            client = Client(lambda *_: reply({}), base_url=base_url)
            client.venue.me()
            self.assertEqual(str(client.asked[0].url), "http://venue.test/api/v1/me")

    def test_an_answer_has_what_came_around_its_body(self) -> None:
        headers = {"etag": '"1.abcd"', "x-request-id": "r1"}
        answer = Client(lambda *_: reply({"id": 7}, 200, headers)).venue
        told = answer.with_answer(answer.tasks.get, 7)
        self.assertEqual((told.body, told.etag, told.request_id, told.attempts), ({"id": 7}, '"1.abcd"', "r1", 1))

    def test_a_list_sends_nothing_before_it_is_read(self) -> None:
        client = Client(lambda *_: reply([{"id": 1}], 200, {"x-changes-cursor": "c1_a", "x-count": "1"}))
        tasks = client.venue.tasks.list(count=True)
        self.assertEqual(client.asked, [])
        page = tasks.page()
        self.assertEqual((page.items, page.next, page.changes_cursor, page.count), ([{"id": 1}], None, "c1_a", "1"))

    def test_each_retry_is_told(self) -> None:
        told: list[Retry] = []
        client = Client(lambda _, times: reply({}, 503 if times < 3 else 200), on_retry=told.append)
        client.venue.me()
        self.assertEqual(
            [(one.operation, one.attempts, one.wait_seconds, type(one.error).__name__) for one in told],
            [("me", 1, 0.375, "ServerError"), ("me", 2, 0.75, "ServerError")],
        )

    def test_an_answer_in_drops_takes_too_long(self) -> None:
        client: Client

        def drops() -> Iterator[bytes]:
            while True:
                client.time += 1
                yield b" "

        client = Client(lambda *_: httpx.Response(200, content=drops()), retries=0)
        with self.assertRaises(TimeoutError):
            client.venue.me()

    def test_so_do_headers_in_drops(self) -> None:
        with dripping() as address:
            venue = VenueData(key=KEY, base_url=address, retries=0, attempt_timeout=0.2)
            with self.assertRaises(TimeoutError):
                venue.me()

    def test_so_it_does_when_it_is_awaited(self) -> None:
        async def drops() -> AsyncIterator[bytes]:
            while True:
                await asyncio.sleep(0)
                yield b" "

        def answer(*_: Any) -> httpx.Response:
            return httpx.Response(200, content=drops())

        client = Client(answer, is_async=True, retries=0, attempt_timeout=0.01)
        with self.assertRaises(TimeoutError):
            asyncio.run(client.venue.me())

    def test_a_list_has_no_answer_before_it_is_read(self) -> None:
        venue = Client(lambda *_: reply([])).venue
        with self.assertRaises(TypeError):
            venue.with_answer(venue.tasks.list)


class Keys(unittest.TestCase):
    def test_the_key_is_asked_for_before_each_attempt(self) -> None:
        async def later() -> str:
            return next(keys)

        for is_async, given in ((False, lambda: next(keys)), (True, lambda: next(keys)), (True, later)):
            keys = iter(("service_sk_1", "service_sk_2"))
            client = Client(lambda _, times: reply({}, 503 if times == 1 else 200), is_async, key=given)
            called = client.venue.me()
            if is_async:
                asyncio.run(called)
            self.assertEqual([one.headers["x-service-key"] for one in client.asked], ["service_sk_1", "service_sk_2"])

    def test_nothing_shows_it(self) -> None:
        def broken(request: httpx.Request, _: int) -> httpx.Response:
            raise httpx.ConnectError(f"no way for {KEY}", request=request)

        client = Client(broken, retries=0)
        self.assertNotIn(KEY, repr(client.venue) + repr(vars(client.venue)))
        with self.assertRaisesRegex(ConnectionError, r"\[key\]"):
            client.venue.me()
        with self.assertRaises(ValueError) as refused:
            VenueData(key=f"{KEY}\n", base_url="http://venue.test")
        self.assertNotIn(KEY, str(refused.exception))


class Feeds(unittest.TestCase):
    pages = {
        None: {"changes": [{"id": 1}, {"id": 2}], "next": "b", "more": True},
        "b": {"changes": [{"id": 3}], "next": "c", "more": False},
        "c": {"changes": [], "next": "c", "more": False},
    }

    def answer(self, request: httpx.Request, _: int) -> httpx.Response:
        return reply(self.pages[request.url.params.get("after")])

    def test_what_was_under_way_comes_again(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            store = FileCursor(Path(folder, "cursor"))
            seen: list[int] = []
            for change in Client(self.answer).venue.changes(store=store, live=False):
                seen.append(change["id"])
                if change["id"] == 3:
                    break
            self.assertEqual((seen, store.load()), ([1, 2, 3], "b"))
            again = Client(self.answer).venue.changes(store=store, live=False)
            self.assertEqual([change["id"] for change in again], [3])
            self.assertEqual((again.cursor, store.load()), ("c", "c"))
            store.save(None)
            store.save(None)
            self.assertIsNone(store.load())

    def test_a_feed_that_is_awaited_does_the_same(self) -> None:
        async def read() -> list[int]:
            feed = Client(self.answer, True).venue.changes(store=store, live=False)
            return [change["id"] async for change in feed]

        store = MemoryCursor("b")
        self.assertEqual((asyncio.run(read()), store.load()), ([3], "c"))

    def test_one_that_is_live_waits_and_lives_through_outages(self) -> None:
        def answer(request: httpx.Request, times: int) -> httpx.Response:
            if 3 <= times < 30:
                return reply({}, 503)
            return self.answer(request, times)

        client = Client(answer)
        for page in client.venue.changes().pages():
            if len(client.asked) == 32:
                self.assertEqual(page.items, [])
                break
        self.assertEqual(client.asked[-1].url.params["wait"], "20")
        self.assertEqual((len(client.waits), client.waits[-1]), (28, 2.0), "27 tries of an outage, and a pause")
        self.assertEqual(max(client.waits), 3.75, "five seconds, less the share of chance")


class Table:
    """A copy in a table that can roll back, written down as it is used."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.fails = False

    def upsert(self, change: Any, /) -> None:
        self.log.append(f"upsert {change['id']}")
        if self.fails:
            raise RuntimeError("disk full")

    def delete(self, record: Any, /) -> None:
        self.log.append(f"delete {record['id']}")

    def records(self) -> list[Any]:
        return [{"kind": "task", "id": 9}]

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.log.append("begin")
        try:
            yield
        except RuntimeError:
            self.log.append("rollback")
            raise
        self.log.append("commit")


class AwaitedTable:
    """The same, awaited."""

    def __init__(self) -> None:
        self.table = Table()

    async def upsert(self, change: Any, /) -> None:
        self.table.upsert(change)

    async def delete(self, record: Any, /) -> None:
        self.table.delete(record)

    async def records(self) -> Any:
        for record in self.table.records():
            yield record

    def transaction(self) -> Any:
        return AwaitedTransaction(self.table.transaction())


class AwaitedTransaction:
    def __init__(self, manager: Any) -> None:
        self.manager = manager

    async def __aenter__(self) -> None:
        self.manager.__enter__()

    async def __aexit__(self, *error: Any) -> None:
        self.manager.__exit__(*error)


class Copies(unittest.TestCase):
    def answer(self, request: httpx.Request, _: int) -> httpx.Response:
        task = {"kind": "task", "change": "created", "revision": 1}
        changes = [{**task, "id": 1, "data": {"id": 1}}, {**task, "id": 2, "data": None}]
        return reply({"changes": changes, "next": "b", "more": False})

    expected = ["begin", "upsert 1", "delete 2", "delete 9", "commit"]

    def test_a_page_is_a_transaction(self) -> None:
        table, store = Table(), MemoryCursor()
        pages: list[Any] = []
        Client(self.answer).venue.sync(into=table, store=store, live=False, on_page=pages.append)
        self.assertEqual((table.log, store.load(), pages), (self.expected, "b", [(2, True)]))

    def test_so_it_is_when_it_is_awaited(self) -> None:
        copy = AwaitedTable()
        asyncio.run(Client(self.answer, True).venue.sync(into=copy, live=False))
        self.assertEqual(copy.table.log, self.expected)
        table = Table()
        asyncio.run(Client(self.answer, True).venue.sync(into=table, live=False))
        self.assertEqual(table.log, self.expected, "a copy that is not awaited does for both")

    def test_what_fails_is_rolled_back_and_the_cursor_stays(self) -> None:
        table, store = Table(), MemoryCursor()
        table.fails = True
        with self.assertRaisesRegex(RuntimeError, "disk full"):
            Client(self.answer).venue.sync(into=table, store=store, live=False)
        self.assertEqual((table.log, store.load()), (["begin", "upsert 1", "rollback"], None))

    def test_a_client_that_blocks_cannot_wait_for_what_is_async(self) -> None:
        with self.assertRaisesRegex(TypeError, "AsyncVenueData"):
            Client(self.answer).venue.sync(into=AwaitedTable(), store=MemoryCursor("a"), live=False)


class Errors(unittest.TestCase):
    def test_what_was_sent_can_be_sent_again(self) -> None:
        client = Client(lambda *_: reply({"error": "No."}, 409))
        with self.assertRaises(VenueDataError) as failed:
            client.venue.tasks.create({"title": "Call"})
        error = failed.exception
        self.assertEqual(error.idempotency_key, client.asked[0].headers["idempotency-key"])
        self.assertEqual(repr(error), "ConflictError('No. (409)', operation='createTask', attempts=1)")
        self.assertEqual(json.loads(client.asked[0].content), {"title": "Call"})


if __name__ == "__main__":
    unittest.main()
