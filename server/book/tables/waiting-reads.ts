import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'

/**
 * The service dates around now that have a party which is booked, has no table and is to get one, of the venues whose id
 * falls on one of these seconds of a minute.
 */
export const datesWaitedFor = async (
  db: Queries,
  seconds: readonly number[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<number, readonly LocalDate[]>> => {
  const rows = await db.many(sql({ venue_id: 'int8', dates: 'text[]' })`
    select r.venue_id, array_agg(distinct r.service_date::text order by r.service_date::text) as dates
      from booking_settings s
      join reservation r on r.venue_id = s.venue_id
      left join reservation_house h on h.venue_id = r.venue_id and h.id = r.id
     where s.table_mode = 'on' and s.venue_id % 60 = any(${[...seconds]}::integer[])
       and r.service_date between ((${now}::timestamptz at time zone 'UTC')::date - 2)
                              and ((${now}::timestamptz at time zone 'UTC')::date + 2)
       and r.status = 'Confirmed' and r.starts_at is not null and r.party_size is not null
       and r.starts_at < ${now}::timestamptz + interval '48 hours'
       and r.starts_at + make_interval(mins => coalesce(r.duration_minutes, 1440)) > ${now}
       and not coalesce(h.no_table, false)
       and not exists (
         select from reservation_table t where t.venue_id = r.venue_id and t.reservation_id = r.id)
     group by r.venue_id`)
  return new Map(rows.map(({ venue_id, dates }) => [venue_id, dates]))
}
