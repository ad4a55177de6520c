import type { Actor } from '../../core/activity/actor.ts'
import { recordPress } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { badRequest, notFound } from '../../platform/kernel/refusal.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { type BookRow, bookedReservation, bookedReservationForUpdate } from '../day/book-row.ts'
import { markFreedByPress } from '../day/freed-by-press.ts'
import { daysOfBooking, holdDays, openDayOf } from '../day/open-day.ts'
import { readRules } from '../rules/rules-store.ts'
import { type ReservationOutcome, changedMeanwhile, done, refused, unchanged } from '../day/outcome.ts'
import { arrange } from './arrange.ts'
import type { FloorDay } from '../day/day-floor.ts'
import { joinedLabels } from '../rules/floor/written-floor.ts'
import { fillDay, isWaitedFor } from './fill.ts'
import type { Floor } from '../rules/floor/floor.ts'
import { labelsOfTables } from '../rules/floor/floor-reads.ts'
import { tablesHeld } from '../day/tables-of-booking-reads.ts'
import {
  dropTables,
  keepWithoutTable,
  pinTables,
  writeMoves,
  writeTables,
} from './tables-of-booking-writes.ts'
import { type TableChange, joinedChanges } from '../../core/activity/table-change.ts'
import type { StaffReason } from '../reservations/staff-reasons.ts'
import { keptReasons } from './staff-choice.ts'
import { partyOf, swapIn } from './swap.ts'
import { knownOnly, offSentence, takenSentence } from './taken-table.ts'

/*
 * Staff put parties at tables: one at these tables, which may be joined for it or split again; two at each other's; none,
 * so that it waits for one. What staff chose is pinned. It records no event and changes no revision: tables are the
 * venue's own matter, and the activity log has them. Both days a party concerns are locked, so of two hosts who want one
 * table the second learns who is there.
 */

type Staff = Actor & { readonly kind: 'staff' }

export type TablesChosen = {
  readonly id: number
  /** From now on; none: it waits for a table. */
  readonly tables: readonly number[]
  /** What the page showed; another host may have moved the party since. Absent: not checked. */
  readonly seen?: readonly number[] | undefined
  /** Whether machines leave it there; absent: yes. */
  readonly pinned?: boolean
  /** Whether who is only expected there gives way where no other table is left: staff are asked, or said so. Absent: they keep it. */
  readonly expected?: 'asked' | 'gives way' | undefined
}

/**
 * Seats a booking at these tables, and moves whom a machine put there. Refuses, as a value, a booking that no longer
 * holds a table, a page that showed other tables, a table that somebody has who stays, and one that takes nobody then.
 */
export const chooseTables = async (
  work: Work,
  actor: Staff,
  { id, tables, seen, pinned = true, expected }: TablesChosen,
): Promise<ReservationOutcome> => {
  const held = await holdParties(work, [id])
  const [one] = held.parties
  if (!one) throw notFound('booking')
  const { row, before } = one
  if (!holdsTables(row)) return refused(row, `This booking is ${row.status}, so it holds no table.`)
  if (seen && !same(seen, before.tables)) return refused(row, await whereNow(work, before.tables))
  const chosen = [...new Set(tables)].toSorted((a, b) => a - b)
  if (same(chosen, before.tables) && (before.pinned === pinned || chosen.length === 0)) {
    return unchanged(row, 'They have this table already.')
  }
  const now = work.now()
  const day = await dayOf(work, row)
  knownOnly(day, chosen)
  const changes: TableChange[] = []
  if (chosen.length > 0) {
    const party = partyOf(day, row)
    const off = same(chosen, before.tables) ? undefined : offSentence(day, party, chosen)
    if (off !== undefined) return refused(row, off)
    const kept = arrange(day, [{ party, tables: chosen }])
    const arranged =
      kept.ok || expected === undefined ? kept : arrange(day, [{ party, tables: chosen }], { force: true })
    if (!arranged.ok) return refused(row, await takenSentence(work, day, arranged))
    if (!kept.ok && expected === 'asked')
      return { kind: 'needs override', reasons: await keptReasons(work, day, arranged.gaveWay) }
    changes.push(...(await writeMoves(work, arranged.moves)))
    for (const other of arranged.dropped) changes.push(await dropTables(work, other))
    changes.push(await writeTables(work, id, chosen, pinned))
  } else changes.push(await keepWithoutTable(work, id))
  if (before.tables.length > 0) await markFreedByPress(work, row, { now, covers: 0, tables: before.tables })
  const noted = { id, before: before.tables, after: chosen, changes }
  const press = await noteTables(work, actor, 'chooseTables', day.floor, noted, now)
  if (isWaitedFor(day, id)) await fillDay(work, row.service_date as LocalDate, held.days)
  return done(row, { press: [press] })
}

/**
 * Two bookings of one service date trade their tables. A swap made twice undoes itself, so a page that showed the first of them
 * at other tables is refused: the other host was faster, or the same press arrived before.
 */
export const swapTables = async (
  work: Work,
  actor: Staff,
  {
    ids: [one, other],
    seen,
    besides = [],
  }: {
    readonly ids: readonly [number, number]
    readonly seen?: TablesChosen['seen']
    /** What staff have not confirmed yet and are asked about, where they may trade. */
    readonly besides?: readonly StaffReason[]
  },
): Promise<ReservationOutcome> => {
  if (one === other) throw badRequest('A party cannot trade tables with itself.')
  const held = await holdParties(work, [one, other])
  const [first, second] = [one, other].map((id) => held.parties.find(({ row }) => row.id === id))
  if (!first || !second) throw notFound('booking')
  const now = work.now()
  for (const { row } of [first, second]) {
    if (!holdsTables(row)) return refused(row, `This booking is ${row.status}, so it holds no table.`)
  }
  if (seen && !same(seen, first.before.tables))
    return refused(first.row, await whereNow(work, first.before.tables))
  if (first.row.service_date !== second.row.service_date) {
    return refused(second.row, 'These bookings are on different days.')
  }
  if (first.before.tables.length === 0 || second.before.tables.length === 0) {
    return refused(first.row, 'One of the two has no table; seat it at one instead.')
  }
  const day = await dayOf(work, first.row)
  const arranged = swapIn(
    day,
    { booking: first.row, tables: first.before.tables },
    { booking: other, tables: second.before.tables },
  )
  if (!arranged) return refused(second.row, changedMeanwhile(second.row))
  if (!arranged.ok)
    return refused(first.row, 'off' in arranged ? arranged.off : await takenSentence(work, day, arranged))
  if (besides.length > 0) return { kind: 'needs override', reasons: besides }
  const changes = [
    ...(await writeMoves(work, arranged.moves)),
    await writeTables(work, one, second.before.tables, true),
    await writeTables(work, other, first.before.tables, true),
  ]
  const all = { id: one, before: first.before.tables, after: second.before.tables, changes }
  const press = await noteTables(work, actor, 'swapTables', day.floor, all, now)
  return done(first.row, { press: [press] })
}

/** Keeps a booking at its table, or lets machines move it again. */
export const setPinned = async (
  work: Work,
  actor: Staff,
  { id, pinned }: { readonly id: number; readonly pinned: boolean },
): Promise<ReservationOutcome> => {
  const held = await holdParties(work, [id])
  const [one] = held.parties
  if (!one) throw notFound('booking')
  const { row, before } = one
  if (before.tables.length === 0) return refused(row, 'This booking has no table.')
  if (before.pinned === pinned)
    return unchanged(row, pinned ? 'It stays there already.' : 'It may move already.')
  const changed = await pinTables(work, id, before, pinned)
  const press = await recordPress(
    work,
    actor,
    {
      action: pinned ? 'pinTable' : 'unpinTable',
      record: { kind: 'reservation', id },
      before: { pinned: before.pinned },
      after: { pinned },
      tables: [changed],
    },
    work.now(),
  )
  // Who may move again may make room for somebody.
  if (!pinned && row.service_date) await fillDay(work, row.service_date, held.days)
  return done(row, { press: [press] })
}

type Held = { readonly row: BookRow; readonly before: Awaited<ReturnType<typeof tablesHeld>> }

/** Locks the days of bookings, then their rows. */
const holdParties = async (
  work: Work,
  ids: readonly number[],
): Promise<{ readonly parties: readonly Held[]; readonly days: ReadonlySet<LocalDate> }> => {
  const { db, venue } = work
  const rules = await readRules(db, venue)
  const days = new Set<LocalDate | null>()
  for (const id of ids) {
    const seen = await bookedReservation(db, venue.id, id)
    if (!seen) throw notFound('booking')
    for (const day of daysOfBooking(rules, seen)) days.add(day)
  }
  const held = await holdDays(work, undefined, [...days])
  const parties: Held[] = []
  for (const id of ids.toSorted((a, b) => a - b)) {
    const row = await bookedReservationForUpdate(db, venue.id, id)
    if (!row) throw notFound('booking')
    parties.push({ row, before: await tablesHeld(db, venue.id, id) })
  }
  return { parties, days: held }
}

export const holdsTables = ({ status, service_date, starts_at }: BookRow): boolean =>
  (status === 'Confirmed' || status === 'Seated') && service_date !== null && starts_at !== null

/** The tables of its day; refuses a venue where tables decide nothing. */
const dayOf = async (work: Work, row: BookRow): Promise<FloorDay> => {
  const placed = { serviceDate: row.service_date as LocalDate, serviceMinute: row.service_minute ?? 0 }
  const rules = await readRules(work.db, work.venue)
  const { floor } = await openDayOf(work, rules, { reservation: row.id }, placed)
  if (!floor) throw badRequest('Tables are off at this venue; a manager can turn them on.')
  return floor
}

/** Another host was faster. */
export const whereNow = async (work: Work, tables: readonly number[]): Promise<string> => {
  const labels = await labelsOf(work, tables)
  return labels === ''
    ? 'Somebody else just took this party off its table.'
    : `Somebody else just put this party at table ${labels}.`
}

const labelsOf = async ({ db, venue }: Work, tables: readonly number[]): Promise<string> => {
  return joinedLabels(await labelsOfTables(db, venue.id, tables))
}

/**
 * The activity of a press that changes only tables, with their labels: a row for each party. The one that was pressed comes last,
 * with all of it: what an undo looks at is what came after. A party that no word of staff put where it was or is, a machine moved.
 */
export const noteTables = async (
  work: Work,
  actor: Staff,
  action: string,
  floor: Floor,
  {
    id,
    before,
    after,
    changes,
  }: {
    readonly id: number
    readonly before: readonly number[]
    readonly after: readonly number[]
    readonly changes: readonly TableChange[]
  },
  now: Temporal.Instant,
): Promise<number> => {
  const labels = (tables: readonly number[]): string | null =>
    joinedLabels(floor.tables.filter((table) => tables.includes(table.id)).map(({ label }) => label)) || null
  for (const { reservation, before: was, after: is } of joinedChanges(changes)) {
    const byStaff = was.pinned || is.pinned
    const moved = {
      action: byStaff ? action : 'changeTables',
      record: { kind: 'reservation', id: reservation },
      before: { tables: labels(was.tables) },
      after: { tables: labels(is.tables) },
    } as const
    if (reservation !== id) await recordPress(work, byStaff ? actor : { kind: 'service' }, moved, now)
  }
  return recordPress(
    work,
    actor,
    {
      action,
      record: { kind: 'reservation', id },
      before: { tables: labels(before) },
      after: { tables: labels(after) },
      tables: changes,
    },
    now,
  )
}

const same = (one: readonly number[], other: readonly number[]): boolean =>
  one.toSorted((a, b) => a - b).join() === other.toSorted((a, b) => a - b).join()
