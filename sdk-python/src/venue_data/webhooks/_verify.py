"""Verifying deliveries."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .._generated.records import Delivery

VerificationFailure: TypeAlias = Literal[
    "no-signature", "unreadable-signature", "too-old-or-too-new", "wrong-signature", "unreadable-body"
]

SENTENCES: dict[VerificationFailure, str] = {
    "no-signature": "The delivery has no signature.",
    "unreadable-signature": "The signature of the delivery cannot be read.",
    "too-old-or-too-new": "The signature of the delivery is too old, or your clock is wrong.",
    "wrong-signature": "The delivery was not signed with this secret, or its body is not what was sent.",
    "unreadable-body": "The body of the delivery is not JSON.",
}


class WebhookVerificationError(Exception):
    """A delivery with a bad signature. Answer 400 and ignore it."""

    reason: VerificationFailure

    def __init__(self, reason: VerificationFailure) -> None:
        super().__init__(SENTENCES[reason])
        self.reason = reason


def verify_webhook(
    body: bytes | str,
    *,
    secret: str | Sequence[str],
    header: str | None = None,
    headers: Mapping[str, str] | None = None,
    tolerance_seconds: float = 300,
    now: Callable[[], float] = time.time,
) -> Delivery:
    """Verifies a delivery and reads it.

    Args:
        body: The body exactly as it arrived, before anything parsed it.
        secret: The endpoint's secret, `whsec_…`; several while you change it.
        header: The value of `X-Service-Signature`.
        headers: All headers, instead of `header`: with them, a Standard Webhooks signature is verified, too.
        tolerance_seconds: How far the signature's time may be from your clock.
        now: Your clock in seconds since 1970, such as that of a practice instance.

    Raises:
        WebhookVerificationError: The signature is wrong or too old.

    Example:
        >>> delivery = verify_webhook(body, header=request.headers["x-service-signature"], secret=secret)
        >>> if delivery["event"] == "reservation.seated":
        ...     print(delivery["data"]["guestName"])
    """
    content = body.encode() if isinstance(body, str) else bytes(body)
    signature = _signature(header, {name.lower(): value for name, value in (headers or {}).items()})
    if not re.fullmatch(r"[0-9]{1,12}", signature.time) or not signature.macs:
        raise WebhookVerificationError("unreadable-signature")
    if abs(now() - int(signature.time)) > tolerance_seconds:
        raise WebhookVerificationError("too-old-or-too-new")
    said = signature.prefix.encode() + content
    secrets = [secret] if isinstance(secret, str) else secret
    for key in filter(None, map(signature.key, secrets)):
        right = hmac.new(key, said, hashlib.sha256).digest()
        if any(hmac.compare_digest(right, mac) for mac in signature.macs):
            return _read(content)
    raise WebhookVerificationError("wrong-signature")


@dataclass(frozen=True)
class _Signature:
    key: Callable[[str], bytes | None]
    """The secret's bytes; `None`: it cannot make such signatures."""
    time: str
    prefix: str
    """The part of the signed text before the body."""
    macs: list[bytes]


def _signature(header: str | None, headers: Mapping[str, str]) -> _Signature:
    own = header or headers.get("x-service-signature")
    if own:
        return _own_signature(own)
    standard = headers.get("webhook-signature")
    if not standard:
        raise WebhookVerificationError("no-signature")
    return _standard_signature(standard, headers)


def _own_signature(header: str) -> _Signature:
    """`t=<seconds>,v1=<hex>`, with a second `v1` while the secret is being changed. Other parts may be added."""
    parts = [part.strip().partition("=") for part in header.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    macs = [bytes.fromhex(value) for name, _, value in parts if name == "v1" and re.fullmatch(r"[0-9a-fA-F]{64}", value)]
    said = times[0] if times else ""
    return _Signature(str.encode, said, f"{said}.", macs)


def _standard_signature(header: str, headers: Mapping[str, str]) -> _Signature:
    """Standard Webhooks: also covers the id and the time, and uses the secret's decoded bytes."""
    said = headers.get("webhook-timestamp", "")
    macs = [_from_base64(part[3:]) for part in header.split(" ") if part.startswith("v1,")]
    prefix = f"{headers.get('webhook-id', '')}.{said}."
    return _Signature(
        lambda secret: _from_base64(secret.removeprefix("whsec_")), said, prefix, [mac for mac in macs if mac]
    )


def _from_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def _read(content: bytes) -> Delivery:
    try:
        return json.loads(content.decode("utf-8"))
    except ValueError:
        raise WebhookVerificationError("unreadable-body") from None
