import { addDays, dayNumber } from '../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { Written } from './kept-days.ts'
import type { Days } from './report-reads.ts'

/** How many days there are from one to another, both included. */
export const lengthOf = ({ from, to }: Days): number => dayNumber(to) - dayNumber(from) + 1

/** Each of them. */
export const datesIn = (days: Days): LocalDate[] =>
  Array.from({ length: lengthOf(days) }, (_, at) => addDays(days.from, at))

/** Spans of days that are counted by themselves; with more gaps, everything from the first to the last is. */
const mostSpans = 12
/** Days that one statement reads: a third of the longest period, so that a busy venue's year holds up nobody else. */
const daysAtOnce = 134

/** Which sums are used, and which days are counted from their bookings: together, each day once. */
export const splitDays = (
  days: Days,
  kept: readonly Written[],
): { readonly sums: readonly Written[]; readonly missing: readonly Days[] } => {
  const known = new Set(kept.flatMap(datesIn))
  const spans = spansBeside(days, (date) => known.has(date))
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last || spans.length <= mostSpans) return { sums: kept, missing: spans.flatMap(partsOf) }
  const sums = kept.filter(({ from, to }) => to < first.from || from > last.to)
  // A month is used whole or not at all.
  return { sums, missing: daysBeside(days, sums).flatMap(partsOf) }
}

/** The days that are in none of some others. */
export const daysBeside = (days: Days, others: readonly (Days | undefined)[]): Days[] =>
  spansBeside(days, (date) => others.some((other) => other && date >= other.from && date <= other.to))

const spansBeside = (days: Days, isLeftOut: (date: LocalDate) => boolean): Days[] => {
  const spans: Days[] = []
  for (const date of datesIn(days)) {
    if (isLeftOut(date)) continue
    const last = spans.at(-1)
    if (last && addDays(last.to, 1) === date) spans[spans.length - 1] = { from: last.from, to: date }
    else spans.push({ from: date, to: date })
  }
  return spans
}

/** A span, cut into what one statement reads. */
export const partsOf = (span: Days): Days[] =>
  Array.from({ length: Math.ceil(lengthOf(span) / daysAtOnce) }, (_, at) => {
    const from = addDays(span.from, at * daysAtOnce)
    const to = addDays(from, daysAtOnce - 1)
    return { from, to: to < span.to ? to : span.to }
  })
