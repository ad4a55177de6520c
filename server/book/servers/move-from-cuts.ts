import type { Work } from '../../context.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordPress } from '../../core/activity/record.ts'
import type { TableChange } from '../../core/activity/table-change.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { bookedReservation } from '../day/book-row.ts'
import { seat } from '../day/day-floor.ts'
import { openDayOf } from '../day/open-day.ts'
import { readFloorDay } from '../day/read-floor-day.ts'
import { joinedLabels } from '../rules/floor/written-floor.ts'
import { readRules } from '../rules/rules-store.ts'
import { giveTables } from '../tables/give-tables.ts'
import { type CutTables, followCuts } from './cut-tables.ts'

/** A booking that was moved from a table that is cut. */
export type MovedByCut = {
  readonly reservation: number
  /** The row of the activity log by which an undo puts it back. */
  readonly press: number
  /** Its tables, and those of everybody who made room for it. */
  readonly changes: readonly TableChange[]
}

/**
 * After anything that says who is cut, or which tables are theirs: these take nobody new until the service ends, and who is
 * booked there is moved where a machine may move them and finds a table. Everybody else stays, and the pages list them. The
 * days of the service are locked.
 */
export const moveFromCuts = async (
  work: Work,
  actor: Actor,
  shift: number,
): Promise<readonly MovedByCut[]> => {
  const cut = await followCuts(work, shift)
  return cut && cut.tables.length > 0 ? moveAway(work, actor, cut) : []
}

/** Moves who is booked at these tables in that time, one after the other. */
const moveAway = async (
  work: Work,
  actor: Actor,
  { date, tables, from, until }: CutTables,
): Promise<readonly MovedByCut[]> => {
  const { db, venue } = work
  const rules = await readRules(db, venue)
  const around = rules.around(date)
  if (!around.floor) return []
  const evening = await readFloorDay(db, venue.id, { ...around, floor: around.floor }, date, work.now())
  const there = evening.evening.parties.filter(
    (party) =>
      evening.movable.has(party.id) &&
      party.from < until &&
      party.until > from &&
      party.tables.some((id) => tables.includes(id)),
  )
  const moved: MovedByCut[] = []
  for (const { id } of there.toSorted((a, b) => a.from - b.from)) {
    const row = await bookedReservation(db, venue.id, Number(id))
    if (!row?.starts_at || row.service_minute === null) continue
    const placed = { serviceDate: date, serviceMinute: row.service_minute }
    const { floor } = await openDayOf(work, rules, { reservation: row.id, turns: 'back' }, placed)
    const wanted = {
      startsAt: toInstant(row.starts_at),
      partySize: row.party_size ?? 1,
      durationMinutes: row.duration_minutes,
      door: 'staff',
    } as const
    if (!floor || !seat(floor, wanted).seated) continue
    const changes = await giveTables(work, floor, { ...wanted, id: row.id, status: row.status })
    const own = changes.find(({ reservation }) => reservation === row.id)
    if (!own) continue
    const labels = (ids: readonly number[]): string =>
      joinedLabels(floor.floor.tables.filter((table) => ids.includes(table.id)).map(({ label }) => label))
    const press = await recordPress(
      work,
      actor,
      {
        action: 'giveTable',
        record: { kind: 'reservation', id: row.id },
        before: { tables: labels(own.before.tables) },
        after: { tables: labels(own.after.tables) },
        tables: changes,
      },
      work.now(),
    )
    moved.push({ reservation: row.id, press, changes })
  }
  return moved
}
