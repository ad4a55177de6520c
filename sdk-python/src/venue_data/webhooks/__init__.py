"""Webhooks: verifying deliveries, and handling each of them once."""

from .._generated.records import Delivery, DeliveryHandlers
from ._receive import ReceiverAnswer, WebhookReceiver
from ._seen import AsyncSeenStore, MemorySeen, SeenStore
from ._verify import VerificationFailure, WebhookVerificationError, verify_webhook

__all__ = [
    "AsyncSeenStore",
    "Delivery",
    "DeliveryHandlers",
    "MemorySeen",
    "ReceiverAnswer",
    "SeenStore",
    "VerificationFailure",
    "WebhookReceiver",
    "WebhookVerificationError",
    "verify_webhook",
]
