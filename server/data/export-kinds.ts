import type { Queries } from '../db/pool.ts'
import { presentGuest } from '../guests/present.ts'
import { presentLead } from '../leads/present.ts'
import { presentReservation } from '../reservations/present.ts'
import { presentSubscriber } from '../subscribers/present.ts'
import { presentTask } from '../tasks/present.ts'
import { presentTicketOrder } from '../ticket-orders/present.ts'
import type { VenueId } from '../venue/venue.ts'
import { presentWaitlistEntry } from '../waitlist/present.ts'
import {
  consentsAfter,
  eventDatesAfter,
  guestsAfter,
  leadNotesAfter,
  leadsAfter,
  promoCodesAfter,
  refundsAfter,
  reservationsAfter,
  subscribersAfter,
  suppressionsAfter,
  tasksAfter,
  ticketOrdersAfter,
  waitlistAfter,
} from './export-reads.ts'

/**
 * What an export holds, kind by kind: the contract's shapes, and behind them what the API never says and the owner may
 * have (notes for staff, allergies, tags). The activity trail, accounts and keys are in none.
 */

export type ExportedRecord = { readonly id: number } & Readonly<Record<string, unknown>>

export type ExportKind = {
  /** In addresses and file names. */
  readonly name: string
  /** In the JSON document. */
  readonly key: string
  readonly title: string
  /** The next records after an id, in the order of ids; none when there are no more. */
  readonly after: (db: Queries, venue: VenueId, id: number) => Promise<ExportedRecord[]>
}

const kind = <Row extends { id: number }>(
  name: string,
  title: string,
  read: (db: Queries, venue: VenueId, id: number) => Promise<Row[]>,
  present: (row: Row) => Readonly<Record<string, unknown>>,
): ExportKind => ({
  name,
  title,
  key: name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  after: async (db, venue, id) => (await read(db, venue, id)).map((row) => ({ ...present(row), id: row.id })),
})

/** The names of columns as the contract writes names. */
const asFields = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )

export const exportKinds: readonly ExportKind[] = [
  kind('reservations', 'Reservations', reservationsAfter, (row) => ({
    ...presentReservation(row),
    guestId: row.guest_id,
  })),
  kind('guests', 'Guests', guestsAfter, (row) => ({
    ...presentGuest(row),
    staffNotes: row.staff_notes,
    allergies: row.allergies,
  })),
  kind('subscribers', 'Subscribers', subscribersAfter, (row) => ({
    ...presentSubscriber(row),
    tags: row.tags,
  })),
  kind('consents', 'Evidence of consent', consentsAfter, asFields),
  kind('do-not-email', 'Do-not-email list', suppressionsAfter, ({ id, email_key, reason, created_at }) => ({
    id,
    email: email_key,
    reason,
    createdAt: created_at,
  })),
  kind('waitlist', 'Waitlist', waitlistAfter, (row) => ({
    ...presentWaitlistEntry(row),
    reservationId: row.reservation_id,
  })),
  kind('leads', 'Leads', leadsAfter, (row) => ({
    ...presentLead(row),
    concept: row.concept,
    guestId: row.guest_id,
  })),
  kind('lead-notes', 'Notes on leads', leadNotesAfter, asFields),
  kind('ticket-orders', 'Ticket orders', ticketOrdersAfter, (row) => ({
    ...presentTicketOrder(row),
    seats: row.seats,
  })),
  kind('refunds', 'Refunds', refundsAfter, asFields),
  kind('event-dates', 'Events', eventDatesAfter, asFields),
  kind('promo-codes', 'Promo codes', promoCodesAfter, asFields),
  kind('tasks', 'Tasks', tasksAfter, (row) => ({ ...presentTask(row), createdAt: row.created_at })),
]
