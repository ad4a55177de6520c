import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { checkoutById } from '../../core/money/checkout-store.ts'
import { lookAtCheckouts } from '../../core/money/sweep.ts'
import { actAt } from '../../test/act.ts'
import { momentWallReaches } from '../../platform/kernel/time/venue-clock.ts'
import { askTable, termsNow } from '../../book/reservations/guarantee/ask-table.ts'
import { askGuest } from '../../book/reservations/guarantee/asked/ask-booking.ts'
import { chargeCard } from '../../book/reservations/guarantee/charging/charge.ts'
import { deleteCards } from '../../book/reservations/guarantee/jobs.ts'
import { makeCharges } from '../../book/reservations/guarantee/charging/make-charges.ts'
import { pressAsked } from '../../book/reservations/guarantee/asked/secure-asked.ts'
import { sql } from '../../platform/db/sql.ts'
import { everyEvening, setRules } from '../../test/open-rules.ts'
import { eventually } from '../../test/eventually.ts'
import { setGuestPages } from '../../test/guest.ts'
import { staffOf, visitOffice } from '../../test/office.ts'
import { type ServiceProcess, startProcess } from '../../test/process.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'
import { type StripeStandIn, startStripeStandIn } from '../../test/stripe/stand-in.ts'
import { addOccurrence, makeEvent } from '../events.ts'
import { recordRefund } from '../refunds.ts'
import { askTickets } from './ask-tickets.ts'
import { lookingAtTickets } from './looking.ts'
import { refundOnline } from './refund-online.ts'

const owner = { kind: 'staff', id: 1, email: 'owner@example.com', role: 'owner' } as const
const signal = new AbortController().signal

describe('what a process leaves that is killed while somebody pays', () => {
  let service: TestService
  let stripe: StripeStandIn
  let venue: TestVenue
  let date: number
  let settings: Record<string, string>
  let running: ServiceProcess
  before(async () => {
    stripe = await startStripeStandIn()
    const secrets = `test:${randomBytes(32).toString('base64')}`
    const publicUrl = 'https://book.example.com'
    settings = { PRACTICE: 'on', PAYMENTS_URL: stripe.url, SECRETS: secrets, PUBLIC_URL: publicUrl }
    service = await startService(settings)
    service.setClock(Temporal.Now.instant().round('millisecond').toString())
    venue = await service.venue()
    await setGuestPages(service, venue, { doors: ['tickets'] })
    const office = visitOffice(service)
    await office.signIn((await staffOf(service, venue, 'owner')).email)
    assert.equal((await office.post('/office/settings/payments', { key: stripe.key })).status, 303)
    date = await actAt(service, venue, async (work) => {
      const { id } = await makeEvent(work, owner, 'Wine dinner')
      const typed = { title: null, date: '2099-10-20', startTime: '19:00', capacity: 100, priceCents: 4_500 }
      return (await addOccurrence(work, owner, id, typed)).id
    })
  })
  beforeEach(async () => {
    Object.assign(stripe, { trouble: undefined, callsOut: false })
    // Its worker is of another service, so that only what the test sweeps settles anything.
    running = await startProcess({ ...settings, DATABASE_URL: service.databaseUrl, ROLE: 'web' })
    await running.ready()
  })
  after(async () => {
    await service.stop()
    await stripe.stop()
  })

  const killed = async () => {
    running.signal('SIGKILL')
    assert.equal(await running.ended, 'SIGKILL')
  }
  const made = async (): Promise<number> => {
    const asked = await actAt(service, venue, (work) =>
      askTickets(work, 'US', {
        ...{ occurrenceId: date, seats: 2, promoCode: '', language: 'en', title: '2 tickets' },
        shownTotalCents: 9_000,
        buyer: {
          firstName: 'Maya',
          lastName: 'Okafor',
          email: `${crypto.randomUUID()}@example.com`,
          phone: null,
        },
      }),
    )
    assert.equal(asked.kind, 'checkout')
    return asked.kind === 'checkout' ? asked.checkout : 0
  }
  const pageOf = (id: number) =>
    running.url +
    lookingAtTickets(service.context)
      .pagesOf({ ...venue, plan: 'pro' }, id)
      .cancel.replace(service.context.config.publicUrl, '')
  const press = (id: number) =>
    fetch(pageOf(id), { method: 'POST', redirect: 'manual', body: new URLSearchParams({ do: 'pay' }) })
  const row = async (id: number) => {
    const found = await checkoutById(service.db, venue.id, id)
    assert.ok(found)
    return found
  }
  /** Once nobody who looked at it can be alive any more. */
  const sweep = async (minutes = 2) => {
    service.setClock(Temporal.Now.instant().add({ minutes }).round('millisecond').toString())
    await lookAtCheckouts(lookingAtTickets(service.context), signal)
    await refundOnline(service.context, signal)
    await makeCharges(service.context, signal)
    await deleteCards(service.context, signal)
  }
  const books = async (id: number) => {
    const { order_id: order } = await row(id)
    const [kept] = await rowsOf(
      service,
      `select status, seats, refunded_cents,
         (select count(*)::int from payment p where p.venue_id = o.venue_id and p.order_id = o.id) as payments
         from ticket_order o where venue_id = $1 and id = $2`,
      [venue.id, order],
    )
    return kept
  }
  const pagesOf = async (id: number) => {
    const { ref } = await row(id)
    return [...stripe.sessions.values()].filter(({ metadata }) => metadata?.['ref'] === ref)
  }
  const paid = { status: 'paid', seats: 2, refunded_cents: 0, payments: 1 }

  it('before the press: the clock ends it', async () => {
    const id = await made()
    await killed()
    await sweep(16)
    assert.deepEqual([(await row(id)).state, (await pagesOf(id)).length], ['ended', 0])
    await sweep()
  })

  for (const [what, how] of [
    ['with the call on its way', 'slow'],
    ['with the page made and the answer lost', 'slow after'],
  ] as const)
    it(`${what}: the same call again makes one page, which is paid once`, async () => {
      const id = await made()
      stripe.trouble = { at: 'POST /v1/checkout/sessions', how }
      const pressed = press(id).catch(() => undefined)
      await eventually(() => stripe.trouble === undefined)
      await killed()
      await pressed
      assert.equal((await row(id)).state, 'opening')
      await sweep()
      assert.equal((await row(id)).state, 'open')
      const [page, ...more] = await pagesOf(id)
      assert.deepEqual(more, [])
      await stripe.pay(page?.id ?? '')
      await sweep(3)
      assert.deepEqual(await books(id), paid)
    })

  it('with the guest having paid and the look under way: the next look gives the tickets', async () => {
    const id = await made()
    await press(id)
    const { session_ref: session } = await row(id)
    await stripe.pay(session ?? '')
    stripe.trouble = { at: 'GET /v1/checkout/sessions', how: 'slow' }
    const back = fetch(`${pageOf(id)}/back`, { redirect: 'manual' }).catch(() => undefined)
    await eventually(() => stripe.trouble === undefined)
    await killed()
    await back
    assert.equal((await row(id)).state, 'open')
    await sweep(3)
    assert.deepEqual(await books(id), paid)
  })

  const madeTable = async (asks: 'card' | 'deposit', time: string): Promise<number> => {
    await setRules(service, venue, everyEvening({ guarantees: [{ asks, amountCents: 2_000, per: 'guest' }] }))
    const date = '2099-10-20'
    const when = { date, time, startsAt: momentWallReaches({ date, time }, venue.timezone) }
    const checkout = await actAt(service, venue, async (work) => {
      const terms = await termsNow(work, 'US', { ...when, partySize: 2 })
      assert.ok(terms)
      const said = {
        ...{ formToken: crypto.randomUUID(), language: 'en', occasion: null, seating: null, answers: [] },
        note: null,
      }
      const email = `${crypto.randomUUID()}@example.com`
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
    await setRules(service, venue, everyEvening())
    const { body } = await service.call('POST', '/api/v1/reservations', {
      key: venue.key,
      body: { guestName: 'Maya', email: 'maya@example.com', date: '2099-10-20', time, partySize: 2 },
    })
    const booking = Number(body.reservation.id)
    const until = service.context.clock().add({ hours: 24 })
    const pressed = await actAt(service, venue, async (work) => {
      const terms = { kind: 'deposit', amountCents: 4_000, per: 'party', freeUntilHours: 1 } as const
      await askGuest(work, owner, { booking, ...terms, note: null, until })
      if (status === 'charge_failed')
        await work.db.run(sql()`
          update guarantee set
            kind = 'card', status = 'charge_failed', amount_cents = 4000, customer_ref = 'cus_nobody', method_ref = 'pm_nobody',
            delete_at = ${until}, look_at = ${until}
           where venue_id = ${venue.id} and reservation_id = ${booking}`)
      if (status === 'charge_failed')
        await work.db.run(sql()`
          update reservation set status = 'No-show' where venue_id = ${venue.id} and id = ${booking}`)
      const shown = { sentence: 'Free until then.', title: 'A table', language: 'en', cents: 4_000 }
      return pressAsked(work, { reservation: booking, ...shown })
    })
    assert.equal(pressed.kind, 'pay')
    return pressed.kind === 'pay' ? pressed.checkout : 0
  }
  const tableBooks = async (id: number) => {
    const { reservation_id: reservation } = await row(id)
    return rowsOf(
      service,
      `select g.status, g.paid_cents, g.customer_ref is not null as has_card,
         (select count(*)::int from payment p where p.venue_id = g.venue_id and p.guarantee_id = g.id) as payments,
         (select count(*)::int from booking_hold h where h.venue_id = g.venue_id) as holds
         from guarantee g where g.venue_id = $1 and g.reservation_id = $2`,
      [venue.id, reservation],
    )
  }
  const deposited = { status: 'paid', paid_cents: 4_000, has_card: false, payments: 1, holds: 0 }

  for (const [what, at, how] of [
    ['with the call for a deposit on its way', 'POST /v1/checkout/sessions', 'slow'],
    ['with the page for a deposit made and the answer lost', 'POST /v1/checkout/sessions', 'slow after'],
    ['with a deposit paid and the look under way', 'GET /v1/checkout/sessions', 'slow'],
  ] as const)
    it(`${what}: one booking, with what was paid once behind it`, async () => {
      const id = await madeTable('deposit', '19:00')
      const isLook = at.startsWith('GET')
      if (isLook) {
        await press(id)
        await stripe.pay((await row(id)).session_ref ?? '')
      }
      stripe.trouble = { at, how }
      const asked = (isLook ? fetch(`${pageOf(id)}/back`, { redirect: 'manual' }) : press(id)).catch(
        () => undefined,
      )
      await eventually(() => stripe.trouble === undefined)
      await killed()
      await asked
      await sweep(isLook ? 3 : 1)
      if (!isLook) {
        const [page, ...more] = await pagesOf(id)
        assert.deepEqual(more, [])
        await stripe.pay(page?.id ?? '')
        await sweep(3)
      }
      assert.deepEqual(await tableBooks(id), [deposited])
    })

  for (const [what, status, end, at, how] of [
    ['with the call for what staff ask on its way', 'asked', 'paid', 'POST /v1/checkout/sessions', 'slow'],
    ['with its page made and the answer lost', 'asked', 'paid', 'POST /v1/checkout/sessions', 'slow after'],
    ['with it paid and the look under way', 'asked', 'paid', 'GET /v1/checkout/sessions', 'slow'],
    ['with the call for a fee on its way', 'charge_failed', 'charged', 'POST /v1/checkout/sessions', 'slow'],
    [
      'with a fee paid and the look under way',
      'charge_failed',
      'charged',
      'GET /v1/checkout/sessions',
      'slow',
    ],
  ] as const)
    it(`${what}: the booking that is there has it once`, async () => {
      const id = await madeAsk('18:00', status)
      const isLook = at.startsWith('GET')
      if (isLook) {
        await press(id)
        await stripe.pay((await row(id)).session_ref ?? '')
      }
      stripe.trouble = { at, how }
      const asked = (isLook ? fetch(`${pageOf(id)}/back`, { redirect: 'manual' }) : press(id)).catch(
        () => undefined,
      )
      await eventually(() => stripe.trouble === undefined)
      await killed()
      await asked
      await sweep(isLook ? 3 : 1)
      if (!isLook) {
        const [page, ...more] = await pagesOf(id)
        assert.deepEqual(more, [])
        await stripe.pay(page?.id ?? '')
        await sweep(3)
      }
      const [kept, ...more] = await tableBooks(id)
      assert.deepEqual(more, [])
      assert.deepEqual([kept?.status, kept?.paid_cents, kept?.payments], [end, 4_000, 1])
      assert.equal((await row(id)).state, 'completed')
    })

  it('with a card charged, and then deleted, there and the answer lost: charged once, and gone', async () => {
    const id = await madeTable('card', '20:00')
    await press(id)
    await stripe.pay((await row(id)).session_ref ?? '')
    await sweep(3)
    await killed()
    const { reservation_id: reservation } = await row(id)
    await rowsOf(service, `update reservation set status = 'No-show' where venue_id = $1 and id = $2`, [
      venue.id,
      reservation,
    ])
    await actAt(service, venue, (work) =>
      chargeCard(work, owner, { booking: reservation ?? 0, amountCents: 4_000 }),
    )
    const customers = stripe.customers.size
    /** A worker makes the call that is due, and is killed before it hears the answer. */
    const killedAt = async (at: string, due: string) => {
      // The clock of the tests is some minutes ahead of the worker's.
      await rowsOf(service, due, [venue.id])
      stripe.trouble = { at, how: 'slow after' }
      const worker = await startProcess({ ...settings, DATABASE_URL: service.databaseUrl, ROLE: 'worker' })
      await worker.until(() => stripe.trouble === undefined, { times: 20 })
      worker.signal('SIGKILL')
      await worker.ended
      await sweep()
    }
    await killedAt(
      'POST /v1/payment_intents',
      `update payment set look_at = now(), made_at = now() where venue_id = $1 and state = 'pending'`,
    )
    assert.equal([...stripe.intents.values()].filter(({ customer }) => customer !== undefined).length, 1)
    const charged = { status: 'charged', paid_cents: 4_000, payments: 1, holds: 0 }
    assert.deepEqual(await tableBooks(id), [{ ...charged, has_card: true }])
    await killedAt(
      'DELETE /v1/customers',
      `update guarantee set look_at = now() where venue_id = $1 and customer_ref is not null`,
    )
    assert.equal(stripe.customers.size, customers - 1)
    assert.deepEqual(await tableBooks(id), [{ ...charged, has_card: false }])
  })

  it('with a refund made there and its answer lost: the same call again, and the money goes once', async () => {
    const id = await made()
    await press(id)
    const { session_ref: session } = await row(id)
    await stripe.pay(session ?? '')
    await sweep(3)
    await killed()
    const { order_id: order } = await row(id)
    const [seen] = await rowsOf<{ version: number }>(
      service,
      'select version from ticket_order where venue_id = $1 and id = $2',
      [venue.id, order],
    )
    stripe.trouble = { at: 'POST /v1/refunds', how: 'slow after' }
    const worker = await startProcess({ ...settings, DATABASE_URL: service.databaseUrl, ROLE: 'worker' })
    await actAt(service, venue, (work) =>
      recordRefund(work, owner, {
        ...{ order: order ?? 0, seenVersion: seen?.version ?? 0, amountCents: 9_000 },
        ...{ via: 'processor', outcome: 'pending' },
      }),
    )
    // The clock of the tests is some minutes ahead of the worker's.
    await rowsOf(
      service,
      `update refund set look_at = now(), made_at = now() where venue_id = $1 and state = 'pending'`,
      [venue.id],
    )
    await worker.until(() => stripe.trouble === undefined, { times: 20 })
    worker.signal('SIGKILL')
    await worker.ended
    assert.deepEqual(await books(id), paid)
    await sweep()
    assert.deepEqual(await books(id), { ...paid, status: 'refunded', refunded_cents: 9_000 })
    assert.equal(stripe.refunds.size, 1)
  })
})
