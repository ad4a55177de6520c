"""How a call is sent."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any

from ._answers import Answer
from ._errors import (
    ConnectionError,
    OutcomeUnknownError,
    Refusal,
    Sent,
    StillProcessingError,
    TimeoutError,
    VenueDataError,
    error_for,
)
from ._generated.operations import Operation, operations
from ._look_up import look_up
from ._request import Request, address, content, headers
from ._retry import wait_before
from ._settings import Retry, Secret, Settings
from ._steps import Attempt, Do, Failed, Received, Steps

# A retry that would have less time than this, in seconds, is not made: its timeout would only hide what the service had
# said before.
_LEAST_ATTEMPT = 0.5


def send(settings: Settings, operation_id: str, request: Request) -> Steps[Answer[Any]]:
    """Sends a call until it gets an answer, or may not be repeated."""
    runtime = settings.runtime
    operation = operations[operation_id]
    retries = settings.retries if request.retries is None else request.retries
    timeout = settings.timeout if request.timeout is None else request.timeout
    idempotency_key = (request.idempotency_key or str(uuid.uuid4())) if operation.keyed else None
    repeatable = operation.method == "GET" or operation.keyed or operation.safe
    may_be_done = operation.method != "GET" and not operation.safe
    deadline = runtime.now() + timeout
    attempt_seconds = settings.attempt_timeout + operation.seconds + (request.query.get("wait") or 0)
    least = min(_LEAST_ATTEMPT, attempt_seconds)
    url = address(settings.address, operation, request)
    body = content(request.body)

    attempts = retried = 0
    while True:
        attempts += 1
        sent = Sent(operation_id, attempts, idempotency_key)
        key: Secret = yield Do(settings.key)
        left = max(0.001, min(attempt_seconds, deadline - runtime.now()))
        got = yield Attempt(operation.method, url, headers(key.value, request, idempotency_key), body, left)
        answer = got if isinstance(got, Failed) else _read(got, attempts, key)
        if isinstance(answer, Failed):
            error = _unanswered(answer, key, sent, may_be_done)
        elif answer.status == 304 or 200 <= answer.status < 300:
            return answer
        else:
            error = _refused(settings, operation, request, answer, sent)
        wait = wait_before(error, repeatable, retried, runtime.random, request.query.get("wait") is not None)
        # To wait for the first attempt is no retry.
        is_counted = not isinstance(error, StillProcessingError)
        if wait is None or (is_counted and retried >= retries):
            raise error
        if runtime.now() + wait + least > deadline:
            raise error
        retried += is_counted
        if settings.on_retry is not None:
            settings.on_retry(Retry(operation_id, attempts, wait, error))
        yield Do(lambda wait=wait: runtime.sleep(wait))


def _read(received: Received, attempts: int, key: Secret) -> Answer[Any] | Failed:
    """An answer that should be JSON and is not is incomplete."""
    status, given = received.status, received.headers
    try:
        if status == 304:
            body = None
        elif 200 <= status < 300:
            body = json.loads(received.content)
        else:
            body = _read_refusal(_hide(received.content.decode(errors="replace"), key), given)
    except ValueError as error:
        return Failed(type(error).__name__, str(error))
    return Answer(
        status=status,
        body=body,
        etag=given.get("etag"),
        request_id=given.get("x-request-id"),
        replayed=given.get("idempotent-replayed") == "true",
        attempts=attempts,
        headers=given,
    )


def _read_refusal(text: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """A refusal may come from a proxy in front of the service, in any form."""
    if "json" not in headers.get("content-type", ""):
        return {}
    body = json.loads(text)
    return body if isinstance(body, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def _refused(
    settings: Settings, operation: Operation, request: Request, answer: Answer[Any], sent: Sent
) -> VenueDataError:
    refusal = Refusal(sent, answer.status, answer.headers, answer.body)
    if refusal.body.get("reason") != "outcome-unknown":
        return error_for(refusal)
    return OutcomeUnknownError(
        refusal,
        lambda: settings.run(
            look_up(
                operation.look_up,
                request.body or {},
                answer.headers,
                lambda list_id, query: send(settings, list_id, Request(query=query)),
            )
        ),
    )


def _unanswered(failed: Failed, key: Secret, sent: Sent, may_be_done: bool) -> ConnectionError:
    message = _hide(failed.message, key)
    if failed.took_too_long:
        return TimeoutError(f"The service did not answer in time. {message}", sent, may_be_done, failed.name)
    return ConnectionError(f"No whole answer arrived: {message}", sent, may_be_done, failed.name)


def _hide(text: str, key: Secret) -> str:
    """The text with the key removed, wherever it came from."""
    return text.replace(key.value, "[key]")
