"""The types of all requests and answers: `from venue_data.records import NewReservation, Reservation`."""

from ._generated.records import *  # noqa: F403
