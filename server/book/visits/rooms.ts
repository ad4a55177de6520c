import type { Room } from '@venue-data/contract/records/visit.ts'
import type { Work } from '../../context.ts'
import { sql } from '../../platform/db/sql.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { minuteOfDay } from '../../platform/kernel/time/written-time.ts'
import { instantOfMinute } from '../day/day-span.ts'
import { cutReason } from '../rules/floor/floor.ts'

const tableRow = {
  room_id: 'int8',
  name: 'text',
  id: 'int8?',
  label: 'text?',
  least: 'int4?',
  most: 'int4?',
  is_removed: 'bool',
} as const

/** The rooms and their tables, also of those that are gone where a visit names them. */
export const readRooms = async ({ db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>): Promise<Room[]> => {
  const [rows, outOfOrder] = await Promise.all([
    db.many(sql(tableRow)`
    select o.id as room_id, o.name, d.id, d.label, d.least, d.most, d.removed_at is not null as is_removed
      from room o
      left join dining_table d on d.venue_id = ${venue.id} and d.room_id = o.id
        and (d.removed_at is null
          or exists (select from reservation_table t where t.venue_id = ${venue.id} and t.table_id = d.id))
     where o.venue_id = ${venue.id}
     order by o.place, o.id, d.id`),
    outOfOrderNow({ db, venue, now }),
  ])
  return [...Map.groupBy(rows, (row) => row.room_id)].map(([id, tables]) => ({
    id,
    name: tables[0]?.name ?? '',
    tables: tables.flatMap((table) =>
      table.id === null
        ? []
        : {
            id: table.id,
            label: table.label ?? '',
            seatsFrom: table.least ?? 1,
            seatsTo: table.most ?? 1,
            removed: table.is_removed,
            outOfOrderUntil: outOfOrder.get(table.id) ?? null,
          },
    ),
  }))
}

/** Until when tables are out of order now. That nobody serves a table at the end of an evening is not. */
const outOfOrderNow = async ({
  db,
  venue,
  now,
}: Pick<Work, 'db' | 'venue' | 'now'>): Promise<ReadonlyMap<number, string>> => {
  const { date, time } = wallTimeOf(now(), venue.timezone)
  const minute = minuteOfDay(time)
  const rows = await db.many(sql({ table_id: 'int8', until_date: 'date', until_minute: 'int4' })`
    select table_id, until_date, until_minute from table_outage
     where venue_id = ${venue.id} and (from_date, from_minute) <= (${date}::date, ${minute}::int)
       and (until_date, until_minute) > (${date}::date, ${minute}::int) and why is distinct from ${cutReason}
     order by until_date, until_minute`)
  return new Map(
    rows.map((row) => [
      row.table_id,
      toMoment(
        Temporal.Instant.fromEpochMilliseconds(
          instantOfMinute(venue.timezone, row.until_date, row.until_minute),
        ),
      ),
    ]),
  )
}
