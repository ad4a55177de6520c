import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import { mayAct } from '../../core/staff/roles.ts'
import type { Context, Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { markAllFreed } from '../rules/mark-all-freed.ts'
import { holdDays } from '../day/open-day.ts'
import { serviceDateAt } from '../rules/service-now.ts'
import { forEachVenue } from '../../core/venue/each-venue.ts'
import { bookingRulesAround, bookingRulesBetween } from '../rules/rules-store.ts'
import { tidy } from '../day/assignment/tidy.ts'
import type { TableMode } from '../rules/floor/floor.ts'
import { wholeFloor } from '../rules/floor/floor-reads.ts'
import { dropTables, writeTables } from './tables-of-booking-writes.ts'
import { daysToGive, lastDayBooked, tableMode, venuesToGiveTables } from '../rules/floor/mode-reads.ts'
import { writeMode, writeNextDay } from './mode-writes.ts'
import { readFloorDay, readFloors } from '../day/read-floor-day.ts'

/*
 * Tables are turned on: from that moment on every judgement counts everybody who is booked, with a table or without. A
 * job then gives tables to the bookings there are, one service date after the other under its lock; where it was killed,
 * it goes on with the same date. Turned off, all rows stay and nothing counts them.
 */

/** Service dates looked at before tables are turned on. */
export const daysForeseen = 60

/** A booking for which there would be no table. */
export type WithoutTable = { readonly serviceDate: LocalDate; readonly reservation: number }

/** Who of the next `daysForeseen` service dates would have no table, if tables were turned on now. Locks nothing. */
export const foreseeTables = async (work: Pick<Work, 'db' | 'venue' | 'now'>): Promise<WithoutTable[]> => {
  const { db, venue, now } = work
  const at = now()
  const floor = await wholeFloor(db, venue.id)
  if (!floor) return []
  const today = await serviceDateNow(work)
  const last = addDays(today, daysForeseen)
  const rules = { ...(await bookingRulesBetween(db, venue, addDays(today, -1), addDays(last, 1))), floor }
  const floorOf = await readFloors(db, venue.id, rules, [today, last], at)
  const missing: WithoutTable[] = []
  for (let date = today; date <= last; date = addDays(date, 1)) {
    const day = floorOf(date)
    if (!day) continue
    const { unseated } = tidy(day.evening)
    for (const id of unseated.filter((one) => day.ofDay.has(one))) {
      missing.push({ serviceDate: date, reservation: Number(id) })
    }
  }
  return missing
}

/** Turns tables on, for managers and owners. Refuses a venue that has none. */
export const turnTablesOn = async (work: Work, actor: Actor & { kind: 'staff' }): Promise<void> => {
  const { db, venue } = work
  const floor = await wholeFloor(db, venue.id)
  if (!floor || floor.tables.length === 0) throw badRequest('Enter the venue’s tables first.')
  const today = await serviceDateNow(work)
  const last = (await lastDayBooked(db, venue.id, today)) ?? today
  await changeMode(work, actor, 'on', { next: today, last })
}

/** Turns tables off; who holds which stays written. */
export const turnTablesOff = (work: Work, actor: Actor & { kind: 'staff' }): Promise<void> =>
  changeMode(work, actor, 'off', undefined)

const changeMode = async (
  work: Work,
  actor: Actor & { kind: 'staff' },
  mode: TableMode,
  days: { readonly next: LocalDate; readonly last: LocalDate } | undefined,
): Promise<void> => {
  const { db, venue } = work
  if (!mayAct(actor.role, 'manager')) throw badRequest('Only a manager can turn tables on or off.')
  const before = await tableMode(db, venue.id)
  if (before === mode) return
  await writeMode(db, venue.id, mode, days)
  // A party that no table fit may be taken now; turned on, tables take nobody who was refused before.
  if (mode === 'off') await markAllFreed(db, venue.id)
  await recordActivity(
    work,
    actor,
    {
      action: `turn tables ${mode}`,
      record: { kind: 'venue', id: venue.id },
      before: { tables: before },
      after: { tables: mode },
    },
    work.now(),
  )
}

/** Service dates that one venue is given tables for before another has its turn. */
const daysAtOnce = 100

/** Gives tables to the bookings of venues that turned them on. Returns how many service dates it went through. */
export const giveTablesByDay = async ({
  db,
  clock,
  log,
}: Pick<Context, 'db' | 'clock' | 'log'>): Promise<number> => {
  let days = 0
  await forEachVenue({ db, log }, await venuesToGiveTables(db), async (venue) => {
    const unit = (queries: Queries): Work => ({ db: queries.within(venue.id), venue, now: clock })
    for (let n = 0; n < daysAtOnce; n++) {
      const isDone = await db.transaction((queries) => giveNextDay(unit(queries)))
      if (isDone) return
      days++
    }
  })
  return days
}

/** Gives tables to the next service date's bookings; true when no booking is left. */
const giveNextDay = async (work: Work): Promise<boolean> => {
  const { db, venue } = work
  const seen = await daysToGive(db, venue.id)
  if (!seen) return true
  const { next: date } = seen
  // Who stays into the next date's first service holds a table there, too.
  await holdDays(work, undefined, [date, addDays(date, 1)])
  // Another process may have done this date, or somebody turned tables off.
  const days = await daysToGive(db, venue.id)
  if (days?.next !== date) return false
  const rules = await bookingRulesAround(db, venue, date)
  if (rules.floor) {
    const day = await readFloorDay(db, venue.id, { ...rules, floor: rules.floor }, date, work.now())
    const { given, unseated } = tidy(day.evening)
    for (const [id, tables] of given) {
      if (day.confirmed.has(id)) await writeTables(work, Number(id), tables, false)
    }
    // Whose tables were written before tables were turned off, and went to somebody else since.
    for (const id of unseated) if (day.movable.has(id)) await dropTables(work, Number(id))
  }
  await writeNextDay(db, venue.id, date, date < days.last ? addDays(date, 1) : null)
  return false
}

const serviceDateNow = async ({ db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>): Promise<LocalDate> => {
  const moment = now()
  return serviceDateAt(await bookingRulesAround(db, venue, wallTimeOf(moment, venue.timezone).date), moment)
}
