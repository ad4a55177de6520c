import { addDays } from '../platform/kernel/time/calendar.ts'
import type { Assignment, Evening, Party } from '../book/day/assignment/evening.ts'
import { layOut } from '../book/day/assignment/judge.ts'
import type { Floor } from '../book/rules/floor/floor.ts'
import type { WrittenFloor } from '../book/rules/floor/written-floor.ts'
import type { DemoBooking } from './guest-book.ts'
import { minuteMs, wallAt } from './venue-time.ts'

/*
 * Where The Blue Door seats people: 32 tables in three rooms, nine ways to join them, and who was and will be at which
 * of them in the weeks around today.
 */

const rooms = ['Dining room', 'Bar', 'Terrace'] as const

type Row = readonly [label: string, least: number, most: number, shape: string, features?: readonly string[]]

const dining: readonly Row[] = [
  ['1', 1, 2, 'square', ['window']],
  ['2', 1, 2, 'square', ['window']],
  ['3', 1, 2, 'square', ['window']],
  ['4', 2, 4, 'square', ['window']],
  ['5', 2, 4, 'square', ['window']],
  ['6', 2, 4, 'square'],
  ['7', 2, 4, 'square'],
  ['8', 2, 4, 'square'],
  ['9', 2, 4, 'square', ['accessible']],
  ['10', 1, 2, 'square', ['accessible']],
  ['11', 1, 2, 'square'],
  ['12', 1, 2, 'square'],
  ['13', 3, 6, 'round', ['booth']],
  ['14', 3, 6, 'round', ['booth']],
  ['15', 2, 4, 'square', ['booth']],
  ['16', 2, 4, 'square', ['booth']],
  ['17', 4, 8, 'rectangle'],
  ['18', 1, 2, 'square'],
]
const bar: readonly Row[] = [
  ['B1', 1, 2, 'bar'],
  ['B2', 1, 2, 'bar'],
  ['B3', 1, 2, 'bar'],
  ['B4', 1, 2, 'bar'],
  ['B5', 2, 4, 'round'],
  ['B6', 2, 4, 'round'],
]
const terrace: readonly Row[] = [
  ['T1', 1, 2, 'square', ['outdoor']],
  ['T2', 1, 2, 'square', ['outdoor']],
  ['T3', 1, 2, 'square', ['outdoor']],
  ['T4', 2, 4, 'square', ['outdoor']],
  ['T5', 2, 4, 'square', ['outdoor']],
  ['T6', 2, 4, 'square', ['outdoor', 'accessible']],
  ['T7', 2, 4, 'square', ['outdoor']],
  ['T8', 4, 6, 'rectangle', ['outdoor']],
]

const joined: readonly (readonly [tables: string, least: number, most: number])[] = [
  ['1+2', 3, 4],
  ['2+3', 3, 4],
  ['4+5', 5, 8],
  ['6+7', 5, 8],
  ['7+8', 5, 8],
  ['6+7+8', 9, 12],
  ['15+16', 5, 8],
  ['T4+T5', 5, 8],
  ['T6+T7', 5, 8],
]

/** What the rooms are recognized by. */
const drawn: WrittenFloor['drawn'] = [
  { room: rooms[0], what: 'wall', x: 0, y: 9, wide: 7, high: 1 },
  { room: rooms[0], what: 'door', x: 7, y: 9, wide: 3, high: 1 },
  { room: rooms[0], what: 'wall', x: 10, y: 9, wide: 8, high: 1 },
  { room: rooms[1], what: 'bar', x: 0, y: 3, wide: 12, high: 2 },
  { room: rooms[2], what: 'wall', x: 0, y: 6, wide: 8, high: 1 },
  { room: rooms[2], what: 'door', x: 8, y: 6, wide: 2, high: 1 },
  { room: rooms[2], what: 'wall', x: 10, y: 6, wide: 8, high: 1 },
]

/** Tables in a row of the plan. */
const across = 6

export const demoFloor: WrittenFloor = {
  turnoverMinutes: 0,
  rooms: rooms.map((name) => ({ name, isOn: true })),
  tables: [dining, bar, terrace].flatMap((list, room) =>
    list.map(([label, least, most, shape, features = []], n) => ({
      label,
      room: rooms[room] as string,
      least,
      most,
      shape,
      x: (n % across) * 3,
      y: Math.floor(n / across) * 3,
      // The bar is for walk-ins.
      online: room !== 1,
      // Outdoors only once the rest is taken.
      priority: room === 2 ? 1 : 0,
      features,
    })),
  ),
  drawn,
  combinations: joined.map(([tables, least, most]) => ({ tables: tables.split('+'), least, most })),
  outages: [],
  plans: [],
}

/** Service dates with tables before today; and all to come, since tables decide. */
const daysBack = 28

const seatedStatuses: ReadonlySet<string> = new Set(['Confirmed', 'Seated', 'Completed'])

/** Steps for an evening: more than a judgement takes, so that a full one is seated as well as it can be. */
const steps = 20_000

const laidOut = (evening: Evening): Assignment => layOut(evening, steps).base

/** Which tables each booking around today has; the same for the same bookings. Pure. */
export const demoSeating = (
  bookings: readonly DemoBooking[],
  floor: Floor,
  now: number,
): ReadonlyMap<DemoBooking, readonly number[]> => {
  const from = addDays(wallAt(now).date, -daysBack)
  const around = bookings.filter(
    ({ serviceDate, state }) => from <= serviceDate && seatedStatuses.has(state.status),
  )
  const tables = floor.tables.map(({ id, least, most, online, priority, features, room }) => ({
    ...{ id, least, most, online, priority, features },
    section: String(room),
    unavailable: [],
  }))
  const house = { tables, combinations: floor.combinations }
  const seating = new Map<DemoBooking, readonly number[]>()
  for (const ofDay of Map.groupBy(around, ({ serviceDate }) => serviceDate).values()) {
    const byId = new Map(ofDay.map((booking, n) => [String(n).padStart(4, '0'), booking]))
    const parties = [...byId].map(([id, booking]): Party => {
      const start = booking.state.seatedAt ?? booking.startsAt
      const planned = start + booking.durationMinutes * minuteMs
      return {
        id,
        size: booking.partySize,
        from: start,
        // Who sits is still there.
        until:
          booking.state.completedAt ??
          (booking.state.seatedAt === null ? planned : Math.max(planned, now + minuteMs)),
        tables: [],
        fixed: false,
        onlineOnly: false,
        features: [],
        group: null,
      }
    })
    // Those who came have their tables, and expected parties get the remaining ones.
    const [here, expected] = [true, false].map((isHere) =>
      parties.filter(({ id }) => (byId.get(id)?.state.seatedAt !== null) === isHere),
    )
    const { given: taken } = laidOut({ ...house, parties: here ?? [] })
    const seated = (here ?? []).map((party) => ({ ...party, tables: taken.get(party.id) ?? [], fixed: true }))
    const { given } = laidOut({ ...house, parties: [...seated, ...(expected ?? [])] })
    for (const [id, tables] of [...taken, ...given]) seating.set(byId.get(id) as DemoBooking, tables)
  }
  return seating
}
