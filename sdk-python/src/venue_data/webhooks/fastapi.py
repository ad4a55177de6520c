"""For FastAPI, and anything else built on Starlette. Needs the package's extra `fastapi`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from ._receive import MOST_BYTES, TOO_LARGE, ReceiverAnswer, WebhookReceiver


def fastapi_handler(receiver: WebhookReceiver) -> Callable[[Request], Awaitable[Response]]:
    """A handler for deliveries.

    Handlers and stores may be async; those that are not should be quick, since they block other requests.

    Example:
        >>> app.post("/bookings")(fastapi_handler(WebhookReceiver(secret=secret, on_event=store)))
    """

    async def handle(request: Request) -> Response:
        body = await _body(request)
        answer = TOO_LARGE if body is None else await receiver.areceive(body, request.headers)
        return _response(answer)

    # FastAPI evaluates the annotations, and would not find names that exist only in this function.
    handle.__annotations__ = {"request": Request, "return": Response}
    return handle


async def _body(request: Request) -> bytes | None:
    """The raw body; `None`: it is too large."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            return None
    return bytes(body)


def _response(answer: ReceiverAnswer) -> Response:
    return Response(answer.text, status_code=answer.status, media_type="text/plain")
