"""What a call fails with."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple, TypedDict, cast

import httpx

from ._generated.records import Fault, NotRequired, OpenTime, Reason


class WrongPart(TypedDict):
    """A part of a request that is wrong."""

    pointer: NotRequired[str]
    """A JSON pointer into the body."""
    parameter: NotRequired[str]
    header: NotRequired[str]
    reason: Fault
    detail: str


class Sent(NamedTuple):
    """What every failed call says of itself."""

    operation: str
    attempts: int
    idempotency_key: str | None


@dataclass(frozen=True)
class Refusal:
    """What an answer that refuses says."""

    sent: Sent
    status: int
    headers: httpx.Headers
    body: dict[str, Any]


class VenueDataError(Exception):
    """Whatever a call fails with."""

    operation: str
    """The call, by its id in the OpenAPI document: `createReservation`."""
    attempts: int
    """How often it was sent."""
    idempotency_key: str | None
    """What it was sent under. Send it again with this one and nothing is done twice."""

    def __init__(self, message: str, sent: Sent) -> None:
        super().__init__(message)
        self.operation, self.attempts, self.idempotency_key = sent

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r}, operation={self.operation!r}, attempts={self.attempts})"


class ConnectionError(VenueDataError):
    """No answer arrived, or only a part of one, after all attempts."""

    may_be_done: bool
    """Whether the venue may have done it nevertheless: an attempt to change something left, and its answer was lost."""
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
    """To quote when asking about the request."""
    errors: list[WrongPart]
    """Every part of the request that is wrong, of a 400."""
    retry_after_seconds: float | None
    """How long to wait, where the service said so."""
    body: dict[str, Any]
    """The whole body, with whatever the reason brings along."""

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
    """410: the record was here and is gone, or a cursor is too old (`cursor-expired`)."""

    @property
    def merged_into(self) -> int | None:
        """The guest that took its place, after `merged`."""
        return self.body.get("mergedInto")


class ConflictError(ApiError):
    """409: the venue said no, or an Idempotency-Key was used for something else."""

    @property
    def alternatives(self) -> list[OpenTime] | None:
        """Open times near the one refused, nearest first, if you asked for them."""
        return self.body.get("alternatives")


class PreconditionError(ApiError):
    """412, 428: the record is no longer as `if_match` says. Merge your change into `current` and send it with `etag`."""

    etag: str | None

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.etag = refusal.headers.get("etag")

    @property
    def current(self) -> Any:
        """The record as it is now."""
        return self.body.get("current")


class RateLimitError(ApiError):
    """429: more requests than the key may make. `retry_after_seconds` was longer than the call had left."""


class ServerError(ApiError):
    """5xx: a fault of the service, or what lies before it."""


class StillProcessingError(ApiError):
    """409 `still-processing`, for longer than the call had left: the first attempt under this Idempotency-Key is under way. Send
    the call again with `idempotency_key` to learn how it ended; until then it may be done."""


class OutcomeUnknownError(ApiError):
    """409 `outcome-unknown`: an earlier attempt under this Idempotency-Key never finished, so nobody can say whether it was done.

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
        """Looks for what the call may have made, in the last 24 hours, newest first: records with the external id that was
        sent, or else with its contact details, name and size. An empty list: it was not made. `None`: this key cannot tell, such
        as one that sees no contact details; ask the venue.

        Of a call of `AsyncVenueData`, use `aresolve()`.
        """
        found = self._look_up()
        if hasattr(found, "__await__"):
            found.close()
            raise TypeError("This came of AsyncVenueData: await error.aresolve() in place of resolve().")
        return found

    async def aresolve(self) -> list[dict[str, Any]] | None:
        """Like `resolve()`, of a call of `AsyncVenueData`."""
        found = self._look_up()
        return await found if hasattr(found, "__await__") else found


def retry_after(headers: httpx.Headers) -> float | None:
    """Seconds, also where a proxy gave a date: by the answer's own clock, so that yours may be wrong."""
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
