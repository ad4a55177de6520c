import type { Work } from '../../../context.ts'
import type { Actor } from '../../../core/activity/actor.ts'
import { recordActivity } from '../../../core/activity/record.ts'
import { sql } from '../../../platform/db/sql.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { type LocalDate, minuteOfDay, minutesPerDay } from '../../../platform/kernel/time/written-time.ts'
import type { BookingRules } from '../booking-rules.ts'
import { markAllFreed } from '../mark-all-freed.ts'
import { plannedPeriodsOn } from '../resolve-service.ts'
import { holdRules, markRulesChanged } from '../rules-store.ts'
import { momentOfServiceMinute } from '../service-now.ts'

/*
 * A table that breaks while the doors are open: any host takes it out of order until the last service of the date ends, as they
 * cut a section. Who is booked there stays booked there, and the pages list them as to move.
 */

/** The minute of a service date at which its last service ends; undefined once that is over, or where it has none. */
export const endOfTonight = (
  rules: BookingRules,
  date: LocalDate,
  now: Temporal.Instant,
): number | undefined => {
  const ends = plannedPeriodsOn(rules, date).map(({ endMinute }) => endMinute)
  const last = Math.max(...ends)
  return ends.length > 0 && Temporal.Instant.compare(now, momentOfServiceMinute(rules, date, last)) < 0
    ? last
    : undefined
}

type OutTonight = {
  readonly table: { readonly id: number; readonly label: string }
  readonly date: LocalDate
  /** Of that service date. */
  readonly endMinute: number
}

/** Gives the table to nobody new until then. Of two who press at once the second waits, and finds it done. */
export const takeOutTonight = async (work: Work, actor: Actor, out: OutTonight): Promise<void> => {
  const { db, venue } = work
  const now = work.now()
  const { date, time } = wallTimeOf(now, venue.timezone)
  const until = untilOf(out)
  await holdRules(db, venue.id)
  const made = await db.run(sql()`
    insert into table_outage (venue_id, table_id, from_date, from_minute, until_date, until_minute, why)
    select ${venue.id}, given.id, ${date}, ${minuteOfDay(time)}, ${until.date}, ${until.minute}, null
      from unnest(${[out.table.id]}::bigint[]) as given (id)
     where not exists (
       select from table_outage o
        where o.venue_id = ${venue.id} and o.table_id = given.id and o.why is null
          and o.until_date = ${until.date} and o.until_minute = ${until.minute})`)
  if (made === 0) return
  await markRulesChanged(db, venue.id)
  await note(work, actor, { before: null, after: toldOf(out) })
}

/** Takes that back. Returns whether it was out of order by such a press. */
export const useAgainTonight = async (work: Work, actor: Actor, out: OutTonight): Promise<boolean> => {
  const { db, venue } = work
  const until = untilOf(out)
  const ended = await db.run(sql()`
    delete from table_outage
     where venue_id = ${venue.id} and table_id = ${out.table.id} and why is null
       and until_date = ${until.date} and until_minute = ${until.minute}`)
  if (ended === 0) return false
  await markRulesChanged(db, venue.id)
  await markAllFreed(db, venue.id)
  await note(work, actor, { before: toldOf(out), after: null })
  return true
}

const untilOf = ({ date, endMinute }: OutTonight) => ({
  date: addDays(date, Math.floor(endMinute / minutesPerDay)),
  minute: endMinute % minutesPerDay,
})

const toldOf = ({ table, date }: OutTonight) => ({ 'out of order': `Table ${table.label}: tonight, ${date}` })

const note = (work: Work, actor: Actor, told: Record<'before' | 'after', Record<string, string> | null>) =>
  recordActivity(
    work,
    actor,
    { action: 'change the tables', record: { kind: 'venue', id: work.venue.id }, ...told },
    work.now(),
  )
