"""Looking for what a call may have made."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from ._answers import Answer
from ._steps import Steps

DAY_SECONDS = 86_400
"""How far back the service remembers an Idempotency-Key."""


def look_up(
    list_id: str | None,
    sent: Mapping[str, Any],
    headers: httpx.Headers,
    ask: Callable[[str, dict[str, Any]], Steps[Answer[Any]]],
) -> Steps[list[dict[str, Any]] | None]:
    """Finds what a call may have made whose outcome nobody knows: what is in its list since the day before the answer, by the
    service's own clock. A list ignores words that are not for it."""
    if list_id is None:
        return None
    words = {word: sent[word] for word in ("externalId", "email", "phone") if sent.get(word)}
    since = datetime.fromtimestamp(_answered_at(headers) - DAY_SECONDS, timezone.utc)
    size = sent.get("partySize")
    found: list[dict[str, Any]] = []
    after: str | None = None
    while True:
        answer = yield from ask(list_id, {**words, "since": since, "limit": 100, "after": after})
        found += [
            record
            for record in answer.body
            if _name(record) == _name(sent) and (size is None or record.get("partySize") == size)
        ]
        after = answer.headers.get("x-next-cursor")
        if after is None:
            return found


def _name(fields: Mapping[str, Any]) -> Any:
    """What is sent under one name is read under another."""
    for word in ("guestName", "contactName", "name", "title"):
        if fields.get(word) is not None:
            return fields[word]
    return None


def _answered_at(headers: httpx.Headers) -> float:
    date: str = headers.get("date", "")
    try:
        return parsedate_to_datetime(date).timestamp()
    except (TypeError, ValueError, IndexError):
        return time.time()
