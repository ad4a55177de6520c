"""Whether to retry a call, and after how long. `sdk/cases/README.md` of the repository has the same in words."""

from __future__ import annotations

from collections.abc import Callable

from ._errors import ApiError, RateLimitError, ServerError, StillProcessingError, VenueDataError

FIRST_SECONDS = 0.5
"""The first wait, which doubles each time."""
LONGEST_SECONDS = 30.0
LONGEST_WAITING_SECONDS = 5.0
"""For a call that waits for news: after an outage it must not sleep while there are some."""
PROCESSING_SECONDS = 2.0
"""An attempt still being processed ends within seconds."""
PASSING = frozenset({500, 502, 503, 504})
"""Temporary faults; 502 and 504 come from a proxy in front of the service."""


def wait_before(
    error: VenueDataError, repeatable: bool, retries: int, random: Callable[[], float], is_waiting: bool
) -> float | None:
    """Seconds until the call is to be sent again; `None`: never.

    Args:
        repeatable: Whether nothing could be done twice.
        retries: How many times it was sent again so far.
        is_waiting: Whether the call waits for news, as a feed does.
    """
    # A live feed retries without end: beyond the longest wait the exponent no longer matters.
    longest = LONGEST_WAITING_SECONDS if is_waiting else LONGEST_SECONDS
    back_off = min(FIRST_SECONDS * 2 ** min(retries, 16), longest) * (0.5 + random() / 2)
    # No answer: the request may have been carried out.
    if not isinstance(error, ApiError):
        return back_off if repeatable else None
    asked = error.retry_after_seconds
    wait = back_off if asked is None else asked * (1 + random() / 10)
    # Nothing was done, so any call may be repeated.
    if isinstance(error, RateLimitError):
        return wait
    if not repeatable:
        return None
    if isinstance(error, StillProcessingError):
        return PROCESSING_SECONDS * (1 + random() / 10)
    return max(wait, back_off) if isinstance(error, ServerError) and error.status in PASSING else None
