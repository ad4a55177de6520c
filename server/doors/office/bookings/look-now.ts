import { Refusal } from '../../../platform/kernel/refusal.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { BookRow } from '../../../book/day/book-row.ts'
import type { Own } from '../../../book/day/own-place.ts'
import { type ReasonsNow, reasonsNow } from '../../../book/reservations/availability/reasons-now.ts'
import { openPeriodsOn } from '../../../book/rules/resolve-service.ts'
import { bindsGuestsOnly } from '../../../book/reservations/staff-sentences.ts'
import type { When } from '../../../book/day/when.ts'
import type { BookingRules } from '../../../book/rules/booking-rules.ts'
import { serversSeen } from '../../../book/servers/seen.ts'
import { readStaffWhen } from '../parts/staff-time.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { type TablesSeen, readTables, stayOfValue } from './table-picks.ts'

/** What the sheet is about, if not a booking that is new: neither counts against itself. */
export type SheetFor = {
  /** The booking that is being changed. */
  readonly booking?: number | undefined
  /** The party of the waitlist that gets a table for later. */
  readonly entry?: number | undefined
}

export const ownOf = ({ booking, entry }: SheetFor): Own => ({ reservation: booking, entry })

/** What is typed in the sheet so far. */
export type Typing = SheetFor & {
  readonly date: LocalDate
  readonly time?: string | undefined
  readonly partySize: number
  /** Absent: as booked, or the turn time. */
  readonly durationMinutes?: number | undefined
  /** Where they would like to sit. */
  readonly seating?: string | undefined
  /** The key of what goes with it; '': nothing; absent: as booked. */
  readonly experience?: string | undefined
}

/** The tables for what is typed, and what speaks against it. */
export type Look = ReasonsNow & {
  readonly when: When
  /** What would keep a guest from booking this online; staff only read it. */
  readonly notes: readonly string[]
  /** Undefined where tables decide nothing. */
  readonly tables: TablesSeen | undefined
}

/** Looks at the book as it is for what is typed; undefined while the time cannot be read. */
export const lookNow = async (
  work: OfficeWork,
  rules: BookingRules,
  typing: Typing,
  more: { readonly booking: BookRow | undefined; readonly chosen: string },
): Promise<Look | undefined> => {
  try {
    return await look(work, rules, typing, more)
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return undefined
    throw error
  }
}

/** The same; refuses a time that cannot be read, with a sentence. */
export const look = async (
  work: OfficeWork,
  rules: BookingRules,
  { date, time: typed = '', partySize, durationMinutes, seating, entry, experience }: Typing,
  { booking, chosen }: { readonly booking: BookRow | undefined; readonly chosen: string },
): Promise<Look> => {
  const { venue, now } = work
  const when = readStaffWhen({ date, typed }, openPeriodsOn(rules, date), venue.timezone, now())
  const asked = { ...when, partySize, durationMinutes, seating }
  const found = await reasonsNow(work, { ...asked, experience }, { booking, entry })
  const { floor } = found.day
  const wanted = { ...asked, door: 'staff' } as const
  const tables =
    floor && mayHaveTable(booking)
      ? await readTables(work, floor, wanted, {
          chosen,
          isEdit: booking !== undefined,
          // Whose tables they are when the party comes.
          servers: await serversSeen(
            { ...work, now: () => when.startsAt },
            found.day.rules,
            found.day.place.serviceDate,
          ),
        })
      : undefined
  const isChosen = tables !== undefined && stayOfValue(tables.chosen).tables !== undefined
  return {
    ...found,
    when,
    tables,
    reasons: found.reasons.filter(
      ({ reason }) => !bindsGuestsOnly(reason) && !(isChosen && reason === 'tables-full'),
    ),
    notes: found.reasons.filter(({ reason }) => bindsGuestsOnly(reason)).map(({ sentence }) => sentence),
  }
}

/** Whether staff can give it a table: one that is being made, that is expected, or that sits. */
export const mayHaveTable = (booking: BookRow | undefined): boolean =>
  booking === undefined || booking.status === 'Confirmed' || booking.status === 'Seated'
