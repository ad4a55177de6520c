import { Guest } from '@venue-data/contract/records/guest.ts'
import { Lead } from '@venue-data/contract/records/lead.ts'
import { Reservation } from '@venue-data/contract/records/reservation.ts'
import { Subscriber } from '@venue-data/contract/records/subscriber.ts'
import { Task } from '@venue-data/contract/records/task.ts'
import { TicketOrder } from '@venue-data/contract/records/ticket-order.ts'
import { WaitlistEntry } from '@venue-data/contract/records/waitlist-entry.ts'
import type { Queries } from '../../platform/db/pool.ts'
import type { Shape } from '../../platform/db/sql.ts'
import { unsignedNotes } from '../../crm/guests/rules.ts'
import { presentGuest } from '../../crm/guests/guest.ts'
import {
  bookingProfileFields,
  guestProfileFields,
  houseOfBookingInFile,
  houseOfGuestInFile,
} from '../../crm/house/in-file.ts'
import { leadRow, presentLead } from '../../crm/leads/lead.ts'
import { agreedSentences } from '../../book/reservations/guarantee/guarantee-store.ts'
import { presentReservation } from '../../book/day/book-row.ts'
import { presentSubscriber } from '../../marketing/subscribers/subscriber.ts'
import { presentTask, taskRow } from '../../crm/tasks/task.ts'
import { amountInFile } from '../../core/money/currency.ts'
import { presentTicketOrder } from '../../tickets/order.ts'
import { refundRequestRow } from '../../tickets/refund-request-store.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { presentWaitlistEntry, waitlistRow } from '../../book/day/entry-row.ts'
import {
  consentRow,
  eventDateRow,
  eventDatesAfter,
  guestsAfter,
  leadNoteRow,
  promoCodeRow,
  guaranteeInFile,
  guaranteesAfter,
  refundRow,
  reservationsAfter,
  rowsAfter,
  saidWhenBookingAfter,
  saidWhenBookingRow,
  serverInFile,
  shiftInFile,
  shiftNoteRow,
  shiftsAfter,
  subscribersAfter,
  suppressionsAfter,
  textReplyRow,
  ticketInFile,
  typedTextRow,
  typedTextsAfter,
  ticketOrdersAfter,
  whoServedAfter,
  whoServedInFile,
} from './reads.ts'

/**
 * What an export contains, kind by kind: the contract's shapes, followed by what the API never returns but the owner
 * may have (staff notes, allergies). The activity log, accounts and keys are never included.
 */

export type ExportedRecord = { readonly id: number } & Readonly<Record<string, unknown>>

export type ExportKind = {
  /** In URLs and file names. */
  readonly name: string
  /** In the JSON document. */
  readonly key: string
  readonly title: string
  /** The names of a record's fields, in order: the head of a CSV file, also of one without records. */
  readonly fields: readonly string[]
  /** The next records after an id, in the order of ids; none when there are no more. */
  readonly after: (db: Queries, venue: VenueId, id: number) => Promise<ExportedRecord[]>
}

const kind = <Row extends { id: number }>(
  name: string,
  title: string,
  fields: readonly string[],
  read: (db: Queries, venue: VenueId, id: number) => Promise<Row[]>,
  present: (row: Row) => Readonly<Record<string, unknown>>,
): ExportKind => ({
  name,
  title,
  fields,
  key: name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  after: async (db, venue, id) => (await read(db, venue, id)).map((row) => ({ ...present(row), id: row.id })),
})

/** A column's name as the contract writes names. */
const asField = (column: string): string =>
  column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const asFields = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [asField(column), value]))

/** Fields of one of the contract's records. */
const of = ({ properties }: { readonly properties: object }): string[] => Object.keys(properties)

/** Fields made from a row's columns. */
const from = (row: object): string[] => Object.keys(row).map(asField)

/** The rows of a table, as they are. */
const table = (
  name: string,
  title: string,
  inDatabase: string,
  row: Shape & { readonly id: 'int8' },
): ExportKind => kind(name, title, from(row), rowsAfter(inDatabase, row), asFields)

export const exportKinds: readonly ExportKind[] = [
  kind(
    'reservations',
    'Reservations',
    [...of(Reservation), 'guestId', 'cancelMessage', ...bookingProfileFields],
    reservationsAfter,
    (row) => ({
      ...presentReservation(row),
      guestId: row.guest_id,
      cancelMessage: row.cancel_message,
      ...houseOfBookingInFile(row.house),
    }),
  ),
  kind(
    'said-when-booking',
    'What guests said when booking online',
    from(saidWhenBookingRow),
    saidWhenBookingAfter,
    asFields,
  ),
  kind(
    'guests',
    'Guests',
    [...of(Guest), 'staffNotes', 'allergies', ...guestProfileFields],
    guestsAfter,
    (row) => ({
      ...presentGuest(row),
      staffNotes: unsignedNotes(row.staff_notes),
      allergies: row.allergies,
      ...houseOfGuestInFile(row.house),
    }),
  ),
  kind('subscribers', 'Subscribers', of(Subscriber), subscribersAfter, presentSubscriber),
  table('consents', 'Proof of consent', 'consent', consentRow),
  kind(
    'do-not-email',
    'Do-not-email list',
    ['id', 'email', 'reason', 'createdAt'],
    suppressionsAfter,
    ({ id, email_key, reason, created_at }) => ({ id, email: email_key, reason, createdAt: created_at }),
  ),
  kind(
    'waitlist',
    'Waitlist',
    [...of(WaitlistEntry), 'reservationId'],
    rowsAfter('waitlist_entry', { ...waitlistRow, reservation_id: 'int8?' }),
    (row) => ({
      ...presentWaitlistEntry(row),
      reservationId: row.reservation_id,
    }),
  ),
  kind('texts', 'What staff texted', from(typedTextRow), typedTextsAfter, asFields),
  table('text-replies', 'What guests texted back', 'text_reply', textReplyRow),
  table('shift-notes', 'Shift notes', 'shift_note', shiftNoteRow),
  table('servers', 'Servers', 'server', serverInFile),
  kind('shifts', 'Shifts and who worked them', from(shiftInFile), shiftsAfter, asFields),
  kind('who-served', 'Who served which booking', from(whoServedInFile), whoServedAfter, asFields),
  kind('leads', 'Leads', [...of(Lead), 'concept', 'guestId'], rowsAfter('lead', leadRow), (row) => ({
    ...presentLead(row),
    concept: row.concept,
    guestId: row.guest_id,
  })),
  table('lead-notes', 'Notes on leads', 'lead_note', leadNoteRow),
  kind('ticket-orders', 'Ticket orders', [...of(TicketOrder), 'seats'], ticketOrdersAfter, (row) => ({
    ...presentTicketOrder(row),
    total: amountInFile(row.total_cents, row.currency),
    refunded: amountInFile(row.refunded_cents, row.currency),
    seats: row.seats,
  })),
  table('tickets', 'Tickets, without their codes', 'ticket', ticketInFile),
  kind('guarantees', 'Cards and deposits', from(guaranteeInFile), guaranteesAfter, (row) =>
    asFields({ ...row, sentence: agreedSentences(row).join('\n') }),
  ),
  table('refunds', 'Refunds', 'refund', refundRow),
  table('refund-requests', 'Refund requests', 'refund_request', refundRequestRow),
  kind('event-dates', 'Events', from(eventDateRow), eventDatesAfter, asFields),
  table('promo-codes', 'Promo codes', 'promo_code', promoCodeRow),
  kind('tasks', 'Tasks', of(Task), rowsAfter('task', taskRow), presentTask),
]
