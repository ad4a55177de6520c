import type { Html } from '../../../platform/html/html.ts'
import { dayNear, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { type BookRow, bookedReservation, experienceOf } from '../../../book/day/book-row.ts'
import { serviceDateAt } from '../../../book/rules/service-now.ts'
import { labelsHeld } from '../../../book/day/tables-of-booking-reads.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import type { Press } from '../parts/press.ts'
import { guestsInWords, minutesInWords } from '../parts/time-words.ts'
import { bookAt } from '../today/book.ts'
import { isBook } from '../today/read-day.ts'

/** The booking that a path or a form names; 404 where the venue has no such booking. */
export const bookingOf = async ({ db, venue }: OfficeWork, id: number | undefined): Promise<BookRow> => {
  const row = id === undefined ? undefined : await bookedReservation(db, venue.id, id)
  if (!row) throw notFound('booking')
  return row
}

/** "Maya, 2 guests". */
export const whoOf = ({ guest_name, party_size }: Pick<BookRow, 'guest_name' | 'party_size'>): string =>
  `${guest_name ?? 'No name'}, ${guestsInWords(party_size)}`

/** When they come and where they sit: "8:15 PM on Sunday, November 22, table 14"; no day where it is the current one. */
export const placeWords = async (work: OfficeWork, row: BookRow): Promise<string> => {
  const facts = await factsOf(work, row)
  return [facts.when, facts.table].filter((fact) => fact !== '').join(', ')
}

/** The result of editing a booking in its sheet: what it is now, and in brackets what changed. */
export const changedWords = async (
  work: OfficeWork,
  before: { readonly row: BookRow; readonly table: string },
  after: BookRow,
): Promise<string> => {
  const [was, is] = [await factsOf(work, before.row, before.table), await factsOf(work, after)]
  const isLength = before.row.duration_minutes !== after.duration_minutes && was.size === is.size
  const isOther = was.experience !== is.experience
  const named = ({ size, when, table, length, experience }: Facts) =>
    [size, when, table === '' && (was.table || is.table) !== '' ? 'without a table' : table]
      .concat(isLength ? length : [])
      .concat(isOther ? experience : [])
  const [now, then] = [named(is), named(was)]
  const differing = then.filter((fact, at) => fact !== now[at])
  const shown = now.filter((fact) => fact !== '')
  return differing.length === 0
    ? `${whoOf(after)}: saved.`
    : `${after.guest_name ?? 'No name'}: ${shown.join(', ')} (was ${differing.join(', ')}).`
}

type Facts = {
  readonly size: string
  readonly when: string
  readonly table: string
  readonly length: string
  readonly experience: string
}

const factsOf = async (work: OfficeWork, row: BookRow, label?: string): Promise<Facts> => {
  const { db, venue } = work
  const { service_date: day, time, party_size, duration_minutes } = row
  const now = work.now()
  const today = serviceDateAt(await bookingRulesAround(db, venue, wallTimeOf(now, venue.timezone).date), now)
  const table = label ?? (await labelsHeld(db, venue.id, row.id))
  return {
    size: guestsInWords(party_size),
    when: `${time === null ? '' : timeInWords(time)}${day === null || day === today ? '' : ` on ${dayNear(day, today)}`}`,
    table: table && `table ${table}`,
    experience: experienceOf(row)?.name ?? 'table only',
    length: duration_minutes === null ? 'the usual time' : `for ${minutesInWords(duration_minutes)}`,
  }
}

/** A button pressed on a booking, on the page `back`. */
export const bookingPress = (
  work: OfficeWork,
  { partOnly }: Pick<OfficeRequest, 'partOnly'>,
  row: BookRow,
  back: string,
  { label, again }: { readonly label: string; readonly again: (confirm: Html) => Html },
): Press => ({
  partOnly,
  where: isBook(back) ? `${back}#b${row.id}` : back,
  list: () => bookAt(work, back),
  who: whoOf(row),
  label,
  again,
})
