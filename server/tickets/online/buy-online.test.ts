import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { lookAtCheckouts } from '../../core/money/sweep.ts'
import { guestAt, hiddenFieldsOn, pathOf, setGuestPages } from '../../test/guest.ts'
import { rowsOf } from '../../test/rows.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../test/office.ts'
import type { TestService, TestVenue } from '../../test/service.ts'
import { sql } from '../../platform/db/sql.ts'
import { actAt } from '../../test/act.ts'
import { startPaidService } from '../../test/stripe/paid-service.ts'
import type { StripeStandIn } from '../../test/stripe/stand-in.ts'
import { addOccurrence, makeEvent } from '../events.ts'
import { lookingAtTickets } from './looking.ts'
import { refundOnline } from './money-back/refund-online.ts'

const owner = { kind: 'staff', id: 1, email: 'owner@example.com', role: 'owner' } as const
const signal = new AbortController().signal

describe('buying tickets online', () => {
  let service: TestService
  let stripe: StripeStandIn
  let venue: TestVenue
  let office: OfficeVisitor
  let event: number
  let date: number
  before(async () => {
    ;({ service, stripe } = await startPaidService())
  })
  after(async () => {
    await service.stop()
    await stripe.stop()
  })
  beforeEach(async () => {
    service.setClock('2026-10-06T19:00:00Z')
    venue = await service.venue()
    await setGuestPages(service, venue, { doors: ['tickets'] })
    office = visitOffice(service)
    await office.signIn((await staffOf(service, venue, 'owner')).email)
    Object.assign(stripe, { trouble: undefined, callsOut: true, refundsPend: false })
    stripe.endpoints.clear()
    stripe.refunds.clear()
    const made = await actAt(service, venue, (work) => makeEvent(work, owner, 'Wine dinner'))
    event = made.id
    date = await newDate()
  })

  const newDate = async (more: { capacity?: number; priceCents?: number; date?: string } = {}) => {
    const typed = {
      title: null,
      date: '2026-10-20',
      startTime: '19:00',
      capacity: 6,
      priceCents: 4_500,
      ...more,
    }
    return (await actAt(service, venue, (work) => addOccurrence(work, owner, event, typed))).id
  }
  const connect = async () => {
    const { status, words } = await office.post('/office/settings/payments', { key: stripe.key })
    assert.equal(status, 303, words)
  }
  const page = () => `/v/${venue.slug}/tickets/${event}`
  const chosen = async (seats = 2, more = '') =>
    (await guestAt(service, `${page()}?date=${date}&seats=${seats}${more}`)).text
  const formOf = (text: string, more: Record<string, string> = {}) => ({
    ...hiddenFieldsOn(text, ['token', 'date', 'seats', 'code', 'total']),
    ...{ first: 'Maya', last: 'Okafor', email: 'maya@example.com', tel: '' },
    ...more,
  })
  const press = async (seats = 2, more: Record<string, string> = {}) =>
    guestAt(service, page(), { form: formOf(await chosen(seats), more) })
  const sessionOf = (to: string | null) => (to ?? '').replace(/^.*\/pay\//, '')
  const sweep = () => lookAtCheckouts(lookingAtTickets(service.context), signal)
  const refund = () => refundOnline(service.context, signal)
  const orders = async () =>
    (await service.call('GET', '/api/v1/ticket-orders', { key: venue.key })).body as {
      status: string
      channel: string
      paymentMethod: string
      totalCents: number
      refundedCents: number
      buyerEmail: string
    }[]
  const checkouts = () =>
    rowsOf(
      service,
      `select id, state, why, session_ref, form, order_id from checkout where venue_id = ${venue.id} order by id`,
    )
  const events = async () =>
    (await rowsOf(service, `select name from event where venue_id = ${venue.id} order by id`)).map(
      ({ name }) => name,
    )

  it('without an account the page says that tickets are sold at the restaurant, and takes nothing', async () => {
    const list = await guestAt(service, `/v/${venue.slug}/tickets`)
    assert.match(list.text, /Wine dinner/)
    const { text } = await guestAt(service, `${page()}?date=${date}&seats=2`)
    assert.match(text, /Tickets are sold at the restaurant/)
    assert.ok(!text.includes('name="token"'))
  })

  describe('the box that asks for the news', () => {
    const wanted = async () => {
      const { body } = await service.call('GET', '/api/v1/ticket-orders', { key: venue.key })
      return (body as { marketingOptIn: boolean | null }[]).map(({ marketingOptIn }) => marketingOptIn)
    }
    const subscribers = () =>
      rowsOf(service, `select email, first_name, status, source from subscriber where venue_id = ${venue.id}`)
    const consents = () =>
      rowsOf(
        service,
        `select statement, page_url, recorded_via from consent where venue_id = ${venue.id} order by statement`,
      )
    const waits = { email: 'maya@example.com', first_name: 'Maya', status: 'pending', source: 'ticket_order' }
    const mails = async () =>
      (await rowsOf(service, `select kind from guest_mail where venue_id = ${venue.id} order by kind`)).map(
        ({ kind }) => kind,
      )
    const back = async (to: string | null) => {
      const paid = await stripe.pay(sessionOf(to))
      await guestAt(service, pathOf(paid?.success_url))
    }

    it('is not ticked and not there where the venue has no news; what nobody was asked is null', async () => {
      await connect()
      assert.ok(!(await chosen()).includes('name="news"'))
      await back((await press(2, { news: 'yes' })).headers.get('location'))
      assert.deepEqual([await wanted(), await subscribers()], [[null], []])
      await setGuestPages(service, venue, { doors: ['tickets', 'news'] })
      assert.match(await chosen(), /<input type="checkbox" name="news" value="yes" {0,2}\/>/)
    })

    it('signs up the buyer once the tickets are paid for, to be confirmed by mail, and not who never paid', async () => {
      await connect()
      await setGuestPages(service, venue, { doors: ['tickets', 'news'] })
      const { headers } = await press(2, { news: 'yes' })
      assert.deepEqual([await subscribers(), await mails()], [[], []])
      await back(headers.get('location'))
      assert.deepEqual(await wanted(), [true])
      assert.deepEqual(await subscribers(), [waits])
      assert.deepEqual(await mails(), ['newsConfirm', 'tickets'])
      const [consent] = await consents()
      assert.match(String(consent?.statement), /news and invitations/)
      assert.match(String(consent?.page_url), new RegExp(`/v/${venue.slug}/tickets/${event}$`))
      assert.equal(consent?.recorded_via, 'ticket_order')
    })

    it('signs up a buyer of free tickets at once, and nobody who left the box as it was', async () => {
      await connect()
      await setGuestPages(service, venue, { doors: ['tickets', 'news'] })
      date = await newDate({ priceCents: 0 })
      assert.equal((await press()).status, 303)
      assert.deepEqual([await wanted(), await subscribers()], [[false], []])
      const asked = await press(2, { news: 'yes' })
      assert.equal(asked.status, 303, asked.text)
      assert.deepEqual([await wanted(), await subscribers()], [[true, false], [waits]])
    })

    it('signs up nobody for tickets that cannot be given any more', async () => {
      await connect()
      await setGuestPages(service, venue, { doors: ['tickets', 'news'] })
      const { headers } = await press(6, { news: 'yes' })
      await service.db.run(
        sql()`update occurrence set capacity = 5 where venue_id = ${venue.id} and id = ${date}`,
      )
      await back(headers.get('location'))
      await refund()
      assert.equal((await orders())[0]?.status, 'refunded')
      assert.deepEqual([await wanted(), await subscribers()], [[true], []])
    })
  })

  it('shows the total before the button, leads to the page of the processor, and makes one paid order from what was paid', async () => {
    await connect()
    const text = await chosen()
    assert.match(text, /<b>\$90\.00<\/b>/)
    const answer = await guestAt(service, page(), { form: formOf(text) })
    assert.equal(answer.status, 303, answer.text)
    const to = answer.headers.get('location')
    assert.ok(to?.startsWith(`${stripe.url}/pay/cs_test_`), String(to))
    assert.deepEqual(await orders(), [])
    assert.deepEqual(await events(), [], 'a checkout is in no event')
    const paid = await stripe.pay(sessionOf(to))
    await sweep()
    const back = await guestAt(service, pathOf(paid?.success_url))
    const tickets = await guestAt(service, back.headers.get('location') ?? '')
    assert.match(tickets.text, /Ticket 2 of 2/)
    await service.context.demand.flush()
    const views = await rowsOf(
      service,
      `select step, dimension, value, n::int from visit_day
        where venue_id = ${venue.id} and step in ('paying', 'booked') and dimension in ('all', 'from') order by 1, 2`,
    )
    assert.deepEqual(views, [
      { step: 'booked', dimension: 'all', value: 'all', n: 1 },
      { step: 'paying', dimension: 'all', value: 'all', n: 1 },
      { step: 'paying', dimension: 'from', value: 'direct', n: 1 },
    ])
    const [order, ...more] = await orders()
    assert.deepEqual(
      [
        order?.status,
        order?.channel,
        order?.paymentMethod,
        order?.totalCents,
        order?.buyerEmail,
        more.length,
      ],
      ['paid', 'public', 'processor_link', 9_000, 'maya@example.com', 0],
    )
    assert.deepEqual(await events(), ['ticket_order.paid'])
    const [row] = await checkouts()
    assert.deepEqual([row?.state, row?.form], ['completed', null], 'what was typed is in the order now')
  })

  it('a seat that can be paid is sold to nobody else, and is free once it cannot', async () => {
    date = await newDate({ capacity: 3 })
    await connect()
    const first = await press(2)
    const other = await press(2, { email: 'ben@example.com' }).catch(() => undefined)
    void other
    assert.equal(first.status, 303)
    const text = await chosen(2)
    assert.match(text, /Only 1 left for this date\./)
    await sweep()
    service.setClock('2026-10-06T19:34:01Z')
    assert.match(await chosen(2), /<b>\$90\.00<\/b>/)
  })

  it('gives refunds back through the processor, which says how they end', async () => {
    await connect()
    const answer = await press()
    await stripe.pay(sessionOf(answer.headers.get('location')))
    await sweep()
    const [sold] = await rowsOf(service, `select id, version from ticket_order where venue_id = ${venue.id}`)
    const asked = await office.post(`/office/tickets/orders/${String(sold?.id)}/refunds`, {
      version: String(sold?.version),
      ...{ amount: '45.00', seats: '1', via: 'processor', outcome: 'succeeded', answer: '' },
    })
    assert.equal(asked.status, 303, asked.words)
    const shown = await office.get(`/office/tickets/orders/${String(sold?.id)}`)
    assert.match(shown.words, /\$45\.00 is on its way back/)
    assert.doesNotMatch(shown.html, /name="do" value="(?:succeeded|failed)"/)
    const [asIs] = await rowsOf(service, `select id from refund where venue_id = ${venue.id}`)
    const said = await office.post(`/office/tickets/orders/${String(sold?.id)}/refunds/${String(asIs?.id)}`, {
      ...{ version: String(Number(sold?.version) + 1), do: 'succeeded' },
    })
    assert.equal(said.status, 303)
    assert.equal((await orders())[0]?.status, 'paid', 'not before the processor says so')
    await refund()
    await refund()
    assert.deepEqual(
      [(await orders())[0]?.status, (await orders())[0]?.refundedCents],
      ['partially_refunded', 4_500],
    )
    assert.equal([...stripe.refunds.values()].length, 1)
  })
})
