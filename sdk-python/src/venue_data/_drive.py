"""The driver that blocks."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextvars import copy_context
from threading import Thread
from typing import Any, TypeAlias, TypeVar

import httpx

from ._steps import Attempt, Do, Failed, Received, Steps, TookTooLong, failed, sends_nothing

T = TypeVar("T")


Send: TypeAlias = Callable[[Attempt], "Received | Failed"]


def drive(steps: Steps[T], send: Send = sends_nothing) -> T:
    """Carries out a core's steps until it has its result."""
    try:
        step = next(steps)
        while True:
            if isinstance(step, Attempt):
                step = steps.send(send(step))
                continue
            try:
                result = call(step)
            except BaseException as error:
                step = steps.throw(error)
            else:
                step = steps.send(result)
    except StopIteration as stop:
        return stop.value


def call(step: Do) -> Any:
    """The result of a function, which must not be an awaitable."""
    result = step.function()
    if inspect.isawaitable(result):
        if inspect.iscoroutine(result):
            result.close()
        raise TypeError("Only AsyncVenueData can wait for async functions.")
    return result


def sending(http: httpx.Client, now: Callable[[], float]) -> Send:
    """Makes attempts with an httpx client."""
    return lambda asked: _attempt(http, now, asked)


def _attempt(http: httpx.Client, now: Callable[[], float], asked: Attempt) -> Received | Failed:
    # In a thread of its own: httpx limits each wait separately, so headers that trickle in would keep this one forever.
    # What is left behind ends with its connection, and as a daemon never keeps the program from ending.
    outcome: Future[Received] = Future()
    thread = Thread(target=copy_context().run, args=(_settle, outcome, http, now, asked), daemon=True)
    thread.start()
    wait([outcome], asked.seconds)
    try:
        return outcome.result() if outcome.done() else failed(TookTooLong(), asked)
    except (httpx.RequestError, TookTooLong, OSError) as error:
        return failed(error, asked)


def _settle(outcome: Future[Received], http: httpx.Client, now: Callable[[], float], asked: Attempt) -> None:
    try:
        outcome.set_result(_sent(http, now, asked))
    except BaseException as error:
        outcome.set_exception(error)


def _sent(http: httpx.Client, now: Callable[[], float], asked: Attempt) -> Received:
    end = now() + asked.seconds
    with http.stream(
        asked.method,
        asked.url,
        headers=asked.headers,
        content=asked.content,
        timeout=asked.seconds,
        follow_redirects=False,
    ) as response:
        chunks: list[bytes] = []
        for chunk in response.iter_bytes():
            chunks.append(chunk)
            if now() > end:
                raise TookTooLong
        return Received(response.status_code, response.headers, b"".join(chunks))
