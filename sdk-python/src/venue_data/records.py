"""Everything that is sent and answered, as types: `from venue_data.records import NewReservation, Reservation`."""

from ._generated.records import *  # noqa: F403
