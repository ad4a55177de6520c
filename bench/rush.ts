import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context, Work } from '../server/context.ts'
import { staffOf } from '../server/test/desk.ts'
import { type Demo, makeDemo } from '../server/demo/make-demo.ts'
import { sql } from '../server/platform/db/sql.ts'
import { scriptWords } from '../server/platform/kernel/script-words.ts'
import { wallTimeOf } from '../server/platform/kernel/time/venue-clock.ts'
import { addDays } from '../server/platform/kernel/time/calendar.ts'
import { changeGuestSettings } from '../server/book/rules/change-guest-settings.ts'
import { ticketsOfOrders } from '../server/tickets/admission/ticket-reads.ts'
import { addOccurrence, makeEvent } from '../server/tickets/events.ts'
import { sellTickets } from '../server/tickets/sell-tickets.ts'
import { signedIn } from './office.ts'
import type { Figure } from './report.ts'
import type { CrowdOrder, CrowdReport } from './rush/crowd.ts'
import { type Service, type Side, asking, openSide } from './sides.ts'
import { type Visitor, opened, visit } from './visitor.ts'

/*
 * Tickets in a rush, at the demo venue with a processor that plays Stripe: what a press, a call, a scan and a crowd cost, and
 * what others notice of the crowd. To run it alone: `node bench/rush.ts [--quick]`.
 */

export type RushSize = {
  readonly presses: number
  readonly scansAtDoor: number
  /** How long pages are looked at before the buyers come. */
  readonly aloneSeconds: number
  readonly buyers: { readonly count: number; readonly seconds: number }
  readonly browsers: { readonly count: number; readonly seconds: number; readonly seats: number }
}

export const wholeRush: RushSize = {
  ...{ presses: 50, scansAtDoor: 60, aloneSeconds: 20 },
  buyers: { count: 500, seconds: 60 },
  browsers: { count: 2_000, seconds: 20, seats: 60 },
}

/** Counts the same and judges no time. */
const quickRush: RushSize = {
  ...{ presses: 4, scansAtDoor: 4, aloneSeconds: 1 },
  buyers: { count: 20, seconds: 2 },
  browsers: { count: 80, seconds: 2, seats: 10 },
}

const doors = 3
/** While nobody else is there, so that it can be subtracted. */
const fewMs = 100
const busyMs = 800

type Rush = {
  readonly context: Context
  readonly service: Service
  readonly demo: Demo
  readonly crowd: Side<CrowdOrder, CrowdReport>
  readonly size: RushSize
  readonly event: number
  readonly act: <T>(work: (work: Work) => Promise<T>) => Promise<T>
}

export const measureRush = async (
  settings: Record<string, string>,
  root: string,
  size: RushSize,
): Promise<Figure[]> => {
  const endings: (() => Promise<void>)[] = []
  try {
    const child = fork(join(import.meta.dirname, 'rush', 'crowd.ts'))
    const [{ url, key }] = (await once(child, 'message')) as [CrowdReport]
    const crowd: Rush['crowd'] = asking(child)
    endings.push(crowd.stop)
    const service = await openSide(
      { ...settings, PRACTICE: 'on', PAYMENTS_URL: url, TRUST_PROXY: '1' },
      root,
      endings,
    )
    const { context } = service
    const demo = await makeDemo(context)
    const act: Rush['act'] = (work) =>
      context.db.transaction((queries) =>
        work({
          db: queries.within(demo.venue.id),
          venue: { ...demo.venue, plan: 'pro' },
          now: context.clock,
        }),
      )
    await act((work) =>
      changeGuestSettings(work, { kind: 'service' }, { changes: { doors: ['book', 'tickets'] } }),
    )
    await crowd.ask({ what: 'begin', port: service.port, delayMs: 0 })
    const owner = await signedIn(service.port, demo, 'owner')
    const connected = await owner.post('/office/settings/payments', { key })
    owner.stop()
    if (connected.status !== 303) throw new Error(`the account was answered ${connected.status}`)
    const event = (await act((work) => makeEvent(work, manager, 'Wine dinner'))).id
    await context.db.session((client) => client.query('analyze'))
    const rush: Rush = { ...{ context, service, demo, crowd, size, event, act } }
    return [
      ...(await pressing(rush)),
      ...(await scanning(rush)),
      ...(await besideBuyers(rush)),
      ...(await soldOut(rush)),
    ]
  } finally {
    for (const end of endings.toReversed()) await end()
  }
}

const manager = staffOf('manager')

/** A date with so many seats, two weeks ahead. */
const newDate = async ({ act, context, demo, event }: Rush, capacity: number): Promise<number> => {
  const today = wallTimeOf(context.clock(), demo.venue.timezone).date
  const date = { title: null, date: addDays(today, 14), startTime: '19:00', capacity, priceCents: 4_500 }
  return (await act((work) => addOccurrence(work, manager, event, date))).id
}

const pathOf = ({ demo, event }: Rush, date: number): string =>
  `/v/${demo.venue.slug}/tickets/${event}?date=${date}&seats=1`

/** One buyer after another. */
const pressing = async (rush: Rush): Promise<Figure[]> => {
  const { crowd, service, size } = rush
  const date = await newDate(rush, size.presses)
  await crowd.ask({ what: 'begin', port: service.port, delayMs: fewMs })
  const presses: number[] = []
  const orders: number[] = []
  for (let n = 0; n < size.presses; n++) {
    const bought = await crowd.ask({
      what: 'buy',
      path: pathOf(rush, date),
      buyers: 1,
      seconds: 0,
      pay: false,
    })
    if (bought.presses.length === 0)
      throw new Error(`nobody could buy: ${bought.refused.join() || 'sold out'}`)
    presses.push(...bought.presses)
    const seen = orderSeen(rush, date, n + 1)
    const { paidAt } = await crowd.ask({ what: 'pay-one' })
    orders.push((await seen) - paidAt)
  }
  return [
    {
      name: `from the press that buys to the answer that leads to the processor, without the ${fewMs} ms that this takes: p95 in ms`,
      service: percentile(presses) - fewMs,
      goal: { most: 60 },
    },
    {
      // It is looked at there once.
      name: `from the processor’s call to the order, without the ${fewMs} ms of the look at it: p95 in ms`,
      service: percentile(orders) - fewMs,
      goal: { most: 150 },
    },
  ]
}

/** When there are so many orders of a date, by the clock of the machine. */
const orderSeen = async (rush: Rush, date: number, orders: number): Promise<number> => {
  for (let looks = 0; looks < 10_000; looks++) {
    if ((await countOf(rush, date)).orders >= orders) return performance.timeOrigin + performance.now()
    await pause(3)
  }
  throw new Error('what was paid is no order')
}

const countOf = ({ context, demo }: Rush, date: number) =>
  context.db.one(sql({ orders: 'int4', seats: 'int4', returned: 'int4' })`
    select count(*)::integer as orders, coalesce(sum(seats), 0)::integer as seats,
        coalesce(sum(seats_returned), 0)::integer as returned
      from ticket_order where venue_id = ${demo.venue.id} and occurrence_id = ${date} and status <> 'cancelled'`)

/** Hosts at three doors, each with tickets of their own, who scan one after another. */
const scanning = async (rush: Rush): Promise<Figure[]> => {
  const { act, context, demo, service, size } = rush
  const date = await newDate(rush, doors * size.scansAtDoor)
  const codes: string[] = []
  while (codes.length < doors * size.scansAtDoor) {
    const buyer = { firstName: 'Maya', lastName: 'Okafor', email: null, phone: null }
    const { order } = await act((work) =>
      sellTickets(work, manager, { occurrenceId: date, seats: 4, method: 'cash', buyer }),
    )
    const tickets = await ticketsOfOrders(context.db, demo.venue.id, [order.id])
    codes.push(...tickets.map(({ code }) => code))
  }
  const took: number[] = []
  let wrong = 0
  await Promise.all(
    Array.from({ length: doors }, async (_, door) => {
      const host = await signedIn(service.port, demo, 'host')
      for (let n = door; n < codes.length; n += doors) {
        const scanned = await host.post(`/office/tickets/door/${date}`, {
          typed: codes[n] ?? '',
          door: `Door ${door}`,
        })
        took.push(scanned.ms)
        if (scanned.status !== 200) wrong++
      }
      host.stop()
    }),
  )
  const { inside } = await context.db.one(sql({ inside: 'int4' })`
    select count(*)::integer as inside from ticket t
      join ticket_order o on o.venue_id = t.venue_id and o.id = t.order_id
     where t.venue_id = ${demo.venue.id} and o.occurrence_id = ${date} and t.in_at is not null`)
  return [
    { name: `a scan at ${doors} doors at once: p95 in ms`, service: percentile(took), goal: { most: 100 } },
    {
      name: 'tickets of these that are not in once',
      service: codes.length - inside + wrong,
      goal: { most: 0 },
    },
  ]
}

/** How long pages take that others open again and again, until something is done: p95. */
const lookedAt = async (
  { demo, service }: Rush,
  during: Promise<unknown>,
): Promise<{ readonly office: number; readonly guests: number }> => {
  let isOver = false
  const ended = during.finally(() => {
    isOver = true
  })
  const looking = async (visitor: Visitor, path: string): Promise<number> => {
    const took: number[] = []
    while (!isOver) {
      took.push((await opened(visitor, path)).ms)
      await pause(20)
    }
    visitor.stop()
    return percentile(took)
  }
  const host = await signedIn(service.port, demo, 'host')
  const [office, guests] = await Promise.all([
    looking(host, '/office/service'),
    looking(visit(service.port), `/v/${demo.venue.slug}/book?size=2`),
    ended,
  ])
  return { office, guests }
}

/** Buyers who come evenly and pay, at a processor that is slow. */
const besideBuyers = async (rush: Rush): Promise<Figure[]> => {
  const { crowd, service, size } = rush
  const { count, seconds } = size.buyers
  const date = await newDate(rush, count)
  const alone = await lookedAt(rush, pause(size.aloneSeconds * 1_000))
  await crowd.ask({ what: 'begin', port: service.port, delayMs: busyMs })
  const buying = crowd.ask({ what: 'buy', path: pathOf(rush, date), buyers: count, seconds, pay: true })
  const beside = await lookedAt(rush, buying)
  const { refused, paid } = await buying
  for (const what of new Set(refused)) console.error(what)
  await orderSeen(rush, date, paid)
  const who = `${count} buyers in ${seconds} s, with a processor that takes ${busyMs} ms`
  const page = (name: string, of: 'office' | 'guests'): Figure => ({
    name: `${name} beside ${who}: p95 in ms, and alone`,
    ...{ floor: alone[of], service: beside[of], goal: { most: 1.2 } },
  })
  return [
    page('the service screen', 'office'),
    page('the calendar for guests', 'guests'),
    {
      name: 'buyers of these without their order',
      service: count - (await countOf(rush, date)).orders,
      goal: { most: 0 },
    },
  ]
}

/** Many more browsers than seats, within seconds. */
const soldOut = async (rush: Rush): Promise<Figure[]> => {
  const { crowd, service, size } = rush
  const { count, seconds, seats } = size.browsers
  const date = await newDate(rush, seats)
  await crowd.ask({ what: 'begin', port: service.port, delayMs: fewMs })
  const path = pathOf(rush, date)
  const buying = crowd.ask({ what: 'buy', path, buyers: count, seconds, pay: true })
  const { office } = await lookedAt(rush, buying)
  const { refused, paid, soldOut: sent } = await buying
  for (const what of new Set(refused)) console.error(what)
  await orderSeen(rush, date, paid)
  const sold = await countOf(rush, date)
  return [
    {
      name: `the service screen beside ${count} browsers in ${seconds} s that want ${seats} seats: p95 in ms`,
      ...{ service: office, goal: { most: 100 } },
    },
    { name: 'seats of these that were sold', service: sold.seats, goal: { least: seats, most: seats } },
    { name: 'seats that were paid for and could not be given', service: sold.returned, goal: { most: 0 } },
    {
      name: 'browsers that saw neither a ticket nor that it is sold out',
      service: count - paid - sent,
      goal: { most: 0 },
    },
  ]
}

const percentile = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * 0.95)] ?? Number.NaN
}

if (import.meta.main) {
  const { values } = scriptWords('node bench/rush.ts [--quick]', {
    options: { quick: { type: 'boolean', default: false } },
  })
  const dataDir = await mkdtemp(join(tmpdir(), 'venue-data-bench-'))
  try {
    const settings = { DATA_DIR: dataDir, DEMO: 'off', RATE_LIMIT_PER_MINUTE: '1000000' }
    const size = values.quick ? quickRush : wholeRush
    const figures = await measureRush(settings, join(import.meta.dirname, '..'), size)
    for (const { name, service } of figures) console.log(`${name}: ${service.toFixed(2)}`)
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}
