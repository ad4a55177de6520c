import type { VenueId } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { Counted } from '../../../platform/kernel/running/counts.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { everybody, mostValues, otherValues } from './steps.ts'

/* Rows are added to in their order, so that two processes do not wait for each other in a circle. */

export type RefusedCount = {
  readonly venue: VenueId
  readonly serviceDate: LocalDate
  readonly serviceMinute: number
  readonly size: string
  readonly reason: string
  readonly door: string
}

export const addRefused = async (
  db: Queries,
  venue: VenueId,
  counts: readonly Counted<RefusedCount>[],
): Promise<void> => {
  await db.run(sql()`
    insert into refused_request as r (venue_id, service_date, service_minute, size, reason, door, n)
    select ${venue}, c.service_date, c.service_minute, c.size, c.reason, c.door, c.n
      from unnest(${counts.map(({ serviceDate }) => serviceDate)}::date[],
                  ${counts.map(({ serviceMinute }) => serviceMinute)}::smallint[], ${counts.map(({ size }) => size)}::text[],
                  ${counts.map(({ reason }) => reason)}::text[], ${counts.map(({ door }) => door)}::text[],
                  ${counts.map(({ count }) => count)}::bigint[]) as c (service_date, service_minute, size, reason, door, n)
     order by 2, 3, 4, 5, 6
    on conflict (venue_id, service_date, service_minute, size, reason, door) do update set n = r.n + excluded.n`)
}

export type ShownCount = {
  readonly venue: VenueId
  readonly day: LocalDate
  readonly door: string
  readonly step: string
  readonly dimension: string
  readonly value: string
}

/**
 * Adds what was shown. The row of all pages of a door and day comes first, and who holds it knows which values the day has:
 * beyond the most a dimension may have, a new one counts as other.
 */
export const addShown = async (
  db: Queries,
  venue: VenueId,
  counts: readonly Counted<ShownCount>[],
): Promise<void> => {
  const doors = [...Map.groupBy(counts, ({ day, door }) => `${day} ${door}`).values()].flatMap(
    ([first]) => first ?? [],
  )
  await insertShown(
    db,
    venue,
    doors.map(({ day, door }) => ({
      ...{ venue, day, door, step: 'opened', dimension: 'all', value: everybody, count: 0 },
    })),
  )
  const days = counts.map(({ day }) => day)
  const known = await valuesOf(db, venue, days.toSorted()[0] ?? '', days.toSorted().at(-1) ?? '')
  await insertShown(db, venue, withOthers(counts, known))
}

/** The same counts, those of values that have no room as other. */
const withOthers = (
  counts: readonly Counted<ShownCount>[],
  known: readonly Pick<ShownCount, 'day' | 'door' | 'dimension' | 'value'>[],
): Counted<ShownCount>[] => {
  const placeOf = ({ day, door, dimension }: Pick<ShownCount, 'day' | 'door' | 'dimension'>) =>
    `${day} ${door} ${dimension}`
  const values = new Map<string, Set<string>>()
  for (const one of known) {
    const place = placeOf(one)
    values.set(place, (values.get(place) ?? new Set()).add(one.value))
  }
  const sums = new Map<string, Counted<ShownCount>>()
  for (const one of counts) {
    const here = values.get(placeOf(one)) ?? new Set()
    values.set(placeOf(one), here)
    const hasRoom = here.has(one.value) || here.size - Number(here.has(otherValues)) < mostValues
    const value = hasRoom ? one.value : otherValues
    here.add(value)
    const name = JSON.stringify([placeOf(one), one.step, value])
    sums.set(name, { ...one, value, count: one.count + (sums.get(name)?.count ?? 0) })
  }
  return [...sums.values()]
}

const valueRow = { day: 'date', door: 'text', dimension: 'text', value: 'text' } as const

const valuesOf = (db: Queries, venue: VenueId, from: LocalDate, to: LocalDate) =>
  db.many(sql(valueRow)`
    select distinct day, door, dimension, value from visit_day
     where venue_id = ${venue} and day between ${from} and ${to}`)

const insertShown = (db: Queries, venue: VenueId, counts: readonly Counted<ShownCount>[]): Promise<number> =>
  db.run(sql()`
    insert into visit_day as v (venue_id, day, door, step, dimension, value, n)
    select ${venue}, c.day, c.door, c.step, c.dimension, c.value, c.n
      from unnest(${counts.map(({ day }) => day)}::date[], ${counts.map(({ door }) => door)}::text[],
                  ${counts.map(({ step }) => step)}::text[], ${counts.map(({ dimension }) => dimension)}::text[],
                  ${counts.map(({ value }) => value)}::text[], ${counts.map(({ count }) => count)}::bigint[])
        as c (day, door, step, dimension, value, n)
     order by 2, 3, 4, 5, 6
    on conflict (venue_id, day, door, step, dimension, value) do update set n = v.n + excluded.n`)
