import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import { type LoadAsked, placed } from './arrivals-reads.ts'
import type { ExperienceTaken } from './facts.ts'

/*
 * How many parties have an experience in an evening: bookings, holds that have not expired, and bookings that wait to be
 * moved there. Counted every time, under the day's lock where somebody writes.
 */

/** Of one; nothing is read where it is for any number of parties. */
export const takenOf = async (
  db: Queries,
  venue: VenueId,
  { experiences }: Pick<BookingRules, 'experiences'>,
  { key, date, ...asked }: LoadAsked & { readonly key: string; readonly date: LocalDate },
): Promise<ExperienceTaken> => {
  const isBounded = experiences.some((one) => one.key === key && one.mostPerEvening !== null)
  const rows = isBounded ? await takenBetween(db, venue, { from: date, to: date, ...asked }) : []
  const row = rows.find((one) => one.key === key)
  return { taken: row?.taken ?? 0, ...(row?.lapsesAt && { lapsesAt: row.lapsesAt }) }
}

type Taken = ExperienceTaken & { readonly key: string; readonly date: LocalDate }

/** Of every experience in these evenings. */
export const takenBetween = async (
  db: Queries,
  venue: VenueId,
  { from, to, now, own }: LoadAsked & { readonly from: LocalDate; readonly to: LocalDate },
): Promise<readonly Taken[]> => {
  const rows = await db.many(sql({
    service_date: 'date',
    experience: 'text',
    taken: 'int4',
    lapses_at: 'timestamptz?',
  })`
    select service_date, experience, count(*)::integer as taken, min(expires_at) as lapses_at from (
      select service_date, experience, null::timestamptz as expires_at from reservation
       where venue_id = ${venue} and service_date between ${from} and ${to} and experience is not null
         and status in ${placed} and id <> ${own?.reservation ?? 0}
      union all
      select service_date, experience, expires_at from booking_hold
       where venue_id = ${venue} and service_date between ${from} and ${to} and experience is not null
         and expires_at > ${now} and id <> ${own?.hold ?? ''}
      union all
      select c.service_date, r.experience, c.expires_at
        from reservation_change c
        join reservation r on r.venue_id = c.venue_id and r.id = c.reservation_id
       where c.venue_id = ${venue} and c.service_date between ${from} and ${to} and r.experience is not null
         and c.service_date is distinct from r.service_date and c.status = 'pending' and c.expires_at > ${now}
         and r.id <> ${own?.reservation ?? 0}) having_it
     group by service_date, experience`)
  return rows.map(({ service_date, experience, taken, lapses_at }) => ({
    ...{ date: service_date, key: experience, taken },
    ...(lapses_at !== null && { lapsesAt: toInstant(lapses_at) }),
  }))
}
