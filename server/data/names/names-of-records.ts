import type { RecordKind } from '../../core/activity/record.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, fragment, joined, part, seldom, sql } from '../../platform/db/sql.ts'

/*
 * What records are called by those who work with them. The activity log keeps ids alone, so that an erased person's name
 * is in none of its rows; a page that shows the log looks the names up as they are now.
 */

const row = { kind: 'text', id: 'int8', name: 'text?' } as const

/** By kind, the table and the name in it; kinds without a line have no name. */
const named = {
  reservation: [fragment('reservation'), fragment('guest_name')],
  waitlist_entry: [fragment('waitlist_entry'), fragment('guest_name')],
  guest: [fragment('guest'), fragment('name')],
  subscriber: [fragment('subscriber'), fragment('coalesce(first_name, email)')],
  lead: [fragment('lead'), fragment('coalesce(contact_name, event_name)')],
  task: [fragment('task'), fragment('title')],
  campaign: [fragment('campaign'), fragment('name')],
  ticketed_event: [fragment('ticketed_event'), fragment('name')],
  promo_code: [fragment('promo_code'), fragment('code')],
  ticket_order: [fragment('ticket_order'), fragment("concat_ws(' ', buyer_first_name, buyer_last_name)")],
} as const satisfies Partial<Record<RecordKind, readonly [table: Fragment, name: Fragment]>>

export type NamedRecord = { readonly kind: string; readonly id: number }

/** Of a page of the activity, the name of each record that has one now; nobody who was erased has one. */
export const namesOfRecords = async (
  db: Queries,
  venue: VenueId,
  records: readonly NamedRecord[],
): Promise<(record: NamedRecord) => string | undefined> => {
  const ids = Map.groupBy(records, ({ kind }) => kind)
  const selects = Object.entries(named).flatMap(([kind, [table, name]]) => {
    const of = [...new Set((ids.get(kind) ?? []).map(({ id }) => id))]
    return of.length === 0
      ? []
      : [
          part`select ${kind}::text as kind, id, ${name} as name from ${table} where venue_id = ${venue} and id = any(${of}::bigint[])`,
        ]
  })
  if (selects.length === 0) return () => undefined
  const found = await db.many(seldom(sql(row)`${joined(selects, ' union all ')}`))
  const names = new Map(found.map(({ kind, id, name }) => [`${kind} ${id}`, name]))
  return ({ kind, id }) => names.get(`${kind} ${id}`)?.trim() || undefined
}
