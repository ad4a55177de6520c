"""The Venue Data API for Python: typed calls, safe retries, a copy kept in step, verified webhooks."""

from ._answers import Answer, FeedPage, Page
from ._client import AsyncVenueData, VenueData
from ._cursors import AsyncCursorStore, CursorStore, FileCursor, MemoryCursor
from ._errors import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    ConnectionError,
    GoneError,
    NotFoundError,
    OutcomeUnknownError,
    PermissionError,
    PreconditionError,
    RateLimitError,
    ServerError,
    StillProcessingError,
    TimeoutError,
    VenueDataError,
    WrongPart,
)
from ._feed import AsyncFeed, Feed
from ._lists import AsyncList, List
from ._settings import Retry, Runtime
from ._sync import AsyncCopy, CopiedRecord, Copy, DroppedRecord, SyncedPage
from ._verify import AsyncRevisedCopy, Difference, RevisedCopy, RevisedRecord, Verified
from ._version import version as __version__

__all__ = [
    "Answer",
    "ApiError",
    "AsyncCopy",
    "AsyncCursorStore",
    "AsyncFeed",
    "AsyncList",
    "AsyncRevisedCopy",
    "AsyncVenueData",
    "AuthenticationError",
    "BadRequestError",
    "ConflictError",
    "ConnectionError",
    "CopiedRecord",
    "Copy",
    "CursorStore",
    "Difference",
    "DroppedRecord",
    "Feed",
    "FeedPage",
    "FileCursor",
    "GoneError",
    "List",
    "MemoryCursor",
    "NotFoundError",
    "OutcomeUnknownError",
    "Page",
    "PermissionError",
    "PreconditionError",
    "RateLimitError",
    "Retry",
    "RevisedCopy",
    "RevisedRecord",
    "Runtime",
    "ServerError",
    "StillProcessingError",
    "SyncedPage",
    "TimeoutError",
    "VenueData",
    "VenueDataError",
    "Verified",
    "WrongPart",
    "__version__",
]
