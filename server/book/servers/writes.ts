import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import type { Moment } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { cutReason } from '../rules/floor/floor.ts'
import { type ServerRow, serverRow } from './server.ts'

type TypedServer = Pick<ServerRow, 'name' | 'initials' | 'color' | 'account' | 'is_on'>

export const insertServer = (db: Queries, venue: VenueId, to: TypedServer): Promise<ServerRow> =>
  db.one(sql(serverRow)`
    insert into server (venue_id, name, initials, color, account, is_on)
    values (${venue}, ${to.name}, ${to.initials}, ${to.color}, ${to.account}, ${to.is_on})
    returning ${columnsOf(serverRow)}`)

/** Undefined when somebody else changed it since that version. */
export const updateServer = (
  db: Queries,
  venue: VenueId,
  { id, version }: Pick<ServerRow, 'id' | 'version'>,
  to: TypedServer,
): Promise<ServerRow | undefined> =>
  db.maybe(sql(serverRow)`
    update server set name = ${to.name}, initials = ${to.initials}, color = ${to.color}, account = ${to.account},
                      is_on = ${to.is_on}, version = version + 1
     where venue_id = ${venue} and id = ${id} and version = ${version}
    returning ${columnsOf(serverRow)}`)

/** Only of one who never was in a shift. */
export const deleteServer = (db: Queries, venue: VenueId, id: number): Promise<number> =>
  db.run(sql()`delete from server where venue_id = ${venue} and id = ${id}`)

/** A plan's name, and whether it is offered. A version of 0 makes a new one; undefined when somebody changed it since. */
export const writePlan = async (
  db: Queries,
  venue: VenueId,
  { id, version }: { readonly id: number | undefined; readonly version: number },
  { name, isOn }: { readonly name: string; readonly isOn: boolean },
): Promise<number | undefined> => {
  const row =
    id === undefined
      ? await db.one(sql({ id: 'int8' })`
          insert into section_plan (venue_id, name, is_on) values (${venue}, ${name}, ${isOn}) returning id`)
      : await db.maybe(sql({ id: 'int8' })`
          update section_plan set name = ${name}, is_on = ${isOn}, version = version + 1
           where venue_id = ${venue} and id = ${id} and version = ${version} returning id`)
  return row?.id
}

/** Puts these in the place of a plan's sections. */
export const writeSections = async (
  db: Queries,
  venue: VenueId,
  plan: number,
  tables: readonly { readonly table: number; readonly section: number }[],
): Promise<void> => {
  await db.run(sql()`delete from section_table where venue_id = ${venue} and plan_id = ${plan}`)
  for (const { table, section } of tables)
    await db.run(sql()`
      insert into section_table (venue_id, plan_id, table_id, section)
      values (${venue}, ${plan}, ${table}, ${section})`)
}

export type ShiftWritten = {
  readonly date: LocalDate
  readonly fromMinute: number
  readonly toMinute: number
  readonly plan: number
}

/** The shift of a service, made or changed; undefined when somebody saved it since that version (0: there was none). */
export const writeShift = async (
  db: Queries,
  venue: VenueId,
  { date, fromMinute, toMinute, plan }: ShiftWritten,
  seenVersion: number,
): Promise<number | undefined> =>
  (
    await db.maybe(sql({ id: 'int8' })`
      insert into shift (venue_id, service_date, from_minute, to_minute, plan_id)
      values (${venue}, ${date}, ${fromMinute}, ${toMinute}, ${plan})
      on conflict (venue_id, service_date, from_minute) do update
        set to_minute = excluded.to_minute, plan_id = excluded.plan_id, version = shift.version + 1
       where shift.version = ${seenVersion}
      returning id`)
  )?.id

export type InLineUp = {
  readonly server: number
  readonly fromMinute: number
  readonly untilMinute: number
  readonly sections: readonly number[]
}

/** Puts these in the place of a shift's line-up, in this order; who stays keeps that it was skipped or cut. */
export const writeLineUp = async (
  db: Queries,
  venue: VenueId,
  shift: number,
  lineUp: readonly InLineUp[],
): Promise<void> => {
  await db.run(sql()`delete from shift_section where venue_id = ${venue} and shift_id = ${shift}`)
  await db.run(sql()`
    delete from shift_server
     where venue_id = ${venue} and shift_id = ${shift}
       and server_id <> all(${lineUp.map(({ server }) => server)}::bigint[])`)
  for (const [place, { server, fromMinute, untilMinute, sections }] of lineUp.entries()) {
    await db.run(sql()`
      insert into shift_server (venue_id, shift_id, server_id, place, from_minute, until_minute)
      values (${venue}, ${shift}, ${server}, ${place}, ${fromMinute}, ${untilMinute})
      on conflict (venue_id, shift_id, server_id) do update
        set place = excluded.place, from_minute = excluded.from_minute, until_minute = excluded.until_minute`)
    for (const section of sections)
      await db.run(sql()`
        insert into shift_section (venue_id, shift_id, section, server_id)
        values (${venue}, ${shift}, ${section}, ${server})`)
  }
}

/** Who serves a party from now on; undefined: nobody. */
export const writeWhoServes = (
  db: Queries,
  venue: VenueId,
  reservation: number,
  server: number | undefined,
): Promise<number> =>
  server === undefined
    ? db.run(sql()`
        delete from reservation_server where venue_id = ${venue} and reservation_id = ${reservation}`)
    : db.run(sql()`
        insert into reservation_server (venue_id, reservation_id, server_id)
        values (${venue}, ${reservation}, ${server})
        on conflict (venue_id, reservation_id) do update set server_id = excluded.server_id`)

/** Since when a server is passed over, or takes no new parties; null: they are not, they do. */
export const writeOutOfTurn = (
  db: Queries,
  venue: VenueId,
  { shift, server }: { readonly shift: number; readonly server: number },
  { as, at }: { readonly as: 'skipped' | 'cut'; readonly at: Moment | null },
): Promise<number> =>
  db.run(sql()`
    update shift_server
       set skipped_at = case when ${as} = 'skipped' then ${at}::timestamptz else skipped_at end,
           cut_at = case when ${as} = 'cut' then ${at}::timestamptz else cut_at end
     where venue_id = ${venue} and shift_id = ${shift} and server_id = ${server}`)

/** Sections of one server are another's; a page that shows the line-up as it was is old. */
export const giveSections = async (
  db: Queries,
  venue: VenueId,
  {
    shift,
    sections,
    from,
    to,
  }: {
    readonly shift: number
    readonly sections: readonly number[]
    readonly from: number
    readonly to: number
  },
): Promise<void> => {
  await db.run(sql()`
    update shift_section set server_id = ${to}
     where venue_id = ${venue} and shift_id = ${shift} and server_id = ${from}
       and section = any(${[...sections]}::int[])`)
  await db.run(sql()`update shift set version = version + 1 where venue_id = ${venue} and id = ${shift}`)
}

/** Parties that one server has are another's from now on. */
export const giveParties = (
  db: Queries,
  venue: VenueId,
  { parties, from, to }: { readonly parties: readonly number[]; readonly from: number; readonly to: number },
): Promise<number> =>
  db.run(sql()`
    update reservation_server set server_id = ${to}
     where venue_id = ${venue} and server_id = ${from} and reservation_id = any(${[...parties]}::bigint[])`)

/** A minute of a day, in the venue's wall time. */
type WallMinute = { readonly date: LocalDate; readonly minute: number }

/** Keeps these tables out of use from then to the end of the service; those that a cut keeps out already stay so. */
export const writeOutages = (
  db: Queries,
  venue: VenueId,
  {
    tables,
    from,
    end,
  }: { readonly tables: readonly number[]; readonly from: WallMinute; readonly end: WallMinute },
): Promise<number> =>
  db.run(sql()`
    insert into table_outage (venue_id, table_id, from_date, from_minute, until_date, until_minute, why)
    select ${venue}, given.id, ${from.date}, ${from.minute}, ${end.date}, ${end.minute}, ${cutReason}
      from unnest(${[...tables]}::bigint[]) as given (id)
     where not exists (
       select from table_outage o
        where o.venue_id = ${venue} and o.table_id = given.id and o.why = ${cutReason}
          and (o.until_date, o.until_minute) > (${from.date}::date, ${from.minute}::int)
          and (o.from_date, o.from_minute) < (${end.date}::date, ${end.minute}::int))`)

/** Ends the cuts of a service but those of these tables. Returns of how many tables. */
export const endCuts = (
  db: Queries,
  venue: VenueId,
  {
    except,
    begin,
    end,
  }: { readonly except: readonly number[]; readonly begin: WallMinute; readonly end: WallMinute },
): Promise<number> =>
  db.run(sql()`
    delete from table_outage
     where venue_id = ${venue} and why = ${cutReason} and table_id <> all(${[...except]}::bigint[])
       and (until_date, until_minute) > (${begin.date}::date, ${begin.minute}::int)
       and (from_date, from_minute) < (${end.date}::date, ${end.minute}::int)`)

/** Cuts of services long over, which nobody takes back. */
export const deletePastCuts = (db: Queries, venue: VenueId, before: LocalDate): Promise<number> =>
  db.run(sql()`
    delete from table_outage where venue_id = ${venue} and why = ${cutReason} and until_date < ${before}`)
