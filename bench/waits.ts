import { momentText } from '../server/demo/write/bulk.ts'
import type { DemoBooking } from '../server/demo/guest-book.ts'
import { demoSeed, planDemo } from '../server/demo/plan.ts'
import { demoFloor } from '../server/demo/tables.ts'
import { addDays } from '../server/platform/kernel/time/calendar.ts'
import type { Moment } from '../server/platform/kernel/time/moment.ts'
import type { LocalDate } from '../server/platform/kernel/time/written-time.ts'
import { floorOfDay, seat } from '../server/book/day/day-floor.ts'
import type { Floor } from '../server/book/rules/floor/floor.ts'
import { likelyTablesFor } from '../server/book/tables/likely-table.ts'
import type { PartyRow } from '../server/book/day/party-reads.ts'
import { type StaysByKind, eveningMinute, kindOf, staysOf } from '../server/book/tables/stays.ts'
import type { BookingRules } from '../server/book/rules/booking-rules.ts'
import { inSteps, likeParties, minutesByLine, recentMinutes } from '../server/book/waitlist/quote.ts'
import type { Figure } from './report.ts'

/*
 * How true quotes are. The demo's year is played again, day by day, as it was recorded: parties come when they came and stay
 * as long as they stayed; who was not booked waits in line until the service itself would seat them. The tables are
 * those of the dining room, so that on busy evenings there is a line. Each party that cannot sit down at once is quoted
 * twice as it comes: by the line and tonight's waits, and by tables with what the 90 days before tell of stays.
 */

const madeAt = Temporal.Instant.from('2026-10-06T19:00:00Z')
const minuteMs = 60_000
/** Who waits longer leaves. */
const patienceMinutes = 90
/** Days of the year that only tell of stays. */
const daysToLearn = 90

export const measureWaits = (): Figure[] => {
  const { bookings, rules } = planDemo({ now: madeAt, seed: demoSeed, scale: 1 })
  const came = bookings.filter(({ state }) => state.completedAt !== null)
  const first = came.map(({ serviceDate }) => serviceDate).toSorted()[0] ?? ''
  const waits = [...Map.groupBy(came, ({ serviceDate }) => serviceDate)]
    .filter(([date]) => date >= addDays(first, daysToLearn))
    .flatMap(([date, ofDay]) => {
      const from = addDays(date, -daysToLearn)
      const known = staysIn(came.filter(({ serviceDate: day }) => from <= day && day < date))
      return playAgain(ofDay, { date, rules: { ...rules, floor: diningRoom }, known })
    })
  const errors = (of: 'byLine' | 'byTables'): readonly number[] =>
    waits.map((wait) => Math.abs(wait[of] - wait.waited)).toSorted((a, b) => a - b)
  const [byLine, byTables] = [errors('byLine'), errors('byTables')]
  return [
    {
      name: `wait quotes’ median error in minutes, ${waits.length} parties that waited in nine months of the demo, for its dining room alone (floor: by the line and tonight’s waits)`,
      floor: shareOf(byLine, 0.5),
      service: shareOf(byTables, 0.5),
      goal: { most: 1 },
    },
    {
      name: 'the same, what nine in ten stay within',
      floor: shareOf(byLine, 0.9),
      service: shareOf(byTables, 0.9),
    },
  ]
}

const shareOf = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN

const diningRoom: Floor = (() => {
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
    outages: [],
    plans: [],
    sectionPlans: [],
    shifts: [],
  }
})()

const stayOf = ({ state: { seatedAt, completedAt } }: DemoBooking): number =>
  (completedAt ?? 0) - (seatedAt ?? 0)

const staysIn = (bookings: readonly DemoBooking[]): StaysByKind => {
  const kinds = Map.groupBy(bookings, ({ partySize, serviceMinute }) =>
    kindOf({ partySize, isEvening: serviceMinute >= eveningMinute }),
  )
  return new Map(
    [...kinds].map(([kind, ofKind]) => {
      const minutes = ofKind.map((one) => stayOf(one) / minuteMs).toSorted((a, b) => a - b)
      const twentieths = Array.from({ length: 21 }, (_, n) => shareOf(minutes, n / 20))
      return [kind, { count: minutes.length, twentieths }]
    }),
  )
}

type Day = {
  readonly date: LocalDate
  readonly rules: BookingRules & { floor: Floor }
  readonly known: StaysByKind
}
type Wait = { readonly waited: number; readonly byLine: number; readonly byTables: number }
type Party = {
  readonly id: number
  readonly size: number
  readonly isBooked: boolean
  readonly came: number
  readonly stays: number
}

/** A day as it went: what everybody who had to wait was quoted, and how long they waited. */
const playAgain = (ofDay: readonly DemoBooking[], { date, rules, known }: Day): Wait[] => {
  const rows = new Map<number, PartyRow>(
    ofDay.flatMap((booking, id) => (isBooked(booking) ? [[id, rowOf(booking, id)] as const] : [])),
  )
  const coming = ofDay
    .map((booking, id): Party => {
      const { partySize: size, state, createdAt } = booking
      const came = (isBooked(booking) ? state.checkedInAt : createdAt) ?? 0
      return { id, size, isBooked: isBooked(booking), came, stays: stayOf(booking) }
    })
    .toSorted((a, b) => a.came - b.came)
  const leaving = new Map<number, number>()
  const quotes = new Map<number, Omit<Wait, 'waited'>>()
  const ended: { readonly at: number; readonly size: number; readonly waited: number }[] = []
  const waits: Wait[] = []
  const stays = staysOf(rules, known)
  const dayAt = (at: number, own?: number) =>
    floorOfDay(rules, date, [...rows.values()], Temporal.Instant.fromEpochMilliseconds(at), {
      ...(own !== undefined && { reservation: own }),
    })
  const sitDown = ({ id, size, isBooked, stays: stayed }: Party, at: number): boolean => {
    const startsAt = Temporal.Instant.fromEpochMilliseconds(at)
    const seating = seat(dayAt(at, isBooked ? id : undefined), { startsAt, partySize: size, door: 'staff' })
    if (!seating.seated) return false
    for (const [other, tables] of seating.moves) {
      const row = rows.get(other)
      if (row) rows.set(other, { ...row, tables: tables.map(String) })
    }
    const booking = ofDay[id] as DemoBooking
    const tables = seating.tables.map(String)
    rows.set(id, { ...rowOf(booking, id), status: 'Seated', seated_at: moment(at), arrived: true, tables })
    leaving.set(id, at + stayed)
    return true
  }
  const quoted = ({ size }: Party, line: readonly Party[], at: number): Omit<Wait, 'waited'> => {
    const ahead = line.map((other) => other.size)
    const from = Temporal.Instant.fromEpochMilliseconds(at)
    const [table] = likelyTablesFor(dayAt(at), stays, { serviceDate: date, from, ahead, sizes: [size] })
    const { least, most } = likeParties(size)
    const recent = ended.filter(
      (other) => other.at > at - recentMinutes * minuteMs && least <= other.size && other.size <= most,
    )
    const minutesUntil = table ? from.until(table.at).total('minutes') : undefined
    const byLine = minutesByLine(
      recent.map(({ waited }) => waited),
      line.length,
    )
    return { byLine: inSteps(byLine), byTables: inSteps(minutesUntil ?? byLine) }
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
    const seatLine = (party: Party): boolean => {
      if (!sitDown(party, at)) return true
      const quote = quotes.get(party.id)
      const waited = (at - party.came) / minuteMs
      if (quote) waits.push({ ...quote, waited })
      if (quote) ended.push({ at, size: party.size, waited })
      return false
    }
    line = line.filter((party) => party.isBooked || at - party.came < patienceMinutes * minuteMs)
    // Who is booked has a table and goes before those at the door.
    line = line
      .toSorted((a, b) => Number(b.isBooked) - Number(a.isBooked) || a.came - b.came)
      .filter(seatLine)
    for (const party of come) {
      if (sitDown(party, at)) continue
      const door = line.filter((other) => !other.isBooked)
      if (!party.isBooked) quotes.set(party.id, quoted(party, door, at))
      line.push(party)
    }
  }

  return waits
}

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
