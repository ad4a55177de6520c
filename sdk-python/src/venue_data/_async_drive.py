"""The driver that awaits."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

import httpx

from ._steps import Attempt, Failed, Received, Steps, TookTooLong, failed, sends_nothing

T = TypeVar("T")


Send: TypeAlias = Callable[[Attempt], "Awaitable[Received | Failed]"]


async def drive(steps: Steps[T], send: Send = sends_nothing) -> T:
    """Carries out a core's steps until it has its result."""
    try:
        step = next(steps)
        while True:
            if isinstance(step, Attempt):
                step = steps.send(await send(step))
                continue
            try:
                result = step.function()
                if inspect.isawaitable(result):
                    result = await result
            except BaseException as error:
                step = steps.throw(error)
            else:
                step = steps.send(result)
    except StopIteration as stop:
        return stop.value


def sending(http: httpx.AsyncClient) -> Send:
    """Makes attempts with an httpx client."""
    return lambda asked: _attempt(http, asked)


async def _attempt(http: httpx.AsyncClient, asked: Attempt) -> Received | Failed:
    try:
        # httpx limits each wait separately; an answer that trickles in would never end.
        return await asyncio.wait_for(_sent(http, asked), asked.seconds)
    except asyncio.TimeoutError:
        return failed(TookTooLong(), asked)
    except (httpx.RequestError, OSError) as error:
        return failed(error, asked)


async def _sent(http: httpx.AsyncClient, asked: Attempt) -> Received:
    async with http.stream(
        asked.method,
        asked.url,
        headers=asked.headers,
        content=asked.content,
        timeout=asked.seconds,
        follow_redirects=False,
    ) as response:
        return Received(response.status_code, response.headers, await response.aread())
