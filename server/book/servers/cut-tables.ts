import type { Work } from '../../context.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { type LocalDate, minuteOfDay, minutesPerDay } from '../../platform/kernel/time/written-time.ts'
import { instantOfMinute } from '../day/day-span.ts'
import { markAllFreed } from '../rules/mark-all-freed.ts'
import { markRulesChanged } from '../rules/rules-store.ts'
import { inLineUp } from './in-line-up.ts'
import { sectionsOf } from './reads.ts'
import { endCuts, writeOutages } from './writes.ts'

/** Tables that nobody new is given, and when. */
export type CutTables = {
  readonly date: LocalDate
  readonly tables: readonly number[]
  readonly from: number
  readonly until: number
}

/**
 * Makes the tables that a shift's cuts keep out of use those of who is cut now: whatever changed hands, none stays out that
 * nobody can open again. Returns them; undefined once the service is over.
 */
export const followCuts = async (work: Work, shift: number): Promise<CutTables | undefined> => {
  const { db, venue } = work
  const { lineUp, date, plan, fromMinute, toMinute } = await inLineUp(work, shift, [])
  const cut = new Set(lineUp.flatMap(({ cut_at, sections }) => (cut_at === null ? [] : (sections ?? []))))
  const tables = (await sectionsOf(db, venue.id))
    .filter(({ plan_id, section }) => plan_id === plan && cut.has(section))
    .map(({ table_id }) => table_id)
  const onWall = (minute: number) => ({
    date: addDays(date, Math.floor(minute / minutesPerDay)),
    minute: minute % minutesPerDay,
  })
  const [begin, end] = [onWall(fromMinute), onWall(toMinute)]
  const freed = await endCuts(db, venue.id, { except: tables, begin, end })
  const now = work.now()
  const [starts, until] = [fromMinute, toMinute].map((minute) =>
    instantOfMinute(venue.timezone, date, minute),
  ) as [number, number]
  const isOver = until <= now.epochMilliseconds
  if (!isOver) {
    const wall = wallTimeOf(now, venue.timezone)
    const isOpen = starts <= now.epochMilliseconds
    const from = isOpen ? { date: wall.date, minute: minuteOfDay(wall.time) } : begin
    await writeOutages(db, venue.id, { tables, from, end })
  }
  await markRulesChanged(db, venue.id)
  if (freed > 0) await markAllFreed(db, venue.id)
  return isOver ? undefined : { date, tables, from: starts, until }
}
