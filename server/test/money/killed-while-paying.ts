import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach } from 'node:test'
import { bookingRulesAround } from '../../book/rules/rules-store.ts'
import { askTable, termsNow } from '../../book/reservations/guarantee/ask-table.ts'
import { askGuest } from '../../book/reservations/guarantee/asked/ask-booking.ts'
import { pressAsked } from '../../book/reservations/guarantee/asked/secure-asked.ts'
import { chargeCard } from '../../book/reservations/guarantee/charging/charge.ts'
import { makeCharges } from '../../book/reservations/guarantee/charging/make-charges.ts'
import { deleteCards } from '../../book/reservations/guarantee/jobs.ts'
import { checkoutById } from '../../core/money/checkout-store.ts'
import { lookAtCheckouts } from '../../core/money/sweep.ts'
import { sql } from '../../platform/db/sql.ts'
import { momentWallReaches } from '../../platform/kernel/time/venue-clock.ts'
import { addOccurrence, makeEvent } from '../../tickets/events.ts'
import { recordRefund } from '../../tickets/refunds.ts'
import { type Asked, askTickets } from '../../tickets/online/ask-tickets.ts'
import { lookingAtTickets } from '../../tickets/online/looking.ts'
import { refundOnline } from '../../tickets/online/money-back/refund-online.ts'
import { actAt } from '../act.ts'
import { eventually } from '../eventually.ts'
import { setGuestPages } from '../guest.ts'
import { staffOf, visitOffice } from '../office.ts'
import { everyEvening, setRules } from '../open-rules.ts'
import { type ServiceProcess, startProcess } from '../process.ts'
import { uniqueEmail } from './world.ts'
import { rowsOf, waitingForLock } from '../rows.ts'
import { owner, signal } from '../selling-online.ts'
import { type TestService, type TestVenue, startService } from '../service.ts'
import { type StripeStandIn, type Trouble, startStripeStandIn } from '../stripe/stand-in.ts'

/**
 * A venue that takes money, whose guests press in a web process of its own that a test kills. Its worker is of the test's own
 * service, so that only what the test sweeps settles anything, unless it starts a worker that it kills as well.
 */
export const killedWhilePaying = () => {
  const scene = {} as {
    service: TestService
    stripe: StripeStandIn
    venue: TestVenue
    date: number
    settings: Record<string, string>
    running: ServiceProcess
  }
  before(async () => {
    const stripe = await startStripeStandIn()
    const secrets = `test:${randomBytes(32).toString('base64')}`
    const publicUrl = 'https://book.example.com'
    const settings = { PRACTICE: 'on', PAYMENTS_URL: stripe.url, SECRETS: secrets, PUBLIC_URL: publicUrl }
    const service = await startService(settings)
    service.setClock(Temporal.Now.instant().round('millisecond').toString())
    const venue = await service.venue()
    await setGuestPages(service, venue, { doors: ['tickets'] })
    const office = visitOffice(service)
    await office.signIn((await staffOf(service, venue, 'owner')).email)
    assert.equal((await office.post('/office/settings/payments', { key: stripe.key })).status, 303)
    Object.assign(scene, { stripe, settings, service, venue })
    scene.date = await newDate(100)
  })
  /** A date on which so many seats are sold. */
  const newDate = (capacity: number): Promise<number> =>
    actAt(scene.service, scene.venue, async (work) => {
      const { id } = await makeEvent(work, owner, 'Wine dinner')
      const typed = { title: null, date: '2099-10-20', startTime: '19:00', capacity, priceCents: 4_500 }
      return (await addOccurrence(work, owner, id, typed)).id
    })
  const start = async (role: 'web' | 'worker'): Promise<ServiceProcess> => {
    const { settings, service } = scene
    const one = await startProcess({ ...settings, DATABASE_URL: service.databaseUrl, ROLE: role })
    await one.ready()
    return one
  }
  let isRunning = false
  /** Starts a web process, unless one runs that no test has killed: a start costs more than most of these tests. */
  const restart = async (): Promise<void> => {
    if (isRunning) return
    scene.running = await start('web')
    isRunning = true
    void scene.running.ended.then(() => (isRunning = false))
  }
  beforeEach(async () => {
    Object.assign(scene.stripe, { trouble: undefined, callsOut: false, beforeEach: async () => undefined })
    await restart()
  })
  after(async () => {
    scene.running.signal('SIGKILL')
    await scene.service.stop()
    await scene.stripe.stop()
  })

  const killed = async () => {
    scene.running.signal('SIGKILL')
    assert.equal(await scene.running.ended, 'SIGKILL')
  }
  const ask = (occurrenceId = scene.date): Promise<Asked> =>
    actAt(scene.service, scene.venue, (work) =>
      askTickets(work, 'US', {
        ...{ occurrenceId, seats: 2, promoCode: '', language: 'en', title: '2 tickets' },
        shownTotalCents: 9_000,
        buyer: { firstName: 'Maya', lastName: 'Okafor', email: uniqueEmail(), phone: null },
      }),
    )
  const made = async (occurrenceId = scene.date): Promise<number> => {
    const asked = await ask(occurrenceId)
    assert.equal(asked.kind, 'checkout')
    return asked.kind === 'checkout' ? asked.checkout : 0
  }
  const pageOf = (id: number) =>
    scene.running.url +
    lookingAtTickets(scene.service.context)
      .pagesOf({ ...scene.venue, plan: 'pro' }, id)
      .cancel.replace(scene.service.context.config.publicUrl, '')
  const press = (id: number) =>
    fetch(pageOf(id), { method: 'POST', redirect: 'manual', body: new URLSearchParams({ do: 'pay' }) })
  const row = async (id: number) => {
    const found = await checkoutById(scene.service.db, scene.venue.id, id)
    assert.ok(found)
    return found
  }
  /** Once nobody who looked at it can be alive any more. */
  const sweep = async (minutes = 2) => {
    scene.service.setClock(Temporal.Now.instant().add({ minutes }).round('millisecond').toString())
    await lookAtCheckouts(lookingAtTickets(scene.service.context), signal)
    await refundOnline(scene.service.context, signal)
    await makeCharges(scene.service.context, signal)
    await deleteCards(scene.service.context, signal)
  }
  const books = async (id: number) => {
    const { order_id: order } = await row(id)
    const [kept] = await rowsOf(
      scene.service,
      `select status, seats, refunded_cents,
         (select count(*)::int from payment p where p.venue_id = o.venue_id and p.order_id = o.id) as payments
         from ticket_order o where venue_id = $1 and id = $2`,
      [scene.venue.id, order],
    )
    return kept
  }
  const pagesOf = async (id: number) => {
    const { ref } = await row(id)
    return [...scene.stripe.sessions.values()].filter(({ metadata }) => metadata?.['ref'] === ref)
  }

  const madeTable = async (asks: 'card' | 'deposit', time: string): Promise<number> => {
    await setRules(
      scene.service,
      scene.venue,
      everyEvening({ guarantees: [{ asks, amountCents: 2_000, per: 'guest' }] }),
    )
    const date = '2099-10-20'
    const when = { date, time, startsAt: momentWallReaches({ date, time }, scene.venue.timezone) }
    const checkout = await actAt(scene.service, scene.venue, async (work) => {
      const rules = await bookingRulesAround(work.db, work.venue, date)
      const terms = await termsNow(work, 'US', rules, { ...when, partySize: 2 })
      assert.ok(terms)
      const said = {
        ...{ formToken: crypto.randomUUID(), language: 'en', occasion: null, seating: null, answers: [] },
        note: null,
      }
      const email = uniqueEmail()
      const request = { ...when, partySize: 2, guestName: 'Maya', email, phone: null, notes: null, said }
      return askTable(work, {
        ...{ request, terms, sentence: 'Free until then.', title: 'A table', language: 'en' },
        by: { holder: crypto.randomUUID(), formerly: [] },
      })
    })
    assert.ok(checkout)
    return checkout
  }
  /** What staff asked of a booking that is there, as its guest pressed for it. */
  const madeAsk = async (time: string, status: 'asked' | 'charge_failed'): Promise<number> => {
    await setRules(scene.service, scene.venue, everyEvening())
    const { body } = await scene.service.call('POST', '/api/v1/reservations', {
      key: scene.venue.key,
      body: { guestName: 'Maya', email: 'maya@example.com', date: '2099-10-20', time, partySize: 2 },
    })
    const booking = Number(body.reservation.id)
    const until = scene.service.context.clock().add({ hours: 24 })
    const pressed = await actAt(scene.service, scene.venue, async (work) => {
      const terms = { kind: 'deposit', amountCents: 4_000, per: 'party', freeUntilHours: 1 } as const
      await askGuest(work, owner, { booking, ...terms, note: null, until })
      if (status === 'charge_failed') {
        await work.db.run(sql()`
          update guarantee set
            kind = 'card', status = 'charge_failed', amount_cents = 4000, customer_ref = 'cus_nobody', method_ref = 'pm_nobody',
            delete_at = ${until}, look_at = ${until}
           where venue_id = ${scene.venue.id} and reservation_id = ${booking}`)
        await work.db.run(sql()`
          update reservation set status = 'No-show' where venue_id = ${scene.venue.id} and id = ${booking}`)
      }
      const shown = { sentence: 'Free until then.', title: 'A table', language: 'en', cents: 4_000 }
      return pressAsked(work, { reservation: booking, ...shown })
    })
    assert.equal(pressed.kind, 'pay')
    return pressed.kind === 'pay' ? pressed.checkout : 0
  }
  const tableBooks = async (id: number) => {
    const { reservation_id: reservation } = await row(id)
    return rowsOf(
      scene.service,
      `select g.status, g.paid_cents, g.customer_ref is not null as has_card,
         (select count(*)::int from payment p where p.venue_id = g.venue_id and p.guarantee_id = g.id) as payments,
         (select count(*)::int from booking_hold h where h.venue_id = g.venue_id) as holds
         from guarantee g where g.venue_id = $1 and g.reservation_id = $2`,
      [scene.venue.id, reservation],
    )
  }
  /** A booking of the card's guests, who did not come, and for which a manager pressed Charge. */
  const madeCharge = async (time: string): Promise<number> => {
    const id = await madeTable('card', time)
    await press(id)
    await scene.stripe.pay((await row(id)).session_ref ?? '')
    await sweep(3)
    const { reservation_id: booking } = await row(id)
    await rows(`update reservation set status = 'No-show' where venue_id = $1 and id = ${booking}`)
    await actAt(scene.service, scene.venue, (work) =>
      chargeCard(work, owner, { booking: booking ?? 0, amountCents: 4_000 }),
    )
    return id
  }
  /** An order that is paid, of which staff give back so little that the processor would give it twice. */
  const madeRefund = async (): Promise<number> => {
    const id = await made()
    await press(id)
    await scene.stripe.pay((await row(id)).session_ref ?? '')
    await sweep(3)
    const { order_id: order } = await row(id)
    const [seen] = await rows(`select version from ticket_order where venue_id = $1 and id = ${order}`)
    await actAt(scene.service, scene.venue, (work) =>
      recordRefund(work, owner, {
        ...{ order: order ?? 0, seenVersion: Number(seen?.['version']), amountCents: 4_000 },
        ...{ via: 'processor', outcome: 'pending' },
      }),
    )
    return id
  }
  const rows = (text: string) => rowsOf(scene.service, text, [scene.venue.id])
  const dueNow = {
    payment: `update payment set look_at = now(), made_at = now() where venue_id = $1 and state = 'pending'`,
    refund: `update refund set look_at = now(), made_at = now() where venue_id = $1 and state = 'pending'`,
    account: `update processor_account set remove_at = now() where venue_id = $1 and remove_at is not null`,
    guarantee: `update guarantee set look_at = now() where venue_id = $1 and status = 'charged' and customer_ref is not null`,
  }
  /** A worker makes the call that is due, and is killed before it hears the answer. */
  const killedAt = async (at: string, how: Trouble, due: keyof typeof dueNow): Promise<void> => {
    // The clock of the tests is some minutes ahead of the worker's.
    await rows(dueNow[due])
    scene.stripe.trouble = { at, how }
    const worker = await start('worker')
    await worker.until(() => scene.stripe.trouble === undefined, { times: 20 })
    worker.signal('SIGKILL')
    await worker.ended
  }
  /** The guest of a page that is paid comes back, and the process is killed once the look was answered, before it wrote anything. */
  const killedBeforeCommit = async (id: number): Promise<void> => {
    const [looked, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    scene.stripe.beforeEach = async () => {
      looked.resolve()
      await locked.promise
    }
    const back = fetch(`${pageOf(id)}/back`, { redirect: 'manual' }).catch(() => undefined)
    await looked.promise
    await scene.service.db.session(async (client) => {
      await client.query('begin')
      await client.query('select id from checkout where venue_id = $1 and id = $2 for update', [
        scene.venue.id,
        id,
      ])
      locked.resolve()
      await eventually(async () => (await waitingForLock(scene.service)) > 0)
      await killed()
      await client.query('rollback')
    })
    await back
  }

  return Object.assign(scene, {
    ...{
      newDate,
      restart,
      killed,
      worker: () => start('worker'),
      killedAt,
      killedBeforeCommit,
      ask,
      made,
      madeTable,
      madeAsk,
      madeCharge,
      madeRefund,
    },
    ...{ pageOf, press, row, sweep, books, tableBooks, pagesOf, rows },
  })
}

/** What is behind an order, and behind a booking with a deposit, once it was paid once; and behind one with a card. */
export const paid = { status: 'paid', seats: 2, refunded_cents: 0, payments: 1 }
export const deposited = { status: 'paid', paid_cents: 4_000, has_card: false, payments: 1, holds: 0 }
export const cardKept = { status: 'held', paid_cents: 0, has_card: true, payments: 0, holds: 0 }
