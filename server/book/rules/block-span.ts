import { minutesPerDay } from '../../platform/kernel/time/written-time.ts'
import type { Block, DocumentRules } from './booking-rules.ts'
import { plannedPeriodsOn } from './resolve-service.ts'

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

/** What is to be written of a span so that `blockSpan` gives its minutes; `nextDay` only where it is needed. */
export const writtenSpan = (
  { fromMinute, toMinute }: Span,
  serviceDate: string,
  hours: Hours,
): { from: number; to: number; nextDay: boolean | null } => {
  const times = { from: fromMinute % minutesPerDay, to: toMinute % minutesPerDay, nextDay: null }
  const readsBack = blockSpan(times, serviceDate, hours).fromMinute === fromMinute
  return readsBack ? times : { ...times, nextDay: fromMinute >= minutesPerDay }
}
