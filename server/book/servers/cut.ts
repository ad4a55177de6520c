import type { Work } from '../../context.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { toInstant, toMoment } from '../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { type LocalDate, minuteOfDay, minutesPerDay } from '../../platform/kernel/time/written-time.ts'
import { bookedReservation } from '../day/book-row.ts'
import { seat } from '../day/day-floor.ts'
import { instantOfMinute } from '../day/day-span.ts'
import { holdDays, openDayOf } from '../day/open-day.ts'
import { readFloorDay } from '../day/read-floor-day.ts'
import { joinedLabels } from '../rules/floor/written-floor.ts'
import { markAllFreed } from '../rules/mark-all-freed.ts'
import { markRulesChanged, readRules } from '../rules/rules-store.ts'
import { giveTables } from '../tables/give-tables.ts'
import { type InShift, inLineUp, note } from './presses.ts'
import { sectionsOf } from './reads.ts'
import { type CutOutage, endCut, writeCut, writeOutages } from './writes.ts'

/**
 * Sends a server home: their tables are out of use for machines until the service ends, and who is booked there is moved
 * where a machine may move them and finds a table; everybody else stays, and the pages list them. Staff may still choose
 * the tables. Who sits there stays theirs. Returns how many were moved. Refuses who has no table, and a service that is over.
 */
export const cutServer = async (work: Work, actor: Actor, { shift, server }: InShift): Promise<number> => {
  const { db, venue } = work
  const { date, tables, until, name } = await theirTables(work, { shift, server })
  if (tables.length === 0) throw badRequest(`${name} has no tables in this service.`)
  const held = await holdDays(work, undefined, [date, addDays(date, 1)])
  // Of two who press at once the second finds it done.
  const { lineUp } = await inLineUp(work, shift, [server])
  if (lineUp.some((one) => one.server_id === server && one.cut_at !== null)) return 0
  const now = work.now()
  const from = wallTimeOf(now, venue.timezone)
  if (until.at <= now.epochMilliseconds) throw badRequest('This service is over.')
  await writeOutages(db, venue.id, {
    ...until,
    tables,
    fromDate: from.date,
    fromMinute: minuteOfDay(from.time),
  })
  await writeCut(db, venue.id, { shift, server }, toMoment(now))
  await markRulesChanged(db, venue.id)
  await note(work, actor, 'cut a server', { server: name })
  return held.has(date) ? moveAway(work, actor, { date, tables, until: until.at }) : 0
}

/** Takes a cut back: the tables are in use again. Who was moved stays where they are. */
export const undoCut = async (work: Work, actor: Actor, { shift, server }: InShift): Promise<void> => {
  const { db, venue } = work
  const { tables, until, name } = await theirTables(work, { shift, server })
  await endCut(db, venue.id, { ...until, tables })
  await writeCut(db, venue.id, { shift, server }, null)
  await markRulesChanged(db, venue.id)
  await markAllFreed(db, venue.id)
  await note(work, actor, 'undo a cut', { server: name })
}

const theirTables = async (
  work: Work,
  { shift, server }: InShift,
): Promise<{
  readonly date: LocalDate
  readonly name: string
  readonly tables: readonly number[]
  readonly until: Pick<CutOutage, 'untilDate' | 'untilMinute'> & { readonly at: number }
}> => {
  const { db, venue } = work
  const { names, lineUp, date, plan, toMinute } = await inLineUp(work, shift, [server])
  const own = lineUp.find(({ server_id }) => server_id === server)?.sections ?? []
  const sections = await sectionsOf(db, venue.id)
  return {
    date,
    name: names.get(server) ?? '',
    tables: sections
      .filter(({ plan_id, section }) => plan_id === plan && own.includes(section))
      .map(({ table_id }) => table_id),
    until: {
      untilDate: addDays(date, Math.floor(toMinute / minutesPerDay)),
      untilMinute: toMinute % minutesPerDay,
      at: instantOfMinute(venue.timezone, date, toMinute),
    },
  }
}

/** Moves who is booked at these tables until then, one after the other; the day is locked. */
const moveAway = async (
  work: Work,
  actor: Actor,
  {
    date,
    tables,
    until,
  }: { readonly date: LocalDate; readonly tables: readonly number[]; readonly until: number },
): Promise<number> => {
  const { db, venue } = work
  const rules = await readRules(db, venue)
  const around = rules.around(date)
  if (!around.floor) return 0
  const evening = await readFloorDay(db, venue.id, { ...around, floor: around.floor }, date, work.now())
  const there = evening.evening.parties.filter(
    (party) =>
      evening.movable.has(party.id) && party.from < until && party.tables.some((id) => tables.includes(id)),
  )
  let moved = 0
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
    moved++
    const labels = (ids: readonly number[]): string =>
      joinedLabels(floor.floor.tables.filter((table) => ids.includes(table.id)).map(({ label }) => label))
    await recordActivity(
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
  }
  return moved
}
