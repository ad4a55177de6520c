import type { Work } from '../../context.ts'
import type { TableChange } from '../../core/activity/table-change.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import type { FloorDay } from '../day/day-floor.ts'
import { presentAt, sectionsIn, serverOf, shiftAt } from '../day/who-serves.ts'
import type { BookRow } from '../day/book-row.ts'
import { writeWhoServes } from './writes.ts'

/**
 * Writes who serves a party that just sat down, or that nobody does anymore when it got up again: from then on it stays
 * theirs, however the line-up or the plan changes. Who has not come yet or has gone home by the line-up serves nobody. Costs
 * nothing where the service has no line-up, which the rules of the day say. `changed`: what the press changed of who holds which tables.
 */
export const noteWhoServes = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  day: Pick<FloorDay, 'floor' | 'rules' | 'own'> | undefined,
  { id, service_date: date, seated_at: at }: Pick<BookRow, 'id' | 'service_date' | 'seated_at'>,
  changed: readonly TableChange[],
): Promise<void> => {
  if (!day || date === null) return
  const isKnown = day.floor.shifts.some((shift) => shift.date === date)
  if (!isKnown) return
  const satDown = at === null ? undefined : toInstant(at)
  const shift = satDown && shiftAt(day.floor, day.rules, date, satDown)
  const tables =
    changed.findLast(({ reservation }) => reservation === id)?.after.tables ?? day.own?.party.tables ?? []
  const server =
    satDown &&
    shift &&
    serverOf(sectionsIn(day.floor, shift, presentAt(shift, day.rules.timezone, satDown)), tables)
  await writeWhoServes(db, venue.id, id, server)
}
