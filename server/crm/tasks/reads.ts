import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, fragment, sql } from '../../platform/db/sql.ts'
import { statesIn } from '../../core/events/record-states.ts'
import {
  type ListPage,
  type PageAsked,
  datePlace,
  newestPlace,
  pageOf,
} from '../../platform/kernel/list-page.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type TaskRow, taskRow } from './task.ts'

export const tasksByIds = (db: Queries, venue: VenueId, ids: readonly number[]): Promise<TaskRow[]> =>
  db.many(sql(taskRow)`
    select ${columnsOf(taskRow)} from task where venue_id = ${venue} and id = any(${ids}::bigint[])`)

export const taskStates = statesIn(fragment('task'))

export const taskById = (db: Queries, venue: VenueId, id: number): Promise<TaskRow | undefined> =>
  db.maybe(sql(taskRow)`
    select ${columnsOf(taskRow)} from task where venue_id = ${venue} and id = ${id}`)

/** The same, held until the transaction ends. */
export const taskForUpdate = (db: Queries, venue: VenueId, task: number): Promise<TaskRow | undefined> =>
  db.maybe(sql(taskRow)`
    select ${columnsOf(taskRow)} from task where venue_id = ${venue} and id = ${task} for update`)

/** The oldest that is to be done and whose title begins so: one that the service wrote down. */
export const openTaskOf = async (db: Queries, venue: VenueId, title: string): Promise<number | undefined> =>
  (
    await db.maybe(sql({ id: 'int8' })`
      select id from task
       where venue_id = ${venue} and done = false and starts_with(title, ${title}) order by id limit 1`)
  )?.id

/** What is to be done, the most urgent date first, what has no date last; up to a date where that is asked. */
export const openTasksPage = async (
  db: Queries,
  venue: VenueId,
  { dueBy = null }: { readonly dueBy?: LocalDate | null },
  { limit, after }: PageAsked,
): Promise<ListPage<TaskRow>> => {
  const { date, id } = datePlace(after)
  const rows = await db.many(sql(taskRow)`
    select ${columnsOf(taskRow)} from task
     where venue_id = ${venue} and done = false
       and (coalesce(due, 'infinity'::date), id) > (${date}, ${id})
       and coalesce(due, 'infinity'::date) <= ${dueBy ?? 'infinity'}
     order by coalesce(due, 'infinity'::date), id
     limit ${limit + 1}`)
  return pageOf(rows, limit, (row) => [row.due ?? 'infinity', row.id])
}

/** What was done, latest first. */
export const doneTasksPage = async (
  db: Queries,
  venue: VenueId,
  { limit, after }: PageAsked,
): Promise<ListPage<TaskRow>> => {
  const { at, id } = newestPlace(after)
  const rows = await db.many(sql(taskRow)`
    select ${columnsOf(taskRow)} from task
     where venue_id = ${venue} and done and (done_at, id) < (${at}, ${id})
     order by done_at desc, id desc
     limit ${limit + 1}`)
  return pageOf(rows, limit, (row) => [row.done_at ?? row.created_at, row.id])
}

/** How many are open, and how many of them are overdue on a day. */
export const taskCounts = (
  db: Queries,
  venue: VenueId,
  today: LocalDate,
): Promise<{ open: number; overdue: number }> =>
  db.one(sql({ open: 'int4', overdue: 'int4' })`
    select count(*)::integer as open, count(*) filter (where due < ${today})::integer as overdue
      from task where venue_id = ${venue} and done = false`)
