import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../server/context.ts'
import { sql } from '../server/platform/db/sql.ts'
import type { Demo } from '../server/demo/make-demo.ts'
import { openSlotOnFriday } from '../server/demo/open-slot.ts'
import { wallTimeOf } from '../server/platform/kernel/time/venue-clock.ts'
import { serviceDateAt } from '../server/book/rules/service-now.ts'
import { bookingRulesAround } from '../server/book/rules/rules-store.ts'
import { wholeFloor } from '../server/book/rules/floor/floor-reads.ts'
import { replaceFloor } from '../server/book/rules/floor/floor-store.ts'
import { emptyFloor, writtenFloor } from '../server/book/rules/floor/written-floor.ts'
import type { Figure } from './report.ts'
import { type Visitor, firstVisit, opened, visit } from './visitor.ts'

/*
 * The office at the demo venue, over HTTP on the tested service: how long a page takes, what a first visit downloads,
 * and how soon a click on one screen shows on another. Nothing else runs, as at a venue's door: one person presses and
 * waits.
 */

const renders = 200
const presses = 20
const mostLooks = 20

export const measureOffice = async (
  context: Context,
  service: { readonly port: number },
  demo: Demo,
): Promise<Figure[]> => {
  const owner = await signedIn(service.port, demo, 'owner')
  const host = await signedIn(service.port, demo, 'host')
  try {
    const { date, bookings } = await busiestDay(context, demo)
    const figures: Figure[] = []
    for (const view of ['list', 'timeline', 'floor']) {
      figures.push({
        name: `a page of the office, the ${view} of the demo’s busiest day (${bookings} bookings): p95 in ms`,
        service: await renderTime(host, `/office/today?date=${date}&view=${view}`),
        goal: { most: 40 },
      })
    }
    figures.push({
      name: 'the service screen, at the moment of the demo: p95 in ms',
      service: await renderTime(host, '/office/service'),
      goal: { most: 40 },
    })
    figures.push({
      name: 'a search from every page, `ma`: p95 in ms',
      service: await renderTime(host, '/office/search?q=ma'),
      goal: { most: 60 },
    })
    const { path, bytes } = await heaviest(owner, `/office/today?date=${date}`)
    figures.push({
      name: `heaviest first visit, \`${path}\` with styles and script, KB compressed`,
      service: bytes / 1024,
      goal: { most: 60 },
    })
    figures.push({
      name: `from a click on one screen until it shows on another, slowest of ${presses}, in ms`,
      service: await secondScreen(context, demo, owner, host),
      goal: { most: 1_500 },
    })
    const full = await fullHouse(context, demo, date)
    const grid = `/office/grid?date=${full}`
    figures.push({
      name: `the grid of ${houseTables} tables and ${houseBookings} bookings: p95 in ms`,
      service: await renderTime(host, grid),
      goal: { most: 40 },
    })
    figures.push({
      name: 'the same, a first visit with styles and script, KB compressed',
      service: (await firstVisit(host, grid)) / 1024,
      goal: { most: 60 },
    })
    await houseTonight(context, demo, full)
    for (const [page, path] of [
      ['floor', '/office/floor'],
      ['service screen', '/office/service'],
    ] as const) {
      figures.push({
        name: `the ${page} of ${houseTables} tables in ${houseSections} sections with servers, with ${houseBookings} bookings plus the demo’s of tonight and ${houseWaiting} waiting: p95 in ms`,
        service: await renderTime(host, path),
        goal: { most: 40 },
      })
      figures.push({
        name: 'the same, a first visit with styles and script, KB compressed',
        service: (await firstVisit(host, path)) / 1024,
        goal: { most: 60 },
      })
      figures.push({
        name: 'the same, opened again, KB compressed',
        service: (await opened(host, path)).body.length / 1024,
        goal: { most: 15 },
      })
    }
    // What is measured after this has no tables either.
    await context.db.session((client) =>
      client.query(`update booking_settings set table_mode = 'off' where venue_id = $1`, [demo.venue.id]),
    )
    return figures
  } finally {
    owner.stop()
    host.stop()
  }
}

export const signedIn = async (port: number, { signIns }: Demo, role: string): Promise<Visitor> => {
  const account = signIns.find((one) => one.role === role)
  if (!account) throw new Error(`the demo has no ${role}`)
  const visitor = visit(port)
  const { email, password } = account
  const { status } = await visitor.post('/office/sign-in', { email, password })
  if (status !== 303) throw new Error(`the ${role} was not let in: ${status}`)
  return visitor
}

export const busiestDay = ({ db }: Context, { venue }: Demo): Promise<{ date: string; bookings: number }> =>
  db.one(sql({ date: 'date', bookings: 'int4' })`
    select service_date as date, count(*)::integer as bookings from reservation
     where venue_id = ${venue.id} group by service_date
     order by sum(party_size) desc, service_date limit 1`)

/** The 95th percentile of many requests for a page, one after another, in milliseconds. */
export const renderTime = async (visitor: Visitor, path: string): Promise<number> => {
  const took: number[] = []
  for (let n = 0; n < renders; n++) took.push((await opened(visitor, path)).ms)
  // The first tenth warms up.
  const sorted = took.slice(renders / 10).toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * 0.95)] as number
}

/** Pages that the places and tabs lead to, from one that is busy: which weighs most with all it needs, for whom nothing is kept yet. */
const heaviest = async (visitor: Visitor, start: string): Promise<{ path: string; bytes: number }> => {
  const waiting = [start]
  const known = new Set(waiting)
  const weights = new Map<string, number>()
  let most = { path: start, bytes: 0 }
  for (let path = waiting.shift(); path !== undefined && known.size < 200; path = waiting.shift()) {
    const text = (await visitor.get(path)).body.toString()
    const bytes = await firstVisit(visitor, path, weights)
    if (bytes > most.bytes) most = { path, bytes }
    for (const [nav] of text.matchAll(/<nav[^]*?<\/nav>/g)) {
      for (const [, to] of nav.matchAll(/href="(\/office\/[^"#]+)"/g)) {
        const link = (to as string).replaceAll('&amp;', '&')
        // Pages of a list weigh about the same.
        if (known.has(link) || /[?&](?:after|before|page)=/.test(link)) continue
        known.add(link)
        waiting.push(link)
      }
    }
  }
  return most
}

const [houseTables, houseBookings, houseWaiting] = [120, 300, 40]
const houseSections = 6

/**
 * A large house that is full, on a day the demo has nothing on: its tables in addition to the demo's, and tables
 * decide.
 */
export const fullHouse = async (
  { db, clock }: Context,
  { venue }: Demo,
  busiest: string,
): Promise<string> => {
  const date = Temporal.PlainDate.from(busiest).add({ days: 364 }).toString()
  await db.transaction(async (all) => {
    const queries = all.within(venue.id)
    const floor = await wholeFloor(queries, venue.id)
    const before = floor ? writtenFloor(floor) : emptyFloor
    const tables = Array.from({ length: houseTables - before.tables.length }, (_, n) => ({
      label: `H${n}`,
      room: 'Hall',
      least: 1,
      most: 2 + (n % 5),
      shape: 'square',
      x: n % 12,
      y: Math.floor(n / 12),
      online: true,
      priority: 0,
      features: [],
    }))
    const rooms = [...before.rooms, { name: 'Hall', isOn: true }]
    await replaceFloor(
      queries,
      venue.id,
      { ...before, rooms, tables: [...before.tables, ...tables] },
      clock(),
    )
    // In the sections of the demo's line-ups, as its own tables are.
    await queries.run(sql()`
      insert into section_table (venue_id, plan_id, table_id, section)
      select d.venue_id, p.id, d.id, 1 + d.id % ${houseSections}::integer
        from dining_table d, section_plan p
       where d.venue_id = ${venue.id} and p.venue_id = ${venue.id} and d.label like 'H%' and d.removed_at is null`)
    await queries.run(sql()`
      update booking_settings set table_mode = 'on', tables_next_day = null where venue_id = ${venue.id}`)
    await queries.run(sql()`
      with made as (
        insert into reservation (venue_id, guest_name, party_size, date, time, service_date, service_minute, starts_at,
                                 duration_minutes, status, source, created_at, updated_at)
        select ${venue.id}, 'Party ' || n, 1 + n % 6, ${date}::date, time '17:00' + make_interval(mins => n / 120 * 120 + n % 4 * 15),
               ${date}::date, 1020 + n / 120 * 120 + n % 4 * 15,
               (${date}::date + time '17:00' + make_interval(mins => n / 120 * 120 + n % 4 * 15)) at time zone ${venue.timezone}::text,
               90, 'Confirmed', 'staff', ${clock()}, ${clock()}
          from generate_series(0, ${houseBookings}::integer - 1) n
        returning id, venue_id)
      insert into reservation_table (venue_id, reservation_id, table_id, pinned)
      select m.venue_id, m.id, d.id, false
        from (select *, row_number() over (order by id) - 1 as n from made) m
        join (select id, row_number() over (order by id) - 1 as n, count(*) over () as all_tables
                from dining_table where venue_id = ${venue.id} and removed_at is null) d on d.n = m.n % d.all_tables`)
  })
  await db.session((client) => client.query('analyze'))
  return date
}

/** The full house is tonight: the first party of each table sits there, the others are to come, and there is a line. */
export const houseTonight = async ({ db, clock }: Context, { venue }: Demo, from: string): Promise<void> => {
  const now = clock()
  const tonight = serviceDateAt(
    await bookingRulesAround(db.within(venue.id), venue, wallTimeOf(now, venue.timezone).date),
    now,
  )
  await db.within(venue.id).run(sql()`
    update reservation
       set date = ${tonight}::date, service_date = ${tonight}::date,
           starts_at = starts_at + make_interval(days => ${tonight}::date - ${from}::date),
           status = case when service_minute < 1140 then 'Seated' else status end,
           floor_stage = case when service_minute < 1140 then 'Mains' end,
           checked_in_at = case when service_minute < 1140 then ${now}::timestamptz end,
           seated_at = case when service_minute < 1140 then ${now}::timestamptz end
     where venue_id = ${venue.id} and service_date = ${from}::date and guest_name like 'Party %'`)
  await db.within(venue.id).run(sql()`
    insert into waitlist_entry (venue_id, guest_name, party_size, date, service_date, status, source, quoted_minutes,
                                quoted_at, created_at, updated_at)
    select ${venue.id}, 'Walk-in ' || n, 1 + n % 6, ${tonight}::date, ${tonight}::date, 'waiting', 'staff', 15 + n,
           joined, joined, joined
      from (select n, ${now}::timestamptz - make_interval(mins => n) as joined
              from generate_series(1, ${houseWaiting}::integer - (
                select count(*)::integer from waitlist_entry
                 where venue_id = ${venue.id} and service_date = ${tonight}::date and status in ('waiting', 'offered'))) n) line`)
  await db.session((client) => client.query('analyze'))
}

/**
 * One person alternately marks a booking as arrived and undoes it; another polls as the page does, at the interval read
 * from it. The presses cover all phases of that interval.
 */
const secondScreen = async (
  context: Context,
  { venue }: Demo,
  presser: Visitor,
  watcher: Visitor,
): Promise<number> => {
  const slot = await openSlotOnFriday(context.db, venue, context.clock())
  if (!slot) throw new Error('the demo has no table left')
  const { id } = await context.db.one(sql({ id: 'int8' })`
    select id from reservation
     where venue_id = ${venue.id} and service_date = ${slot.date} and status = 'Confirmed' order by id limit 1`)
  const day = `/office/today?date=${slot.date}`
  const first = (await watcher.get(day)).body.toString()
  const interval = Number(/hx-trigger="every (\d+)ms"/.exec(first)?.[1])
  if (!(interval > 0)) throw new Error('the book does not renew itself')
  let asks = asksOf(first)
  let slowest = 0
  for (let n = 0; n < presses; n++) {
    const { move, fields } = await nextMove(presser, id)
    const press = async (): Promise<number> => {
      await pause((n / presses) * interval)
      const at = performance.now()
      const { status } = await presser.post(`/office/bookings/${id}/moves`, { ...fields, move, back: day })
      if (status !== 303) throw new Error(`${move} was answered ${status}`)
      return at
    }
    const watch = async (): Promise<number> => {
      for (let looks = 0; looks < mostLooks; looks++) {
        await pause(interval)
        const { status, body } = await watcher.get(asks, { 'hx-request': 'true' })
        if (status === 204) continue
        asks = asksOf(body.toString())
        return performance.now()
      }
      throw new Error(`${move} was not seen after ${mostLooks} looks`)
    }
    const [at, seenAt] = await Promise.all([press(), watch()])
    slowest = Math.max(slowest, seenAt - at)
  }
  return slowest
}

const asksOf = (html: string): string => (/hx-get="([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')

/** What the booking's page would send: arrived, or not after all. */
const nextMove = async (
  visitor: Visitor,
  id: number,
): Promise<{ move: string; fields: Record<string, string> }> => {
  const html = (await visitor.get(`/office/bookings/${id}`)).body.toString()
  const hidden = (name: string) => new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(html)?.[1] ?? ''
  return {
    move: html.includes('value="undoArrive"') ? 'undoArrive' : 'arrive',
    // The slot is on another day, which the host at the door would be asked to confirm.
    fields: { version: hidden('version'), status: hidden('status'), confirmed: 'another-day' },
  }
}
