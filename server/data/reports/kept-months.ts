import type { VenueId } from '../../core/venue/venue.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, part, sql } from '../../platform/db/sql.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { type KeptAsked, type Written, holds, keptOf, tallyOf } from './kept-days.ts'
import { lengthOf } from './days-to-count.ts'
import type { Days } from './report-reads.ts'
import { sumOf, textOfTally } from './tally.ts'

/*
 * Sums of whole months, added up from those of their days, as a year of days is long to read. A month's row says of which rows
 * of days it was made, and is worth something only while these are the ones that hold: nothing but a day is ever marked, and
 * what makes a day once more need not know of months. Instead of a month that does not hold, its days are read.
 */

/** The month of a date. */
const monthOf = (date: LocalDate): Days => {
  const firstOf = (other: LocalDate): LocalDate => `${other.slice(0, 8)}01`
  const from = firstOf(date)
  return { from, to: addDays(firstOf(addDays(from, 31)), -1) }
}

/** The months that are whole in some days. */
const monthsIn = ({ from, to }: Days): Days[] => {
  const months: Days[] = []
  for (let month = monthOf(from); month.to <= to; month = monthOf(addDays(month.to, 1)))
    if (month.from >= from) months.push(month)
  return months
}

/** These months as rows of a statement, each by its first and its last day. */
const asRows = (months: readonly Days[]): Fragment =>
  part`unnest(${months.map(({ from }) => from)}::date[], ${months.map(({ to }) => to)}::date[]) as asked (month, last)`

/**
 * Which rows hold of the days of an asked month, as text: each time one is made once more, it is another. Null where a day with
 * bookings has none.
 */
const madeOf = (venue: VenueId, rules: string): Fragment => part`(
       select concat_ws(' ', count(*), sum(d.times), max(d.made_at) at time zone 'UTC')
         from report_day d
        where d.venue_id = ${venue} and d.service_date between asked.month and asked.last and ${holds(rules)}
       having count(*) = asked.last - asked.month + 1 or not exists (
         select from generate_series(asked.month::timestamp, asked.last::timestamp, interval '1 day') as day
          where exists (select from reservation r where r.venue_id = ${venue} and r.service_date = day::date)
            and not exists (
              select from report_day d
               where d.venue_id = ${venue} and d.service_date = day::date and ${holds(rules)})))`

/** The sums that hold of these days: of whole months, and of the other days. */
export const keptSums = (db: Queries, venue: VenueId, asked: KeptAsked): Promise<readonly Written[]> => {
  const { from, to, rules, until } = asked
  const months = monthsIn({ from, to: to < until ? to : until })
  const beside = part`not exists (select from whole where day between whole.month and whole.last)`
  return db.many(sql({ from: 'date', to: 'date', body: 'text' })`
    with whole as materialized (
      select asked.month, asked.last, m.body
        from ${asRows(months)}
       cross join lateral (
         select m.body, m.made_of from report_month m
          where m.venue_id = ${venue} and m.month = asked.month and m.rules = ${rules}
         offset 0) as m
       where m.made_of = ${madeOf(venue, rules)}
         and not exists (
           select from report_mark d
            where d.venue_id = ${venue} and d.service_date between asked.month and asked.last))
    select month as from, last as to, body::text as body from whole
     union all
    select kept.date, kept.date, kept.body from (${keptOf(venue, asked, beside)}) as kept`)
}

/** The newest months until a day whose sums do not hold, and whose days all have sums or no bookings. */
export const monthsToMake = async (
  db: Queries,
  venue: VenueId,
  { until, rules, most }: { readonly until: LocalDate; readonly rules: string; readonly most: number },
): Promise<readonly Days[]> => {
  const days = await db.many(sql({ service_date: 'date' })`
    select service_date from report_day where venue_id = ${venue} and service_date <= ${until}`)
  const months = new Map(days.map(({ service_date }) => [service_date.slice(0, 7), monthOf(service_date)]))
  const over = [...months.values()].filter(({ to }) => to <= until)
  return db.many(sql({ from: 'date', to: 'date' })`
    select asked.month as from, asked.last as to
      from ${asRows(over)}
     where ${madeOf(venue, rules)} is not null
       and not exists (
         select from report_month m
          where m.venue_id = ${venue} and m.month = asked.month and m.rules = ${rules}
            and m.made_of = ${madeOf(venue, rules)})
     order by asked.month desc limit ${most}`)
}

/** Adds up the days of a month and keeps the sums, unless one of its days is marked or was not made. */
export const makeMonth = async (
  db: Queries,
  venue: VenueId,
  { from, to }: Days,
  rules: string,
): Promise<void> => {
  const days = await db.many(sql({ body: 'text', made_of: 'text?' })`
    select kept.body, ${madeOf(venue, rules)} as made_of
      from (${keptOf(venue, { from, to, rules, until: to })}) as kept
     cross join ${asRows([{ from, to }])}`)
  const of = days[0]?.made_of
  if (of == null || days.length < lengthOf({ from, to })) return
  await db.run(sql()`
    insert into report_month (venue_id, month, rules, made_of, body)
    values (${venue}, ${from}, ${rules}, ${of}, ${textOfTally(sumOf(days.map(tallyOf)))})
    on conflict (venue_id, month) do update
      set rules = excluded.rules, made_of = excluded.made_of, body = excluded.body`)
}
