"""The errors of calls."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple, TypedDict, cast

import httpx

from ._generated.records import Fault, NotRequired, OpenTime, Reason


class WrongPart(TypedDict):
    """One thing that is wrong with a request."""

    pointer: NotRequired[str]
    """A JSON pointer into the body."""
    parameter: NotRequired[str]
    header: NotRequired[str]
    reason: Fault
    detail: str


class Sent(NamedTuple):
    """The details of a failed call."""

    operation: str
    attempts: int
    idempotency_key: str | None


@dataclass(frozen=True)
class Refusal:
    """The contents of a refusal."""

    sent: Sent
    status: int
    headers: httpx.Headers
    body: dict[str, Any]


class VenueDataError(Exception):
    """The base class of all errors."""

    operation: str
    """The call, by its id in the OpenAPI document: `createReservation`."""
    attempts: int
    """How many attempts were made."""
    idempotency_key: str | None
    """The key it was sent with. Send it again with this key and nothing is done twice."""

    def __init__(self, message: str, sent: Sent) -> None:
        super().__init__(message)
        self.operation, self.attempts, self.idempotency_key = sent

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r}, operation={self.operation!r}, attempts={self.attempts})"


class ConnectionError(VenueDataError):
    """No answer arrived, or only a part of one, after all attempts."""

    may_be_done: bool
    """Whether the venue may have done it anyway: a write was sent, and its answer was lost."""
    cause: str
    """The kind of the last attempt's failure, such as `ConnectError`."""

    def __init__(self, message: str, sent: Sent, may_be_done: bool, cause: str) -> None:
        super().__init__(message, sent)
        self.may_be_done = may_be_done
        self.cause = cause


class TimeoutError(ConnectionError):
    """The last attempt took too long."""


class ApiError(VenueDataError):
    """The service answered and refused. Branch on `status` and `reason`; show `sentence` to people."""

    status: int
    reason: Reason | None
    sentence: str
    """One plain sentence for a person."""
    request_id: str | None
    """Quote it when you ask about the request."""
    errors: list[WrongPart]
    """Everything that is wrong with the request, for a 400."""
    retry_after_seconds: float | None
    """How long to wait, if the service said so."""
    body: dict[str, Any]
    """The whole body, including any extra fields of the reason."""

    def __init__(self, refusal: Refusal) -> None:
        body, status = refusal.body, refusal.status
        error, reason, errors = body.get("error"), body.get("reason"), body.get("errors")
        sentence = error if isinstance(error, str) else f"The service answered with status {status}."
        super().__init__(f"{sentence} ({' '.join(str(one) for one in (status, reason) if one)})", refusal.sent)
        self.status = status
        self.reason = reason if isinstance(reason, str) else None
        self.sentence = sentence
        self.request_id = refusal.headers.get("x-request-id")
        self.errors = cast("list[WrongPart]", errors) if isinstance(errors, list) else []
        self.retry_after_seconds = retry_after(refusal.headers)
        self.body = body


class BadRequestError(ApiError):
    """400, 405, 413: something is missing or cannot be read. Fix the request."""


class AuthenticationError(ApiError):
    """401: the key is unknown or revoked. Ask the owner for a new one."""


class PermissionError(ApiError):
    """402, 403: the venue or this key may not do this."""


class NotFoundError(ApiError):
    """404: there is no such record at this venue."""


class GoneError(ApiError):
    """410: the record is gone, or a cursor is too old (`cursor-expired`) or another venue's (`cursor-of-another-venue`)."""

    @property
    def merged_into(self) -> int | None:
        """The guest that replaced it, after `merged`."""
        return self.body.get("mergedInto")


class ConflictError(ApiError):
    """409: the venue said no, or an Idempotency-Key was used for something else."""

    @property
    def alternatives(self) -> list[OpenTime] | None:
        """Open times near the one refused, nearest first, if you asked for them."""
        return self.body.get("alternatives")


class PreconditionError(ApiError):
    """412, 428: the record has changed since the version in `if_match`.

    Merge your change into `current` and send it with `etag`.
    """

    etag: str | None

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.etag = refusal.headers.get("etag")

    @property
    def current(self) -> Any:
        """The record as it is now."""
        return self.body.get("current")


class RateLimitError(ApiError):
    """429: more requests than the key may make. `retry_after_seconds` was longer than the call's remaining time."""


class ServerError(ApiError):
    """5xx: a fault in the service, or in a proxy in front of it."""


class StillProcessingError(ApiError):
    """409 `still-processing`, for longer than the call's remaining time: the first attempt under this Idempotency-Key
    is still in progress. Send the call again with `idempotency_key` to learn how it ended; until then, it may have been
    done."""


class OutcomeUnknownError(ApiError):
    """409 `outcome-unknown`: an earlier attempt under this Idempotency-Key never finished, so its outcome is unknown.

    Example:
        >>> try:
        ...     venue.reservations.create(booking, idempotency_key=key)
        ... except OutcomeUnknownError as error:
        ...     if error.resolve() == []:
        ...         venue.reservations.create(booking, idempotency_key=str(uuid4()))
    """

    advice = (
        "Look whether it is there: resolve() does. If it is, use it. If not, send it with a new idempotency_key, or wait a day."
    )
    """What to do."""

    def __init__(self, refusal: Refusal, look_up: Callable[[], Any]) -> None:
        super().__init__(refusal)
        self._look_up = look_up

    def resolve(self) -> list[dict[str, Any]] | None:
        """Looks for records the call may have created in the last 24 hours, newest first: those with the external id
        that was sent, or else with its contact details, name and size. An empty list: it created none. `None`: this key
        cannot tell, for example because it does not see contact details; ask the venue.

        For calls of `AsyncVenueData`, use `aresolve()`.
        """
        found = self._look_up()
        if hasattr(found, "__await__"):
            found.close()
            raise TypeError("This came of AsyncVenueData: await error.aresolve() in place of resolve().")
        return found

    async def aresolve(self) -> list[dict[str, Any]] | None:
        """Like `resolve()`, for calls of `AsyncVenueData`."""
        found = self._look_up()
        return await found if hasattr(found, "__await__") else found


def retry_after(headers: httpx.Headers) -> float | None:
    """Seconds, even if a proxy gave a date: that is compared with the answer's own `Date`, so your clock may be
    wrong."""
    said: str | None = headers.get("retry-after")
    date: str = headers.get("date", "")
    if said is None:
        return None
    if re.fullmatch(r"\d+(\.\d+)?", said):
        return float(said)
    try:
        ahead = parsedate_to_datetime(said) - parsedate_to_datetime(date)
    except (TypeError, ValueError, IndexError):
        return None
    return max(0.0, ahead.total_seconds())


FAMILIES: dict[int, type[ApiError]] = {
    401: AuthenticationError,
    402: PermissionError,
    403: PermissionError,
    404: NotFoundError,
    409: ConflictError,
    410: GoneError,
    412: PreconditionError,
    428: PreconditionError,
    429: RateLimitError,
}


def error_for(refusal: Refusal) -> ApiError:
    """The error of a status; one that no class of its own has is its family's."""
    status = refusal.status
    if refusal.body.get("reason") == "still-processing":
        return StillProcessingError(refusal)
    family = ServerError if status >= 500 else BadRequestError if status >= 400 else ApiError
    return FAMILIES.get(status, family)(refusal)
