import type { Work } from '../../context.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { bookingRulesAround } from '../rules/rules-store.ts'
import { firstTables } from '../day/assignment/first-tables.ts'
import { type FloorDay, beside } from '../day/day-floor.ts'
import { daysConcerned } from '../day/day-span.ts'
import { writeTables } from './tables-of-booking-writes.ts'
import { readFloorDay } from '../day/read-floor-day.ts'
import type { TableChange } from '../../core/activity/table-change.ts'
import { joinedLabels } from '../rules/floor/written-floor.ts'

/*
 * Who is booked and has no table gets one as soon as there is one, however soon it is due. Cast: the holder of a day's lock
 * for any other reason fills the day before it commits; who frees a table without a lock leaves a mark, and the job that reads
 * it takes the lock and fills. A crash leaves the mark. Filling a day twice in a minute writes nothing the second time; in the
 * next one another party may be found a table by moving others, until nobody can be.
 */

/**
 * Gives tables to the parties of a date that have none, and moves others for them. Its lock is held, and those of `held`:
 * a party that reaches into another date waits for a holder of both. Returns how many got a table.
 */
export const fillDay = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  date: LocalDate,
  held: ReadonlySet<LocalDate>,
): Promise<number> => {
  const { db, venue } = work
  const rules = await bookingRulesAround(db, venue, date)
  const { floor } = rules
  if (!floor) return 0
  const now = work.now()
  const day = await readFloorDay(db, venue.id, { ...rules, floor }, date, now, { isMachine: true })
  const waiting = day.waiting.filter((party) =>
    daysConcerned(rules, date, party).every((one) => held.has(one)),
  )
  if (waiting.length === 0) return 0
  const round = Math.floor(now.epochMilliseconds / 60_000)
  const given = firstTables(beside(day.evening, 'kept'), waiting, { round, heldUp: day.heldUp })
  const seated = waiting.filter(({ id }) => given.has(id))
  const changes: TableChange[] = []
  for (const [id, tables] of given) changes.push(await writeTables(work, Number(id), tables, false))
  for (const [n, { id }] of seated.entries()) {
    const reservation = Number(id)
    // Who moves for all of them is noted once, with the first.
    const own = changes.filter(
      (one) => one.reservation === reservation || (n === 0 && one.before.tables.length > 0),
    )
    await noteFirst(work, day, reservation, own, now)
  }
  return seated.length
}

/** The dates to lock before a date is filled, in ascending order: none where nobody of it waits for a table. */
export const datesToFill = async (
  { db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>,
  date: LocalDate,
): Promise<LocalDate[]> => {
  const rules = await bookingRulesAround(db, venue, date)
  const { floor } = rules
  if (!floor) return []
  const { waiting } = await readFloorDay(db, venue.id, { ...rules, floor }, date, now())
  return [...new Set(waiting.flatMap((party) => daysConcerned(rules, date, party)))].toSorted()
}

/** Whether somebody of the day waits for a table, but for one booking: all others have theirs, and filling finds nobody. */
export const isWaitedFor = ({ waiting }: FloorDay, own?: number): boolean =>
  waiting.some(({ id }) => id !== String(own))

/** What a party was given, and who moved for it, as the activity log has it: nobody at the venue did it. */
const noteFirst = (
  { db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>,
  { floor }: FloorDay,
  id: number,
  changes: readonly TableChange[],
  at: Temporal.Instant,
): Promise<void> => {
  const given = changes.find(({ reservation }) => reservation === id)?.after.tables ?? []
  const tables = joinedLabels(
    floor.tables.filter((table) => given.includes(table.id)).map(({ label }) => label),
  )
  return recordActivity(
    { db, venue, now },
    { kind: 'service' },
    {
      action: 'giveTable',
      record: { kind: 'reservation', id },
      before: { tables: null },
      after: { tables },
      tables: changes,
    },
    at,
  )
}
