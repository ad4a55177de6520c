"""Keeps a venue's guests and a CRM's contacts in sync, both ways: a change on one side is written to the other.

    KEY=service_sk_… BASE_URL=http://127.0.0.1:8080 CRM_URL=https://crm.example.com/api python3 crm_sync.py

Runs once and exits (let cron repeat it). STORE names an SQLite file (default crm-sync.db). Rewrite crm.py for your CRM.

If a field changed on both sides since they last agreed, the venue's value wins: hosts talk to the guest. A guest who was
erased, deleted or merged is deleted in the CRM, too; erasures are confirmed, so the key needs `erasures:confirm`. Deleting
a contact in the CRM does not affect the guest. Records that a person has to look at are printed.
"""

import json
import os
import sys
from contextlib import contextmanager
from typing import Any

from venue_data import BadRequestError, ConflictError, GoneError, PreconditionError, VenueData

from crm import SHARED, crm
from pairs import Cursor, pair_of, pair_up, paired_guests, unpair

venue = VenueData(key=os.environ["KEY"], base_url=os.environ["BASE_URL"])


def to_settle(what: str, why: str) -> None:
    print(f"{what}: {why}", file=sys.stderr)


@contextmanager
def unless_refused(what: str):
    """A refusal is for a person to resolve; it is tried again when either side changes."""
    try:
        yield
    except (ConflictError, BadRequestError) as error:
        to_settle(what, error.sentence)


def fields_of(record: Any) -> dict[str, Any]:
    return {field: record[field] for field in SHARED}


def difference(to: dict[str, Any], record: Any) -> Any:
    return {field: to[field] for field in SHARED if to[field] != record[field]}


def settle(guest: Any, contact: Any) -> None:
    """Makes both sides equal, and stores what they agreed on."""
    pair = pair_of("guest", guest["id"])
    # Where there is no pair yet, each side fills in what the other lacks.
    agreed = json.loads(pair["agreed"]) if pair else dict.fromkeys(SHARED)
    merged = {field: (guest if guest[field] != agreed[field] else contact)[field] for field in SHARED}
    if for_venue := difference(merged, guest):
        try:
            venue.guests.update(guest["id"], for_venue, if_match=guest["revision"])
        except PreconditionError:
            # A host was faster: again, with what is there now.
            return settle(venue.guests.get(guest["id"]), contact)
    if for_crm := difference(merged, contact):
        crm.update(contact["id"], for_crm)
    pair_up(guest["id"], contact["id"], merged)


def guest_gone(guest: int) -> None:
    if pair := pair_of("guest", guest):
        crm.delete(pair["contact"])
        unpair(guest, pair["contact"])


def contact_changed(contact: Any) -> None:
    pair = pair_of("contact", contact["id"])
    if pair and json.loads(pair["agreed"]) == fields_of(contact):
        return
    if pair:
        try:
            return settle(venue.guests.get(pair["guest"]), contact)
        except GoneError:
            return  # The venue's changes tell it, below.
    if not contact["name"] or not (contact["email"] or contact["phone"]):
        return
    given: Any = {field: value for field, value in fields_of(contact).items() if value}
    # A guest with the same email or phone is found instead of made twice.
    reply = venue.guests.create(given)
    if reply.get("conflicting") or pair_of("guest", reply["guest"]["id"]):
        return to_settle(f"Contact {contact['id']}", f"may be guest {reply['guest']['id']}: the same email or phone")
    settle(reply["guest"], contact)


class Guests:
    """The venue's side, as `sync` tells it."""

    def upsert(self, change: Any, /) -> None:
        guest, pair = change["data"], pair_of("guest", change["id"])
        # What this program wrote comes back as a change: both sides already agree.
        if pair and json.loads(pair["agreed"]) == fields_of(guest):
            return
        # Erased: the record stays, with nothing in it.
        if not any(fields_of(guest).values()):
            return guest_gone(guest["id"])
        with unless_refused(f"Guest {guest['id']}"):
            key = f"guest-{guest['id']}"
            contact = crm.get(pair["contact"]) if pair else crm.create(fields_of(guest), key)
            if contact:
                settle(guest, contact)

    def delete(self, record: Any, /) -> None:
        # Without a `change` it just did not come again: the venue may have been restored from a backup.
        if "change" in record:
            guest_gone(record["id"])
        else:
            to_settle(f"Guest {record['id']}", "the venue no longer knows this guest")

    def records(self) -> Any:
        return [{"kind": "guest", "id": guest} for guest in paired_guests()]


# First, because nothing may be written to somebody who was erased.
erased, more = Cursor("erasures"), True
while more:
    page = venue.erasures.list(after=erased.load())
    for erasure in page["erasures"]:
        for guest in erasure["guests"]:
            guest_gone(guest)
        venue.erasures.confirm(erasure["id"])
    erased.save(page["next"])
    more = page["more"]

# Before the venue's changes: a guest made of a contact just before we were stopped is found by address, not taken for new.
crm_cursor = Cursor("crm")
told = crm.changed(crm_cursor.load())
for changed in told["contacts"]:
    with unless_refused(f"Contact {changed['id']}"):
        contact_changed(changed)
crm_cursor.save(told["next"])
venue.sync(into=Guests(), store=Cursor("venue"), kinds=["guest"], live=False)
