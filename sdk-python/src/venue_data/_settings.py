"""A client's settings."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from ._errors import VenueDataError


@dataclass(frozen=True)
class Retry:
    """What `on_retry` is called with before each retry."""

    operation: str
    attempts: int
    """How many attempts were made so far."""
    wait_seconds: float
    error: VenueDataError


@dataclass(frozen=True)
class Runtime:
    """Time and randomness, so that a test can control them."""

    now: Callable[[], float]
    """Seconds since an arbitrary moment; unlike the time of day, it never goes back."""
    random: Callable[[], float]
    """A number from 0 up to 1."""
    sleep: Callable[[float], Any]
    """Waits for the given seconds; for `AsyncVenueData` it may return an awaitable."""


@dataclass(frozen=True)
class Secret:
    """A key that does not show when printed."""

    value: str = field(repr=False)


@dataclass(frozen=True)
class Settings:
    address: str
    key: Callable[[], Secret | Awaitable[Secret]] = field(repr=False)
    timeout: float
    attempt_timeout: float
    retries: int
    on_retry: Callable[[Retry], None] | None
    runtime: Runtime
    run: Callable[[Any], Any] = field(repr=False)
    """Drives steps to their result."""


def address_of(base_url: str) -> str:
    """Where the API is; `/api/v1` may be in the address or not."""
    return re.sub(r"/api/v1$", "", base_url.rstrip("/")) + "/api/v1"


def key_from(key: str | Callable[[], str]) -> Callable[[], Secret]:
    """A function that returns the key before each attempt.

    It is never a plain value where a traceback could show it.
    """
    if callable(key):
        return lambda: secret_of(key())
    secret = secret_of(key)
    return lambda: secret


def async_key_from(key: str | Callable[[], str | Awaitable[str]]) -> Callable[[], Secret | Awaitable[Secret]]:
    """A function that returns the key, or an awaitable of it, before each attempt."""
    if not callable(key):
        return key_from(key)

    async def asked() -> Secret:
        given = key()
        return secret_of(given if isinstance(given, str) else await given)

    return asked


def secret_of(key: object) -> Secret:
    """An invalid header value would be quoted in the runtime's error."""
    if not isinstance(key, str) or not re.fullmatch(r"[\x21-\x7e]+", key):
        raise ValueError("The key is empty, or has characters that no key has.")
    return Secret(key)
