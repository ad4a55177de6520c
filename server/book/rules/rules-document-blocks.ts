import { clockTimeAt, minutesPerDay } from '../../platform/kernel/time/written-time.ts'
import { type Block, type DocumentRules, type PacingException, blockScopes } from './booking-rules.ts'
import { plannedPeriodsOn } from './planned-hours.ts'
import { documentBounds } from './rules-document-bounds.ts'
import {
  type Field,
  date,
  fieldsOf,
  integer,
  oneOf,
  required,
  text,
  time,
  trueOrFalse,
} from './rules-document-fields.ts'

type Hours = Pick<DocumentRules, 'periods' | 'specialDays'>
type Span = Pick<Block, 'fromMinute' | 'toMinute'>

/**
 * The minutes of a block written with two times of day, which belong to a service date: "00:30" may
 * mean the small hours of that date or those after its evening. The hours of the date decide: a block that meets no
 * service as written, but meets one a day later, is after midnight. `nextDay` says it outright. A `to` at or before
 * `from` is on the day after `from`.
 */
export const blockSpan = (
  written: { from: number; to: number; nextDay: boolean | null },
  serviceDate: string,
  hours: Hours,
): Span => {
  const { from, nextDay } = written
  const to = written.to > from ? written.to : written.to + minutesPerDay
  const meetsService = (shift: number) =>
    plannedPeriodsOn(hours, serviceDate).some(
      (period) => from + shift < period.endMinute && period.startMinute < to + shift,
    )
  const shifted = nextDay ?? (!meetsService(0) && meetsService(minutesPerDay))
  const shift = shifted ? minutesPerDay : 0
  // No arrival has a service minute beyond the second midnight.
  return { fromMinute: from + shift, toMinute: Math.min(to + shift, 2 * minutesPerDay) }
}

/** Reads one block. Without a scope it holds for everybody. */
export const readBlock = (entry: Field, hours: Hours): Block | undefined => {
  const fields = fieldsOf(entry, ['serviceDate', 'from', 'to', 'nextDay', 'scope', 'publicNote'])
  const serviceDate = date(required(fields.serviceDate))
  const from = time(required(fields.from))
  const to = time(required(fields.to))
  const nextDay = trueOrFalse(fields.nextDay)
  const scope = oneOf(fields.scope, blockScopes) ?? 'all'
  const publicNote = text(fields.publicNote, documentBounds.publicNote)
  if (serviceDate === null || from === null || to === null) return undefined
  return { serviceDate, ...blockSpan({ from, to, nextDay }, serviceDate, hours), scope, publicNote }
}

/** Writes a block so that `readBlock` reads the same minutes; `nextDay` only where it is needed. */
export const printBlock = ({ serviceDate, fromMinute, toMinute, scope, publicNote }: Block, hours: Hours) => {
  const times = { from: fromMinute % minutesPerDay, to: toMinute % minutesPerDay }
  const readsBack = blockSpan({ ...times, nextDay: null }, serviceDate, hours).fromMinute === fromMinute
  return {
    serviceDate,
    from: clockTimeAt(fromMinute),
    to: clockTimeAt(toMinute),
    ...(!readsBack && { nextDay: fromMinute >= minutesPerDay }),
    scope,
    publicNote,
  }
}

/** Reads what one slot takes in place of its hours' limits; `at` is where the slot begins, read as a block's `from`. */
export const readPacingException = (entry: Field, hours: Hours): PacingException | undefined => {
  const fields = fieldsOf(entry, ['serviceDate', 'at', 'nextDay', 'maxCovers', 'maxParties'])
  const serviceDate = date(required(fields.serviceDate))
  const at = time(required(fields.at))
  const nextDay = trueOrFalse(fields.nextDay)
  const maxCovers = integer(fields.maxCovers, documentBounds.load)
  const maxParties = integer(fields.maxParties, documentBounds.load)
  if (serviceDate === null || at === null) return undefined
  const { fromMinute } = blockSpan({ from: at, to: at + 1, nextDay }, serviceDate, hours)
  return { serviceDate, fromMinute, maxCovers, maxParties }
}

export const printPacingException = (
  { serviceDate, fromMinute, maxCovers, maxParties }: PacingException,
  hours: Hours,
) => {
  const from = fromMinute % minutesPerDay
  const readsBack =
    blockSpan({ from, to: from + 1, nextDay: null }, serviceDate, hours).fromMinute === fromMinute
  return {
    serviceDate,
    at: clockTimeAt(fromMinute),
    ...(!readsBack && { nextDay: fromMinute >= minutesPerDay }),
    maxCovers,
    maxParties,
  }
}
