import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { advanceClock } from '../../integrations/practice/advance.ts'
import { addOccurrence, makeEvent } from '../../tickets/events.ts'
import { actAt } from '../act.ts'
import { manager } from './world.ts'
import { type GuestPageAnswer, guestAt, hiddenFieldsOn, pathOf, setGuestPages } from '../guest.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../office.ts'
import { everyEvening, setRules } from '../open-rules.ts'
import { type ServiceProcess, startProcess } from '../process.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { rowsOf } from '../rows.ts'
import {
  type Call,
  type TestService,
  type TestVenue,
  callService,
  everyScope,
  startService,
} from '../service.ts'
import { followClock } from '../stripe/follow-clock.ts'
import { type StripeStandIn, startStripeStandIn } from '../stripe/stand-in.ts'

/*
 * A venue that takes money, in processes of its own: what guests, staff and software do goes to the web process, what becomes of it
 * is the worker's, and both write down everything they log.
 */

/** An hour before dinner: what is booked then is soon over. */
const opens = '2026-10-06T20:00:00Z'
const site = 'https://shop.example.com'

export const runningVenue = () => {
  const scene = {} as {
    stripe: StripeStandIn
    /** What makes records beside the processes; it runs no worker, and nobody is served by it. */
    service: TestService
    web: ServiceProcess
    worker: ServiceProcess
    receiver: Receiver
    venue: TestVenue
    office: OfficeVisitor
    /** A key that may do everything. */
    key: string
    /** A date that tickets are sold for, and its event. */
    date: number
    event: number
    mailFolder: string
  }
  let dataDir = ''
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'venue-data-money-'))
    scene.stripe = await startStripeStandIn()
    const settings = {
      ...{ PRACTICE: 'on', PRACTICE_CLOCK: opens, PAYMENTS_URL: scene.stripe.url },
      ...{ SECRETS: `test:${randomBytes(32).toString('base64')}`, PUBLIC_URL: 'https://book.example.com' },
      ...{ DATA_DIR: dataDir, LOG_LEVEL: 'debug' },
    }
    scene.mailFolder = join(dataDir, 'mail')
    scene.service = await startService(settings)
    scene.service.setClock(opens)
    const start = async (role: string): Promise<ServiceProcess> => {
      const one = await startProcess({ ...settings, DATABASE_URL: scene.service.databaseUrl, ROLE: role })
      await one.ready()
      return one
    }
    scene.web = await start('web')
    scene.worker = await start('worker')
    followClock(scene.stripe, scene.web.url)
    scene.stripe.reach = (url) => url.replace(settings.PUBLIC_URL, scene.web.url)
    scene.receiver = await startReceiver()
    await furnish()
  })
  after(async () => {
    await Promise.all([scene.web, scene.worker].map((one) => one.stop()))
    await scene.receiver.stop()
    await scene.service.stop()
    await scene.stripe.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const furnish = async (): Promise<void> => {
    const { service, web } = scene
    scene.venue = await service.venue()
    await setGuestPages(service, scene.venue, {
      ...{ doors: ['book', 'tickets'], confirmUpTo: 8, frameSites: [site] },
    })
    await setRules(
      service,
      scene.venue,
      everyEvening({
        guarantees: [
          { asks: 'deposit', amountCents: 2_000, per: 'guest', freeUntilHours: 24, partyFrom: 4 },
          { asks: 'card', amountCents: 2_500, per: 'guest', freeUntilHours: 24 },
        ],
      }),
    )
    scene.office = visitOffice(web)
    await scene.office.signIn((await staffOf(service, scene.venue, 'owner')).email)
    await presses('/office/settings/payments', { key: scene.stripe.key })
    scene.key = (await scene.venue.makeKey('read_write', 'api', { scopes: everyScope })).key
    scene.event = (await actAt(service, scene.venue, (work) => makeEvent(work, manager, 'Wine dinner'))).id
    const typed = { title: null, date: '2026-10-20', startTime: '19:00', capacity: 40, priceCents: 4_500 }
    scene.date = (
      await actAt(service, scene.venue, (work) => addOccurrence(work, manager, scene.event, typed))
    ).id
    const { status, text } = await call('POST', '/api/v1/webhooks', {
      body: { url: `${scene.receiver.url}/events`, events: ['*'] },
    })
    assert.equal(status, 201, text)
  }

  /** The clock of a form that was opened a minute ago is that of the processes. */
  const inTime = async (): Promise<void> => {
    const date = (await fetch(`${scene.web.url}/healthz`)).headers.get('date') ?? ''
    scene.service.setClock(new Date(date).toISOString())
  }
  const later = async (duration: Temporal.DurationLike): Promise<void> => {
    await advanceClock(scene.service.db, Temporal.Duration.from(duration).total('milliseconds'))
    await inTime()
    await scene.office.signIn(`owner@${scene.venue.slug}.example.com`)
  }
  const call = (method: string, path: string, more: Call = {}) =>
    callService(scene.web.url, method, path, { key: scene.key, ...more })
  const guest = async (path: string, form?: Record<string, string>): Promise<GuestPageAnswer> => {
    await inTime()
    return guestAt({ url: scene.web.url, context: scene.service.context }, path, form ? { form } : {})
  }
  const presses = async (path: string, form: Record<string, string>): Promise<void> => {
    const { status, words } = await scene.office.post(path, form)
    assert.equal(status, 303, words)
  }
  const rows = <Row extends Record<string, unknown>>(text: string): Promise<Row[]> =>
    rowsOf<Row>(scene.service, text, [scene.venue.id])

  /** Fills in the door's form for a table, and leads to the processor's page. */
  const asksTable = async (slot: string, size: string, email: string): Promise<string> => {
    const door = `/v/${scene.venue.slug}/book`
    const held = await guest(door, { size, slot })
    const { text } = await guest(pathOf(held.headers.get('location')))
    const names = ['token', 'size', 'day', 'time', 'hold', 'agreed']
    const { headers } = await guest(door, {
      ...hiddenFieldsOn(text, names),
      ...{ name: 'Maya Okafor', email },
    })
    return headers.get('location') ?? ''
  }
  const asksTickets = async (seats: string, email: string): Promise<string> => {
    const page = `/v/${scene.venue.slug}/tickets/${scene.event}`
    const { text } = await guest(`${page}?date=${scene.date}&seats=${seats}`)
    const names = ['token', 'date', 'seats', 'code', 'total']
    const { headers } = await guest(page, {
      ...hiddenFieldsOn(text, names),
      ...{ first: 'Maya', last: 'Okafor', email, tel: '' },
    })
    return headers.get('location') ?? ''
  }
  /** Pays on the processor's page, and comes back; where that leads once the page no longer loads itself again. */
  const pays = async (to: string): Promise<string> => {
    assert.ok(to.startsWith(scene.stripe.url), to)
    const session = await scene.stripe.pay(to.replace(/^.*\/pay\//, ''))
    assert.ok(session)
    // The worker may be looking at the payment at the same moment: until it knows, the page asks for patience.
    const { headers } = await scene.worker.until(async () => {
      const back = await guest(pathOf(session.success_url))
      return !back.headers.has('refresh') && back
    })
    return headers.get('location') ?? ''
  }
  /** Waits until a statement about the venue has rows. */
  const until = (text: string): Promise<unknown> =>
    scene.worker.until(async () => (await rows(text)).length > 0)

  return Object.assign(scene, {
    site,
    later,
    call,
    guest,
    presses,
    rows,
    asksTable,
    asksTickets,
    pays,
    until,
  })
}
