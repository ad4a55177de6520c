import { rowsOf } from '../../../test/rows.ts'
import type { TestService } from '../../../test/service.ts'

/*
 * The same figures by a program of its own, in SQL, from the definitions that the API gives: it shares nothing with the
 * functions that it checks. One statement for each figure over the tables as they are.
 */

/** Sums arrive as text. */
type Counted = Omit<SqlRow, 'name' | 'n' | 'd'> & { readonly n: string | null; readonly d: string | null }

export type SqlRow = {
  readonly name: string
  readonly key: Record<string, string | number>
  readonly n: number | null
  readonly d: number | null
  readonly value: number | null
}

export type Period = {
  readonly venue: number
  readonly zone: string
  readonly from: string
  readonly to: string
  readonly today: string
}

const bookings = `
  with parameter as (
    select $1::bigint as venue, $2::text as zone, $3::date as first, $4::date as last, $5::date as today),
  booking as (
    select r.*, p.zone, p.today,
           r.status in ('Seated', 'Completed') as served,
           case r.status when 'Requested' then false
             when 'Cancelled' then r.cancelled_from is distinct from 'Requested' else true end as promised,
           r.status in ('Requested', 'Confirmed') and r.service_date < p.today as left_open,
           not (r.source = 'walkin' or r.source = 'waitlist' and exists (
             select 1 from waitlist_entry e where e.venue_id = r.venue_id and e.reservation_id = r.id
                and e.booked_as = 'seated' and e.for_later = false)) as ahead,
           greatest(0, r.service_date - date(timezone(p.zone, r.created_at))) as lead,
           case when r.party_size is null then 'unknown' when r.party_size <= 6 then r.party_size::text
             when r.party_size <= 8 then '7-8' when r.party_size <= 12 then '9-12' else '13+' end as size
      from reservation r join parameter p on p.venue = r.venue_id
     where r.service_date >= p.first and r.service_date <= p.last and r.service_minute is not null),
  classed as (
    select b.*, case when lead <= 1 then lead::text when lead <= 3 then '2-3' when lead <= 7 then '4-7'
             when lead <= 14 then '8-14' when lead <= 30 then '15-30' else '31+' end as days
      from booking b)`

const programs: Readonly<Record<string, string>> = {
  parties: `
    select jsonb_build_object('date', service_date, 'service', coalesce(booking_type, 'other')) as key,
           count(*) as n, null::bigint as d, count(*)::float8 as value
      from booking where served group by 1`,
  covers: `
    select jsonb_build_object('date', service_date, 'service', coalesce(booking_type, 'other')) as key,
           coalesce(sum(party_size), 0) as n, null as d, coalesce(sum(party_size), 0)::float8 as value
      from booking where served group by 1`,
  booked: `
    select jsonb_build_object('date', service_date, 'measure', m.measure) as key, sum(m.n) as n, null as d, sum(m.n)::float8 as value
      from booking, lateral (values ('parties', 1), ('covers', coalesce(party_size, 0)),
             ('requested', case status when 'Requested' then 1 end)) as m (measure, n)
     where service_date >= today and status in ('Requested', 'Confirmed', 'Seated', 'Completed') and m.n is not null
     group by 1`,
  arrivals: `
    , days as (
      select extract(isodow from service_date)::int as weekday, count(distinct service_date) as d
        from booking where served group by 1),
    guests as (
      select extract(isodow from service_date)::int as weekday, service_minute / 15 as quarter, 'booked' as measure,
             coalesce(party_size, 0) as guests
        from booking where promised
      union all
      select extract(isodow from service_date)::int,
             (date(timezone(zone, seated_at)) - service_date) * 96
               + extract(hour from timezone(zone, seated_at))::int * 4 + extract(minute from timezone(zone, seated_at))::int / 15,
             'seated', coalesce(party_size, 0)
        from booking where served and seated_at is not null)
    select jsonb_build_object('weekday', weekday, 'quarter', quarter, 'measure', measure) as key, sum(guests) as n,
           coalesce(max(d), 0) as d, sum(guests) / nullif(max(d), 0)::float8 as value
      from guests left join days using (weekday)
     where quarter between 0 and 191
     group by 1`,
  lead_days: `
    select jsonb_build_object('days', days) as key, count(*) as n, null as d, count(*)::float8 as value
      from classed where ahead and promised and import_key is null group by 1`,
  sizes: `
    select jsonb_build_object('size', size) as key, count(*) as n, null as d, count(*)::float8 as value
      from booking where served group by 1`,
  sources: `
    select jsonb_build_object('source', source, 'measure', m.measure) as key, count(*) as n, null as d, count(*)::float8 as value
      from booking, lateral (values ('promised', promised), ('served', served)) as m (measure, is_so)
     where m.is_so group by 1`,
  no_shows: `
    , missed as (select *, status = 'No-show' as is_missed from classed where ahead and (served or status = 'No-show')),
    parts as (
      select '{}'::jsonb as part, * from missed
      union all select jsonb_build_object('source', source), * from missed
      union all select jsonb_build_object('size', size), * from missed
      union all select jsonb_build_object('weekday', extract(isodow from service_date)::int), * from missed
      union all select jsonb_build_object('days', days), * from missed where import_key is null),
    sums as (
      select part || '{"measure": "parties"}' as key, count(*) filter (where is_missed) as n, count(*) as d from parts group by 1
      union all
      select part || '{"measure": "covers"}', coalesce(sum(party_size) filter (where is_missed), 0), coalesce(sum(party_size), 0)
        from parts group by 1)
    select key, n, d, n / nullif(d, 0)::float8 as value from sums`,
  cancelled: `
    , sums as (
      select m.measure, count(*) filter (where m.is_so) as n, count(*) as d
        from booking, lateral (values
               ('guest', status = 'Cancelled' and cancelled_by = 'guest'),
               ('staff', status = 'Cancelled' and cancelled_by = 'staff'),
               ('unknown', status = 'Cancelled' and cancelled_by is null),
               ('late', status = 'Cancelled' and cancelled_by = 'guest' and starts_at < cancelled_at + interval '24 hours')
             ) as m (measure, is_so)
       where ahead and promised and not left_open group by 1)
    select jsonb_build_object('measure', measure) as key, n, d, n / nullif(d, 0)::float8 as value from sums`,
  open_ends: `
    select jsonb_build_object('status', status) as key, count(*) as n, null as d, count(*)::float8 as value
      from booking where left_open group by 1`,
}

/** Every figure of a period, by name. */
export const figuresBySql = async (
  service: TestService,
  { venue, zone, from, to, today }: Period,
): Promise<Record<string, SqlRow[]>> => {
  const found: Record<string, SqlRow[]> = {}
  for (const [name, program] of Object.entries(programs)) {
    const rows = await rowsOf<Counted>(service, `${bookings} ${program}`, [venue, zone, from, to, today])
    found[name] = rows.map(({ key, n, d, value }) => ({
      name,
      key,
      n: n === null ? null : Number(n),
      d: d === null ? null : Number(d),
      value,
    }))
  }
  return found
}
