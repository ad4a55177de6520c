"""The parts of a call, and how they are sent."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote, urlencode

from ._generated.operations import Operation
from ._version import version


@dataclass(frozen=True)
class Request:
    path: Sequence[str | int] = ()
    """The values in the path, in order."""
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    body: Any = None
    idempotency_key: str | None = None
    if_match: int | str | None = None
    if_none_match: str | None = None
    timeout: float | None = None
    retries: int | None = None


def address(base: str, operation: Operation, request: Request) -> str:
    """The whole address of a call."""
    values = iter(request.path)
    place = re.sub(r"\{\w+\}", lambda _: quote(str(next(values, "")), safe=""), operation.path)
    words = [(word, _text(value)) for word, value in request.query.items() if value is not None]
    return f"{base}{place}{'?' if words else ''}{urlencode(words)}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("A datetime needs its time zone, such as datetime.now(timezone.utc).")
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    if isinstance(value, (list, tuple, set, frozenset)):
        several: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]
        return ",".join(str(one) for one in several)
    return str(value)


def headers(key: str, request: Request, idempotency_key: str | None) -> dict[str, str]:
    given = {
        "x-service-key": key,
        # With it, a refusal also says which parts of the request are wrong, and why.
        "accept": "application/json, application/problem+json",
        "user-agent": f"venue-data-python/{version}",
    }
    if request.body is not None:
        given["content-type"] = "application/json"
    if idempotency_key is not None:
        given["idempotency-key"] = idempotency_key
    if request.if_match is not None:
        tag = request.if_match
        given["if-match"] = f'"{tag}"' if isinstance(tag, int) else tag
    if request.if_none_match is not None:
        given["if-none-match"] = request.if_none_match
    return given


def content(body: Any) -> bytes | None:
    if body is None:
        return None
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
