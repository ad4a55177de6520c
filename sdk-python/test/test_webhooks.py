"""Webhooks: signatures that the service made, replays, and the helpers of the frameworks.

The deliveries come from the one who starts this, as JSON in the file that `DELIVERIES` names: the secrets, the time, a delivery
of every event with its headers, and one that is signed in both ways while its secret changes over.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

from venue_data.webhooks import (
    MemorySeen,
    WebhookReceiver,
    WebhookVerificationError,
    verify_webhook,
)

GIVEN = json.loads(Path(os.environ["DELIVERIES"]).read_text(encoding="utf-8"))
SECRET: str = GIVEN["secret"]
BEFORE: str = GIVEN["before"]
NOW: int = GIVEN["now"]
DELIVERIES: list[dict[str, Any]] = GIVEN["deliveries"]
CREATED = next(one for one in DELIVERIES if one["event"] == "reservation.created")
BOTH = GIVEN["both"]


def now() -> float:
    return NOW


class Verifying(unittest.TestCase):
    def test_a_delivery_of_every_event_is_read(self) -> None:
        for one in DELIVERIES:
            header = one["headers"]["x-service-signature"]
            delivery = verify_webhook(one["body"].encode(), header=header, secret=SECRET, now=now)
            self.assertEqual((delivery["event"], delivery), (one["event"], json.loads(one["body"])))

    def test_while_a_secret_changes_over_either_is_good(self) -> None:
        standard = {name: value for name, value in BOTH["headers"].items() if name != "x-service-signature"}
        for secret in (SECRET, BEFORE, [BEFORE, SECRET], ["whsec_other", BEFORE]):
            for headers in (BOTH["headers"], standard, {name.title(): value for name, value in standard.items()}):
                self.assertTrue(verify_webhook(BOTH["body"], headers=headers, secret=secret, now=now))

    def test_nothing_may_be_changed_on_the_way(self) -> None:
        chance = random.Random(20261123)
        own = {"x-service-signature": CREATED["headers"]["x-service-signature"]}
        first = BOTH["headers"]["webhook-signature"].split(" ")[0]
        standard = {"webhook-id": "d1", "webhook-timestamp": str(NOW), "webhook-signature": first}
        for body, headers in ((CREATED["body"], own), (BOTH["body"], standard)):
            self.assertTrue(verify_webhook(body, headers=headers, secret=SECRET, now=now))
            for _ in range(500):
                parts = {"body": body.encode(), **{name: value.encode() for name, value in headers.items()}}
                name = chance.choice(list(parts))
                changed = bytearray(parts[name])
                # Letters that stand in no signature, so that none of them means the same.
                changed[chance.randrange(len(changed))] = chance.choice(b"!~")
                if bytes(changed) == parts[name]:
                    continue
                parts[name] = bytes(changed)
                given = {name: value.decode() for name, value in parts.items() if name != "body"}
                with self.assertRaises(WebhookVerificationError):
                    verify_webhook(parts["body"], headers=given, secret=SECRET, now=now)

    def test_its_time_is_within_the_tolerance(self) -> None:
        header = CREATED["headers"]["x-service-signature"]
        for late, tolerance, is_good in ((300, 300, True), (301, 300, False), (-301, 300, False), (900, 1000, True)):
            try:
                verify_webhook(
                    CREATED["body"], header=header, secret=SECRET, tolerance_seconds=tolerance, now=lambda: NOW + late
                )
                self.assertTrue(is_good)
            except WebhookVerificationError as error:
                self.assertEqual((error.reason, is_good), ("too-old-or-too-new", False))


class WithReceiver(unittest.TestCase):
    def setUp(self) -> None:
        self.handled: list[str] = []
        self.errors: list[Exception] = []

    def receiver(self, **options: Any) -> WebhookReceiver:
        given: dict[str, Any] = {"on": {"reservation.created": self.handle}, "samples": True, **options}
        return WebhookReceiver(secret=SECRET, now=now, on_error=self.errors.append, **given)

    def handle(self, delivery: Any) -> None:
        self.handled.append(delivery["event"])


class Receiving(WithReceiver):
    def give(self, receiver: WebhookReceiver, one: dict[str, Any] = CREATED) -> int:
        return receiver.receive(one["body"].encode(), one["headers"]).status

    def test_each_is_handled_once(self) -> None:
        receiver = self.receiver()
        self.assertEqual([self.give(receiver), self.give(receiver)], [204, 204])
        self.assertEqual(self.handled, ["reservation.created"])

    def test_what_fails_is_handled_when_it_comes_again(self) -> None:
        def fail_once(delivery: Any) -> None:
            self.handle(delivery)
            if len(self.handled) == 1:
                raise RuntimeError("disk full")

        receiver = self.receiver(on={}, on_event=fail_once)
        self.assertEqual([self.give(receiver), self.give(receiver), self.give(receiver)], [500, 204, 204])
        self.assertEqual((len(self.handled), str(self.errors[0])), (2, "disk full"))

    def test_one_that_is_under_way_is_asked_for_later(self) -> None:
        seen = MemorySeen()
        seen.begin(json.loads(CREATED["body"])["id"])
        self.assertEqual(self.give(self.receiver(seen=seen)), 503)
        self.assertEqual(self.handled, [])

    def test_what_nobody_signed_is_refused(self) -> None:
        receiver = self.receiver()
        self.assertEqual(receiver.receive("{}", {}), (400, "The delivery has no signature."))
        self.assertEqual(self.give(receiver, {**CREATED, "body": "{}"}), 400)
        self.assertEqual((len(self.errors), self.handled), (2, []))

    def test_events_that_nobody_handles_are_answered_and_samples_left_alone(self) -> None:
        other = next(one for one in DELIVERIES if one["event"] == "guest.created")
        self.assertEqual(self.give(self.receiver(), other), 204)
        self.assertEqual(self.give(self.receiver(samples=False), GIVEN["sample"]), 204)
        self.assertEqual(self.handled, [])

    def test_handlers_and_stores_may_be_async(self) -> None:
        class Seen(MemorySeen):
            async def begin(self, id: str, /) -> Any:  # type: ignore[override]
                return super().begin(id)

            async def end(self, id: str, is_done: bool, /) -> None:  # type: ignore[override]
                super().end(id, is_done)

        async def handle(delivery: Any) -> None:
            self.handle(delivery)

        async def give() -> list[int]:
            receiver = self.receiver(on={}, on_event=handle, seen=Seen())
            return [(await receiver.areceive(CREATED["body"], CREATED["headers"])).status for _ in range(2)]

        self.assertEqual((asyncio.run(give()), self.handled), ([204, 204], ["reservation.created"]))
        self.assertEqual(self.give(self.receiver(on={}, on_event=handle)), 500)
        self.assertIsInstance(self.errors[0], TypeError)

    def test_memory_keeps_the_latest(self) -> None:
        seen = MemorySeen(2)
        for id in ("a", "b", "c"):
            seen.begin(id)
            seen.end(id, True)
        self.assertEqual([seen.begin(id) for id in ("c", "b", "a")], ["done", "done", "new"])


class Frameworks(WithReceiver):
    def test_flask(self) -> None:
        from flask import Flask

        from venue_data.webhooks.flask import flask_handler

        app = Flask("test")
        app.post("/bookings")(flask_handler(self.receiver()))
        self.post(app.test_client())

    def test_fastapi(self) -> None:
        from fastapi import FastAPI
        from fastapi.testclient import TestClient

        from venue_data.webhooks.fastapi import fastapi_handler

        app = FastAPI()
        app.post("/bookings")(fastapi_handler(self.receiver()))
        self.post(TestClient(app))

    def post(self, client: Any) -> None:
        def send(body: bytes) -> int:
            given = {"data": body} if type(client).__module__.startswith("flask") else {"content": body}
            return client.post("/bookings", headers=CREATED["headers"], **given).status_code

        body = CREATED["body"].encode()
        self.assertEqual([send(body), send(body), send(body + b" "), send(b"x" * (8 * 2**20 + 1))], [204, 204, 400, 413])
        self.assertEqual(client.get("/bookings").status_code, 405)
        self.assertEqual(self.handled, ["reservation.created"])

    def test_are_not_imported_unasked(self) -> None:
        program = "import sys, venue_data, venue_data.webhooks; print([m for m in ('flask', 'fastapi', 'starlette') if m in sys.modules])"
        self.assertEqual(subprocess.check_output([sys.executable, "-c", program], text=True).strip(), "[]")


if __name__ == "__main__":
    unittest.main()
