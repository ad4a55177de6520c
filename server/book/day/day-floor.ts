import { addDays } from '../../platform/kernel/time/calendar.ts'
import { minuteOf, toInstant } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { Own } from './own-place.ts'
import { shortestStay, turnMinutes } from '../rules/turn-minutes.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import type { Assignment, Evening, Party, Span } from './assignment/evening.ts'
import type { HeldUp } from './assignment/first-tables.ts'
import { type Laid, judge, layOut } from './assignment/judge.ts'
import { freeFor } from './assignment/walk-in.ts'
import { type Placed, whoMoves } from './assignment/who-moves.ts'
import { type OffSpan, endOfDay, offSpans, startOfDay, unavailableSpans } from './day-span.ts'
import type { Floor } from '../rules/floor/floor.ts'
import type { PartyRow } from './party-reads.ts'
import { balancedBy } from './who-serves.ts'
import { wishable, wishedFeatures } from './wished-features.ts'

/*
 * The tables of one service date with everybody who needs one, ready to be asked about one more party. The same is made
 * for a request under the day's lock, for the picker and for a form that is being filled in, so they cannot differ.
 */

export type FloorDay = {
  readonly rules: BookingRules
  /** When it was read. */
  readonly now: Temporal.Instant
  readonly floor: Floor
  /** Everybody, as the engine gets them. */
  readonly evening: Evening
  /** The bookings that a machine may move from the tables they have. */
  readonly movable: ReadonlySet<string>
  /** All bookings of the date that count, and those of them that are confirmed. */
  readonly ofDay: ReadonlySet<string>
  readonly confirmed: ReadonlySet<string>
  /** Of the date, those who are confirmed and hold no table, and are to get one: how soon they are due plays no part. */
  readonly waiting: readonly Party[]
  /**
   * Of the date, those who are here while others still sit at their tables, or these are out of use, as they would sit down
   * elsewhere now; and everybody who is here, for the shortest stay that staff may offer them.
   */
  readonly heldUp: readonly HeldUp[]
  /** Parties that are seated: their tables go to nobody else. */
  readonly seated: ReadonlySet<string>
  /** Parties that are late for tables kept for them: they are neither here nor marked as no-shows. */
  readonly late: ReadonlySet<string>
  /** Of `waiting`, those who are as late: no table is kept for them. */
  readonly lateWithout: ReadonlySet<string>
  /** The booking that is judged again, as it is now. */
  readonly own: { readonly row: PartyRow; readonly party: Party } | undefined
  /** The party on the waitlist that is judged, at the tables it was paged for. */
  readonly paged: Party | undefined
  /** Whether the party sits down now, or gets up again. */
  readonly turns: Own['turns']
  /** What of the booking stays where it is while it asks for another place. */
  readonly group: string | null
  /** When each table takes nobody, and why. */
  readonly off: () => ReadonlyMap<number, readonly OffSpan[]>
  /** The parties that a party of this load is judged with, worked out when first needed. */
  readonly laid: (load: Load) => Laid
}

/**
 * What a party adds: `new` to the book, or to another time, date or size, it finds its place among everybody. Who is in the
 * book as confirmed or seated and keeps time and size is judged with those who hold a table or a place: `kept`.
 */
export type Load = 'new' | 'kept'

/** Whom a table is wanted for. */
export type Wanted = {
  readonly startsAt: Temporal.Instant
  readonly partySize: number
  /** How long; absent or null: the turn time. */
  readonly durationMinutes?: number | null | undefined
  readonly door: 'online' | 'staff'
  /** Where they would like to sit, in words; absent: as the booking that is judged again says. */
  readonly seating?: string | null | undefined
}

/** What a party is given, and who else moves for it; by the ids of bookings. */
export type Seating =
  | { readonly seated: false }
  | {
      readonly seated: true
      readonly tables: readonly number[]
      /** Those its booking held before: nothing changes for anybody. */
      readonly keeps: boolean
      /** Of everybody else who holds others from now on. */
      readonly moves: ReadonlyMap<number, readonly number[]>
    }

const minuteMs = 60_000
/** A party counts as late this many minutes after its time; until then nobody is asked whether it is a no-show. */
export const lateMinutes = 15
/** Parties due so soon stay at their table. */
export const dueMs = 30 * minuteMs

/**
 * From when until when a party needs its table, with the time the table rests after it. It begins with a minute: who sits down
 * seconds after their time stays no longer than if they had been on time, and is in nobody's way for it.
 */
export const spanWanted = (
  { turnTimes }: Pick<BookingRules, 'turnTimes'>,
  { turnoverMinutes }: Pick<Floor, 'turnoverMinutes'>,
  { startsAt, partySize, durationMinutes }: Omit<Wanted, 'door' | 'seating'>,
): Span => {
  const from = minuteOf(startsAt).epochMilliseconds
  const minutes = (durationMinutes ?? turnMinutes({ turnTimes }, partySize)) + turnoverMinutes
  return { from, until: from + minutes * minuteMs }
}

/** The same of who is in the book; a party at its table needs it at least for the minute that is now. */
export const spanOf = (
  rules: Pick<BookingRules, 'turnTimes'>,
  floor: Floor,
  row: PartyRow,
  now: Temporal.Instant,
): Span => {
  if (row.ends_at !== null) {
    return {
      from: minuteOf(toInstant(row.starts_at)).epochMilliseconds,
      until: minuteOf(toInstant(row.ends_at)).epochMilliseconds + floor.turnoverMinutes * minuteMs,
    }
  }
  const isSeated = row.status === 'Seated' && row.seated_at !== null
  // What is asked for is a whole stay, even of a booking that was made for a shorter one.
  const least =
    row.kind === 'change' && row.duration_minutes !== null ? turnMinutes(rules, row.party_size) : 0
  const startsAt = toInstant(isSeated && row.seated_at !== null ? row.seated_at : row.starts_at)
  const { from, until } = spanWanted(rules, floor, {
    startsAt,
    partySize: row.party_size,
    durationMinutes: row.duration_minutes === null ? null : Math.max(row.duration_minutes, least),
  })
  return {
    from,
    until: isSeated ? Math.max(until, isThereUntil(floor, now)) : until,
  }
}

/** A party that sits needs its table at least for the minute that is now. */
const isThereUntil = ({ turnoverMinutes }: Pick<Floor, 'turnoverMinutes'>, now: Temporal.Instant): number =>
  minuteOf(now).epochMilliseconds + (1 + turnoverMinutes) * minuteMs

/**
 * What is left of the stay of a party that sits. At other tables nobody is in its way who was to be there before now, and
 * none is free for it because it was so when it sat down.
 */
export const leftOf = (
  { from, until }: Span,
  floor: Pick<Floor, 'turnoverMinutes'>,
  now: Temporal.Instant,
): Span => ({
  from: Math.max(from, minuteOf(now).epochMilliseconds),
  until: Math.max(until, isThereUntil(floor, now)),
})

/** The instants that bound who is read for a service date. */
export const boundsOfDay = (rules: BookingRules, floor: Floor, date: LocalDate) => ({
  since: startOfDay(rules, date),
  until: endOfDay(rules, date, floor.turnoverMinutes),
})

/** The tables of a service date. `rows` may tell of more dates than this one and those next to it. */
export const floorOfDay = (
  rules: BookingRules & { readonly floor: Floor },
  date: LocalDate,
  rows: readonly PartyRow[],
  now: Temporal.Instant,
  own?: Own,
): FloorDay => {
  const { floor } = rules
  const start = startOfDay(rules, date)
  const next = startOfDay(rules, addDays(date, 1))
  const { until: horizon } = boundsOfDay(rules, floor, date)
  const parties: Party[] = []
  const [movable, ofDay, confirmed] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const [seated, late, lateWithout] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const waiting: Party[] = []
  const here: Party[] = []
  const hereWithout: Party[] = []
  const standing = new Set(floor.tables.map(({ id }) => id))
  const tablesToWish = wishable(floor)
  let self: FloorDay['own']
  let paged: FloorDay['paged']
  for (const row of rows) {
    const planned = spanOf(rules, floor, row, now)
    const isOwn = row.kind === 'booking' && row.reservation_id === own?.reservation
    const tables = (row.tables ?? []).map(Number).filter((id) => standing.has(id))
    const isBooked = row.kind === 'booking' && row.status === 'Confirmed'
    const isWithout = isBooked && tables.length === 0
    // A party still to come needs a table only from now on; one that is here and waits for one, for its whole stay from now.
    const isLate = planned.from <= now.epochMilliseconds && now.epochMilliseconds < planned.until
    const minute = minuteOf(now).epochMilliseconds
    const waited = minute - planned.from
    const span =
      isWithout && isLate ? { from: minute, until: planned.until + (row.arrived ? waited : 0) } : planned
    const isMovable =
      isBooked &&
      tables.length > 0 &&
      row.service_date === date &&
      !row.pinned &&
      !row.arrived &&
      span.from - now.epochMilliseconds > dueMs &&
      span.from >= start &&
      span.until <= next
    const party: Party = {
      ...span,
      id: row.kind === 'booking' ? row.id : `${row.kind} ${row.id}`,
      size: row.party_size,
      // A request holds no table, even if one is still stored for it.
      tables: row.status === 'Requested' ? [] : tables,
      fixed: !isMovable,
      // Staff seat who is here, and may give them any table.
      onlineOnly: row.is_online && !row.arrived,
      features: wishedFeatures(row.seating, tablesToWish),
      group: row.kind === 'change' || row.kind === 'booking' ? String(row.reservation_id) : null,
      turn: !isWithout
        ? undefined
        : row.arrived
          ? planned.from
          : isLate
            ? afterAllHere + planned.from
            : booked,
    }
    if (isOwn) {
      self = {
        row: own?.turns === 'up' ? { ...row, status: 'Confirmed', seated_at: null } : row,
        party: { ...party, ...planned, tables },
      }
      if (!own?.staying) continue
    }
    if (row.kind === 'paged' && Number(row.id) === own?.entry) {
      paged = party
      continue
    }
    if (!concerns(row, span, { date, start, horizon })) continue
    // A party sitting without a table was put somewhere else, and staff chose who is to be without one.
    if (tables.length === 0 && (row.status === 'Seated' || (isWithout && row.no_table))) continue
    if (isMovable) movable.add(party.id)
    if (row.status === 'Seated') seated.add(party.id)
    else if (isBooked && tables.length > 0 && !row.arrived && isPast(planned, now)) late.add(party.id)
    if (row.kind === 'booking' && row.service_date === date) {
      ofDay.add(party.id)
      if (row.status === 'Confirmed') confirmed.add(party.id)
      if (isWithout && span.until > now.epochMilliseconds) {
        waiting.push(party)
        if (row.arrived) hereWithout.push(party)
        else if (isPast(planned, now)) lateWithout.add(party.id)
      }
      if (isBooked && row.arrived && tables.length > 0) here.push(party)
    }
    parties.push(party)
  }
  const unavailable = unavailableSpans(rules, floor, date)
  const isTakenNow = (tables: readonly number[]): boolean =>
    parties.some((one) => seated.has(one.id) && sharesTable(one, tables))
  const isOffNow = (off: readonly Span[] = []): boolean =>
    off.some(({ from, until }) => from <= now.epochMilliseconds && now.epochMilliseconds < until)
  const [first, ...later] = balancedBy(floor, rules, date)
  const evening: Evening = {
    tables: tablesToWish.map(({ id, least, most, online, priority, features, room }) => ({
      id,
      least,
      most,
      online,
      priority,
      features,
      section: first ? first.of(id) : String(room),
      unavailable: unavailable.get(id) ?? [],
    })),
    combinations: floor.combinations,
    parties,
    ...(later.length > 0 && {
      laterSections: later.map(({ from, of }) => ({
        from,
        sections: new Map(tablesToWish.map(({ id }) => [id, of(id)])),
      })),
    }),
  }
  return {
    rules,
    now,
    floor,
    evening,
    movable,
    ofDay,
    confirmed,
    waiting,
    heldUp: heldUpOf(
      rules,
      here.filter(({ tables }) => isTakenNow(tables) || tables.some((id) => isOffNow(unavailable.get(id)))),
      hereWithout,
      now,
    ),
    seated,
    late,
    lateWithout,
    own: self,
    paged,
    turns: own?.turns,
    group: own?.staying && own.reservation !== undefined ? String(own.reservation) : null,
    off: () => offSpans(rules, floor, date),
    laid: laidOf(evening),
  }
}

/** Whether a party that is not here counts as late, and its time at the table is not over. */
const isPast = ({ from, until }: Span, { epochMilliseconds: now }: Temporal.Instant): boolean =>
  now - from >= lateMinutes * minuteMs && now < until

/** How late a party is that has not come, as everybody says it. */
export const minutesLate = ({ now }: Pick<FloorDay, 'now'>, { from }: Pick<Span, 'from'>): number =>
  Math.floor((now.epochMilliseconds - from) / minuteMs)

/** Each load is laid out when it is first asked about. */
const laidOf = (evening: Evening): FloorDay['laid'] => {
  const laid = new Map<Load, Laid>()
  return (load) => {
    const known = laid.get(load) ?? layOut(beside(evening, load))
    laid.set(load, known)
    return known
  }
}

/** The same tables without one of the bookings, for which others are looked for. */
export const floorWithout = (day: FloorDay, booking: number): FloorDay =>
  without(day, ({ id }) => id === String(booking))

/** The same tables without the parties that are late for theirs, which staff may give to who is here. */
export const floorWithoutLate = (day: FloorDay): FloorDay =>
  day.late.size === 0 ? day : without(day, ({ id }) => day.late.has(id))

const without = (day: FloorDay, isLeftOut: (party: Party) => boolean): FloorDay => {
  const isOther = (party: Party): boolean => !isLeftOut(party)
  const evening = { ...day.evening, parties: day.evening.parties.filter(isOther) }
  return { ...day, evening, waiting: day.waiting.filter(isOther), laid: laidOf(evening) }
}

/** Those of a day who are here, as staff may seat them: `overrun` while their tables are taken or out of use, `without` while they have none. */
const heldUpOf = (
  rules: Pick<BookingRules, 'shortestStays'> & { readonly floor: Floor },
  overrun: readonly Party[],
  without: readonly Party[],
  now: Temporal.Instant,
): readonly HeldUp[] => {
  const from = minuteOf(now).epochMilliseconds
  const elsewhere = overrun.map((party) => ({
    ...party,
    ...{ id: `elsewhere ${party.id}`, from, until: from + party.until - party.from },
    ...{ turn: party.from, tables: [], fixed: false },
  }))
  const short = [...elsewhere, ...without].flatMap((party): HeldUp[] => {
    const least = shortestStay(rules, party.size)
    const until = from + (least + rules.floor.turnoverMinutes) * minuteMs
    const turn = (party.turn as number) + afterAllHere / 2
    return least > 0 ? [{ ...party, id: `short ${party.id}`, whole: party.id, from, until, turn }] : []
  })
  return [...elsewhere, ...short]
}

/** Added to the turn of who is late and not here: after everybody who is. */
const afterAllHere = 365 * 24 * 60 * minuteMs

/** The turn of who is booked and neither here nor late: after all of these, and before who was promised nothing. */
const booked = Number.MAX_SAFE_INTEGER - 1

/**
 * The parties of an evening that a party of this load is judged with. For `kept` ones these hold a table, were paged
 * for one, or a place while they make up their mind: no request, no pending change and nobody else without a table.
 */
export const beside = (evening: Evening, load: Load): Evening =>
  load === 'new'
    ? evening
    : {
        ...evening,
        parties: evening.parties.filter(({ tables, group }) => tables.length > 0 || group === null),
      }

/** The load of a party: one in the book that sits, sits down, gets up, comes back or is only looked at keeps its time and size. */
export const loadOf = ({ own, turns }: FloorDay, party: Party): Load =>
  own !== undefined &&
  own.row.status !== 'Requested' &&
  (turns !== undefined ||
    ((own.row.status === 'Seated' || party.from === own.party.from) && party.size === own.party.size))
    ? 'kept'
    : 'new'

/** Whether it is of the date, or reaches into it from the night before or into the next one with it. */
const concerns = (
  { service_date, kind }: PartyRow,
  { from, until }: Span,
  { date, start, horizon }: { date: LocalDate; start: number; horizon: number },
): boolean => {
  if (service_date === date || kind === 'paged') return true
  if (service_date === null) return false
  return service_date < date ? until > start : from < horizon
}

/** Somebody of the evening as other tables are looked for: who sits needs them from now on. */
export const asMoved = ({ seated, floor, now }: FloorDay, party: Party): Party =>
  seated.has(party.id) ? { ...party, ...leftOf(party, floor, now) } : party

/** A party as the engine is asked about it. */
export const partyWanted = ({ rules, floor, evening, group, own, now }: FloorDay, wanted: Wanted): Party => ({
  // Its length counts from when it sat down, not from the booked time.
  ...(own?.row.status === 'Seated'
    ? leftOf(
        spanOf(
          rules,
          floor,
          { ...own.row, duration_minutes: wanted.durationMinutes ?? own.row.duration_minutes },
          now,
        ),
        floor,
        now,
      )
    : spanWanted(rules, floor, wanted)),
  id: asked,
  size: wanted.partySize,
  tables: [],
  fixed: false,
  onlineOnly: wanted.door === 'online',
  features:
    wanted.seating === undefined
      ? (own?.party.features ?? [])
      : wishedFeatures(wanted.seating, evening.tables),
  group,
})

const asked = 'asked'

/**
 * The tables for a party along with everybody else: those it held before if they are free and fit, otherwise others; or the
 * answer that none are left.
 */
export const seat = (day: FloorDay, wanted: Wanted): Seating => {
  const party = partyWanted(day, wanted)
  const load = loadOf(day, party)
  // A party that comes when it was paged sits down at the table it was paged for; at another hour that table is one of many.
  const before = day.own?.party ?? (day.paged && party.from < day.paged.until ? day.paged : undefined)
  const held = (before?.tables ?? []).toSorted((a, b) => a - b)
  const keeps = day.own !== undefined
  if (held.length > 0 && staysThere(day, party, held))
    return { seated: true, tables: held, keeps, moves: new Map() }
  const laid = day.laid(load)
  const found = (tables: readonly number[], given: Assignment['given'], keeps: boolean): Seating => ({
    seated: true,
    tables,
    keeps,
    moves: movesOf(day, [{ party, tables }], given),
  })
  if (held.length > 0 && day.group === null) {
    const all = day.floor.tables.length + day.floor.combinations.length
    const free = freeFor(laid, party, all)
    if (free.some(({ tables }) => tables.join() === held.join())) return found(held, laid.base.given, keeps)
  }
  const judgement = judge(laid, party)
  return judgement.seated
    ? found(judgement.given.get(asked) ?? [], judgement.given, false)
    : { seated: false }
}

/**
 * Whether a party has the tables that it holds without being judged. As it is in the book, always; who sits down, gets up or
 * stays longer, where nobody else holds them meanwhile.
 */
const staysThere = (day: FloorDay, party: Party, held: readonly number[]): boolean => {
  if (day.turns === 'back') return false
  if (day.turns === undefined) {
    if (loadOf(day, party) === 'new') return false
    if (day.own && party.until <= day.own.party.until) return true
  }
  return !isHeldByAnother(day, party, held) && !isOffFor(day, party, held)
}

/** Whether somebody else holds one of these tables while the party needs it; who is still without one holds none. */
const isHeldByAnother = ({ evening }: FloorDay, span: Span, held: readonly number[]): boolean =>
  evening.parties.some((one) => meet(one, span) && sharesTable(one, held))

const sharesTable = ({ tables }: Pick<Party, 'tables'>, others: readonly number[]): boolean =>
  tables.some((table) => others.includes(table))

/** Whether one of these takes nobody then. A party that gets up goes back to its planned table, even if that is no longer usable. */
const isOffFor = ({ evening, turns }: FloorDay, span: Span, held: readonly number[]): boolean =>
  turns !== 'up' &&
  evening.tables.some(
    ({ id, unavailable }) => held.includes(id) && unavailable.some((off) => meet(off, span)),
  )

/** Whether two spans share an instant. */
export const meet = (a: Span, b: Span): boolean => a.from < b.until && b.from < a.until

/** What is to be written so that these can sit there: who moves for them, of those that are ours to move. */
export const movesOf = (
  { movable, evening }: Pick<FloorDay, 'movable' | 'evening'>,
  placed: readonly Placed[],
  given: Assignment['given'],
): ReadonlyMap<number, readonly number[]> =>
  new Map(
    [...whoMoves(placed, evening.parties, given)]
      .filter(([id]) => movable.has(id))
      .map(([id, tables]) => [Number(id), tables]),
  )
