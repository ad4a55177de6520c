import type { Work } from '../../context.ts'
import { dayInWords, endOf, timeInWords, timeOf } from '../../platform/kernel/time/in-words.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { bookedReservation } from '../day/book-row.ts'
import type { Party, Span } from '../day/assignment/evening.ts'
import { type FloorDay, meet, minutesLate } from '../day/day-floor.ts'
import { cutReason } from '../rules/floor/floor.ts'
import { turnMinutes } from '../rules/turn-minutes.ts'

/*
 * Why a party cannot have a table, in a sentence for staff who chose it: somebody has it then, or it takes nobody. Machines
 * give neither.
 */

/** Refuses tables that the venue does not have. */
export const knownOnly = ({ floor }: FloorDay, tables: readonly number[]): void => {
  if (tables.some((id) => !floor.tables.some((table) => table.id === id))) {
    throw badRequest('There is no such table.')
  }
}

/** "Table 14 is taken by Okafor, 4 guests, from 19:00 to 21:00."; of who is late for it: "is held for …, 46 minutes late." */
export const takenSentence = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  { floor, rules, now, late }: Pick<FloorDay, 'floor' | 'rules' | 'now'> & Partial<Pick<FloorDay, 'late'>>,
  {
    inTheWay,
    table,
  }: { readonly inTheWay: Pick<Party, 'id' | 'size' | 'from' | 'until'>; readonly table: number },
): Promise<string> => {
  const label = floor.tables.find(({ id }) => id === table)?.label ?? ''
  const id = Number(inTheWay.id)
  const row = Number.isInteger(id) ? await bookedReservation(db, venue.id, id) : undefined
  const who = row ? (row.guest_name ?? 'a party with no name') : 'a party that was paged'
  const guests = inTheWay.size === 1 ? '1 guest' : `${inTheWay.size} guests`
  if (late?.has(inTheWay.id)) {
    return `Table ${label} is held for ${who}, ${guests}, ${minutesLate({ now }, inTheWay)} minutes late.`
  }
  const until = Temporal.Instant.fromEpochMilliseconds(inTheWay.until - floor.turnoverMinutes * 60_000)
  const from = Temporal.Instant.fromEpochMilliseconds(inTheWay.from)
  const [starts, ends] = [timeOf(from, venue.timezone), endOf(until, venue.timezone)]
  // A party that stays past its time is there until it leaves, at any minute asked about.
  const minutes = row?.status === 'Seated' ? (row.duration_minutes ?? turnMinutes(rules, inTheWay.size)) : 0
  const isOver = minutes > 0 && inTheWay.from + minutes * 60_000 <= now.epochMilliseconds
  const when = isOver ? `since ${starts} and running over` : `from ${starts} to ${ends}`
  return `Table ${label} is taken by ${who}, ${guests}, ${when}.`
}

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
