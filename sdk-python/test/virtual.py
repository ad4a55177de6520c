"""A clock that moves only when somebody waits, and chance that is none."""

from __future__ import annotations

from typing import Any

import httpx

from venue_data import Runtime


class VirtualClock:
    """Time for a client, and transports of httpx that let as much of it pass as an answer says it was delayed."""

    def __init__(self) -> None:
        self.time = 0.0
        self.waits: list[float] = []

    def runtime(self, is_async: bool) -> Runtime:
        return Runtime(lambda: self.time, lambda: 0.5, self.asleep if is_async else self.sleep)

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.time += seconds

    async def asleep(self, seconds: float) -> None:
        self.sleep(seconds)

    def delay(self, request: httpx.Request, response: httpx.Response) -> None:
        seconds = float(response.headers.get("x-delay-seconds", 0))
        given: float = request.extensions["timeout"]["read"]
        self.time += min(seconds, given)
        if seconds > given:
            raise httpx.ReadTimeout("too late", request=request)


class DelayedTransport(httpx.HTTPTransport):
    def __init__(self, clock: VirtualClock) -> None:
        # Reading certificates takes longer than any case.
        super().__init__(verify=False)
        self.clock = clock

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = super().handle_request(request)
        self.clock.delay(request, response)
        return response


class AsyncDelayedTransport(httpx.AsyncHTTPTransport):
    def __init__(self, clock: VirtualClock) -> None:
        super().__init__(verify=False)
        self.clock = clock

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await super().handle_async_request(request)
        self.clock.delay(request, response)
        return response


def client_options(clock: VirtualClock, is_async: bool) -> dict[str, Any]:
    """What a client under this clock is made with."""
    if is_async:
        http: Any = httpx.AsyncClient(transport=AsyncDelayedTransport(clock), trust_env=False)
    else:
        http = httpx.Client(transport=DelayedTransport(clock), trust_env=False)
    return {"http_client": http, "runtime": clock.runtime(is_async)}
