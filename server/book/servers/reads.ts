import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import type { Moment } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { houseJoins } from '../../crm/house/reads.ts'
import { type ServerRow, serverRow } from './server.ts'

/** More than a house of 120 tables has in some years. */
export const mostServers = 200

/** All of a venue, those who are on first. */
export const serversOf = (db: Queries, venue: VenueId): Promise<ServerRow[]> =>
  db.many(sql(serverRow)`
    select ${columnsOf(serverRow)} from server where venue_id = ${venue}
     order by is_on desc, lower(name), id limit ${mostServers}`)

const planRow = { id: 'int8', name: 'text', is_on: 'bool', version: 'int4' } as const
export type SectionPlanRow = RowOf<typeof planRow>

export const sectionPlansOf = (db: Queries, venue: VenueId): Promise<SectionPlanRow[]> =>
  db.many(sql(planRow)`
    select ${columnsOf(planRow)} from section_plan where venue_id = ${venue} order by is_on desc, lower(name), id`)

const sectionRow = { plan_id: 'int8', section: 'int4', table_id: 'int8', label: 'text' } as const

/** The tables of a venue's plans, section by section; those that are gone are left out. */
export const sectionsOf = (db: Queries, venue: VenueId): Promise<RowOf<typeof sectionRow>[]> =>
  db.many(sql(sectionRow)`
    select t.plan_id, t.section, t.table_id, d.label
      from section_table t
      join dining_table d on d.venue_id = t.venue_id and d.id = t.table_id
     where t.venue_id = ${venue} and d.removed_at is null
     order by t.plan_id, t.section, d.id`)

const shiftRow = {
  id: 'int8',
  service_date: 'date',
  from_minute: 'int4',
  to_minute: 'int4',
  plan_id: 'int8',
  version: 'int4',
} as const
export type ShiftRow = RowOf<typeof shiftRow>

/** The shift of a service; undefined: nobody made a line-up for it. */
export const shiftOfService = (
  db: Queries,
  venue: VenueId,
  date: LocalDate,
  fromMinute: number,
): Promise<ShiftRow | undefined> =>
  db.maybe(sql(shiftRow)`
    select ${columnsOf(shiftRow)} from shift
     where venue_id = ${venue} and service_date = ${date} and from_minute = ${fromMinute}`)

export const shiftById = (db: Queries, venue: VenueId, id: number): Promise<ShiftRow | undefined> =>
  db.maybe(sql(shiftRow)`
    select ${columnsOf(shiftRow)} from shift where venue_id = ${venue} and id = ${id}`)

/** The shifts of a plan from a date on in which somebody is cut, by date. */
export const cutShiftsOf = (
  db: Queries,
  venue: VenueId,
  plan: number,
  from: LocalDate,
): Promise<{ id: number; service_date: LocalDate }[]> =>
  db.many(sql({ id: 'int8', service_date: 'date' })`
    select s.id, s.service_date from shift s
     where s.venue_id = ${venue} and s.plan_id = ${plan} and s.service_date >= ${from}
       and exists (select from shift_server p
                    where p.venue_id = ${venue} and p.shift_id = s.id and p.cut_at is not null)
     order by s.service_date, s.id`)

/** The last shift before a date on its weekday; of several on that date the one that begins at the nearest minute. */
export const lastSameWeekday = (
  db: Queries,
  venue: VenueId,
  date: LocalDate,
  fromMinute: number,
): Promise<ShiftRow | undefined> =>
  db.maybe(sql(shiftRow)`
    select ${columnsOf(shiftRow)} from shift
     where venue_id = ${venue} and service_date < ${date} and mod(${date}::date - service_date, 7) = 0
     order by service_date desc, abs(from_minute - ${fromMinute}) limit 1`)

const lineUpRow = {
  server_id: 'int8',
  place: 'int4',
  from_minute: 'int4',
  until_minute: 'int4',
  skipped_at: 'timestamptz?',
  cut_at: 'timestamptz?',
  sections: 'int4[]?',
} as const
export type LineUpRow = RowOf<typeof lineUpRow>

/** Who is in a shift, in the order of its line-up, and with which sections. */
export const lineUpOf = (db: Queries, venue: VenueId, shift: number): Promise<LineUpRow[]> =>
  db.many(sql(lineUpRow)`
    select p.server_id, p.place, p.from_minute, p.until_minute, p.skipped_at, p.cut_at,
           (select array_agg(x.section order by x.section) from shift_section x
             where x.venue_id = ${venue} and x.shift_id = ${shift} and x.server_id = p.server_id) as sections
      from shift_server p
     where p.venue_id = ${venue} and p.shift_id = ${shift}
     order by p.place, p.server_id`)

const ownShiftRow = {
  server_id: 'int8',
  shift_id: 'int8',
  service_date: 'date',
  from_minute: 'int4',
  until_minute: 'int4',
} as const
export type OwnShiftRow = RowOf<typeof ownShiftRow>

/** The shifts of the servers that an account is, on these dates. */
export const shiftsOfAccount = (
  db: Queries,
  venue: VenueId,
  account: number,
  [from, to]: readonly [LocalDate, LocalDate],
): Promise<OwnShiftRow[]> =>
  db.many(sql(ownShiftRow)`
    select p.server_id, p.shift_id, s.service_date, p.from_minute, p.until_minute
      from server v
      join shift_server p on p.venue_id = v.venue_id and p.server_id = v.id
      join shift s on s.venue_id = p.venue_id and s.id = p.shift_id
     where v.venue_id = ${venue} and v.account = ${account} and s.service_date between ${from} and ${to}`)

const ownPartyRow = {
  id: 'int8',
  version: 'int4',
  guest_name: 'text?',
  party_size: 'int4?',
  floor_stage: 'text?',
  notes: 'text?',
  allergies: 'text?',
  occasion: 'text?',
  vip: 'bool',
  tables: 'text[]',
} as const
export type OwnPartyRow = RowOf<typeof ownPartyRow>

/** The parties that sit and are served by one of these: what somebody who serves them may know, and no more. */
export const partiesServedBy = (
  db: Queries,
  venue: VenueId,
  servers: readonly number[],
  [from, to]: readonly [LocalDate, LocalDate],
): Promise<OwnPartyRow[]> =>
  db.many(sql(ownPartyRow)`
    select r.id, r.version, r.guest_name, r.party_size, r.floor_stage, r.notes, g.allergies,
           nullif(coalesce(rh.occasion, gb.occasion), '') as occasion, coalesce(gh.vip, false) as vip,
           array(select d.label from reservation_table t
                   join dining_table d on d.venue_id = t.venue_id and d.id = t.table_id
                  where t.venue_id = ${venue} and t.reservation_id = r.id order by d.id) as tables
      from reservation_server w
      join reservation r on r.venue_id = w.venue_id and r.id = w.reservation_id
      left join guest g on g.venue_id = r.venue_id and g.id = r.guest_id ${houseJoins}
     where w.venue_id = ${venue} and w.server_id = any(${[...servers]}::bigint[])
       and r.service_date between ${from} and ${to} and r.status = 'Seated'
     order by r.seated_at, r.id`)

const servedRow = {
  reservation_id: 'int8',
  server_id: 'int8?',
  party_size: 'int4?',
  seated_at: 'timestamptz',
  status: 'text',
} as const
export type ServedRow = RowOf<typeof servedRow>

/** Everybody who sits or sat down on a service date, and who serves or served them; null: nobody. */
export const servedOn = (db: Queries, venue: VenueId, date: LocalDate): Promise<ServedRow[]> =>
  db.many(sql(servedRow)`
    select r.id as reservation_id, w.server_id, r.party_size, r.seated_at, r.status
      from reservation r
      left join reservation_server w on w.venue_id = r.venue_id and w.reservation_id = r.id
     where r.venue_id = ${venue} and r.service_date = ${date} and r.seated_at is not null
     order by r.seated_at, r.id`)

/** Who sits on a service date without a server, and at which tables. */
export const seatedWithoutServer = (
  db: Queries,
  venue: VenueId,
  date: LocalDate,
): Promise<{ id: number; seated_at: Moment; tables: string[] }[]> =>
  db.many(sql({ id: 'int8', seated_at: 'timestamptz', tables: 'text[]' })`
    select r.id, r.seated_at, array_agg(t.table_id::text) as tables
      from reservation r
      join reservation_table t on t.venue_id = r.venue_id and t.reservation_id = r.id
     where r.venue_id = ${venue} and r.service_date = ${date} and r.status = 'Seated' and r.seated_at is not null
       and not exists (select from reservation_server w where w.venue_id = ${venue} and w.reservation_id = r.id)
     group by r.id, r.seated_at`)

/** Whether a server is or was in any shift, or served anybody. */
export const hasServed = async (db: Queries, venue: VenueId, server: number): Promise<boolean> =>
  (
    await db.one(sql({ has: 'bool' })`
      select exists (select from shift_server where venue_id = ${venue} and server_id = ${server})
          or exists (select from reservation_server where venue_id = ${venue} and server_id = ${server}) as has`)
  ).has
