import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, part } from '../../platform/db/sql.ts'
import type { ListAsked } from '../../platform/http/lists/list-asked.ts'
import { type ListSource, judged, walked, withExternalId } from '../../platform/http/lists/list-page.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { taskRow } from './task.ts'

/** What the list of the API is read from. */
export const listedTasks = (
  _db: Queries,
  venue: VenueId,
  { filters }: ListAsked,
): ListSource<typeof taskRow> => {
  const { done, category, priority, dateFrom, dateTo } = filters
  return {
    venue,
    kind: 'task',
    row: taskRow,
    records: part`
    select ${columnsOf(taskRow)}, coalesce(due, 'infinity'::date) as by_date from task where venue_id = ${venue}`,
    dates: 'date',
    where: [
      dateFrom !== undefined && walked('date', part`by_date >= ${dateFrom} and by_date < 'infinity'`),
      dateTo !== undefined && walked('date', part`by_date <= ${dateTo}`),
      done !== undefined && judged(part`done = ${done}`),
      category && judged(part`category = any(${category})`),
      priority && judged(part`priority = any(${priority})`),
      withExternalId(filters),
    ],
  }
}
