"""For Flask. Needs the package's extra `flask`."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, request

from ._receive import MOST_BYTES, TOO_LARGE, WebhookReceiver


def flask_handler(receiver: WebhookReceiver) -> Callable[[], Response]:
    """A view for deliveries.

    Example:
        >>> app.post("/bookings")(flask_handler(WebhookReceiver(secret=secret, on_event=store)))
    """

    def receive_delivery() -> Response:
        body = request.stream.read(MOST_BYTES + 1)
        headers = {name: value for name, value in request.headers.items()}
        answer = TOO_LARGE if len(body) > MOST_BYTES else receiver.receive(body, headers)
        return Response(answer.text, status=answer.status, mimetype="text/plain")

    return receive_delivery
