import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import { movedWhen, noted, noteGone } from '../../core/events/note-change.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type NewTask, type TaskRow, taskRecord, taskRow } from './task.ts'

export const insertTask = (
  db: Queries,
  venue: VenueId,
  task: NewTask,
  now: Temporal.Instant,
): Promise<TaskRow> =>
  noted(
    db,
    venue,
    'task',
    now,
    db.one(sql(taskRow)`
    insert into task (venue_id, ${taskRecord.names}, created_at, updated_at)
    values (${venue}, ${taskRecord.values(task)}, ${now}, ${now})
    returning ${columnsOf(taskRow)}`),
  )

/** Writes a task that is held by the caller. */
export const writeTask = (
  db: Queries,
  venue: VenueId,
  to: TaskRow,
  now: Temporal.Instant,
): Promise<TaskRow> =>
  noted(
    db,
    venue,
    'task',
    now,
    db.one(sql(taskRow)`
    update task set ${taskRecord.set(to)}, version = version + 1, ${movedWhen(taskRecord.differs(to), now)}
     where venue_id = ${venue} and id = ${to.id}
    returning ${columnsOf(taskRow)}`),
  )

/** Undefined when it is so already. */
export const writeDone = (
  db: Queries,
  venue: VenueId,
  task: number,
  done: boolean,
  now: Temporal.Instant,
): Promise<TaskRow | undefined> =>
  noted(
    db,
    venue,
    'task',
    now,
    db.maybe(sql(taskRow)`
    update task set
      done = ${done}, done_at = ${done ? now : null}, version = version + 1, revision = revision + 1, updated_at = ${now}
     where venue_id = ${venue} and id = ${task} and done = ${!done}
    returning ${columnsOf(taskRow)}`),
  )

export const removeTask = async (
  db: Queries,
  venue: VenueId,
  id: number,
  now: Temporal.Instant,
): Promise<void> => {
  const gone = await db.maybe(sql({ revision: 'int4' })`
    delete from task where venue_id = ${venue} and id = ${id} returning revision`)
  if (gone) noteGone(db, venue, { kind: 'task', id, revision: gone.revision }, now)
}
