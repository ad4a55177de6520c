"""What a program is told of the types. pyright reads this in its strict mode; nothing runs it."""

from __future__ import annotations

from collections.abc import Awaitable

from typing_extensions import assert_type

from venue_data import Answer, AsyncVenueData, FileCursor, List, VenueData
from venue_data.records import Guest, Reservation, ReservationReply, Task
from venue_data.webhooks import WebhookReceiver, verify_webhook


def calls(venue: VenueData) -> None:
    booked = venue.reservations.create(
        {"guestName": "Maya Okafor", "partySize": 2, "date": "2026-11-27", "time": "19:00"},
        alternatives=3,
        idempotency_key="booking-17",
    )
    assert_type(booked, ReservationReply)
    assert_type(booked["reservation"]["guestName"], str | None)
    assert_type(venue.guests.get(4000), Guest)
    assert_type(venue.guests.get(4000, if_none_match='"1.abcd"'), Guest | None)
    assert_type(venue.tasks.list(done=False), List[Task])
    assert_type(venue.with_answer(venue.tasks.get, 7), Answer[Task])
    assert_type(venue.reservations.find(email="maya@example.com"), list[Reservation])

    venue.reservations.create({"guestName": "Maya Okafor"}, colour="blue")  # pyright: ignore
    venue.reservations.create({"guestName": 17})  # pyright: ignore
    venue.tasks.update(7, {"title": "Polish the glasses"})  # pyright: ignore


def feeds(venue: VenueData) -> None:
    for change in venue.changes(kinds=["reservation", "guest"], store=FileCursor("changes.cursor")):
        if change["kind"] == "reservation":
            assert_type(change["data"], Reservation | None)
    for event in venue.events(names=["reservation.*"]):
        if event["event"] == "guest.created":
            assert_type(event["data"], Guest | None)


async def awaited(venue: AsyncVenueData) -> None:
    assert_type(await venue.guests.get(4000), Guest)
    assert_type(await venue.with_answer(venue.tasks.get, 7), Answer[Task])
    async for guest in venue.guests.list():
        assert_type(guest, Guest)


def webhooks(body: bytes) -> Awaitable[object]:
    delivery = verify_webhook(body, header="", secret="")
    if delivery["event"] == "reservation.seated":
        assert_type(delivery["data"], Reservation)
    receiver = WebhookReceiver(
        secret="",
        on={"guest.created": lambda delivery: assert_type(delivery["data"], Guest)},
    )
    return receiver.areceive(body, {})
