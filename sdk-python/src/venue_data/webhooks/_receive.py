"""Receiving deliveries: the core of every framework helper."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from .. import _async_drive, _drive
from .._generated.records import Delivery, DeliveryHandlers
from .._steps import Do, Steps
from ._seen import AsyncSeenStore, MemorySeen, SeenStore
from ._verify import WebhookVerificationError, verify_webhook

MOST_BYTES = 8 * 2**20
"""The largest possible delivery: a campaign with two bodies of a megabyte."""


class ReceiverAnswer(NamedTuple):
    """The answer to a delivery."""

    status: int
    text: str


DONE = ReceiverAnswer(204, "")
TOO_LARGE = ReceiverAnswer(413, "The body is too large.")


class WebhookReceiver:
    """Verifies each delivery, skips those already handled, and answers as the service expects.

    Example:
        >>> receiver = WebhookReceiver(secret=secret, on={"reservation.created": queue.put})
        >>> status, text = receiver.receive(body, headers)
    """

    def __init__(
        self,
        *,
        secret: str | Sequence[str],
        on: DeliveryHandlers | None = None,
        on_event: Callable[[Delivery], Any] | None = None,
        seen: SeenStore | AsyncSeenStore | None = None,
        samples: bool = False,
        on_error: Callable[[Exception], None] | None = None,
        tolerance_seconds: float = 300,
        now: Callable[[], float] = time.time,
    ) -> None:
        """
        Args:
            secret: The endpoint's secret, `whsec_…`; several while you change it.
            on: What to do with an event, by its name. Store the delivery and return: the service waits ten seconds for
                your answer. If a handler raises, the delivery comes again later. In a receiver that awaits, handlers
                may be async.
            on_event: Handles every event that `on` does not name, including events added later.
            seen: Remembers which deliveries were handled. Default: in memory, as long as the process runs.
            samples: Whether samples are handled like events. By default they are answered but not handled, since
                nothing happened.
            on_error: Called with any error, such as a wrong signature or what a handler raised.
            tolerance_seconds: How far the signature's time may be from your clock.
            now: Your clock in seconds since 1970, such as that of a practice instance.
        """
        self._secret = secret
        self._on = cast("Mapping[str, Any]", on or {})
        self._on_event = on_event
        self._seen = seen or MemorySeen()
        self._samples = samples
        self._on_error = on_error
        self._tolerance_seconds = tolerance_seconds
        self._now = now

    def receive(self, body: bytes | str, headers: Mapping[str, str]) -> ReceiverAnswer:
        """Handles a delivery and returns the answer to send."""
        return _drive.drive(self._steps(body, headers))

    async def areceive(self, body: bytes | str, headers: Mapping[str, str]) -> ReceiverAnswer:
        """Handles a delivery, awaiting async handlers and stores, and returns the answer to send."""
        return await _async_drive.drive(self._steps(body, headers))

    def _steps(self, body: bytes | str, headers: Mapping[str, str]) -> Steps[ReceiverAnswer]:
        try:
            delivery = verify_webhook(
                body,
                secret=self._secret,
                headers=headers,
                tolerance_seconds=self._tolerance_seconds,
                now=self._now,
            )
        except WebhookVerificationError as error:
            self._tell(error)
            return ReceiverAnswer(400, str(error))
        if delivery.get("sample") and not self._samples:
            return DONE
        try:
            state = yield Do(lambda: self._seen.begin(delivery["id"]))
            if state == "done":
                return DONE
            if state == "busy":
                return ReceiverAnswer(503, "This delivery is being handled.")
            yield from self._handle(delivery)
            return DONE
        except Exception as error:
            self._tell(error)
            return ReceiverAnswer(500, "The delivery could not be handled.")

    def _handle(self, delivery: Delivery) -> Steps[None]:
        handler = self._on.get(delivery["event"], self._on_event)
        is_done = False
        try:
            if handler is not None:
                yield Do(lambda: handler(delivery))
            is_done = True
        finally:
            yield Do(lambda: self._seen.end(delivery["id"], is_done))

    def _tell(self, error: Exception) -> None:
        if self._on_error is not None:
            self._on_error(error)
