import type { PartyRow } from '../../book/day/party-reads.ts'
import { type FloorDay, type Wanted, floorOfDay, seat } from '../../book/day/day-floor.ts'
import { shortStays } from '../../book/day/short-stays.ts'
import type { BookingRules } from '../../book/rules/booking-rules.ts'
import type { Floor } from '../../book/rules/floor/floor.ts'
import type { Moment } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { DemoBooking } from '../guest-book.ts'
import { demoFloor } from '../tables.ts'
import { minuteMs } from '../venue-time.ts'
import { momentText } from '../write/bulk.ts'

/*
 * A day of the demo, played again as it was recorded: parties come when they came and stay as long as they stayed; who was
 * not booked waits in line until the service itself would seat them. Pure: what was is in, what happens is told to `seen`.
 */

/** Who is not booked leaves after waiting for so long. */
export const mostMinutesInLine = 90

export type Party = {
  readonly id: number
  readonly size: number
  readonly isBooked: boolean
  readonly came: number
  readonly stays: number
}

export type Replay = {
  readonly date: LocalDate
  readonly rules: BookingRules & { readonly floor: Floor }
  /** Whether whoever is booked has a table from the start, as in a venue where tables decide; otherwise when they come. */
  readonly givesTables: boolean
  /** Whether hosts also seat parties where a table is free for a while only. */
  readonly short: boolean
}

/** What happens, as it happens. */
export type Seen = {
  /** Somebody who is not booked comes and cannot sit down at once. */
  readonly waits?: (party: Party, line: readonly Party[], at: number, day: FloorDay) => void
  readonly sits?: (party: Party, at: number) => void
  /** Nothing happens from now until `next`; `line`: who still waits. */
  readonly rests?: (at: number, next: number, line: readonly Party[], rows: readonly PartyRow[]) => void
}

export const replayEvening = (
  ofDay: readonly DemoBooking[],
  { date, rules, givesTables, short }: Replay,
  seen: Seen,
): void => {
  const rows = new Map<number, PartyRow>(
    ofDay.flatMap((booking, id) => (isBooked(booking) ? [[id, rowOf(booking, id)] as const] : [])),
  )
  let coming = ofDay
    .map((booking, id): Party => {
      const { partySize: size, state, createdAt } = booking
      const came = (isBooked(booking) ? state.checkedInAt : createdAt) ?? 0
      return { id, size, isBooked: isBooked(booking), came, stays: stayOf(booking) }
    })
    .toSorted((a, b) => a.came - b.came)
  const leaving = new Map<number, number>()
  const dayAt = (at: number, own?: number) =>
    floorOfDay(rules, date, [...rows.values()], Temporal.Instant.fromEpochMilliseconds(at), {
      ...(own !== undefined && { reservation: own }),
    })
  const sitDown = (party: Party, at: number): boolean => {
    const { id, size, isBooked: booked, stays } = party
    const startsAt = Temporal.Instant.fromEpochMilliseconds(at)
    const place = placeOf(
      dayAt(at, booked ? id : undefined),
      { startsAt, partySize: size, door: 'staff' },
      short,
    )
    if (!place) return false
    for (const [other, tables] of place.moves) {
      const row = rows.get(other)
      if (row) rows.set(other, { ...row, tables: tables.map(String) })
    }
    const row = rowOf(ofDay[id] as DemoBooking, id)
    rows.set(id, {
      ...row,
      ...{ status: 'Seated', seated_at: moment(at), arrived: true, tables: place.tables.map(String) },
      ...(place.minutes !== undefined && { duration_minutes: place.minutes }),
    })
    leaving.set(id, at + Math.min(stays, (place.minutes ?? Infinity) * minuteMs))
    seen.sits?.(party, at)
    return true
  }
  if (givesTables) {
    const refused = giveTables(rows, dayAt)
    coming = coming.filter(({ id }) => !refused.has(id))
  }
  /** Who moves for one party may make room for another: hosts look at the line again until nobody more sits down. */
  const stillWaiting = (line: Party[], at: number): Party[] => {
    const left = line.filter((party) => !sitDown(party, at))
    return left.length === line.length ? left : stillWaiting(left, at)
  }
  let line: Party[] = []
  while (coming.length > 0 || line.length > 0) {
    const at = Math.min(coming[0]?.came ?? Infinity, ...leaving.values())
    // Tables that are not made for so many: such a party was seated elsewhere.
    if (at === Infinity) break
    for (const [id, until] of leaving) {
      if (until > at) continue
      leaving.delete(id)
      rows.delete(id)
    }
    const come: Party[] = []
    while (coming[0] && coming[0].came <= at) come.push(coming.shift() as Party)
    line = line.filter((party) => party.isBooked || at - party.came < mostMinutesInLine * minuteMs)
    // Who is booked has a table and goes before those at the door.
    line = line.toSorted((a, b) => Number(b.isBooked) - Number(a.isBooked) || a.came - b.came)
    line = stillWaiting(line, at)
    for (const party of come) {
      if (sitDown(party, at)) continue
      const door = line.filter((other) => !other.isBooked)
      if (!party.isBooked) seen.waits?.(party, door, at, dayAt(at))
      line.push(party)
    }
    line = stillWaiting(line, at)
    const next = Math.min(coming[0]?.came ?? Infinity, ...leaving.values())
    seen.rests?.(at, next, line, [...rows.values()])
  }
}

type Place = {
  readonly tables: readonly number[]
  readonly moves: ReadonlyMap<number, readonly number[]>
  readonly minutes?: number
}

/** What hosts are offered first: a whole stay, else one that ends when somebody else needs the table. */
const placeOf = (day: FloorDay, wanted: Wanted, short: boolean): Place | undefined => {
  const seating = seat(day, wanted)
  if (seating.seated) return { tables: seating.tables, moves: seating.moves }
  const [first] = short ? shortStays(day, wanted) : []
  return first && { tables: first.tables.map(({ id }) => id), moves: new Map(), minutes: first.minutes }
}

/** Gives everybody who is booked a table, in the order of their times. Who finds none was not booked; returns these. */
const giveTables = (
  rows: Map<number, PartyRow>,
  dayAt: (at: number, own?: number) => FloorDay,
): ReadonlySet<number> => {
  const refused = new Set<number>()
  const byTime = [...rows.values()].toSorted((a, b) => (a.starts_at ?? '').localeCompare(b.starts_at ?? ''))
  const first = Temporal.Instant.from(byTime[0]?.starts_at ?? momentText(0)).epochMilliseconds - dayMs
  for (const row of byTime) {
    const startsAt = Temporal.Instant.from(row.starts_at ?? momentText(0))
    const id = Number(row.id)
    const seating = seat(dayAt(first, id), {
      ...{ startsAt, partySize: row.party_size, durationMinutes: row.duration_minutes, door: 'staff' },
    })
    if (!seating.seated) {
      rows.delete(id)
      refused.add(id)
      continue
    }
    for (const [other, tables] of [...seating.moves, [id, seating.tables] as const]) {
      const moved = rows.get(other)
      if (moved) rows.set(other, { ...moved, tables: tables.map(String) })
    }
  }
  return refused
}

const dayMs = 24 * 60 * minuteMs

/** The demo's dining room alone, so that on busy evenings there is a line. */
export const diningRoom: Floor = (() => {
  const room = demoFloor.rooms[0]?.name
  const tables = demoFloor.tables.filter((table) => table.room === room)
  const labels = tables.map(({ label }) => label)
  return {
    turnoverMinutes: 0,
    rooms: [{ id: 1, name: room ?? '', isOn: true }],
    tables: tables.map((table, n) => ({ ...table, id: n + 1, room: 1 })),
    combinations: demoFloor.combinations
      .filter((one) => one.tables.every((label) => labels.includes(label)))
      .map((one, n) => ({ ...one, id: n + 1, tables: one.tables.map((label) => labels.indexOf(label) + 1) })),
    drawn: [],
    outages: [],
    plans: [],
    sectionPlans: [],
    shifts: [],
  }
})()

export const stayOf = ({ state: { seatedAt, completedAt } }: DemoBooking): number =>
  (completedAt ?? 0) - (seatedAt ?? 0)

const isBooked = ({ source }: DemoBooking): boolean => source !== 'walkin' && source !== 'waitlist'

const moment = (at: number): Moment => momentText(at) as Moment

const rowOf = (booking: DemoBooking, id: number): PartyRow => ({
  kind: 'booking',
  id: String(id),
  reservation_id: id,
  service_date: booking.serviceDate,
  starts_at: moment(booking.startsAt),
  ends_at: null,
  duration_minutes: booking.durationMinutes,
  seated_at: null,
  party_size: booking.partySize,
  status: 'Confirmed',
  is_online: false,
  arrived: false,
  pinned: false,
  tables: null,
  no_table: false,
  seating: null,
  lapses_at: null,
})
