import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, sql } from '../../platform/db/sql.ts'
import { later, minuteOf, toInstant } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import { bookingRulesAround } from '../rules/rules-store.ts'
import { turnMinutes } from '../rules/turn-minutes.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Span } from '../day/assignment/evening.ts'
import { meet } from '../day/day-floor.ts'
import { type OffSpan, offSpans } from '../day/day-span.ts'
import type { Combination, DiningTable, DrawnPart, Room } from '../rules/floor/floor.ts'
import { wholeFloor } from '../rules/floor/floor-reads.ts'

/*
 * What the office's floor and grid show: an evening's tables with who is and will be at them, and who has none.
 */

const seatedRow = {
  id: 'int8',
  version: 'int4',
  guest_name: 'text?',
  party_size: 'int4?',
  status: 'text',
  floor_stage: 'text?',
  notes: 'text?',
  starts_at: 'timestamptz',
  seated_at: 'timestamptz?',
  checked_in_at: 'timestamptz?',
  completed_at: 'timestamptz?',
  duration_minutes: 'int4?',
  pinned: 'bool',
  tables: 'text[]?',
} as const

/** Most bookings of an evening shown at once. */
const mostShown = 1_000

const partiesOfEvening = (db: Queries, venue: VenueId, date: LocalDate): Promise<RowOf<typeof seatedRow>[]> =>
  db.many(sql(seatedRow)`
    select r.id, r.version, r.guest_name, r.party_size, r.status, r.floor_stage, r.notes, r.starts_at, r.seated_at,
           r.checked_in_at, r.completed_at, r.duration_minutes,
           coalesce(h.pinned, false) as pinned, h.tables
      from reservation r
      left join lateral (
        select bool_or(t.pinned) as pinned, array_agg(t.table_id::text order by t.table_id) as tables
          from reservation_table t
         where t.venue_id = ${venue} and t.reservation_id = r.id) h on true
     where r.venue_id = ${venue} and r.service_date = ${date} and r.starts_at is not null
       and r.status in ('Requested', 'Confirmed', 'Seated', 'Completed')
     order by r.starts_at, r.id
     limit ${mostShown}`)

const pagedRow = {
  table_id: 'int8',
  guest_name: 'text?',
  party_size: 'int4?',
  expires_at: 'timestamptz',
} as const

/** Who was paged and has not answered yet; only tonight's line has such parties. */
const partiesPaged = (
  db: Queries,
  venue: VenueId,
  date: LocalDate,
  now: Temporal.Instant,
): Promise<RowOf<typeof pagedRow>[]> =>
  db.many(sql(pagedRow)`
    select h.table_id, e.guest_name, e.party_size, h.expires_at
      from table_hold h
      join waitlist_entry e on e.venue_id = h.venue_id and e.id = h.waitlist_entry_id
     where h.venue_id = ${venue} and h.expires_at > ${now} and coalesce(e.service_date, e.date, ${date}) = ${date}
     order by h.expires_at`)

/** A party of the evening, as the floor shows it. Times are instants; the gap after the party is not in `until`. */
export type EveningParty = {
  readonly id: number
  readonly version: number
  readonly guestName: string | null
  readonly partySize: number
  readonly status: string
  readonly floorStage: string | null
  readonly notes: string | null
  readonly arrived: boolean
  readonly from: Temporal.Instant
  readonly until: Temporal.Instant
  /** Until when they were to have it; earlier than `until` for who stays over. */
  readonly planned: Temporal.Instant
  /** Ids, ascending; a request holds none. */
  readonly tables: readonly number[]
  /** Staff chose them. */
  readonly pinned: boolean
  /** Why one of their tables takes nobody while they are to sit there; only of who is still to sit down. */
  readonly off: Off | undefined
}

export type EveningTable = DiningTable & {
  /** Everybody who holds it this evening, in order of arrival; who left is among them. */
  readonly parties: readonly EveningParty[]
  /** Who sits there. More than one where staff said so. */
  readonly now: readonly EveningParty[]
  /** Who comes next. */
  readonly next: EveningParty | undefined
  /** Why and until when it takes nobody, where it takes nobody now; of several reasons the one that lasts longest. */
  readonly off: Off | undefined
  /** The party at the door that was paged for it, until its offer ends. */
  readonly heldFor: PagedParty | undefined
}

export type Off = Pick<OffSpan, 'because' | 'why'> & {
  /** Until when; undefined until its room is opened again. */
  readonly until: Temporal.Instant | undefined
}

export type PagedParty = {
  readonly guestName: string | null
  readonly partySize: number
  readonly until: Temporal.Instant
}

export type EveningFloor = {
  readonly rooms: readonly Room[]
  readonly tables: readonly EveningTable[]
  readonly drawn: readonly DrawnPart[]
  readonly combinations: readonly Combination[]
  /** Confirmed or here, and without a table. */
  readonly withoutTable: readonly EveningParty[]
  /** To sit down at a table that takes nobody then. */
  readonly toMove: readonly EveningParty[]
  /** Requests: they get a table when they are confirmed. */
  readonly requested: readonly EveningParty[]
}

/** The floor of a service date, whether or not tables decide. `known`: the rules around it, where they were read. */
export const eveningFloor = async (
  { db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>,
  date: LocalDate,
  known?: BookingRules,
): Promise<EveningFloor> => {
  const at = now()
  const [floor, rules, rows, paged] = await Promise.all([
    known?.floor ?? wholeFloor(db, venue.id),
    known ?? bookingRulesAround(db, venue, date),
    partiesOfEvening(db, venue.id, date),
    partiesPaged(db, venue.id, date, at),
  ])
  const off = floor && offSpans(rules, floor, date)
  const parties = rows.map((row): EveningParty => {
    const from = minuteOf(toInstant(row.seated_at ?? row.starts_at))
    const minutes = row.duration_minutes ?? turnMinutes(rules, row.party_size ?? 1)
    const planned = later(from, minutes * 60_000)
    const tables = row.status === 'Requested' ? [] : (row.tables ?? []).map(Number)
    const sits = row.checked_in_at !== null || Temporal.Instant.compare(from, at) < 0 ? at : from
    return {
      id: row.id,
      version: row.version,
      guestName: row.guest_name,
      partySize: row.party_size ?? 1,
      status: row.status,
      floorStage: row.floor_stage,
      notes: row.notes,
      arrived: row.checked_in_at !== null,
      from,
      until:
        row.completed_at !== null
          ? toInstant(row.completed_at)
          : row.status === 'Seated' && Temporal.Instant.compare(at, planned) > 0
            ? at
            : planned,
      planned,
      tables,
      pinned: row.pinned,
      off:
        row.status === 'Confirmed'
          ? offFor(
              tables.flatMap((table) => off?.get(table) ?? []),
              spanOf(sits, minutes),
            )
          : undefined,
    }
  })
  const byTable = new Map<number, EveningParty[]>()
  for (const party of parties) {
    for (const table of party.tables) {
      const here = byTable.get(table)
      if (here) here.push(party)
      else byTable.set(table, [party])
    }
  }
  const heldFor = new Map(
    paged.map(({ table_id, guest_name, party_size, expires_at }): [number, PagedParty] => [
      table_id,
      { guestName: guest_name, partySize: party_size ?? 1, until: toInstant(expires_at) },
    ]),
  )
  const standing = new Set((floor?.tables ?? []).map(({ id }) => id))
  return {
    rooms: floor?.rooms ?? [],
    drawn: floor?.drawn ?? [],
    combinations: floor?.combinations ?? [],
    tables: (floor?.tables ?? []).map((table) => {
      const here = byTable.get(table.id) ?? []
      return {
        ...table,
        parties: here,
        now: here.filter(({ status }) => status === 'Seated'),
        next: here.find(({ status }) => status === 'Confirmed'),
        off: offFor(off?.get(table.id) ?? [], spanOf(at, 0)),
        heldFor: heldFor.get(table.id),
      }
    }),
    withoutTable: parties.filter(
      ({ status, tables }) =>
        (status === 'Confirmed' || status === 'Seated') && !tables.some((table) => standing.has(table)),
    ),
    toMove: parties.filter(({ off }) => off !== undefined),
    requested: parties.filter(({ status }) => status === 'Requested'),
  }
}

/** A moment is a span of a millisecond. */
export const spanOf = (from: Temporal.Instant, minutes: number): Span => ({
  from: from.epochMilliseconds,
  until: from.epochMilliseconds + Math.max(1, minutes * 60_000),
})

/** What keeps a table from being used in a span; of several reasons the one that lasts longest. */
export const offFor = (spans: readonly OffSpan[], span: Span): Off | undefined => {
  const closed = spans.find(({ because }) => because === 'room')
  if (closed) return { ...closed, until: undefined }
  const [last] = spans.filter((one) => meet(one, span)).toSorted((a, b) => b.until - a.until)
  return last && { ...last, until: Temporal.Instant.fromEpochMilliseconds(last.until) }
}

const bookingSeenRow = {
  id: 'int8',
  guest_name: 'text?',
  party_size: 'int4?',
  date: 'date?',
  time: 'time?',
} as const
/** A booking, as a list of those without a table names it. */
export type BookingSeen = RowOf<typeof bookingSeenRow>

export const bookingsSeen = (db: Queries, venue: VenueId, ids: readonly number[]): Promise<BookingSeen[]> =>
  db.many(sql(bookingSeenRow)`
    select id, guest_name, party_size, date, time from reservation
     where venue_id = ${venue} and id = any(${[...ids]}::bigint[])
     order by starts_at, id`)
