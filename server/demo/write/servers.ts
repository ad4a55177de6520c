import { sql } from '../../platform/db/sql.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { wholeFloor } from '../../book/rules/floor/floor-reads.ts'
import { plannedPeriodsOn } from '../../book/rules/resolve-service.ts'
import type { DocumentRules } from '../../book/rules/booking-rules.ts'
import { initialsOf, serverColors } from '../../book/servers/server.ts'
import { insertServer, writeLineUp, writePlan, writeSections, writeShift } from '../../book/servers/writes.ts'
import { wallAt } from '../venue-time.ts'
import type { Tables } from './bulk.ts'

const names = ['Maya Okafor', 'Ben Carter', 'Luis Ortega', 'Priya Shah', 'Dana Wu', 'Tom Field', 'Ana Reyes']
const sections = [1, 2, 3, 4, 5, 6]
/** Line-ups of a week: tonight's begins as that of the same weekday did. */
const daysBack = 8

/** Writes who serves, their sections, the line-ups of the last days and of tonight, and who served whom. */
export const writeServers = async (
  { db, venue }: Tables,
  rules: Pick<DocumentRules, 'periods' | 'specialDays'>,
  now: Temporal.Instant,
): Promise<void> => {
  const floor = await wholeFloor(db, venue)
  if (!floor) throw new Error('the demo has no tables')
  const ids: number[] = []
  for (const [n, name] of names.entries()) {
    const color = serverColors[n % serverColors.length] as string
    const server = { name, initials: initialsOf(name), color, account: null, is_on: true }
    ids.push((await insertServer(db, venue, server)).id)
  }
  const usual = { name: 'Usual', isOn: true }
  const plan = (await writePlan(db, venue, { id: undefined, version: 0 }, usual)) as number
  const each = Math.ceil(floor.tables.length / sections.length)
  await writeSections(
    db,
    venue,
    plan,
    floor.tables.map(({ id }, n) => ({ table: id, section: Math.floor(n / each) + 1 })),
  )
  const today = wallAt(now.epochMilliseconds).date
  for (let back = daysBack; back >= 0; back--) {
    const date = addDays(today, -back)
    for (const { startMinute, endMinute } of plannedPeriodsOn(rules, date)) {
      const span = { date, fromMinute: startMinute, toMinute: endMinute, plan }
      const shift = (await writeShift(db, venue, span, 0)) as number
      // By day three, each with two sections; at night six, another one free each time.
      const there = ids.filter((_, n) => n !== back % ids.length).slice(0, startMinute < 960 ? 3 : 6)
      const lineUp = there.map((server, n) => ({
        server,
        fromMinute: startMinute,
        untilMinute: endMinute,
        sections: sections.filter((section) => (section - 1) % there.length === n),
      }))
      await writeLineUp(db, venue, shift, lineUp)
    }
  }
  const served = await db.many(sql({ booking: 'int8', server: 'int8' })`
    select r.id as booking, min(x.server_id) as server
      from reservation r
      join reservation_table t on t.venue_id = r.venue_id and t.reservation_id = r.id
      join section_table s on s.venue_id = t.venue_id and s.table_id = t.table_id
      join shift h on h.venue_id = r.venue_id and h.service_date = r.service_date and h.plan_id = s.plan_id
       and h.from_minute <= r.service_minute and r.service_minute < h.to_minute
      join shift_section x on x.venue_id = h.venue_id and x.shift_id = h.id and x.section = s.section
     where r.venue_id = ${venue} and r.seated_at is not null
     group by r.id`)
  await db.run(sql()`
    insert into reservation_server (venue_id, reservation_id, server_id)
    select ${venue}, given.booking, given.server
      from unnest(${served.map(({ booking }) => booking)}::bigint[], ${served.map(({ server }) => server)}::bigint[])
        as given (booking, server)`)
}
