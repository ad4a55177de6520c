import { columnCalled } from '../../platform/db/record-of.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { fragment, sql } from '../../platform/db/sql.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type DocumentRules, type ServicePeriod, limitNames } from './booking-rules.ts'
import { markAllFreed } from './mark-all-freed.ts'
import { columnsCalled, settingNames, settingValues } from './setting-columns.ts'

/**
 * Puts these rules in the place of all the venue had. Bookings already made stay as they are. A block that stays
 * keeps the note staff wrote on it: the rules do not carry it.
 */
export const replaceBookingRules = async (
  db: Queries,
  venue: VenueId,
  rules: DocumentRules,
): Promise<void> => {
  const notes = await staffNotesOfBlocks(db, venue)
  await markAllFreed(db, venue)
  await saveSettings(db, venue, rules)
  await db.run(sql()`delete from service_period where venue_id = ${venue}`)
  await db.run(sql()`delete from special_day where venue_id = ${venue}`)
  await db.run(sql()`delete from closure where venue_id = ${venue}`)
  await db.run(sql()`delete from block where venue_id = ${venue}`)
  await db.run(sql()`delete from pacing_exception where venue_id = ${venue}`)
  for (const one of rules.periods) await insertPeriod(db, venue, one, { weekday: one.weekday, date: null })
  for (const { date, name, periods } of rules.specialDays) {
    await db.run(sql()`insert into special_day (venue_id, date, name) values (${venue}, ${date}, ${name})`)
    for (const one of periods) await insertPeriod(db, venue, one, { weekday: null, date })
  }
  for (const { from, to, name } of rules.closures) {
    await db.run(sql()`
      insert into closure (venue_id, from_date, to_date, name) values (${venue}, ${from}, ${to}, ${name})`)
  }
  for (const { serviceDate, fromMinute, toMinute, scope, publicNote } of rules.blocks) {
    const staffNote = notes.get(`${serviceDate} ${fromMinute} ${toMinute}`) ?? null
    await db.run(sql()`
      insert into block (venue_id, service_date, from_minute, to_minute, scope, public_note, staff_note)
      values (${venue}, ${serviceDate}, ${fromMinute}, ${toMinute}, ${scope}, ${publicNote}, ${staffNote})`)
  }
  for (const { serviceDate, fromMinute, maxCovers, maxParties } of rules.pacingExceptions) {
    await db.run(sql()`
      insert into pacing_exception (venue_id, service_date, from_minute, covers, parties)
      values (${venue}, ${serviceDate}, ${fromMinute}, ${maxCovers}, ${maxParties})`)
  }
}

/** What staff wrote on blocks, by the span of the block. Never given to the evaluator or to anybody outside. */
export const staffNotesOfBlocks = async (
  db: Queries,
  venue: VenueId,
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.many(sql({
    service_date: 'date',
    from_minute: 'int4',
    to_minute: 'int4',
    staff_note: 'text',
  })`
    select service_date, from_minute, to_minute, staff_note from block
     where venue_id = ${venue} and staff_note is not null`)
  return new Map(
    rows.map((row) => [`${row.service_date} ${row.from_minute} ${row.to_minute}`, row.staff_note]),
  )
}

/** Writes a note for staff on a block. */
export const noteOnBlock = (
  db: Queries,
  venue: VenueId,
  {
    serviceDate,
    fromMinute,
    toMinute,
  }: Pick<DocumentRules['blocks'][number], 'serviceDate' | 'fromMinute' | 'toMinute'>,
  note: string,
) =>
  db.run(sql()`
    update block set staff_note = ${note}
     where venue_id = ${venue} and service_date = ${serviceDate}
       and from_minute = ${fromMinute} and to_minute = ${toMinute}`)

const saveSettings = (db: Queries, venue: VenueId, rules: DocumentRules) =>
  db.run(sql()`
    insert into booking_settings (
      venue_id, pacing_interval_minutes, pacing_max_covers, pacing_max_parties, ${settingColumns})
    values (
      ${venue}, ${rules.pacing.intervalMinutes}, ${rules.pacing.maxCovers}, ${rules.pacing.maxParties},
      ${settingValues(settingNames, rules)})
    on conflict (venue_id) do update set
      pacing_interval_minutes = excluded.pacing_interval_minutes,
      pacing_max_covers = excluded.pacing_max_covers, pacing_max_parties = excluded.pacing_max_parties,
      ${settingsReplaced}`)
const settingColumns = fragment(columnsCalled(settingNames))
const settingsReplaced = fragment(
  settingNames.map((name) => `${columnCalled(name)} = excluded.${columnCalled(name)}`).join(', '),
)

const insertPeriod = (
  db: Queries,
  venue: VenueId,
  period: ServicePeriod,
  { weekday, date }: { weekday: number | null; date: LocalDate | null },
) =>
  db.run(sql()`
    insert into service_period (
      venue_id, weekday, special_date, name, start_minute, end_minute, last_arrival_minute, seating_minutes,
      pacing_interval_minutes, pacing_max_covers, pacing_max_parties, ${limitColumns})
    values (
      ${venue}, ${weekday}, ${date}, ${period.name}, ${period.startMinute}, ${period.endMinute},
      ${period.lastArrivalMinute}, ${[...period.seatingMinutes]}, ${period.pacing.intervalMinutes},
      ${period.pacing.maxCovers}, ${period.pacing.maxParties}, ${settingValues(limitNames, period)})`)
const limitColumns = fragment(columnsCalled(limitNames))
