import type { Priority } from '@venue-data/contract/lead.ts'
import type { TaskCategory } from '@venue-data/contract/task.ts'
import type { Queries } from '../db/pool.ts'
import { type RowOf, columnsOf, sql } from '../db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

export const taskRow = {
  id: 'int8',
  title: 'text',
  due: 'date?',
  priority: 'text',
  category: 'text',
  client: 'text?',
  done: 'bool',
} as const
export type TaskRow = RowOf<typeof taskRow>

export type NewTaskRow = {
  readonly title: string
  readonly due: string | null
  readonly priority: Priority
  readonly category: TaskCategory
  readonly client: string | null
}

export const insertTask = (
  db: Queries,
  venue: VenueId,
  { title, due, priority, category, client }: NewTaskRow,
  now: Temporal.Instant,
): Promise<TaskRow> =>
  db.one(sql(taskRow)`
    insert into task (venue_id, title, due, priority, category, client, created_at, updated_at)
    values (${venue}, ${title}, ${due}, ${priority}, ${category}, ${client}, ${now}, ${now})
    returning ${columnsOf(taskRow)}`)
