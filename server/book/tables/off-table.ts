import { dayInWords, timeInWords } from '../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { Span } from '../day/assignment/evening.ts'
import { cutReason } from '../rules/floor/floor.ts'
import { type FloorDay, meet } from '../day/day-floor.ts'

/*
 * A table that takes nobody: out of order, off by plan, or in a closed room. Machines never give it; staff who choose it
 * see why.
 */

/** "Table 12 is out of order until 22:00.": the first of these tables that takes nobody in the span. */
export const offSentence = (
  { floor, evening, rules, off }: FloorDay,
  span: Span,
  tables: readonly number[],
): string | undefined => {
  const id = evening.tables.find(
    (table) => tables.includes(table.id) && table.unavailable.some((one) => meet(one, span)),
  )?.id
  if (id === undefined) return undefined
  const label = floor.tables.find((table) => table.id === id)?.label ?? ''
  const spans = (off().get(id) ?? []).filter((one) => meet(one, span))
  if (spans.some(({ because }) => because === 'room')) return `Table ${label} is in a room that is closed.`
  const [last] = spans.toSorted((a, b) => b.until - a.until)
  if (!last) return undefined
  const state = last.because === 'plan' ? 'closed' : last.why === cutReason ? 'cut' : 'out of order'
  const until = atTime(last.until, rules.timezone, span)
  return last.from <= span.from
    ? `Table ${label} is ${state} until ${until}.`
    : `Table ${label} is ${state} from ${atTime(last.from, rules.timezone, span)} to ${until}.`
}

/** "22:00"; on another day than the span begins, "22:00 on Thursday 8 October". */
const atTime = (milliseconds: number, zone: string, { from }: Span): string => {
  const wall = (one: number) => wallTimeOf(Temporal.Instant.fromEpochMilliseconds(one), zone)
  const { date, time } = wall(milliseconds)
  return `${timeInWords(time)}${date === wall(from).date ? '' : ` on ${dayInWords(date)}`}`
}
