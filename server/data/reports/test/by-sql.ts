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
           coalesce(case when (r.import_key is null and r.source <> 'import') or r.booking_type in (
             select sp.name from service_period sp where sp.venue_id = p.venue) then r.booking_type end, 'other') as service,
           case r.status when 'Requested' then false
             when 'Cancelled' then r.cancelled_from is distinct from 'Requested' else true end as promised,
           r.status in ('Requested', 'Confirmed') and r.service_date < p.today as left_open,
           not (r.source = 'walkin' or r.source = 'waitlist' and exists (
             select 1 from waitlist_entry e where e.venue_id = r.venue_id and e.reservation_id = r.id
                and e.booked_as = 'seated' and e.for_later = false)) as ahead,
           r.import_key is not null or r.source is not distinct from 'import' as imported,
           greatest(0, r.service_date - date(timezone(p.zone, r.created_at))) as lead,
           case when r.party_size is null then 'unknown' when r.party_size <= 6 then r.party_size::text
             when r.party_size <= 8 then '7-8' when r.party_size <= 12 then '9-12' else '13+' end as size
      from reservation r join parameter p on p.venue = r.venue_id
     where r.service_date >= p.first and r.service_date <= p.last and r.service_minute is not null),
  classed as (
    select b.*, case when lead <= 1 then lead::text when lead <= 3 then '2-3' when lead <= 7 then '4-7'
             when lead <= 14 then '8-14' when lead <= 30 then '15-30' else '31+' end as days
      from booking b)`

const stays = `, turn as (
      select t.up_to, t.minutes from booking_settings s, parameter p,
             lateral (select (e ->> 'upTo')::int, (e ->> 'minutes')::int from jsonb_array_elements(s.turn_times) e) as t (up_to, minutes)
       where s.venue_id = p.venue),
    stay as (
      select b.*, extract(epoch from completed_at - seated_at) / 60 as minutes,
             2 * coalesce(duration_minutes, greatest(90, (select max(turn.minutes) from turn))) as most,
             (select count(*) from booking o
               where o.service_date = b.service_date and o.status = 'Completed' and o.seated_at is not null
                 and o.party_size is not null
                 and abs(extract(epoch from o.completed_at - b.completed_at)) <= 30) as together,
             case when party_size > 6 then '7+' when party_size > 4 then '5-6' when party_size > 2 then '3-4' else '1-2' end as sizes,
             case when service_minute >= 960 then 'evening' else 'day' end as part
        from booking b
       where status = 'Completed' and seated_at is not null and completed_at is not null and party_size is not null),
    kept as (select * from stay where minutes >= 10 and minutes <= most and together < 4)`

const sold = `, sold as (
      select o.date, t.*, t.status <> 'paid_unconfirmed' as counted
        from ticket_order t join occurrence o on o.venue_id = t.venue_id and o.id = t.occurrence_id
        join parameter p on p.venue = t.venue_id
       where o.date >= p.first and o.date <= p.last and t.status <> 'cancelled'
         and t.id not in (select y.order_id from payment y join processor_account a on a.id = y.account_id
                           where y.venue_id = p.venue and y.order_id is not null and a.live = false))`

const programs: Readonly<Record<string, string>> = {
  parties: `
    select jsonb_build_object('date', service_date, 'service', service) as key,
           count(*) as n, null::bigint as d, count(*)::float8 as value
      from booking where served group by 1`,
  covers: `
    select jsonb_build_object('date', service_date, 'service', service) as key,
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
      from classed where ahead and promised and not imported group by 1`,
  days_ahead: `
    select '{}'::jsonb as key, null as n, count(*) as d, (percentile_disc(0.5) within group (order by lead))::float8 as value
      from classed where ahead and promised and not imported having count(*) > 0`,
  sizes: `
    select jsonb_build_object('size', size) as key, count(*) as n, null as d, count(*)::float8 as value
      from booking where served group by 1`,
  sources: `
    select jsonb_build_object('source', source, 'measure', m.measure) as key, count(*) as n, null as d, count(*)::float8 as value
      from booking, lateral (values ('promised', promised), ('served', served)) as m (measure, is_so)
     where m.is_so group by 1`,
  refused: `
    , asked as (
      select q.*, p.first, p.last, q.reason like 'pacing-%' or q.reason = 'tables-full' as is_full,
             q.reason = 'nothing-open' as is_day
        from refused_request q join parameter p on p.venue = q.venue_id and q.service_date >= p.first and q.service_date <= p.last),
    parts as (
      select jsonb_build_object('date', service_date) as part, * from asked
      union all select jsonb_build_object('size', size), * from asked),
    sums as (
      select jsonb_build_object('reason', reason, 'door', door) as key, sum(n) as n, null::bigint as d from asked group by 1
      union all select part || '{"measure": "full"}', sum(n), null from parts where is_full group by 1
      union all select part || '{"measure": "nothing_open"}', sum(n), null from parts where is_day group by 1
      union all
      select jsonb_build_object('weekday', extract(isodow from service_date)::int, 'minute', service_minute, 'measure', 'full'), sum(n), null
        from asked where is_full group by 1
      union all
      select jsonb_build_object('weekday', extract(isodow from service_date)::int, 'minute', service_minute, 'measure', 'dates'),
             count(distinct service_date),
             (select count(*) from parameter p, generate_series(p.first::timestamp, p.last::timestamp, interval '1 day') as dated (date)
               where extract(isodow from date) = extract(isodow from min(service_date)))
        from asked where is_full group by 1)
    select key, n, d, coalesce(n / nullif(d, 0)::float8, n::float8) as value from sums`,
  refused_by_weekday: `
    select jsonb_build_object('weekday', extract(isodow from q.service_date)::int, 'reason', q.reason) as key, sum(q.n) as n,
           null as d, sum(q.n)::float8 as value
      from refused_request q join parameter p on p.venue = q.venue_id and q.service_date between p.first and p.last
     group by 1`,
  funnel: `
    , pages as (
      select v.door, v.step, v.dimension, v.value, v.n from visit_day v join parameter p on p.venue = v.venue_id
       where v.day >= p.first and v.day <= p.last and v.n <> 0),
    most as (
      select m.* from (select distinct door, dimension from pages) w,
             lateral (select door, dimension, value from pages
                       where pages.door = w.door and pages.dimension = w.dimension and value <> 'other'
                       group by 1, 2, 3 order by sum(n) desc, value limit 50) m),
    named as (
      select door, step, dimension, case when exists (
               select 1 from most m where m.door = pages.door and m.dimension = pages.dimension and m.value = pages.value)
             then value else 'other' end as value, n
        from pages)
    select jsonb_build_object('door', door, 'step', step)
             || case dimension when 'all' then '{}'::jsonb else jsonb_build_object(dimension, value) end as key,
           sum(n) as n, null as d, sum(n)::float8 as value
      from named group by 1`,
  no_shows: `
    , missed as (select *, status = 'No-show' as is_missed from classed where ahead and (served or status = 'No-show')),
    parts as (
      select '{}'::jsonb as part, * from missed
      union all select jsonb_build_object('source', source), * from missed
      union all select jsonb_build_object('size', size), * from missed
      union all select jsonb_build_object('weekday', extract(isodow from service_date)::int), * from missed
      union all select jsonb_build_object('days', days), * from missed where not imported),
    sums as (
      select part || '{"measure": "parties"}' as key, count(*) filter (where is_missed) as n, count(*) as d from parts group by 1
      union all
      select part || '{"measure": "covers"}', coalesce(sum(party_size) filter (where is_missed), 0), coalesce(sum(party_size), 0)
        from parts group by 1)
    select key, n, d, n / nullif(d, 0)::float8 as value from sums`,
  no_shows_by_source_and_size: `
    select jsonb_build_object('source', source, 'size', size) as key, count(*) filter (where status = 'No-show') as n,
           count(*) as d, count(*) filter (where status = 'No-show') / count(*)::float8 as value
      from booking where ahead and (served or status = 'No-show') group by 1`,
  cancelled: `
    , sums as (
      select m.measure || c.of as measure, coalesce(sum(c.n) filter (where m.is_so), 0)::bigint as n, coalesce(sum(c.n), 0)::bigint as d
        from booking, lateral (values ('', 1), ('_covers', coalesce(party_size, 0))) as c (of, n), lateral (values
               ('guest', status = 'Cancelled' and cancelled_by = 'guest'),
               ('staff', status = 'Cancelled' and cancelled_by = 'staff'),
               ('unknown', status = 'Cancelled' and cancelled_by is null),
               ('late', status = 'Cancelled' and cancelled_by = 'guest' and starts_at < cancelled_at + interval '24 hours'
                 and not (imported and cancelled_at > starts_at))
             ) as m (measure, is_so)
       where ahead and promised and not left_open group by 1)
    select jsonb_build_object('measure', measure) as key, n, d, n / nullif(d, 0)::float8 as value from sums`,
  answered: `
    , asked as (
      select *, floor(extract(epoch from answered_at - created_at) / 60) as minutes
        from booking
       where ahead and not imported
         and (status = 'Requested' or answered_at is not null or status = 'Cancelled' and cancelled_from = 'Requested'))
    select '{"measure": "minutes"}'::jsonb as key, null as n, count(*) as d,
           (percentile_disc(0.5) within group (order by minutes))::float8 as value
      from asked where answered_at is not null and status <> 'Requested' having count(*) > 0
    union all
    select '{"measure": "declined"}', count(*) filter (where status = 'Cancelled' and cancelled_from = 'Requested' and cancelled_by = 'staff'),
           count(*), count(*) filter (where status = 'Cancelled' and cancelled_from = 'Requested' and cancelled_by = 'staff') / nullif(count(*), 0)::float8
      from asked where answered_at is not null and status <> 'Requested'
    union all
    select '{"measure": "unanswered"}', count(*), null, count(*)::float8
      from asked where status = 'Requested' having count(*) > 0`,
  open_ends: `
    select jsonb_build_object('date', service_date, 'status', status) as key, count(*) as n, null as d, count(*)::float8 as value
      from booking where left_open group by 1`,
  stays: `
    ${stays}
    select jsonb_build_object('sizes', sizes, 'part', part, 'measure', 'stay') as key, null as n, count(*) as d,
           (percentile_disc(0.5) within group (order by floor(minutes)))::float8 as value
      from kept group by sizes, part
    union all
    select jsonb_build_object('sizes', sizes, 'part', part, 'measure', 'turn'), null, null,
           coalesce((select turn.minutes from turn where up_to >= k.at order by up_to limit 1),
                    (select turn.minutes from turn order by up_to desc limit 1), 90)::float8
      from (select distinct sizes, part, case sizes when '1-2' then 2 when '3-4' then 4 when '5-6' then 6 else 7 end as at from kept) k`,
  stays_by_size: `
    ${stays}
    select jsonb_build_object('size', size, 'measure', 'stay') as key, null as n, count(*) as d,
           (percentile_disc(0.5) within group (order by floor(minutes)))::float8 as value
      from kept group by size
    union all
    select jsonb_build_object('size', size, 'measure', 'turn'), null, null,
           coalesce((select turn.minutes from turn where up_to >= k.at order by up_to limit 1),
                    (select turn.minutes from turn order by up_to desc limit 1), 90)::float8
      from (select distinct size, substring(size from '^[0-9]+')::int as at from kept) k`,
  stay_quarters: `
    ${stays},
    turned as (
      select size, coalesce((select turn.minutes from turn where up_to >= size order by up_to limit 1),
                            (select turn.minutes from turn order by up_to desc limit 1), 90) as turn,
             case when size > 6 then 7 when size > 4 then 5 when size > 2 then 3 else 1 end as class
        from generate_series(1, 100) as size),
    alike as (
      select t.size, t.turn, (select min(o.size) from turned o where o.size >= t.class and o.size <= t.size and not exists (
               select from turned b where b.size between o.size and t.size and b.turn <> t.turn)) as first,
             (select max(o.size) from turned o where o.size >= t.size and o.class = t.class and not exists (
               select from turned b where b.size between t.size and o.size and b.turn <> t.turn)) as last
        from turned t),
    held as (
      select kept.minutes, alike.turn,
             case last when 100 then first || '+' when first then first::text else first || '-' || last end as kind
        from kept join alike on alike.size = kept.party_size),
    quarters as (select 'lower' as measure, 0.25::float8 as share union all select 'upper', 0.75)
    select jsonb_build_object('sizes', sizes, 'part', part, 'measure', measure) as key, null::bigint as n, count(*) as d,
           (percentile_disc(share) within group (order by floor(minutes)))::float8 as value
      from kept cross join quarters group by sizes, part, measure, share
    union all
    select jsonb_build_object('size', size, 'measure', measure), null, count(*),
           (percentile_disc(share) within group (order by floor(minutes)))::float8
      from kept cross join quarters group by size, measure, share
    union all
    select jsonb_build_object('sizes', kind, 'measure', measure), null, count(*),
           (percentile_disc(share) within group (order by floor(minutes)))::float8
      from held cross join quarters group by kind, measure, share
    union all
    select jsonb_build_object('sizes', kind, 'measure', 'turn'), null, null, min(turn)::float8 from held group by kind
    union all
    select jsonb_build_object('sizes', kind, 'measure', 'longer'), count(*) filter (where floor(minutes) > turn), count(*),
           (count(*) filter (where floor(minutes) > turn))::float8 / count(*)
      from held group by kind`,
  waits: `
    , line as (
      select e.*, floor(extract(epoch from seated_at - quoted_at) / 60) as waited,
             status = 'booked' and seated_at is not null and quoted_at is not null and quoted_minutes is not null as seated
        from waitlist_entry e join parameter p on p.venue = e.venue_id
       where e.service_date >= p.first and e.service_date <= p.last and e.for_later = false)
    select '{"measure": "left"}'::jsonb as key, count(*) filter (where status in ('cancelled', 'expired')) as n, count(*) as d,
           count(*) filter (where status in ('cancelled', 'expired')) / nullif(count(*), 0)::float8 as value from line
    union all
    select '{"measure": "within_5"}', count(*) filter (where waited between quoted_minutes - 5 and quoted_minutes + 5), count(*),
           count(*) filter (where waited between quoted_minutes - 5 and quoted_minutes + 5) / nullif(count(*), 0)::float8
      from line where seated
    union all
    select '{"measure": "quoted"}', null, count(*), (percentile_disc(0.5) within group (order by quoted_minutes))::float8
      from line where seated having count(*) > 0
    union all
    select '{"measure": "waited"}', null, count(*), (percentile_disc(0.5) within group (order by waited))::float8
      from line where seated having count(*) > 0`,
  guests: `
    , visits as (
      select v.venue_id, v.id, v.guest_id, row_number() over (partition by v.guest_id order by v.service_date, v.service_minute, v.id) as nth
        from reservation v join parameter p on p.venue = v.venue_id
       where v.status in ('Seated', 'Completed') and v.guest_id is not null and v.service_minute is not null)
    select jsonb_build_object('kind', case when b.guest_id is null or b.erased_at is not null then 'unknown'
             when v.nth = 1 and g.imported_visit_count = 0 then 'new' else 'returning' end) as key,
           count(*) as n, null as d, count(*)::float8 as value
      from booking b left join visits v on v.id = b.id left join guest g on g.venue_id = b.venue_id and g.id = b.guest_id
     where b.served group by 1`,
  guests_by_first_source: `
    , visits as (
      select v.id, first_value(v.source) over guests as source, row_number() over guests as nth
        from reservation v join parameter p on p.venue = v.venue_id
       where v.status in ('Seated', 'Completed') and v.guest_id is not null and v.service_minute is not null
      window guests as (partition by v.guest_id order by v.service_date, v.service_minute, v.id))
    select jsonb_build_object(
             'source', case when g.imported_visit_count > 0 then 'import' else v.source end,
             'kind', case when v.nth = 1 and g.imported_visit_count = 0 then 'new' else 'returning' end) as key,
           count(*) as n, null as d, count(*)::float8 as value
      from booking b join visits v on v.id = b.id join guest g on g.venue_id = b.venue_id and g.id = b.guest_id
     where b.served and b.erased_at is null group by 1`,
  came_back: `
    , first_days as (
      select p.venue, p.first, p.last, p.today, least(p.last, p.today - 100) as newest, least(p.last, p.today - 100) - (p.last - p.first) as oldest
        from parameter p),
    visits as (
      select v.guest_id, v.source, v.service_date, v.erased_at, d.*,
             row_number() over (partition by v.guest_id order by v.service_date, v.service_minute, v.id) as nth
        from reservation v join first_days d on d.venue = v.venue_id join guest g on g.venue_id = v.venue_id and g.id = v.guest_id
       where v.status in ('Seated', 'Completed') and v.service_minute is not null and g.imported_visit_count = 0),
    came as (
      select f.*, exists (select 1 from visits l where l.guest_id = f.guest_id and l.erased_at is null
                             and l.service_date > f.service_date and l.service_date <= f.service_date + 90) as is_back
        from visits f where f.nth = 1 and f.erased_at is null)
    select jsonb_build_object('source', source, 'measure', 'back') as key, count(*) filter (where is_back) as n, count(*) as d,
           count(*) filter (where is_back) / count(*)::float8 as value
      from came where service_date between oldest and newest group by 1
    union all
    select '{"measure": "too_soon"}', count(*), null, count(*)::float8
      from came where service_date > newest and service_date between first and last having count(*) > 0`,
  tables: `
    , seated as (
      select b.id, b.service_date, b.party_size, t.id as table_id, t.most
        from booking b join reservation_table rt on rt.venue_id = b.venue_id and rt.reservation_id = b.id
        join dining_table t on t.venue_id = rt.venue_id and t.id = rt.table_id
       where b.served and (select table_mode from booking_settings s where s.venue_id = b.venue_id) = 'on'),
    sums as (
      select 'seats' as measure, sum(party_size) as n, sum(seats) as d
        from (select id, party_size, sum(most) as seats from seated where party_size is not null group by 1, 2) parties
      union all
      select 'turns', count(*), count(distinct (service_date, table_id)) from seated)
    select jsonb_build_object('measure', measure) as key, n, d, n / nullif(d, 0)::float8 as value from sums where d > 0
    union all
    select '{"measure": "parties"}', count(distinct id), null, count(distinct id)::float8 from seated having count(*) > 0`,
  tables_known: `
    select jsonb_build_object('date', service_date) as key, count(*) as n, null as d, count(*)::float8 as value
      from booking b
     where served and (select table_mode from booking_settings s where s.venue_id = b.venue_id) = 'on'
       and exists (select 1 from reservation_table rt where rt.venue_id = b.venue_id and rt.reservation_id = b.id)
     group by 1`,
  guests_by_table: `
    , seated as (
      select t.label, b.party_size
        from booking b join reservation_table rt on rt.venue_id = b.venue_id and rt.reservation_id = b.id
        join dining_table t on t.venue_id = rt.venue_id and t.id = rt.table_id
       where b.served and (select table_mode from booking_settings s where s.venue_id = b.venue_id) = 'on')
    select jsonb_build_object('table', label, 'measure', 'covers') as key, coalesce(sum(party_size), 0) as n, null as d,
           coalesce(sum(party_size), 0)::float8 as value
      from seated group by label
    union all
    select jsonb_build_object('table', label, 'measure', 'parties'), count(*), null, count(*)::float8 from seated group by label`,
  ticket_money: `
    ${sold},
    sums as (
      select jsonb_build_object('date', date, 'measure', m.measure) as key, sum(case when m.of_paid = counted then m.n else 0 end) as n
        from sold, lateral (values
               ('gross', true, total_cents), ('discounts', true, discount_cents), ('fees', true, fee_cents), ('taxes', true, tax_cents),
               ('refunded', true, refunded_cents), ('net', true, total_cents - refunded_cents), ('seats', true, seats - seats_returned),
               ('unconfirmed', false, total_cents)) as m (measure, of_paid, n)
       group by 1
      union all
      select jsonb_build_object('code', promo_code, 'measure', 'orders'), count(*) from sold
       where counted and promo_code is not null group by 1)
    select key, n, null as d, n::float8 as value from sums`,
  code_discounts: `
    ${sold}
    select jsonb_build_object('code', promo_code) as key, sum(discount_cents) as n, null as d, sum(discount_cents)::float8 as value
      from sold where counted and promo_code is not null group by 1`,
  guarantee_money: `
    , secured as (
      select b.service_date as date, b.status as of_booking, g.* from booking b join guarantee g on g.venue_id = b.venue_id and g.reservation_id = b.id
       where (select a.live from processor_account a where a.venue_id = g.venue_id and a.id = g.account_id) and g.paid_cents <> 0)
    select jsonb_build_object('date', date, 'measure', m.measure) as key, sum(m.n) as n, null as d, sum(m.n)::float8 as value
      from secured, lateral (values
             ('taken', case when kind in ('deposit', 'prepaid') then paid_cents else 0 end), ('charged', case kind when 'card' then paid_cents else 0 end),
             ('refunded', refunded_cents),
             ('kept', case when of_booking in ('No-show', 'Cancelled') then paid_cents - refunded_cents else 0 end),
             ('off_the_bill', case when taken_off_at is null then 0 else paid_cents - refunded_cents end)) as m (measure, n)
     group by 1`,
  list: `
    , people as (
      select s.*, p.zone, p.first, p.last from subscriber s join parameter p on p.venue = s.venue_id
       where s.status = 'subscribed' or s.confirmed_at is not null
          or s.status = 'unsubscribed' and s.source not in ('signup_form', 'booking', 'ticket_order')),
    moments as (
      select date(timezone(zone, coalesce(confirmed_at, consent_at))) as date, 'joined' as measure, source, first, last from people
      union all select date(timezone(zone, unsubscribed_at)), 'left', source, first, last from people
      union all select date(timezone(p.zone, b.at)), 'bounced', null, p.first, p.last
        from mail_bounce b join parameter p on p.venue = b.venue_id where b.kind in ('hard', 'soft')),
    within as (select * from moments where date between first and last),
    sums as (
      select jsonb_build_object('date', date, 'measure', measure) as key, count(*) as n from within group by 1
      union all
      select jsonb_build_object('source', source, 'measure', measure), count(*) from within where source is not null group by 1)
    select key, n, null as d, n::float8 as value from sums`,
  campaigns: `
    , gone_out as (
      select c.* from campaign c join parameter p on p.venue = c.venue_id
       where date(timezone(p.zone, c.started_at)) between p.first and p.last),
    sums as (
      select jsonb_build_object('campaign', c.id, 'measure', m.measure) as key, m.n
        from gone_out c, lateral (values
               ('sent', c.sent_count::bigint), ('failed', c.failed_count::bigint),
               ('left', (select count(r.left_at) from recipient r where r.venue_id = c.venue_id and r.campaign_id = c.id)),
               ('complaints', (select count(distinct coalesce(b.subscriber_id, -b.id)) from mail_bounce b
                                where b.venue_id = c.venue_id and b.campaign_id = c.id and b.kind = 'complaint'))) as m (measure, n)),
    sides as (
      select c.id, r.state, count(*)::float8 as people,
             count(*) filter (where r.email_key in (
               select b.email_key from reservation b
                where b.venue_id = c.venue_id and b.created_at >= c.started_at and b.created_at <= c.started_at + interval '168 hours')) as booked
        from gone_out c join recipient r on r.venue_id = c.venue_id and r.campaign_id = c.id
       where c.held_count > 0 and r.state in ('sent', 'held') group by 1, 2),
    told as (select id from sides group by id having count(*) = 2 and min(people) >= 100),
    shares as (select s.*, s.booked / s.people as share, 1.959963984540054::float8 as z from sides s join told using (id)),
    wilson as (
      select s.*, (share + z * z / (2 * people)) / (1 + z * z / people) as middle,
             z / (1 + z * z / people) * sqrt(share * (1 - share) / people + z * z / (4 * people * people)) as half
        from shares s),
    pairs as (
      select a.id, a.share - b.share as apart,
             sqrt((a.share - a.middle + a.half) ^ 2 + (b.middle + b.half - b.share) ^ 2) as under,
             sqrt((a.middle + a.half - a.share) ^ 2 + (b.share - b.middle + b.half) ^ 2) as above
        from wilson a join wilson b on b.id = a.id and a.state = 'sent' and b.state = 'held')
    select key, n, null as d, n::float8 as value from sums
    union all
    select jsonb_build_object('campaign', id, 'measure', state || '_booked'), booked, people::bigint, share from shares
    union all
    select jsonb_build_object('campaign', id, 'measure', m.measure), null, null, m.value
      from pairs, lateral (values ('difference', apart), ('difference_low', apart - under), ('difference_high', apart + above)) as m (measure, value)
    union all
    select jsonb_build_object('campaign', id, 'measure', 'difference'), null, null, null
      from gone_out where held_count > 0 and id not in (select id from told)`,
  leads: `
    , asked as (
      select l.stage from lead l join parameter p on p.venue = l.venue_id
       where date(timezone(p.zone, l.submitted_at)) between p.first and p.last)
    select jsonb_build_object('stage', stage) as key, count(*) as n, null as d, count(*)::float8 as value from asked group by 1
    union all
    select '{"measure": "won"}', count(*) filter (where stage in ('Booked', 'Completed')), count(*),
           count(*) filter (where stage in ('Booked', 'Completed')) / nullif(count(*), 0)::float8 from asked`,
  calls: `
    , used as (
      select y.* from key_usage_day y join parameter p on y.day >= p.first and y.day <= p.last
       where (select k.venue_id from api_key k where k.id = y.key_id) = p.venue),
    sums as (
      select jsonb_build_object('key', key_id, 'measure', class) as key, sum(count) as n from used
       where class in ('2xx', '3xx', '4xx', '429', '5xx', 'delivered', 'failed') group by 1
      union all
      select jsonb_build_object('key', key_id, 'measure', 'calls'), sum(count) from used
       where class in ('2xx', '3xx', '4xx', '429', '5xx') group by 1)
    select key, n, null as d, n::float8 as value from sums`,
}

/** In one order, with the words of a key in one order too; two programs may round the last digits of a share apart. */
export const sorted = (rows: readonly Omit<SqlRow, 'name'>[]): Omit<SqlRow, 'name'>[] =>
  rows
    .map(({ key, n, d, value }) => ({
      key: Object.fromEntries(Object.entries(key).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      ...{ n, d, value: value === null ? null : Math.round(value * 1e6) / 1e6 },
    }))
    .toSorted((a, b) => (JSON.stringify(a.key) < JSON.stringify(b.key) ? -1 : 1))

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
