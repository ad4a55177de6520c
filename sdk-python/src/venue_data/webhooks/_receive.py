"""Receiving deliveries: what every helper of a framework comes down to."""

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
"""The most that a delivery is: a campaign with two bodies of a megabyte."""


class ReceiverAnswer(NamedTuple):
    """What to answer a delivery with."""

    status: int
    text: str


DONE = ReceiverAnswer(204, "")
TOO_LARGE = ReceiverAnswer(413, "The body is too large.")


class WebhookReceiver:
    """Verifies each delivery, skips what was handled, and answers as the service wants it answered.

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
            secret: The secret of the endpoint, `whsec_…`; several while your receivers change over to a new one.
            on: What to do with an event, by its name. Store it and return: the service waits ten seconds for your answer. What
                raises comes again later. In a receiver that awaits, handlers may be async.
            on_event: What to do with every event that `on` does not name, those that come later included.
            seen: Where it is remembered what was handled. Without one, in this process, as long as it runs.
            samples: Whether samples are handled like events. Without a word they are answered and left alone: nothing happened.
            on_error: Is told what went wrong, such as a wrong signature or what a handler raised.
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
        """Handles a delivery; gives what to answer."""
        return _drive.drive(self._steps(body, headers))

    async def areceive(self, body: bytes | str, headers: Mapping[str, str]) -> ReceiverAnswer:
        """Handles a delivery and awaits handlers and stores that are async; gives what to answer."""
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
