import type { Work } from '../../context.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordPress } from '../../core/activity/record.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { toInstant, toMoment } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { bookedReservation } from '../day/book-row.ts'
import { seat } from '../day/day-floor.ts'
import { instantOfMinute } from '../day/day-span.ts'
import { openDayOf } from '../day/open-day.ts'
import { readFloorDay } from '../day/read-floor-day.ts'
import { joinedLabels } from '../rules/floor/written-floor.ts'
import { readRules } from '../rules/rules-store.ts'
import { giveTables } from '../tables/give-tables.ts'
import { followCuts } from './cut-tables.ts'
import { type InShift, holdShift, inLineUp } from './in-line-up.ts'
import { note } from './presses.ts'
import { sectionsOf } from './reads.ts'
import { deletePastCuts, writeOutOfTurn } from './writes.ts'

export type MovedByCut = { readonly reservation: number; readonly press: number }

/**
 * Sends a server home: their tables are out of use for machines until the service ends, and who is booked there is moved
 * where a machine may move them and finds a table; everybody else stays, and the pages list them. Staff may still choose
 * the tables. Who sits there stays theirs. Returns who was moved, with the row of the activity log by which an undo puts them
 * back. Refuses who has no table, and a service that is over.
 */
export const cutServer = async (
  work: Work,
  actor: Actor,
  { shift, server }: InShift,
): Promise<readonly MovedByCut[]> => {
  const { db, venue } = work
  await holdShift(work, shift)
  const { names, lineUp, date, plan, fromMinute, toMinute } = await inLineUp(work, shift, [server])
  const name = names.get(server) ?? ''
  const own = lineUp.find(({ server_id }) => server_id === server)
  // Of two who press at once the second finds it done.
  if (!own || own.cut_at !== null) return []
  const tables = (await sectionsOf(db, venue.id))
    .filter(({ plan_id, section }) => plan_id === plan && own.sections?.includes(section))
    .map(({ table_id }) => table_id)
  if (tables.length === 0) throw badRequest(`${name} has no tables in this service.`)
  const now = work.now()
  const [from, until] = [fromMinute, toMinute].map((minute) => instantOfMinute(venue.timezone, date, minute))
  if (from === undefined || until === undefined || until <= now.epochMilliseconds)
    throw badRequest('This service is over.')
  await writeOutOfTurn(db, venue.id, { shift, server }, { as: 'cut', at: toMoment(now) })
  await deletePastCuts(db, venue.id, addDays(date, -1))
  await followCuts(work, shift)
  await note(work, actor, 'cut a server', { server: name })
  return moveAway(work, actor, { date, tables, from, until })
}

/**
 * Takes a cut back: the tables are in use again. The caller puts back who was moved. Returns whether it was cut at all: of
 * two who press at once the second has nothing to take back.
 */
export const undoCut = async (work: Work, actor: Actor, { shift, server }: InShift): Promise<boolean> => {
  const { db, venue } = work
  await holdShift(work, shift)
  const { names, lineUp } = await inLineUp(work, shift, [server])
  if (lineUp.every((one) => one.server_id !== server || one.cut_at === null)) return false
  await writeOutOfTurn(db, venue.id, { shift, server }, { as: 'cut', at: null })
  await followCuts(work, shift)
  await note(work, actor, 'undo a cut', { server: names.get(server) ?? '' })
  return true
}

/** Moves who is booked at these tables in that time, one after the other; the day is locked. */
const moveAway = async (
  work: Work,
  actor: Actor,
  {
    date,
    tables,
    from,
    until,
  }: {
    readonly date: LocalDate
    readonly tables: readonly number[]
    readonly from: number
    readonly until: number
  },
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
    moved.push({ reservation: row.id, press })
  }
  return moved
}
