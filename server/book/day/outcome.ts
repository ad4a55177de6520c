import type { Reason } from '@venue-data/contract/reasons.ts'
import type { Reservation } from '@venue-data/contract/records/reservation.ts'
import { type BookRow, presentReservation } from './book-row.ts'
import type { StaffReason } from '../reservations/staff-reasons.ts'
import { dayInWords, timeInWords } from '../../platform/kernel/time/in-words.ts'

/**
 * The outcome of a move or an edit. `unchanged` and `refused` are for the person at the page, with the record as it
 * is now; `needs override` lists every rule that says no, for staff to confirm. All but `done` have written nothing,
 * so the transaction may commit.
 */
export type Outcome<Shown> =
  | {
      readonly kind: 'done'
      readonly record: Shown
      readonly version: number
      readonly overridden: readonly StaffReason[]
      /** Why a party that was given a table by machine is not at its own, where it was seated; or where somebody is who made room. */
      readonly elsewhere?: string | undefined
      /** The rows of the activity log that it wrote: what an undo needs to put back exactly what it did. */
      readonly press?: readonly number[] | undefined
      /** Of a move: whether it can be taken back. */
      readonly offersUndo?: boolean
      /** Of an undo whose guest had heard of what it takes back: whether a mail says so, or staff are to call. */
      readonly hears?: 'mail' | 'call' | undefined
    }
  | {
      readonly kind: 'unchanged' | 'refused'
      readonly record: Shown
      readonly version: number
      readonly sentence: string
      /** For callers who act on it. */
      readonly reason?: Reason | undefined
    }
  | { readonly kind: 'needs override'; readonly reasons: readonly StaffReason[] }

export type ReservationOutcome = Outcome<Reservation>

export const done = (
  row: BookRow,
  {
    overridden = [],
    ...more
  }: Partial<
    Pick<
      Extract<ReservationOutcome, { kind: 'done' }>,
      'overridden' | 'elsewhere' | 'press' | 'offersUndo' | 'hears'
    >
  > = {},
): ReservationOutcome => ({
  kind: 'done',
  record: presentReservation(row),
  version: row.version,
  overridden,
  ...more,
})

export const unchanged = (row: BookRow, sentence: string): ReservationOutcome => ({
  kind: 'unchanged',
  record: presentReservation(row),
  version: row.version,
  sentence,
})

export const refused = (row: BookRow, sentence: string, reason?: Reason): ReservationOutcome => ({
  kind: 'refused',
  reason,
  record: presentReservation(row),
  version: row.version,
  sentence,
})

/** The message for a page that shows an old state. */
export const changedMeanwhile = ({
  guest_name,
  status,
  party_size,
  date,
  time,
  checked_in_at,
}: Pick<BookRow, 'guest_name' | 'status' | 'party_size' | 'date' | 'time' | 'checked_in_at'>): string => {
  const guests = party_size === 1 ? '1 guest' : `${party_size ?? 'an unknown number of'} guests`
  const when = date && time ? ` at ${timeInWords(time)} on ${dayInWords(date)}` : ''
  // Neither status nor time shows an arrival.
  const isHere = checked_in_at !== null && (status === 'Requested' || status === 'Confirmed')
  const whose = guest_name === null ? 'This booking' : `The booking of ${guest_name}`
  return `${whose} has changed: it is now ${status}, ${guests}${when}${isHere ? ', and they are here' : ''}.`
}
