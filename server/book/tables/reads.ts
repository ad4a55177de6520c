import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, sql } from '../../platform/db/sql.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { type Moment, later, toInstant } from '../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { whenNow } from '../day/when.ts'
import type { BookRow } from '../day/book-row.ts'
import type { EntryRow } from '../day/entry-row.ts'
import { openDayOf, readDay } from '../day/open-day.ts'
import type { Own } from '../day/own-place.ts'
import { resolveService } from '../rules/resolve-service.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import { bookingRulesAround, bookingRulesBetween, readRules } from '../rules/rules-store.ts'
import { shortestStay, turnMinutes } from '../rules/turn-minutes.ts'
import type { Venue, VenueId } from '../../core/venue/venue.ts'
import type { Span } from '../day/assignment/evening.ts'
import { type FloorDay, type Wanted, meet, partyWanted } from '../day/day-floor.ts'
import { type OffSpan, offSpans } from '../day/day-span.ts'
import { type ShortStay, endOfStay, shortStayAt, shortStays } from '../day/short-stays.ts'
import type { Combination, DiningTable, DrawnPart, Room } from '../rules/floor/floor.ts'
import { wholeFloor } from '../rules/floor/floor-reads.ts'
import { type Moving, byMoving, placesByMoving } from './arrange.ts'
import {
  type Needing,
  type OpenTable,
  laidAtTables,
  neededBy,
  neededLast,
  openForAWhile,
  openTables,
} from './open-tables.ts'

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
    const from = toInstant(row.seated_at ?? row.starts_at)
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
const spanOf = (from: Temporal.Instant, minutes: number): Span => ({
  from: from.epochMilliseconds,
  until: from.epochMilliseconds + Math.max(1, minutes * 60_000),
})

/** What keeps a table from being used in a span; of several reasons the one that lasts longest. */
const offFor = (spans: readonly OffSpan[], span: Span): Off | undefined => {
  const closed = spans.find(({ because }) => because === 'room')
  if (closed) return { ...closed, until: undefined }
  const [last] = spans.filter((one) => meet(one, span)).toSorted((a, b) => b.until - a.until)
  return last && { ...last, until: Temporal.Instant.fromEpochMilliseconds(last.until) }
}

const comingRow = {
  table_id: 'int8',
  label: 'text',
  reservation_id: 'int8',
  guest_name: 'text?',
  party_size: 'int4?',
  date: 'date?',
  time: 'time?',
  service_date: 'date',
  starts_at: 'timestamptz',
  duration_minutes: 'int4?',
} as const

/** A coming booking at a table that takes nobody then, and why. */
export type BookingAtTableOff = RowOf<typeof comingRow> & { readonly off: Off }

/** Most coming bookings looked at. */
const mostComing = 5_000

/** The coming bookings whose table is out of order, closed by plan, or in a closed room while they are to sit there; soonest first. */
export const bookingsAtTablesOff = async ({
  db,
  venue,
  now,
}: Pick<Work, 'db' | 'venue' | 'now'>): Promise<BookingAtTableOff[]> => {
  const today = wallTimeOf(now(), venue.timezone).date
  const rows = await db.many(sql(comingRow)`
    select t.table_id, d.label, r.id as reservation_id, r.guest_name, r.party_size, r.date, r.time, r.service_date,
           r.starts_at, r.duration_minutes
      from reservation r
      join reservation_table t on t.venue_id = r.venue_id and t.reservation_id = r.id
      join dining_table d on d.venue_id = t.venue_id and d.id = t.table_id
     where r.venue_id = ${venue.id} and r.service_date >= ${addDays(today, -1)}
       and r.status = 'Confirmed' and r.starts_at >= ${now()}
     order by r.starts_at, r.id, d.label
     limit ${mostComing}`)
  const last = rows.at(-1)
  if (!last) return []
  const rules = await bookingRulesBetween(db, venue, addDays(today, -2), addDays(last.service_date, 2))
  const { floor } = rules
  if (!floor) return []
  const spansOn = new Map(
    [...new Set(rows.map((row) => row.service_date))].map((date) => [date, offSpans(rules, floor, date)]),
  )
  return rows.flatMap((row) => {
    const minutes = row.duration_minutes ?? turnMinutes(rules, row.party_size ?? 1)
    const off = offFor(
      spansOn.get(row.service_date)?.get(row.table_id) ?? [],
      spanOf(toInstant(row.starts_at), minutes),
    )
    return off ? [{ ...row, off }] : []
  })
}

/** The tables that are open now for a walk-in, best first; undefined where tables decide nothing. */
export const tablesAtDoor = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  partySize: number,
): Promise<readonly OpenTable[] | undefined> => {
  const { floor, when } = await floorNow(work)
  return floor && openTables(floor, { ...when, partySize, door: 'staff' })
}

/** For how long a party of a table's largest size could sit down there now: as long as it would, for a while, or less. */
export type Reach = 'whole' | 'a while' | 'less'

/** What there is at the door now. */
export type AtDoor = {
  /** The tables that are open for a walk-in of a size, best first. */
  readonly openFor: (partySize: number) => readonly OpenTable[]
  /** The tables that are open for a while only, also those that somebody without a table could sit at. */
  readonly forAWhile: (partySize: number) => ReturnType<typeof openForAWhile>
  readonly reachOf: (table: Pick<DiningTable, 'id' | 'most'>) => Reach
  /** Until when a seated party could stay where it is, at most until then; what is past: it holds somebody up. */
  readonly stayTo: (
    party: Pick<Wanted, 'partySize'> & { readonly id: number; readonly tables: readonly number[] },
    most: Temporal.Instant,
  ) => Temporal.Instant
  /** Where a party could sit down now for which its own table is not free. */
  readonly insteadFor: (party: Pick<Wanted, 'partySize' | 'durationMinutes'>) => Instead
}

/** Other tables for a party, in the order in which they are proposed; those for a while only if there is no other. */
export type Instead = {
  readonly open: readonly OpenTable['tables'][]
  readonly moving: Moving | undefined
  readonly short: readonly ShortStay[]
}

/** The same; undefined where tables decide nothing. */
export const atDoorNow = async (work: Pick<Work, 'db' | 'venue' | 'now'>): Promise<AtDoor | undefined> => {
  const { floor, when } = await floorNow(work)
  const wanted = (partySize: number) => ({ ...when, partySize, door: 'staff' }) as const
  return (
    floor && {
      openFor: (partySize) => openTables(floor, wanted(partySize)),
      forAWhile: (partySize) => openForAWhile(floor, wanted(partySize)),
      reachOf: ({ id, most }) =>
        shortestStay(floor.rules, most) === 0 || endOfStay(floor, wanted(most), [id]) === undefined
          ? 'whole'
          : shortStayAt(floor, wanted(most), [id])
            ? 'a while'
            : 'less',
      stayTo: ({ id, partySize, tables }, most) => {
        const durationMinutes = when.startsAt.until(most).total('minutes')
        if (durationMinutes <= 0) return most
        return endOfStay(floor, { ...wanted(partySize), durationMinutes }, tables, { sitting: id }) ?? most
      },
      insteadFor: ({ partySize, durationMinutes }) =>
        insteadOf(floor, { ...wanted(partySize), durationMinutes }),
    }
  )
}

const insteadOf = (floor: FloorDay, wanted: Wanted): Instead => ({
  open: openTables(floor, wanted)
    .filter(({ neededBy }) => !neededBy)
    .map(({ tables }) => tables),
  moving: byMoving(floor, wanted),
  short: shortStays(floor, wanted),
})

/** A table that nobody has now, for who is at the door. */
export type TableAtDoor = {
  /** Who would sit down there of those who have none yet; for as long as a party of its size stays. */
  readonly neededBy: Needing | undefined
  /** The short stay there of a party of a size. */
  readonly shortFor: (partySize: number) => Omit<ShortStay, 'tables'> | undefined
}

export const tableAtDoor = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  { id, most }: Pick<DiningTable, 'id' | 'most'>,
): Promise<TableAtDoor | undefined> => {
  const { floor, when } = await floorNow(work)
  const wanted = (partySize: number) => ({ ...when, partySize, door: 'staff' }) as const
  return (
    floor && {
      neededBy: neededBy(floor, partyWanted(floor, wanted(most)), [id]),
      shortFor: (partySize) =>
        shortStayAt(floor, wanted(partySize), [id]) ??
        shortStayAt(floor, wanted(partySize), [id], laidAtTables(floor)),
    }
  )
}

const floorNow = async (work: Pick<Work, 'db' | 'venue' | 'now'>, own?: Own) => {
  const when = whenNow(work)
  const rules = await bookingRulesAround(work.db, work.venue, when.date)
  const { floor } = await readDay(work, rules, resolveService(rules, when), own)
  return { floor, when }
}

/** A table that is open for a booking. */
export type TableForBooking = OpenTable & {
  /** Somebody is there who leaves before the party's time: it is open from then on, though the party may come sooner. */
  readonly isLater: boolean
}

export type TablesForBooking = {
  readonly open: readonly TableForBooking[]
  readonly moving: readonly Moving[]
  readonly short: readonly ShortStay[]
  /** Its time has come: a place by moving others is one to sit down at now. */
  readonly isTime: boolean
}

/** Places by moving others that are offered at once. */
const mostMoving = 3

/**
 * The tables that are open for a booking, best first: where it may sit down now, then those that are open from its time on;
 * those that are free once others moved, and those that are free for a while: now, where it may sit down now, else in its time.
 * Undefined where tables decide nothing, and for a booking without a time.
 */
export const tablesForBooking = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  row: BookRow,
): Promise<TablesForBooking | undefined> => {
  const { service_date, service_minute, starts_at } = row
  if (service_date === null || service_minute === null || starts_at === null) return undefined
  const placed = { serviceDate: service_date, serviceMinute: service_minute }
  const rules = await readRules(work.db, work.venue)
  const { floor } = await openDayOf(work, rules, { reservation: row.id }, placed)
  if (!floor) return undefined
  const [at, now] = [toInstant(starts_at), work.now()]
  const isTime = row.checked_in_at !== null || at.since(now).total('minutes') < dueMinutes
  const own = (floor.own?.party.tables ?? []).toSorted(byNumber)
  const isOwn = ({ tables }: OpenTable): boolean =>
    tables
      .map(({ id }) => id)
      .toSorted(byNumber)
      .join() === own.join()
  const wantedFrom = (startsAt: Temporal.Instant) => {
    const { party_size, duration_minutes: durationMinutes } = row
    return { startsAt, partySize: party_size ?? 1, durationMinutes, door: 'staff' } as const
  }
  const openFrom = (startsAt: Temporal.Instant): readonly OpenTable[] => {
    const wanted = wantedFrom(startsAt)
    const open = openTables(floor, wanted, row.status === 'Requested' ? 'new' : 'kept')
    // Its own table waits for nobody else while it has it.
    return open.map((one) => (isOwn(one) ? { ...one, neededBy: undefined } : one)).toSorted(neededLast)
  }
  const openNow = openFrom(now)
  const known = new Set(openNow.map(({ tables }) => tables.map(({ id }) => id).join()))
  const isOpenNow = ({ tables }: Pick<OpenTable, 'tables'>): boolean =>
    known.has(tables.map(({ id }) => id).join())
  const isOver = Temporal.Instant.compare(at, now) <= 0
  const later = row.status === 'Seated' ? [] : openFrom(at)
  // Of a time that has passed only its own table is left, which it has until its booked end.
  const inTime = (isOver ? later.filter(isOwn) : later).map((one): TableForBooking => ({
    ...one,
    isLater: !isOver && !isOpenNow(one),
  }))
  const atOnce = isTime ? openNow.map((one): TableForBooking => ({ ...one, isLater: false })) : []
  return {
    isTime,
    open: [...atOnce, ...inTime.filter((one) => !isTime || !isOpenNow(one))],
    moving: placesByMoving(floor, wantedFrom(isTime ? now : at), mostMoving),
    short:
      row.status === 'Seated' ? [] : shortFrom(floor, wantedFrom(isTime ? now : at), [...atOnce, ...inTime]),
  }
}

/** The short stays that are none of the tables that are open for longer. */
const shortFrom = (floor: FloorDay, wanted: Wanted, open: readonly OpenTable[]): readonly ShortStay[] => {
  const idsOf = ({ tables }: Pick<OpenTable, 'tables'>): string => tables.map(({ id }) => id).join()
  const known = new Set(open.map(idsOf))
  return shortStays(floor, wanted).filter((one) => !known.has(idsOf(one)))
}

/** Where a party of tonight's line may sit down now; undefined where tables decide nothing. */
export const tablesForEntry = async (
  work: Work,
  { id: entry, party_size }: Pick<EntryRow, 'id' | 'party_size'>,
): Promise<TablesForBooking | undefined> => {
  const { floor, when } = await floorNow(work, { entry })
  if (!floor) return undefined
  const wanted = { ...when, partySize: party_size ?? 1, door: 'staff' } as const
  const open = openTables(floor, wanted)
  return {
    isTime: true,
    open: open.map((one) => ({ ...one, isLater: false })),
    moving: placesByMoving(floor, wanted, mostMoving),
    short: shortFrom(floor, wanted, open),
  }
}

const byNumber = (a: number, b: number): number => a - b

/** A party due so soon may be seated. */
const dueMinutes = 30

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

const meetingRow = {
  table_id: 'int8',
  label: 'text',
  one: 'int8',
  one_from: 'timestamptz',
  one_size: 'int4?',
  one_minutes: 'int4?',
  other: 'int8',
  other_from: 'timestamptz',
  other_size: 'int4?',
  other_minutes: 'int4?',
} as const

/** Two coming bookings that hold one table at the same time. */
export type Clash = {
  readonly table_id: number
  readonly label: string
  readonly one: number
  readonly other: number
}

/** Most pairs looked at, and most clashes named. */
const [mostPairs, mostClashes] = [5_000, 200]

/**
 * Where coming bookings of these service dates meet at a table, as after a change of the venue's zone. How long each holds it
 * follows from its length or the turn time, as everywhere.
 */
export const tableClashes = async (
  db: Queries,
  venue: Pick<Venue, 'id' | 'timezone' | 'phone'>,
  from: LocalDate,
  to: LocalDate,
): Promise<Clash[]> => {
  const [rules, pairs] = await Promise.all([
    bookingRulesAround(db, venue, from),
    db.many(sql(meetingRow)`
      with held as materialized (
        select t.table_id, d.label, r.id, coalesce(r.seated_at, r.starts_at) as held_from, r.starts_at,
               r.party_size, r.duration_minutes
          from reservation r
          join reservation_table t on t.venue_id = r.venue_id and t.reservation_id = r.id
          join dining_table d on d.venue_id = t.venue_id and d.id = t.table_id
         where r.venue_id = ${venue.id} and r.service_date between ${from} and ${to}
           and r.status in ('Confirmed', 'Seated') and r.starts_at is not null)
      select a.table_id, a.label, a.id as one, a.held_from as one_from, a.party_size as one_size,
             a.duration_minutes as one_minutes,
             b.id as other, b.held_from as other_from, b.party_size as other_size, b.duration_minutes as other_minutes
        from held a
        join held b on b.table_id = a.table_id and b.id > a.id
         and b.starts_at between a.starts_at - interval '1 day' and a.starts_at + interval '1 day'
       order by a.starts_at, a.table_id, b.id
       limit ${mostPairs}`),
  ])
  const end = (start: Moment, size: number | null, minutes: number | null): number =>
    toInstant(start).epochMilliseconds + (minutes ?? turnMinutes(rules, size ?? 1)) * 60_000
  return pairs
    .filter(
      (pair) =>
        toInstant(pair.one_from).epochMilliseconds <
          end(pair.other_from, pair.other_size, pair.other_minutes) &&
        toInstant(pair.other_from).epochMilliseconds < end(pair.one_from, pair.one_size, pair.one_minutes),
    )
    .slice(0, mostClashes)
    .map(({ table_id, label, one, other }) => ({ table_id, label, one, other }))
}
