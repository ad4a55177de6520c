import type { Queries } from '../../../platform/db/pool.ts'
import { type Fragment, part, sql } from '../../../platform/db/sql.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { Floor } from './floor.ts'

/** An expression for a venue's floor in the form of `Floor`, past outages included. */
export const floorOf = (venue: VenueId): Fragment => part`jsonb_build_object(
      'turnoverMinutes', s.turnover_minutes,
      'rooms', (
        select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'isOn', is_on) order by place, id), '[]')
          from room where venue_id = ${venue}),
      'tables', (
        select coalesce(jsonb_agg(jsonb_build_object(
                 'id', id, 'room', room_id, 'label', label, 'least', least, 'most', most, 'shape', shape, 'x', x, 'y', y,
                 'online', online, 'priority', priority, 'features', features) order by id), '[]')
          from dining_table where venue_id = ${venue} and removed_at is null),
      'drawn', (
        select coalesce(jsonb_agg(jsonb_build_object(
                 'room', room_id, 'what', what, 'x', x, 'y', y, 'wide', wide, 'high', high) order by id), '[]')
          from room_part where venue_id = ${venue}),
      'combinations', (
        select coalesce(jsonb_agg(jsonb_build_object(
                 'id', c.id, 'least', c.least, 'most', c.most,
                 'tables', (select jsonb_agg(m.table_id order by m.table_id) from combination_table m
                             where m.venue_id = ${venue} and m.combination_id = c.id)) order by c.id), '[]')
          from table_combination c where c.venue_id = ${venue}),
      'outages', (
        select coalesce(jsonb_agg(jsonb_build_object(
                 'table', table_id, 'fromDate', from_date, 'fromMinute', from_minute,
                 'untilDate', until_date, 'untilMinute', until_minute, 'why', why)
                 order by from_date, from_minute, id), '[]')
          from table_outage where venue_id = ${venue}),
      'plans', (
        select coalesce(jsonb_agg(jsonb_build_object(
                 'room', room_id, 'table', table_id, 'weekdays', weekdays, 'from', from_date, 'to', to_date,
                 'service', service) order by id), '[]')
          from table_plan where venue_id = ${venue}),
      'sectionPlans', (
        select coalesce(jsonb_agg(jsonb_build_object(
                 'id', p.id,
                 'tables', (select coalesce(jsonb_agg(jsonb_build_object('table', t.table_id, 'section', t.section)
                                                      order by t.section, t.table_id), '[]')
                              from section_table t where t.venue_id = ${venue} and t.plan_id = p.id)) order by p.id), '[]')
          from section_plan p where p.venue_id = ${venue}),
      'shifts', (
        select coalesce(jsonb_agg(jsonb_build_object(
                 'id', h.id, 'date', h.service_date, 'fromMinute', h.from_minute, 'toMinute', h.to_minute,
                 'plan', h.plan_id,
                 'servers', (select coalesce(jsonb_agg(jsonb_build_object(
                                               'section', x.section, 'server', x.server_id,
                                               'from', coalesce(w.from_minute, h.from_minute),
                                               'until', coalesce(w.until_minute, h.to_minute))
                                                       order by x.section), '[]')
                               from shift_section x
                               left join shift_server w on w.venue_id = ${venue} and w.shift_id = h.id
                                                       and w.server_id = x.server_id
                              where x.venue_id = ${venue} and x.shift_id = h.id))
                 order by h.service_date desc, h.from_minute desc), '[]')
          from (select id, service_date, from_minute, to_minute, plan_id from shift where venue_id = ${venue}
                 order by service_date desc, from_minute desc limit ${mostShifts}) h))`

/** More than are planned ahead; of older ones nothing is decided anymore. */
const mostShifts = 60

/** All of a venue's floor, whether or not tables are on; undefined where it never had any. */
export const wholeFloor = async (db: Queries, venue: VenueId): Promise<Floor | undefined> => {
  const row = await db.maybe(sql({ floor: 'jsonb' })`
    select ${floorOf(venue)} as floor from booking_settings s where s.venue_id = ${venue}`)
  const floor = row?.floor as Floor | undefined
  return floor && (floor.tables.length > 0 || floor.rooms.length > 0) ? floor : undefined
}

/** The labels of these tables. */
export const labelsOfTables = async (
  db: Queries,
  venue: VenueId,
  tables: readonly number[],
): Promise<readonly string[]> =>
  (
    await db.many(sql({ label: 'text' })`
    select label from dining_table where venue_id = ${venue} and id = any(${[...tables]}::bigint[])`)
  ).map(({ label }) => label)

/** The venue's tables by their labels in lower case. */
export const tablesByLabel = async (db: Queries, venue: VenueId): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.many(sql({ id: 'int8', label: 'text' })`
    select id, label from dining_table where venue_id = ${venue} and removed_at is null`)
  return new Map(rows.map(({ id, label }) => [label.toLowerCase(), id]))
}
