import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/** One month of the list: how many joined and left in it. */
export type MonthOfList = { readonly month: LocalDate; readonly joined: number; readonly left: number }

/** People who signed up themselves join when they confirm; everybody else joins when recorded. */
export const publicSources = ['signup_form', 'booking', 'ticket_order']

/**
 * Joins and departures by month in the venue's time, from the first month requested; earlier ones count under the
 * month before it. People who never confirmed never joined, and so never left; nor did those who, according to an
 * import, left elsewhere.
 */
export const growthByMonth = async (
  db: Queries,
  venue: VenueId,
  zone: string,
  from: LocalDate,
): Promise<{ readonly before: number; readonly months: readonly MonthOfList[] }> => {
  const rows = await db.many(sql({ month: 'date', joined: 'int4', gone: 'int4' })`
    select month, sum(joined)::integer as joined, sum(gone)::integer as gone from (
      select greatest(date_trunc('month', coalesce(confirmed_at, created_at) at time zone ${zone})::date,
                      ${from}::date - 1) as month, 1 as joined, 0 as gone
        from subscriber
       where venue_id = ${venue} and status <> 'pending' and (status = 'subscribed' or consent_at is not null)
         and (status = 'subscribed' or confirmed_at is not null or source <> all(${publicSources}))
      union all
      select greatest(date_trunc('month', unsubscribed_at at time zone ${zone})::date, ${from}::date - 1), 0, 1
        from subscriber
       where venue_id = ${venue} and status = 'unsubscribed' and unsubscribed_at is not null and consent_at is not null
         and (confirmed_at is not null or source <> all(${publicSources}))
    ) changes
    group by month order by month`)
  const before = rows.filter(({ month }) => month < from).reduce((sum, row) => sum + row.joined - row.gone, 0)
  const months = rows.flatMap(({ month, joined, gone }) =>
    month < from ? [] : [{ month, joined, left: gone }],
  )
  return { before, months }
}

/** The subscriber behind an address. */
export const subscriberOfAddress = async (
  db: Queries,
  venue: VenueId,
  emailKey: string,
): Promise<number | undefined> =>
  (
    await db.maybe(sql({ id: 'int8' })`
      select id from subscriber where venue_id = ${venue} and email_key = ${emailKey}`)
  )?.id
