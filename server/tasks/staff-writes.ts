import type { Queries } from '../db/pool.ts'
import { columnsOf, sql } from '../db/sql.ts'
import type { VenueId } from '../venue/venue.ts'
import { type StaffTaskRow, staffTaskRow } from './staff-reads.ts'
import type { NewTaskRow } from './writes.ts'

/** Writes a task that is held by the caller. */
export const writeStaffTask = (
  db: Queries,
  venue: VenueId,
  task: number,
  { title, due, priority, category, client }: NewTaskRow,
  now: Temporal.Instant,
): Promise<StaffTaskRow> =>
  db.one(sql(staffTaskRow)`
    update task set
      title = ${title}, due = ${due}, priority = ${priority}, category = ${category}, client = ${client},
      version = version + 1, updated_at = ${now}
    where venue_id = ${venue} and id = ${task}
    returning ${columnsOf(staffTaskRow)}`)

/** Undefined when it is so already. */
export const writeDone = (
  db: Queries,
  venue: VenueId,
  task: number,
  done: boolean,
  now: Temporal.Instant,
): Promise<StaffTaskRow | undefined> =>
  db.maybe(sql(staffTaskRow)`
    update task set done = ${done}, done_at = ${done ? now : null}, version = version + 1, updated_at = ${now}
     where venue_id = ${venue} and id = ${task} and done = ${!done}
    returning ${columnsOf(staffTaskRow)}`)

export const removeTask = (db: Queries, venue: VenueId, task: number): Promise<number> =>
  db.run(sql()`delete from task where venue_id = ${venue} and id = ${task}`)
