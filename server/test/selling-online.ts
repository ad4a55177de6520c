import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { type CheckoutRow, checkoutById } from '../core/money/checkout-store.ts'
import type { Looking } from '../core/money/look.ts'
import type { Processor, Processors } from '../core/money/processor.ts'
import { lookAtCheckouts } from '../core/money/sweep.ts'
import { orderLink, ownOrder } from '../tickets/admission/own-order.ts'
import { addOccurrence, makeEvent } from '../tickets/events.ts'
import { type Asked, askTickets } from '../tickets/online/ask-tickets.ts'
import { lookAtCalls } from '../tickets/online/money-back/called-about.ts'
import { lookingAtTickets } from '../tickets/online/looking.ts'
import { refundOnline } from '../tickets/online/money-back/refund-online.ts'
import { actAt } from './act.ts'
import { guestAt, hiddenFieldsOn, setGuestPages } from './guest.ts'
import { type OfficeVisitor, staffOf, visitOffice } from './office.ts'
import { rowsOf } from './rows.ts'
import type { TestService, TestVenue } from './service.ts'
import { startPaidService } from './stripe/paid-service.ts'
import type { StripeStandIn } from './stripe/stand-in.ts'

export const owner = { kind: 'staff', id: 1, email: 'owner@example.com', role: 'owner' } as const
export const signal = new AbortController().signal
export const start = '2026-10-06T19:00:00Z'

type AskedFor = {
  seats?: number
  promoCode?: string
  email?: string
  phone?: string
  shownTotalCents?: number
}

/**
 * A venue that sells tickets online, against the stand-in of the processor: a new one for each test, with one date of one
 * event. Its worker does not run, so only what a test sweeps settles anything.
 */
export const sellingOnline = () => {
  const scene = {} as {
    service: TestService
    stripe: StripeStandIn
    venue: TestVenue
    office: OfficeVisitor
    event: number
    date: number
  }
  before(async () => {
    Object.assign(scene, await startPaidService())
  })
  after(async () => {
    await scene.service.stop()
    await scene.stripe.stop()
  })
  beforeEach(async () => {
    const { service, stripe } = scene
    service.setClock(start)
    scene.venue = await service.venue()
    await setGuestPages(service, scene.venue, { doors: ['tickets'] })
    scene.office = visitOffice(service)
    await scene.office.signIn((await staffOf(service, scene.venue, 'owner')).email)
    Object.assign(stripe, { trouble: undefined, callsOut: true, refundsPend: false })
    stripe.endpoints.clear()
    stripe.denied.clear()
    stripe.calls.length = 0
    stripe.held.length = 0
    scene.event = (await actAt(service, scene.venue, (work) => makeEvent(work, owner, 'Wine dinner'))).id
    scene.date = await newDate()
    assert.equal((await scene.office.post('/office/settings/payments', { key: stripe.key })).status, 303)
  })

  const newDate = async (
    more: {
      capacity?: number
      date?: string
      startTime?: string | null
      priceCents?: number
      onlineFrom?: string
      onlineUntil?: string
    } = {},
  ): Promise<number> => {
    const typed = {
      ...{ title: null, date: '2026-10-20', startTime: '19:00', capacity: 6, priceCents: 4_500 },
      ...more,
    }
    return (await actAt(scene.service, scene.venue, (work) => addOccurrence(work, owner, scene.event, typed)))
      .id
  }
  const later = (minutes: number): void =>
    scene.service.setClock(scene.service.context.clock().add({ minutes }).toString())
  const ask = (more: AskedFor = {}): Promise<Asked> => {
    const { seats = 2, email = `${crypto.randomUUID()}@example.com`, promoCode = '' } = more
    return actAt(scene.service, scene.venue, (work) =>
      askTickets(work, 'US', {
        ...{ occurrenceId: scene.date, seats, promoCode, language: 'en', title: '2 tickets' },
        shownTotalCents: more.shownTotalCents ?? seats * 4_500,
        buyer: { firstName: 'Maya', lastName: 'Okafor', email, phone: more.phone ?? null },
      }),
    )
  }
  const made = async (more: AskedFor = {}): Promise<number> => {
    const asked = await ask(more)
    assert.equal(asked.kind, 'checkout', JSON.stringify(asked))
    return asked.kind === 'checkout' ? asked.checkout : 0
  }
  /** The form on an event's page, filled in. */
  const formOn = (text: string): Record<string, string> => ({
    ...hiddenFieldsOn(text, ['token', 'date', 'seats', 'code', 'total']),
    ...{ first: 'Maya', last: 'Okafor', email: 'maya@example.com', tel: '' },
  })
  const pageOf = (id: number): string =>
    lookingAtTickets(scene.service.context)
      .pagesOf({ ...scene.venue, plan: 'pro' }, id)
      .cancel.replace(scene.service.context.config.publicUrl, '')
  const pay = (id: number) => guestAt(scene.service, pageOf(id), { form: { do: 'pay' } })
  const row = async (id: number): Promise<CheckoutRow> => {
    const found = await checkoutById(scene.service.db, scene.venue.id, id)
    assert.ok(found)
    return found
  }
  const sessionOf = async (id: number): Promise<string> => (await row(id)).session_ref ?? ''
  const sweep = (): Promise<void> => lookAtCheckouts(lookingAtTickets(scene.service.context), signal)
  const refund = (): Promise<void> => refundOnline(scene.service.context, signal)
  /** What the processor called about that nobody here asked for. */
  const heard = (): Promise<void> => lookAtCalls(scene.service.context, signal)
  const orders = () =>
    rowsOf(
      scene.service,
      `select status, seats, seats_returned, total_cents, refunded_cents from ticket_order where venue_id = $1 order by id`,
      [scene.venue.id],
    )
  const opened = async (more: AskedFor = {}): Promise<number> => {
    const id = await made(more)
    const { status, headers } = await pay(id)
    assert.equal(status, 303)
    assert.ok(headers.get('location')?.startsWith(scene.stripe.url), String(headers.get('location')))
    return id
  }
  const refunds = () =>
    rowsOf(scene.service, 'select state, seats, amount_cents from refund where venue_id = $1 order by id', [
      scene.venue.id,
    ])
  /** An order of 90.00 that is paid. */
  const sold = async (): Promise<void> => {
    const id = await opened()
    await scene.stripe.pay(await sessionOf(id))
    await sweep()
    assert.equal((await row(id)).state, 'completed')
  }
  /** Staff give the newest order's money back. */
  const askRefund = async (amount = '90.00', seats = '0'): Promise<void> => {
    const [order] = await rowsOf(
      scene.service,
      `select id, version from ticket_order where venue_id = $1 order by id desc limit 1`,
      [scene.venue.id],
    )
    const asked = await scene.office.post(`/office/tickets/orders/${String(order?.id)}/refunds`, {
      version: String(order?.version),
      ...{ amount, seats, via: 'processor', outcome: 'pending', answer: '' },
    })
    assert.equal(asked.status, 303, asked.words)
  }
  /** The buyer's own page of the newest order. */
  const buyersPage = async (): Promise<string> => {
    const newest = 'select id from ticket_order where venue_id = $1 order by id desc limit 1'
    const [order] = await rowsOf(scene.service, newest, [scene.venue.id])
    const { context, db } = scene.service
    const own = await ownOrder(db, scene.venue.id, Number(order?.id))
    assert.ok(own)
    return orderLink(context, scene.venue.id, own).replace(context.config.publicUrl, '')
  }
  /** Answers as the stand-in does, with one call done in another way. */
  const withProcessor = (change: (processor: Processor) => Partial<Processor>): Looking => {
    const { context } = scene.service
    const of: Processors['of'] = (...asked) => {
      const processor = context.processors.of(...asked)
      return { ...processor, ...change(processor) }
    }
    return lookingAtTickets({ ...context, processors: { ...context.processors, of } })
  }
  return Object.assign(scene, {
    ...{
      newDate,
      later,
      ask,
      made,
      formOn,
      pageOf,
      pay,
      row,
      sessionOf,
      sweep,
      heard,
      refund,
      orders,
      opened,
    },
    ...{ refunds, sold, askRefund, buyersPage, withProcessor },
  })
}
