import type { Work } from '../../../context.ts'
import { holdGuestBook } from '../../../crm/guests/actions.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { BookingRules } from '../../rules/booking-rules.ts'
import { bookingRulesAround, readRules } from '../../rules/rules-store.ts'
import { minutesWith, turnMinutes } from '../../rules/turn-minutes.ts'
import { type BookRow, type ExperienceChosen, bookedReservationForUpdate } from '../../day/book-row.ts'
import { type Arrival, daysOfBooking, holdDays, lockBookingDay } from '../../day/open-day.ts'
import type { When } from '../../day/when.ts'

/** What is to change of a booking; a missing field stays, null clears it. */
export type ReservationChanges = {
  readonly when?: When
  readonly partySize?: number
  /**
   * How long they are to have their table; null, that nobody ever said, as before an edit that is undone; missing, the
   * usual time follows the size, and another one stays.
   */
  readonly durationMinutes?: number | null
  readonly guestName?: string | null
  readonly email?: string | null
  readonly phone?: string | null
  readonly notes?: string | null
  readonly externalId?: string | null
  /** What goes with it; null: nothing but the table. */
  readonly experience?: ExperienceChosen | null
  /** Another time, date or size has its table for at least the turn time: a shorter stay was meant for the one it had. */
  readonly isWhole?: true
}

/** What of it differs from the booking. */
export type Differing = {
  /** The new time, if the wall time differs; an unchanged one keeps its moment, even on a night it happens twice. */
  readonly when: When | undefined
  readonly size: number | undefined
  readonly length: number | null | undefined
  /** Another experience, or none where it had one. */
  readonly experience?: ExperienceChosen | null | undefined
  readonly words: boolean
  readonly contact: boolean
}

/** A booking held for an edit: its days, the guest book if its contact changes, and its row. */
export type HeldEdit = {
  readonly row: BookRow
  readonly changes: ReservationChanges
  readonly differing: Differing
  readonly days: ReadonlySet<LocalDate>
}

/**
 * Holds a booking for an edit: the days it is and would be on, the guest book, its row, in this order. `changesOf` says
 * what is to change of the booking as it is. Undefined if the booking is gone.
 */
export const holdForEdit = async (
  work: Work,
  seen: BookRow,
  changesOf: (row: BookRow) => ReservationChanges,
): Promise<HeldEdit | undefined> => {
  const { db, venue } = work
  const rules = await rulesOfSize(work, seen, changesOf(seen))
  const expected = differingIn(seen, changesOf(seen), rules)
  const days = needsNewPlace(expected)
    ? await holdDays(work, arrivalOf(seen, expected), daysOfBooking(await readRules(db, venue), seen))
    : new Set<LocalDate>()
  if (expected.contact) await holdGuestBook(work)
  const row = await bookedReservationForUpdate(db, venue.id, seen.id)
  if (!row) return undefined
  const changes = changesOf(row)
  const differing = differingIn(row, changes, rules)
  // It was moved at this very moment. Out of order, but a deadlock is detected and the transaction runs again.
  if (needsNewPlace(differing) && row.service_date !== null && !days.has(row.service_date)) {
    await lockBookingDay(db, venue.id, row.service_date)
  }
  return { row, changes, differing, days }
}

/** Where it will be, if that may be on other days than now. */
const arrivalOf = (seen: BookRow, { when, size, length }: Differing): Arrival | undefined => {
  const { date, time, starts_at } = seen
  const now = length !== undefined && date && time && starts_at
  const at = when ?? (now ? { date, time, startsAt: toInstant(starts_at) } : undefined)
  return (
    at && {
      ...at,
      partySize: size ?? seen.party_size ?? 0,
      durationMinutes: length === undefined ? seen.duration_minutes : length,
    }
  )
}

/** Whether its time, date or size changes, how long it has its table, or what goes with it. */
export const needsNewPlace = ({ length, experience, ...differing }: Differing): boolean =>
  length !== undefined || experience !== undefined || concernsGuest(differing)

/** Whether what the guest was promised changes: the time, the date or the size. */
export const concernsGuest = ({ when, size }: Pick<Differing, 'when' | 'size'>): boolean =>
  when !== undefined || size !== undefined

/** The rules that say how long a table is held, where a size is given. */
const rulesOfSize = async (
  { db, venue }: Work,
  { service_date }: BookRow,
  { partySize, when, isWhole }: ReservationChanges,
): Promise<BookingRules | undefined> => {
  const date = service_date ?? when?.date
  return (partySize === undefined && !isWhole) || date === undefined
    ? undefined
    : bookingRulesAround(db, venue, date)
}

const differingIn = (
  row: BookRow,
  changes: ReservationChanges,
  rules: BookingRules | undefined,
): Differing => {
  const { when, partySize } = changes
  const usual = rules && partySize !== undefined ? minutesWith(rules, row, partySize) : null
  const to = when && (when.date !== row.date || when.time !== row.time) ? when : undefined
  const size = partySize !== undefined && partySize !== row.party_size ? partySize : undefined
  const asked = changes.durationMinutes === undefined ? (usual ?? undefined) : changes.durationMinutes
  const least =
    changes.isWhole && rules && row.duration_minutes !== null && concernsGuest({ when: to, size })
      ? turnMinutes(rules, partySize ?? row.party_size ?? 1)
      : 0
  const durationMinutes = (asked ?? row.duration_minutes ?? least) < least ? least : asked
  const words = wordsOf(row, changes)
  const contact = words.email !== row.email || words.phone !== row.phone
  return {
    when: to,
    size,
    length:
      durationMinutes !== undefined && durationMinutes !== row.duration_minutes ? durationMinutes : undefined,
    contact,
    experience:
      changes.experience !== undefined && (changes.experience?.key ?? null) !== row.experience
        ? changes.experience
        : undefined,
    words:
      contact ||
      words.guest_name !== row.guest_name ||
      words.notes !== row.notes ||
      words.external_id !== row.external_id,
  }
}

export const wordsOf = (
  row: BookRow,
  { guestName, email, phone, notes, externalId }: ReservationChanges,
) => ({
  guest_name: guestName === undefined ? row.guest_name : guestName,
  email: email === undefined ? row.email : email,
  phone: phone === undefined ? row.phone : phone,
  notes: notes === undefined ? row.notes : notes,
  external_id: externalId === undefined ? row.external_id : externalId,
})
