import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, sql } from '../../../platform/db/sql.ts'
import { markAllFreed } from '../mark-all-freed.ts'
import { holdRules } from '../rules-store.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { wholeFloor } from './floor-reads.ts'
import { type WrittenFloor, sameWord } from './written-floor.ts'

/*
 * The floor replaced as a whole, as a document or a file gives it. A table whose label stays is the same table and keeps
 * its bookings; one that is gone stays in the history of those it had.
 */

const heldRow = {
  label: 'text',
  reservation_id: 'int8',
  guest_name: 'text?',
  party_size: 'int4?',
  date: 'date?',
  time: 'time?',
} as const
/** A coming booking, and the table it holds. */
export type BookingAtTable = RowOf<typeof heldRow>

/** Most bookings named in a refusal. */
const mostNamed = 200

/** The coming bookings at these tables, and the parties that sit there. */
export const comingBookingsAt = (
  db: Queries,
  venue: VenueId,
  tables: readonly number[],
  now: Temporal.Instant,
): Promise<BookingAtTable[]> =>
  db.many(sql(heldRow)`
    select d.label, t.reservation_id, r.guest_name, r.party_size, r.date, r.time
      from reservation_table t
      join dining_table d on d.venue_id = t.venue_id and d.id = t.table_id
      join reservation r on r.venue_id = t.venue_id and r.id = t.reservation_id
     where t.venue_id = ${venue} and t.table_id = any(${[...tables]}::bigint[])
       and (r.status = 'Seated' or r.status = 'Confirmed' and r.starts_at >= ${now})
     order by r.starts_at, t.reservation_id, d.label
     limit ${mostNamed}`)

export type FloorReplaced =
  | { readonly done: true }
  /** Tables would go that these bookings hold; nothing was changed. */
  | { readonly done: false; readonly bookings: readonly BookingAtTable[] }

/** Labels that tables had, and those they have now; such a table is the same one and keeps its bookings. */
export type Renamed = ReadonlyMap<string, string>

/** Puts a floor in the place of the venue's. Not done while a table that would go has coming bookings. */
export const replaceFloor = async (
  db: Queries,
  venue: VenueId,
  floor: WrittenFloor,
  now: Temporal.Instant,
  renamed: Renamed = new Map(),
): Promise<FloorReplaced> => {
  // Of two who replace it at once the second waits here.
  await holdRules(db, venue)
  const before = await wholeFloor(db, venue)
  const knownAs = (label: string) => before?.tables.find((table) => sameWord(table.label, label))
  const known = new Map(
    floor.tables.map((table) => {
      const was = [...renamed].find(([, is]) => sameWord(is, table.label))?.[0]
      // A label whose table is called something else now is free for a new one.
      const isFree = [...renamed.keys()].some((other) => sameWord(other, table.label))
      return [table, was !== undefined ? knownAs(was) : isFree ? undefined : knownAs(table.label)]
    }),
  )
  const kept = new Set([...known.values()].flatMap((table) => (table ? [table.id] : [])))
  const gone = (before?.tables ?? []).filter(({ id }) => !kept.has(id))
  const bookings = await comingBookingsAt(
    db,
    venue,
    gone.map(({ id }) => id),
    now,
  )
  if (bookings.length > 0) return { done: false, bookings }
  await markAllFreed(db, venue)

  await db.run(sql()`
    update booking_settings set turnover_minutes = ${floor.turnoverMinutes} where venue_id = ${venue}`)
  await db.run(sql()`delete from table_combination where venue_id = ${venue}`)
  await db.run(sql()`delete from table_outage where venue_id = ${venue}`)
  await db.run(sql()`delete from table_plan where venue_id = ${venue}`)
  await db.run(sql()`delete from room_part where venue_id = ${venue}`)
  await db.run(sql()`
    update dining_table set removed_at = ${now} where venue_id = ${venue} and id = any(${gone.map(({ id }) => id)}::bigint[])`)
  const called = [...known].flatMap(([{ label }, table]) =>
    table && !sameWord(table.label, label) ? [table.id] : [],
  )
  // Two tables may trade labels: none is in the way of another meanwhile.
  await db.run(sql()`
    update dining_table d set label = '~~' || given.place
      from unnest(${called}::bigint[]) with ordinality as given (id, place)
     where d.venue_id = ${venue} and d.id = given.id`)
  const rooms = new Map<string, number>()
  for (const [place, room] of floor.rooms.entries()) {
    const known = before?.rooms.find(({ name }) => sameWord(name, room.name))
    rooms.set(room.name.toLowerCase(), await saveRoom(db, venue, room, place, known?.id))
  }
  const tables = new Map<string, number>()
  for (const table of floor.tables) {
    const room = rooms.get(table.room.toLowerCase()) as number
    tables.set(table.label.toLowerCase(), await saveTable(db, venue, table, room, known.get(table)?.id))
  }
  await dropEmptyRooms(db, venue, [...rooms.values()])
  const tableOf = (label: string): number => tables.get(label.toLowerCase()) as number
  for (const one of floor.combinations) {
    const { id } = await db.one(sql({ id: 'int8' })`
      insert into table_combination (venue_id, least, most) values (${venue}, ${one.least}, ${one.most}) returning id`)
    for (const label of one.tables) {
      await db.run(sql()`
        insert into combination_table (venue_id, combination_id, table_id) values (${venue}, ${id}, ${tableOf(label)})`)
    }
  }
  for (const { table, fromDate, fromMinute, untilDate, untilMinute, why } of floor.outages) {
    await db.run(sql()`
      insert into table_outage (venue_id, table_id, from_date, from_minute, until_date, until_minute, why)
      values (${venue}, ${tableOf(table)}, ${fromDate}, ${fromMinute}, ${untilDate}, ${untilMinute}, ${why})`)
  }
  await saveDrawn(db, venue, floor.drawn, (room) => rooms.get(room.toLowerCase()) as number)
  for (const { room, table, weekdays, from, to, service } of floor.plans) {
    await db.run(sql()`
      insert into table_plan (venue_id, room_id, table_id, weekdays, from_date, to_date, service)
      values (${venue}, ${room === null ? null : (rooms.get(room.toLowerCase()) as number)},
              ${table === null ? null : tableOf(table)}, ${[...weekdays]}, ${from}, ${to}, ${service})`)
  }
  return { done: true }
}

const saveRoom = async (
  db: Queries,
  venue: VenueId,
  { name, isOn }: WrittenFloor['rooms'][number],
  place: number,
  known: number | undefined,
): Promise<number> => {
  if (known !== undefined) {
    await db.run(sql()`
      update room set name = ${name}, place = ${place}, is_on = ${isOn} where venue_id = ${venue} and id = ${known}`)
    return known
  }
  const { id } = await db.one(sql({ id: 'int8' })`
    insert into room (venue_id, name, place, is_on) values (${venue}, ${name}, ${place}, ${isOn}) returning id`)
  return id
}

const saveTable = async (
  db: Queries,
  venue: VenueId,
  table: WrittenFloor['tables'][number],
  room: number,
  known: number | undefined,
): Promise<number> => {
  const { label, least, most, shape, x, y, online, priority, features } = table
  if (known !== undefined) {
    await db.run(sql()`
      update dining_table
         set room_id = ${room}, label = ${label}, least = ${least}, most = ${most}, shape = ${shape}, x = ${x}, y = ${y},
             online = ${online}, priority = ${priority}, features = ${[...features]}
       where venue_id = ${venue} and id = ${known}`)
    return known
  }
  const { id } = await db.one(sql({ id: 'int8' })`
    insert into dining_table (venue_id, room_id, label, least, most, shape, x, y, online, priority, features)
    values (${venue}, ${room}, ${label}, ${least}, ${most}, ${shape}, ${x}, ${y}, ${online}, ${priority}, ${[...features]})
    returning id`)
  return id
}

const saveDrawn = async (
  db: Queries,
  venue: VenueId,
  drawn: WrittenFloor['drawn'],
  roomOf: (name: string) => number,
): Promise<void> => {
  if (drawn.length === 0) return
  const all = (name: 'x' | 'y' | 'wide' | 'high'): number[] => drawn.map((one) => one[name])
  await db.run(sql()`
    insert into room_part (venue_id, room_id, what, x, y, wide, high)
    select ${venue}, d.room, d.what, d.x, d.y, d.wide, d.high
      from unnest(${drawn.map(({ room }) => roomOf(room))}::bigint[], ${drawn.map(({ what }) => what)}::text[],
                  ${all('x')}::integer[], ${all('y')}::integer[], ${all('wide')}::integer[], ${all('high')}::integer[])
        with ordinality as d (room, what, x, y, wide, high, place)
     order by d.place`)
}

/** A room that only history's tables are in stays, out of sight. */
const dropEmptyRooms = async (db: Queries, venue: VenueId, kept: readonly number[]): Promise<void> => {
  await db.run(sql()`
    delete from room r
     where r.venue_id = ${venue} and r.id <> all(${[...kept]}::bigint[])
       and not exists (select from dining_table t where t.venue_id = ${venue} and t.room_id = r.id)`)
}
