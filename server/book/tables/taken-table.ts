import { turnMinutes } from '../rules/turn-minutes.ts'
import type { Work } from '../../context.ts'
import { endOf, timeOf } from '../../platform/kernel/time/in-words.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { bookedReservation } from '../day/book-row.ts'
import type { Party } from '../day/assignment/evening.ts'
import type { FloorDay } from '../day/day-floor.ts'

/** Refuses tables that the venue does not have. */
export const knownOnly = ({ floor }: FloorDay, tables: readonly number[]): void => {
  if (tables.some((id) => !floor.tables.some((table) => table.id === id))) {
    throw badRequest('There is no such table.')
  }
}

/** "Table 14 is taken by Okafor, 4 guests, from 19:00 to 21:00." */
export const takenSentence = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  { floor, rules, now }: Pick<FloorDay, 'floor' | 'rules' | 'now'>,
  {
    inTheWay,
    table,
  }: { readonly inTheWay: Pick<Party, 'id' | 'size' | 'from' | 'until'>; readonly table: number },
): Promise<string> => {
  const label = floor.tables.find(({ id }) => id === table)?.label ?? ''
  const id = Number(inTheWay.id)
  const row = Number.isInteger(id) ? await bookedReservation(db, venue.id, id) : undefined
  const who = row ? (row.guest_name ?? 'a party with no name') : 'a party that was paged'
  const until = Temporal.Instant.fromEpochMilliseconds(inTheWay.until - floor.turnoverMinutes * 60_000)
  const from = Temporal.Instant.fromEpochMilliseconds(inTheWay.from)
  const [starts, ends] = [timeOf(from, venue.timezone), endOf(until, venue.timezone)]
  // A party that stays past its time is there until it leaves, at any minute asked about.
  const minutes = row?.status === 'Seated' ? (row.duration_minutes ?? turnMinutes(rules, inTheWay.size)) : 0
  const isOver = minutes > 0 && inTheWay.from + minutes * 60_000 <= now.epochMilliseconds
  const when = isOver ? `since ${starts} and running over` : `from ${starts} to ${ends}`
  return `Table ${label} is taken by ${who}, ${inTheWay.size === 1 ? '1 guest' : `${inTheWay.size} guests`}, ${when}.`
}
