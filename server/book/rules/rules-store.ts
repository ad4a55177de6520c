import type { Queries } from '../../platform/db/pool.ts'
import { rememberOf } from '../../platform/db/kept/remember-of.ts'
import { fragment, quickRead, sql } from '../../platform/db/sql.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { Floor } from './floor/floor.ts'
import { floorOf } from './floor/floor-reads.ts'
import { type BookingRules, type DocumentRules, defaultRules, limitNames } from './booking-rules.ts'
import { settingNames, namedColumns } from './setting-columns.ts'
import type { Venue, VenueId } from '../../core/venue/venue.ts'

/*
 * The booking rules in the database: replaced as a whole by the operator's document, and kept here between requests, with
 * the version they were read in. Each use asks for the version, under the lock of the booking; the rules themselves are
 * read again only when it has changed. Reading them for each booking took a third of its database time.
 */

/** The rules that can decide about an arrival on this date: its own days and its neighbours. */
export const bookingRulesAround = async (
  db: Queries,
  venue: Pick<Venue, 'id' | 'timezone' | 'phone'>,
  date: LocalDate,
): Promise<BookingRules> => (await readRules(db, venue)).around(date)

/** One reading of the rules, for an action that asks about several dates. */
export type RulesRead = {
  readonly around: (date: LocalDate) => BookingRules
  /** Those of these days, which can decide about an arrival on any day between the first and the last. */
  readonly between: (from: LocalDate, to: LocalDate) => BookingRules
  readonly hasTables: boolean
}

export const readRules = async (
  db: Queries,
  venue: Pick<Venue, 'id' | 'timezone' | 'phone'>,
): Promise<RulesRead> => {
  const read = await currentRules(db, venue.id)
  return {
    around: (date) => rulesOfDays(read, venue, addDays(date, -1), addDays(date, 1)),
    between: (from, to) => rulesOfDays(read, venue, from, to),
    hasTables: read.floor !== null,
  }
}

/** The rules of these days, which can decide about an arrival on any day between the first and the last. */
export const bookingRulesBetween = async (
  db: Queries,
  venue: Pick<Venue, 'id' | 'timezone' | 'phone'>,
  from: LocalDate,
  to: LocalDate,
): Promise<BookingRules> => rulesOfDays(await currentRules(db, venue.id), venue, from, to)

/** As `bookingRulesAround`, by the rules of the last time anybody asked: for what is decided again under a lock. */
export const lastRulesAround = async (
  db: Queries,
  venue: Pick<Venue, 'id' | 'timezone' | 'phone'>,
  date: LocalDate,
): Promise<BookingRules> =>
  rulesOfDays(
    keptOf(db).get(venue.id) ?? (await currentRules(db, venue.id)),
    venue,
    addDays(date, -1),
    addDays(date, 1),
  )

/** Whether nothing was saved between the two: what has not changed is not read again. */
export const areOfOneReading = (one: BookingRules, other: BookingRules): boolean =>
  one.periods === other.periods

/** All rules of a venue, past closures included. */
export const allBookingRules = async (db: Queries, venue: VenueId): Promise<DocumentRules> =>
  (await currentRules(db, venue)).rules

type KeptRules = {
  /** Null: the venue has set none. */
  readonly version: string | null
  readonly rules: DocumentRules
  readonly floor: Floor | null
}

/** Those of a venue take some kilobytes. */
const mostVenues = 500
const keptOf = rememberOf<VenueId, KeptRules>(mostVenues)

const currentRules = async (db: Queries, venue: VenueId): Promise<KeptRules> => {
  const kept = keptOf(db)
  const last = kept.get(venue)
  if (last) {
    const row = await db.maybe(
      quickRead(sql({ version: 'text' })`
        select ${version} from booking_settings s where s.venue_id = ${venue}`),
    )
    if ((row?.version ?? null) === last.version) return last
  }
  const row = await db.maybe(rulesRow(venue))
  const current = {
    version: row?.version ?? null,
    rules: (row?.rules as DocumentRules | undefined) ?? defaultRules,
    floor: (row?.floor as Floor | null | undefined) ?? null,
  }
  kept.set(venue, current)
  return current
}

/**
 * PostgreSQL's own name for this state of the row. Saving rules or tables always writes the row, even with the same
 * values, and each write gives it another name; a column of ours would not change under a process of an earlier
 * release.
 */
const version = fragment(`s.xmin::text || ' ' || s.ctid::text as version`)

/** Locks the venue's rules, which may not exist yet, until the transaction ends. */
export const holdRules = async (db: Queries, venue: VenueId): Promise<void> => {
  const hold = () =>
    db.maybe(sql({ venue_id: 'int8' })`
    select venue_id from booking_settings where venue_id = ${venue} for update`)
  if (await hold()) return
  await db.run(sql()`insert into booking_settings (venue_id) values (${venue}) on conflict do nothing`)
  await hold()
}

/** Gives the rules another version after a part of them was changed by itself, such as a text that named somebody. */
export const markRulesChanged = (db: Queries, venue: VenueId): Promise<number> =>
  db.run(sql()`update booking_settings set min_party = min_party where venue_id = ${venue}`)

/** A period as `ServicePeriod` names its fields. */
const period = fragment(`jsonb_build_object(
  'weekday', weekday, 'name', name, 'startMinute', start_minute, 'endMinute', end_minute,
  'lastArrivalMinute', last_arrival_minute, 'seatingMinutes', seating_minutes, ${namedColumns(limitNames)},
  'pacing', jsonb_build_object(
    'intervalMinutes', pacing_interval_minutes, 'maxCovers', pacing_max_covers, 'maxParties', pacing_max_parties))`)

const settings = fragment(namedColumns(settingNames))

/**
 * The whole of the rules in one row, already in the form of `DocumentRules`, and the floor where tables are on; none when
 * the venue has set none.
 */
const rulesRow = (venue: VenueId) =>
  sql({ version: 'text', rules: 'jsonb', floor: 'jsonb?' })`
    select ${version}, jsonb_build_object(
      ${settings},
      'pacing', jsonb_build_object(
        'intervalMinutes', s.pacing_interval_minutes,
        'maxCovers', s.pacing_max_covers, 'maxParties', s.pacing_max_parties),
      'periods', (
        select coalesce(jsonb_agg(${period} order by weekday, start_minute), '[]')
          from service_period where venue_id = ${venue} and weekday is not null),
      'specialDays', (
        select coalesce(jsonb_agg(jsonb_build_object('date', d.date, 'name', d.name, 'periods', (
                 select coalesce(jsonb_agg(${period} - 'weekday' order by start_minute), '[]')
                   from service_period where venue_id = ${venue} and special_date = d.date)) order by d.date), '[]')
          from special_day d where d.venue_id = ${venue}),
      'closures', (
        select coalesce(jsonb_agg(
                 jsonb_build_object('from', from_date, 'to', to_date, 'name', name) order by from_date, id), '[]')
          from closure where venue_id = ${venue}),
      'blocks', (
        select coalesce(jsonb_agg(jsonb_build_object(
                 'serviceDate', service_date, 'fromMinute', from_minute, 'toMinute', to_minute,
                 'scope', scope, 'publicNote', public_note) order by service_date, from_minute, id), '[]')
          from block where venue_id = ${venue}),
      'pacingExceptions', (
        select coalesce(jsonb_agg(jsonb_build_object(
                 'serviceDate', service_date, 'fromMinute', from_minute, 'maxCovers', covers, 'maxParties', parties)
                 order by service_date, from_minute), '[]')
          from pacing_exception where venue_id = ${venue})
    ) as rules,
    case when s.table_mode = 'on' then ${floorOf(venue)} end as floor
      from booking_settings s
     where s.venue_id = ${venue}`

/** What of the rules can decide on these days. */
const rulesOfDays = (
  { rules, floor }: KeptRules,
  { timezone, phone }: Pick<Venue, 'timezone' | 'phone'>,
  from: LocalDate,
  to: LocalDate,
): BookingRules => {
  const isOfDays = ({ serviceDate }: { readonly serviceDate: LocalDate }): boolean =>
    serviceDate >= from && serviceDate <= to
  return {
    ...rules,
    specialDays: rules.specialDays.filter(({ date }) => isOfDays({ serviceDate: date })),
    closures: rules.closures.filter((one) => one.from <= to && one.to >= from),
    blocks: rules.blocks.filter(isOfDays),
    pacingExceptions: rules.pacingExceptions.filter(isOfDays),
    timezone,
    phone,
    floor: floor && {
      ...floor,
      outages: floor.outages.filter(({ fromDate, untilDate }) => fromDate <= to && untilDate >= from),
    },
  }
}
