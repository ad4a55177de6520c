"""Looking for the records a call may have created."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from ._answers import Answer
from ._errors import PermissionError
from ._steps import Steps

DAY_SECONDS = 86_400
"""How long the service remembers an Idempotency-Key."""


DIGITS_LEAST = 7
"""The fewest digits that the service searches by."""


def look_up(
    list_id: str | None,
    sent: Mapping[str, Any],
    headers: httpx.Headers,
    ask: Callable[[str, dict[str, Any]], Steps[Answer[Any]]],
) -> Steps[list[dict[str, Any]] | None]:
    """Finds the records that a call with an unknown outcome may have created: those in the list since the day before
    the answer, by the service's own clock. `None` if this key cannot tell."""
    if list_id is None:
        return None
    external_id = sent.get("externalId")
    words = {"externalId": external_id} if external_id else _contact(sent)
    since = datetime.fromtimestamp(_answered_at(headers) - DAY_SECONDS, timezone.utc)
    found: list[dict[str, Any]] = []
    after: str | None = None
    while True:
        try:
            answer = yield from ask(list_id, {**words, "since": since, "limit": 100, "after": after})
        except PermissionError:
            # The key may not read these records, or not search by contact details.
            return None
        found += answer.body
        after = answer.headers.get("x-next-cursor")
        if after is None:
            break
    # Your own id alone decides: staff may have changed the rest since.
    if external_id:
        return [record for record in found if record.get("externalId") == external_id]
    size = sent.get("partySize")
    alike = [record for record in found if size is None or record.get("partySize") == size]
    made = [record for record in alike if _name(record) == _name(sent)]
    # A name that is hidden from the key may match.
    return None if not made and any(_name(record) is None for record in alike) else made


def _contact(sent: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent that can be searched by."""
    words = {"email": sent["email"]} if sent.get("email") else {}
    if sum(sign in "0123456789" for sign in str(sent.get("phone") or "")) >= DIGITS_LEAST:
        words["phone"] = sent["phone"]
    return words


def _name(fields: Mapping[str, Any]) -> Any:
    """Some fields are sent under one name and read under another."""
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
