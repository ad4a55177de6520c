import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { hurryCalled } from '../../core/money/call-store.ts'
import { checkoutById, takeCheckout } from '../../core/money/checkout-store.ts'
import { connectAccount, testAccount } from '../../core/money/connect.ts'
import { look, press } from '../../core/money/look.ts'
import type { Processor, Processors } from '../../core/money/processor.ts'
import { forgetOldCheckouts, lookAtCheckouts } from '../../core/money/sweep.ts'
import { guestSettingsOf } from '../../core/venue/guest-settings.ts'
import { venueOfId } from '../../core/venue/venues.ts'
import type { GuestMailRow } from '../../mail/guest-mail-queue.ts'
import { composeLetter } from '../../messages/guest-mail/compose.ts'
import type { Written } from '../../messages/guest-mail/writing.ts'
import { wordsIn } from '../../messages/guest-words/words.ts'
import { actAt } from '../../test/act.ts'
import { eventually } from '../../test/eventually.ts'
import { guestAt, hiddenOn, setGuestPages } from '../../test/guest.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../test/office.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'
import { type StripeStandIn, startStripeStandIn } from '../../test/stripe/stand-in.ts'
import { addOccurrence, editOccurrence, makeEvent } from '../events.ts'
import { occurrenceForUpdate } from '../event-reads.ts'
import { makePromoCode } from '../promo-codes.ts'
import { type Asked, askTickets } from './ask-tickets.ts'
import { retryRefund } from '../refunds.ts'
import { lookingAtTickets } from './looking.ts'
import { refundOnline } from './refund-online.ts'

const owner = { kind: 'staff', id: 1, email: 'owner@example.com', role: 'owner' } as const
const signal = new AbortController().signal
const start = '2026-10-06T19:00:00Z'

describe('tickets online, when something goes wrong', () => {
  let service: TestService
  let stripe: StripeStandIn
  let venue: TestVenue
  let office: OfficeVisitor
  let event: number
  let date: number
  before(async () => {
    stripe = await startStripeStandIn()
    service = await startService({ PRACTICE: 'on', PAYMENTS_URL: stripe.url })
    stripe.clock = () => service.context.clock().epochMilliseconds
    stripe.reach = (url) => url.replace(service.context.config.publicUrl, service.url)
  })
  after(async () => {
    await service.stop()
    await stripe.stop()
  })
  beforeEach(async () => {
    service.setClock(start)
    venue = await service.venue()
    await setGuestPages(service, venue, { doors: ['tickets'] })
    office = visitOffice(service)
    await office.signIn((await staffOf(service, venue, 'owner')).email)
    Object.assign(stripe, { trouble: undefined, callsOut: true, refundsPend: false })
    stripe.endpoints.clear()
    stripe.denied.clear()
    stripe.calls.length = 0
    stripe.held.length = 0
    event = (await actAt(service, venue, (work) => makeEvent(work, owner, 'Wine dinner'))).id
    date = await newDate()
    assert.equal((await office.post('/office/settings/payments', { key: stripe.key })).status, 303)
  })

  const newDate = async (
    more: { capacity?: number; date?: string; startTime?: string | null; priceCents?: number } = {},
  ) => {
    const typed = {
      ...{ title: null, date: '2026-10-20', startTime: '19:00', capacity: 6, priceCents: 4_500 },
      ...more,
    }
    return (await actAt(service, venue, (work) => addOccurrence(work, owner, event, typed))).id
  }
  const later = (minutes: number) => service.setClock(service.context.clock().add({ minutes }).toString())
  const ask = (
    more: {
      seats?: number
      promoCode?: string
      email?: string
      phone?: string
      shownTotalCents?: number
    } = {},
  ): Promise<Asked> => {
    const { seats = 2, email = `${crypto.randomUUID()}@example.com`, promoCode = '' } = more
    return actAt(service, venue, (work) =>
      askTickets(work, 'US', {
        ...{ occurrenceId: date, seats, promoCode, language: 'en', title: '2 tickets' },
        shownTotalCents: more.shownTotalCents ?? seats * 4_500,
        buyer: { firstName: 'Maya', lastName: 'Okafor', email, phone: more.phone ?? null },
      }),
    )
  }
  const made = async (more: Parameters<typeof ask>[0] = {}): Promise<number> => {
    const asked = await ask(more)
    assert.equal(asked.kind, 'checkout', JSON.stringify(asked))
    return asked.kind === 'checkout' ? asked.checkout : 0
  }
  /** The form on an event's page, filled in. */
  const formOn = (text: string) => ({
    ...Object.fromEntries(
      ['token', 'date', 'seats', 'code', 'total'].map((name) => [name, hiddenOn(text, name)]),
    ),
    ...{ first: 'Maya', last: 'Okafor', email: 'maya@example.com', tel: '' },
  })
  const pageOf = (id: number) =>
    lookingAtTickets(service.context)
      .pagesOf({ ...venue, plan: 'pro' }, id)
      .cancel.replace(service.context.config.publicUrl, '')
  const pay = (id: number) => guestAt(service, pageOf(id), { form: { do: 'pay' } })
  const row = async (id: number) => {
    const found = await checkoutById(service.db, venue.id, id)
    assert.ok(found)
    return found
  }
  const sessionOf = async (id: number) => (await row(id)).session_ref ?? ''
  const sweep = () => lookAtCheckouts(lookingAtTickets(service.context), signal)
  const refund = () => refundOnline(service.context, signal)
  const orders = () =>
    rowsOf(
      service,
      `select status, seats, seats_returned, total_cents, refunded_cents from ticket_order where venue_id = $1 order by id`,
      [venue.id],
    )
  const opened = async (more: Parameters<typeof ask>[0] = {}): Promise<number> => {
    const id = await made(more)
    const { status, headers } = await pay(id)
    assert.equal(status, 303)
    assert.ok(headers.get('location')?.startsWith(stripe.url), String(headers.get('location')))
    return id
  }

  const refunds = () =>
    rowsOf(service, 'select state, seats, amount_cents from refund where venue_id = $1 order by id', [
      venue.id,
    ])
  /** An order of 90.00 that is paid. */
  const sold = async (): Promise<void> => {
    const id = await opened()
    await stripe.pay(await sessionOf(id))
    await sweep()
    assert.equal((await row(id)).state, 'completed')
  }
  /** Staff give the newest order's money back. */
  const askRefund = async (amount = '90.00', seats = '0'): Promise<void> => {
    const [order] = await rowsOf(
      service,
      `select id, version from ticket_order where venue_id = $1 order by id desc limit 1`,
      [venue.id],
    )
    const asked = await office.post(`/office/tickets/orders/${String(order?.id)}/refunds`, {
      version: String(order?.version),
      ...{ amount, seats, via: 'processor', outcome: 'pending', answer: '' },
    })
    assert.equal(asked.status, 303, asked.words)
  }

  it('a checkout that is open or abandoned is in no list, feed or event', async () => {
    const said = async () => [
      (await service.call('GET', '/api/v1/ticket-orders', { key: venue.key })).body,
      (await service.call('GET', '/api/v1/events', { key: venue.key })).body.events,
      await rowsOf(service, 'select kind from record_change where venue_id = $1 order by 1', [venue.id]),
    ]
    const before = await said()
    await opened()
    await made()
    later(40)
    await sweep()
    assert.deepEqual(await said(), before)
  })

  it('called late, twice, in any order and before the guest is back, one order is paid', async () => {
    stripe.callsOut = false
    const id = await opened()
    await stripe.pay(await sessionOf(id))
    const [event] = stripe.held
    assert.ok(event)
    const answers = await Promise.all([1, 2, 3].map(() => stripe.call(event)))
    assert.deepEqual(answers, [200, 200, 200])
    await Promise.all([
      sweep(),
      sweep(),
      guestAt(service, `${pageOf(id)}/back`),
      guestAt(service, `${pageOf(id)}/back`),
    ])
    later(120)
    assert.equal(await stripe.call(event), 200)
    await sweep()
    assert.equal((await orders()).length, 1)
    assert.deepEqual(await rowsOf(service, 'select state from payment where venue_id = $1', [venue.id]), [
      { state: 'succeeded' },
    ])
  })

  it('a call that is not signed by the account changes nothing', async () => {
    const answer = await fetch(`${service.url}/payments/${venue.slug}`, {
      method: 'POST',
      headers: { 'stripe-signature': 't=1,v1=00' },
      body: JSON.stringify({
        id: 'evt_1',
        type: 'checkout.session.completed',
        data: { object: { id: 'cs' } },
      }),
    })
    assert.equal(answer.status, 403)
    assert.deepEqual(
      await rowsOf(service, 'select 1 from processor_event where venue_id = $1', [venue.id]),
      [],
    )
  })

  it('what can be paid is sold to nobody else; without a word of the processor it is free 33 minutes after the press', async () => {
    date = await newDate({ capacity: 2 })
    const waiting = await made()
    later(14)
    assert.equal((await ask()).kind, 'refused', 'until the press')
    assert.equal((await pay(waiting)).status, 303)
    later(32)
    stripe.trouble = { at: 'GET /v1/checkout', how: 'busy' }
    await sweep()
    assert.equal((await ask()).kind, 'refused', 'while the page may be open')
    later(2)
    stripe.trouble = { at: 'GET /v1/checkout', how: 'busy' }
    await sweep()
    assert.equal((await row(waiting)).state, 'ended')
    assert.equal((await ask()).kind, 'checkout')
  })

  it('paid after it had ended, it is given if there are seats; otherwise the money goes back and the page says why', async () => {
    date = await newDate({ capacity: 4 })
    const [one, other] = [await opened(), await opened()]
    const sessions = [await sessionOf(one), await sessionOf(other)]
    stripe.callsOut = false
    for (const session of sessions) await stripe.pay(session)
    stripe.clock = () => Temporal.Instant.from(start).epochMilliseconds
    // Nothing is heard of them, and somebody else buys two of the seats.
    await rowsOf(service, `update checkout set state = 'ended', look_at = null where venue_id = $1`, [
      venue.id,
    ])
    const third = await opened()
    stripe.callsOut = true
    await stripe.pay(await sessionOf(third))
    await sweep()
    for (const event of stripe.held) await stripe.call(event)
    await sweep()
    assert.deepEqual([(await row(one)).state, (await row(other)).state].toSorted(), ['completed', 'refused'])
    const late = (await row(one)).state === 'refused' ? one : other
    const { text } = await guestAt(service, pageOf(late))
    assert.match(text, /The tickets were gone by the time your payment arrived/)
    // They closed the page long ago.
    const [mail, ...more] = await rowsOf<GuestMailRow>(
      service,
      `select * from guest_mail where venue_id = $1 and kind = 'ticketsRefused'`,
      [venue.id],
    )
    assert.deepEqual([Number(mail?.record_id), more], [late, []])
    const { settings } = await guestSettingsOf(service.db, venue.id)
    const whole = await venueOfId(service.db, venue.id)
    assert.ok(mail && whole)
    for (const language of ['en', 'ja']) {
      await rowsOf(service, 'update checkout set language = $2 where venue_id = $1', [venue.id, language])
      const written = await actAt(service, venue, (work): Promise<Written> =>
        composeLetter({ work, context: service.context, venue: whole, settings, mail }),
      )
      assert.ok('letter' in written)
      const { sale } = wordsIn(language as 'en')
      assert.deepEqual(written.letter.paragraphs, [sale.full, sale.back])
      assert.match(written.letter.subject, /Wine dinner/)
      assert.ok(written.letter.facts?.some(([, value]) => value.includes('90.00')))
    }
    await refund()
    const [taken] = await rowsOf(
      service,
      `select sum(seats - seats_returned)::int as seats, sum(refunded_cents)::int as back from ticket_order where venue_id = $1`,
      [venue.id],
    )
    assert.deepEqual(taken, { seats: 4, back: 9_000 })
    assert.equal([...stripe.refunds.values()].filter(({ amount }) => amount === 9_000).length, 1)
    stripe.clock = () => service.context.clock().epochMilliseconds
  })

  it('the last use of a code goes to one of twenty who ask at once', async () => {
    const typed = {
      ...{
        code: 'LAST',
        discount: { percent: 10 },
        eventId: null,
        usesMost: 1,
        validFrom: null,
        validTo: null,
      },
    }
    await actAt(service, venue, (work) => makePromoCode(work, owner, typed))
    date = await newDate({ capacity: 100 })
    const asked = await Promise.all(
      Array.from({ length: 20 }, () => ask({ seats: 1, promoCode: 'last', shownTotalCents: 4_050 })),
    )
    assert.deepEqual(
      [
        asked.filter(({ kind }) => kind === 'checkout').length,
        asked.filter(({ kind }) => kind === 'refused').length,
      ],
      [1, 19],
    )
  })

  it('two hundred buyers of sixty seats make sixty orders, and the others are refused before they pay', async () => {
    date = await newDate({ capacity: 60 })
    const asked: Asked[] = []
    for (let round = 0; round < 20; round++)
      asked.push(...(await Promise.all(Array.from({ length: 10 }, () => ask({ seats: 1 })))))
    const ids = asked.flatMap((one) => (one.kind === 'checkout' ? [one.checkout] : []))
    assert.deepEqual([ids.length, asked.length], [60, 200])
    const parts = lookingAtTickets(service.context)
    for (const id of ids) {
      await pay(id)
      await stripe.pay(await sessionOf(id))
    }
    await Promise.all(ids.map((id) => look(parts, { ...venue, plan: 'pro' }, id, 'job')))
    assert.equal((await orders()).filter(({ status }) => status === 'paid').length, 60)
    assert.equal([...stripe.intents.values()].filter(({ amount }) => amount === 4_500).length, 60)
  })

  it('a price that changed before the press is shown again, and nothing is made', async () => {
    const seen = await actAt(service, venue, (work) => occurrenceForUpdate(work.db, venue.id, date))
    await actAt(service, venue, (work) =>
      editOccurrence(work, owner, {
        ...{ id: date, seenVersion: seen?.version ?? 0, title: null, date: '2026-10-20', startTime: '19:00' },
        ...{ capacity: 6, priceCents: 5_000 },
      }),
    )
    assert.deepEqual(await ask(), {
      kind: 'refused',
      not: { why: 'price', totalCents: 10_000, currency: 'USD' },
    })
  })

  it('while the processor cannot be reached, nothing is given and the seats are free at once', async () => {
    const before = [...stripe.sessions.keys()].length
    const away = await startService({
      PRACTICE: 'on',
      PAYMENTS_URL: 'http://127.0.0.1:9',
      DATABASE_URL: service.databaseUrl,
    })
    try {
      const id = await made({ seats: 6 })
      const context = { ...service.context, processors: away.context.processors }
      assert.deepEqual(await press(lookingAtTickets(context), { ...venue, plan: 'pro' }, id), {
        kind: 'settled',
      })
      assert.deepEqual([(await row(id)).state, (await row(id)).why], ['ended', 'away'])
      assert.equal((await ask({ seats: 6 })).kind, 'checkout')
      assert.equal([...stripe.sessions.keys()].length, before)
    } finally {
      await away.stop()
    }
  })

  it('a failure that is repeated to its key, and an answer that never came, make one page and leave nobody stuck', async () => {
    const pages = () => [...stripe.sessions.values()].length
    for (const how of ['failed after', 'failed', 'closed'] as const) {
      const before = pages()
      const id = await made()
      stripe.trouble = { at: 'POST /v1/checkout/sessions', how }
      await pay(id)
      for (let round = 0; round < 4 && (await row(id)).state === 'opening'; round++) {
        await sweep()
        later(1)
      }
      assert.equal((await row(id)).state, 'open', how)
      assert.equal(pages(), before + 1, how)
    }
  })

  it('a refund whose answer was lost, or that failed there, goes once', async () => {
    for (const how of ['failed after', 'failed', 'closed', 'busy'] as const) {
      await sold()
      await askRefund()
      const before = stripe.refunds.size
      stripe.trouble = { at: 'POST /v1/refunds', how }
      for (let round = 0; round < 3; round++) {
        await refund()
        later(2)
      }
      assert.equal(stripe.refunds.size, before + 1, how)
      assert.deepEqual((await orders()).at(-1)?.status, 'refunded', how)
    }
  })

  it('a venue that is paused, or whose account has ended, sells nothing, neither at the form nor at a page of before', async () => {
    const [waiting, going] = [await made(), await opened()]
    const path = `/v/${venue.slug}/tickets/${event}`
    const form = formOn((await guestAt(service, `${path}?date=${date}&seats=2`)).text)
    const calls = () => stripe.calls.filter((one) => JSON.stringify(one).includes('POST')).length
    const before = calls()
    const refused = async () => {
      const answers = [await pay(waiting), await pay(going), await guestAt(service, path, { form })]
      assert.deepEqual(
        answers.map(({ status, headers }) => [status, headers.get('location')]),
        answers.map(() => [409, null]),
      )
      return answers.map(({ text }) => text)
    }
    const set = (is: boolean) => rowsOf(service, 'update venue set paused = $2 where id = $1', [venue.id, is])
    await set(true)
    for (const text of await refused()) assert.match(text, /not taking requests online right now/)
    await set(false)
    await rowsOf(service, `update processor_account set ended_at = now() where venue_id = $1`, [venue.id])
    for (const text of await refused()) assert.match(text, /Tickets are sold at the restaurant/)
    assert.deepEqual([calls(), (await row(waiting)).state, await orders()], [before, 'made', []])
  })

  it('what a paying buyer types is judged as where nothing is paid, and the form says what is wrong', async () => {
    const path = `/v/${venue.slug}/tickets/${event}`
    for (const [typed, sentence] of [
      [{ tel: `2125550177${' '.repeat(60_000)}1` }, /Enter a phone number/],
      [{ first: 'Maya\nBcc: x@example.com' }, /Enter your name/],
      [{ last: 'Oka\u0007for' }, /Enter your name/],
    ] as const) {
      const form = { ...formOn((await guestAt(service, `${path}?date=${date}&seats=2`)).text), ...typed }
      const { status, text } = await guestAt(service, path, { form })
      assert.equal(status, 400)
      assert.match(text, /id="mistakes"/)
      assert.match(text, sentence)
      assert.match(text, /value="maya@example.com"/)
    }
    await assert.rejects(ask({ email: 'maya@example.com', phone: '1'.repeat(60_000) }), /at most 50/)
    assert.deepEqual(await rowsOf(service, 'select 1 from checkout where venue_id = $1', [venue.id]), [])
  })

  it('a date without a time, pressed for before midnight, is given to who pays after it; to who is heard of the next day it is not', async () => {
    service.setClock('2026-10-07T03:50:00Z')
    stripe.callsOut = false
    date = await newDate({ date: '2026-10-06', startTime: null })
    const ids = [await opened(), await opened()]
    for (const id of ids) await stripe.pay(await sessionOf(id))
    later(13)
    await look(lookingAtTickets(service.context), { ...venue, plan: 'pro' }, ids[0] ?? 0, 'job')
    service.setClock('2026-10-07T12:00:00Z')
    await look(lookingAtTickets(service.context), { ...venue, plan: 'pro' }, ids[1] ?? 0, 'job')
    const states = await Promise.all(ids.map(row))
    assert.deepEqual(
      states.map(({ state, why }) => [state, why]),
      [
        ['completed', null],
        ['refused', 'over'],
      ],
    )
  })

  it('a link that staff ended is opened by no page that came before it, paid or free', async () => {
    const id = await opened()
    await stripe.pay(await sessionOf(id))
    await sweep()
    assert.match((await guestAt(service, pageOf(id))).headers.get('location') ?? '', /^\/o\//)
    date = await newDate({ priceCents: 0 })
    const { text } = await guestAt(service, `/v/${venue.slug}/tickets/${event}?date=${date}&seats=1`)
    const form = formOn(text)
    const press = () => guestAt(service, `/v/${venue.slug}/tickets/${event}`, { form })
    assert.match((await press()).headers.get('location') ?? '', /^\/o\//)
    await rowsOf(service, `update ticket_order set link_issue = 1 where venue_id = $1`, [venue.id])
    for (const shown of [await guestAt(service, pageOf(id)), await press()]) {
      assert.deepEqual([shown.status, shown.headers.get('location')], [200, null])
      assert.match(shown.text, /They were sent to your email address/)
      assert.ok(!shown.text.includes('/o/'))
    }
  })

  it('a key that was rolled leaves a refund under way as it is, and the next key finds out how it ended', async () => {
    for (const isNamed of [true, false]) {
      const before = stripe.refunds.size
      await sold()
      await askRefund()
      stripe.refundsPend = isNamed
      if (!isNamed) stripe.trouble = { at: 'POST /v1/refunds', how: 'failed after' }
      await refund()
      const { key } = stripe
      stripe.key = `${key}0`
      for (let round = 0; round < 3; round++) {
        later(61)
        await refund()
        assert.deepEqual((await refunds()).at(-1)?.state, 'pending')
      }
      stripe.key = key
      if (isNamed) await stripe.endRefund([...stripe.refunds.keys()].at(-1) ?? '', 'succeeded')
      later(61)
      await refund()
      assert.deepEqual((await refunds()).at(-1)?.state, 'succeeded')
      assert.equal(stripe.refunds.size, before + 1)
    }
  })

  it('a refund that the processor refuses fails only once its lists do not know it either', async () => {
    await sold()
    const [intent] = [...stripe.intents.values()].slice(-1)
    assert.ok(intent)
    await askRefund()
    intent.amount = 100
    stripe.trouble = { at: 'GET /v1/refunds', how: 'busy' }
    await refund()
    assert.equal((await refunds()).at(-1)?.state, 'pending')
    later(2)
    await refund()
    assert.equal((await refunds()).at(-1)?.state, 'failed')
  })

  it('a refund that fails after it had arrived comes off again, and its seats, which may be sold, stay back', async () => {
    date = await newDate({ capacity: 2 })
    await sold()
    await askRefund()
    await refund()
    assert.deepEqual(
      (await orders()).map(({ status, refunded_cents: back }) => [status, back]),
      [['refunded', 9_000]],
    )
    await sold()
    later(60)
    const [made] = [...stripe.refunds.keys()].slice(-1)
    stripe.trouble = { at: 'GET /v1/refunds', how: 'busy' }
    await stripe.endRefund(made ?? '', 'failed')
    for (const minutes of [0, 61, 61]) {
      later(minutes)
      await sweep()
      await refund()
    }
    const was = { seats: 2, total_cents: 9_000, refunded_cents: 0 }
    assert.deepEqual(await orders(), [
      { ...was, status: 'refund_failed', seats_returned: 2 },
      { ...was, status: 'paid', seats_returned: 0 },
    ])
    const valid = `select count(*)::int as valid from ticket where venue_id = $1 and void_at is null`
    assert.deepEqual(await rowsOf(service, valid, [venue.id]), [{ valid: 2 }])
    const [failed] = await rowsOf(
      service,
      `select r.id, o.version from refund r join ticket_order o on o.id = r.order_id
        where r.venue_id = $1 and r.state = 'failed'`,
      [venue.id],
    )
    await actAt(service, venue, (work) =>
      retryRefund(work, owner, {
        ...{ refund: Number(failed?.id), seenVersion: Number(failed?.version), outcome: 'pending' },
      }),
    )
    await refund()
    assert.deepEqual((await orders())[0], {
      ...{ ...was, refunded_cents: 9_000, status: 'refunded', seats_returned: 2 },
    })
  })

  it('one that ended before its page was known is looked for a day, and given if it was paid', async () => {
    for (const isThere of [true, false]) {
      const id = await made()
      stripe.trouble = { at: 'POST /v1/checkout/sessions', how: isThere ? 'failed after' : 'failed' }
      await pay(id)
      await rowsOf(
        service,
        `update checkout set state = 'ended', look_at = made_at where venue_id = $1 and id = $2`,
        [venue.id, id],
      )
      if (isThere) {
        await stripe.pay([...stripe.sessions.keys()].at(-1) ?? '')
        await sweep()
        later(2)
        await sweep()
        assert.equal((await row(id)).state, 'completed')
        continue
      }
      for (let hour = 0; hour < 25; hour++) {
        await sweep()
        later(60)
      }
      stripe.calls.length = 0
      later(60)
      await sweep()
      assert.deepEqual(stripe.calls, [])
      assert.equal((await row(id)).state, 'ended')
    }
  })

  /** Answers as the stand-in does, with one call done in another way. */
  const withProcessor = (change: (processor: Processor) => Partial<Processor>) => {
    const { processors } = service.context
    const of: Processors['of'] = (...asked) => {
      const processor = processors.of(...asked)
      return { ...processor, ...change(processor) }
    }
    return lookingAtTickets({ ...service.context, processors: { ...processors, of } })
  }

  it('a page that is made after its checkout ended leads nobody there, and what is paid on it is seen', async () => {
    const id = await made()
    const parts = withProcessor((processor) => ({
      openSession: async (session) => {
        const answer = await processor.openSession(session)
        await rowsOf(
          service,
          `update checkout set state = 'ended', look_at = null where venue_id = $1 and id = $2`,
          [venue.id, id],
        )
        return answer
      },
    }))
    assert.deepEqual(await press(parts, { ...venue, plan: 'pro' }, id), { kind: 'settled' })
    assert.equal((await row(id)).state, 'ended')
    stripe.callsOut = false
    await stripe.pay(await sessionOf(id))
    later(2)
    await sweep()
    assert.equal((await row(id)).state, 'completed')
  })

  it('one that is not answered keeps no other waiting, and what was called about is looked at first', async () => {
    const [slow, paid, called] = [
      ...[await opened({ seats: 1 }), await opened({ seats: 1 }), await opened({ seats: 1 })],
    ]
    stripe.callsOut = false
    await stripe.pay(await sessionOf(paid ?? 0))
    await stripe.pay(await sessionOf(called ?? 0))
    later(2)
    await stripe.call(stripe.held.at(-1) as (typeof stripe.held)[number])
    const now = service.context.clock()
    await actAt(service, venue, ({ db }) => hurryCalled(db, venue.id, now))
    assert.equal(await takeCheckout(service.db, venue.id, now), called)
    later(1)
    const stuck = await sessionOf(slow ?? 0)
    const answered = Promise.withResolvers<undefined>()
    const parts = withProcessor((processor) => ({
      lookAtSession: async (session) => {
        if (session === stuck) await answered.promise
        return processor.lookAtSession(session)
      },
    }))
    const swept = lookAtCheckouts(parts, signal)
    for (const id of [paid, called]) await eventually(async () => (await row(id ?? 0)).state === 'completed')
    answered.resolve(undefined)
    await swept
  })

  it('a guest who loads the page again and again has the processor asked every two seconds', async () => {
    const id = await opened()
    stripe.callsOut = false
    for (const wait of [0, 1, 1]) {
      service.setClock(service.context.clock().add({ seconds: wait }).toString())
      await Promise.all([1, 2, 3, 4].map(() => guestAt(service, `${pageOf(id)}/back`)))
    }
    assert.equal(stripe.calls.filter(({ what }) => what.startsWith('GET /v1/checkout')).length, 2)
    await stripe.pay(await sessionOf(id))
    later(1)
    const { status } = await guestAt(service, `${pageOf(id)}/back`)
    assert.deepEqual([status, (await row(id)).state], [303, 'completed'])
  })

  it('ids, addresses and keys of the processor are in no answer, event, activity or export', async () => {
    const id = await opened()
    await stripe.pay(await sessionOf(id))
    await sweep()
    const planted = [
      stripe.key,
      ...[...stripe.sessions.keys()].slice(-1),
      ...[...stripe.intents.keys()].slice(-1),
      ...[...stripe.endpoints.values()].flatMap((one) => [one.id, one.secret ?? one.id]),
    ]
    const said = [
      (await service.call('GET', '/api/v1/ticket-orders', { key: venue.key })).text,
      (await service.call('GET', '/api/v1/events', { key: venue.key })).text,
      (await service.call('GET', '/api/v1/changes', { key: venue.key })).text,
      (await office.get('/office/data/export/everything.json')).html,
      (await office.get('/office/activity')).html,
      (await office.get('/office/settings/payments')).html,
      JSON.stringify(await rowsOf(service, 'select * from event where venue_id = $1', [venue.id])),
      JSON.stringify(await rowsOf(service, 'select * from activity where venue_id = $1', [venue.id])),
      JSON.stringify(await rowsOf(service, 'select * from guest_mail where venue_id = $1', [venue.id])),
      JSON.stringify(
        await rowsOf(
          service,
          'select key_sealed, signing_sealed from processor_account where venue_id = $1',
          [venue.id],
        ),
      ),
    ]
    for (const text of said) for (const word of planted) assert.ok(!text.includes(word), word)
  })

  it('a secret key, a live one on a practice instance, one that may too little and a stranger’s are refused, each with why', async () => {
    const refused = async (key: string) => (await office.post('/office/settings/payments', { key })).words
    assert.match(await refused('sk_test_0123456789abcdef'), /secret key, which may do everything/)
    assert.match(await refused('rk_live_0123456789abcdef'), /practice instance takes only test keys/)
    assert.match(await refused('pk_test_0123456789abcdef'), /begins with rk_test_ or rk_live_/)
    assert.match(await refused('rk_test_0123456789abcdef'), /does not take this key/)
    stripe.denied.add('refunds')
    assert.match(await refused(stripe.key), /Charges and Refunds \(write\)/)
    stripe.denied.clear()
    const { words } = await office.get('/office/settings/payments')
    assert.match(words, /Test payments: no money moves/)
    const manager = visitOffice(service)
    await manager.signIn((await staffOf(service, venue, 'manager')).email)
    assert.equal((await manager.post('/office/settings/payments', { key: stripe.key })).status, 403)
    assert.match((await manager.get('/office/settings/payments')).words, /Only owners connect payments/)
  })

  it('a new key of the same account keeps it; once Stripe no longer calls, the test says so, and the next key registers again', async () => {
    const accounts = () =>
      rowsOf(service, 'select id, ended_at from processor_account where venue_id = $1', [venue.id])
    const [first] = await accounts()
    assert.equal((await office.post('/office/settings/payments', { key: stripe.key })).status, 303)
    assert.deepEqual([stripe.endpoints.size, await accounts()], [1, [first]])
    const [endpoint] = stripe.endpoints.values()
    assert.ok(endpoint)
    endpoint.status = 'disabled'
    await office.post('/office/settings/payments/test')
    assert.match(
      (await office.get('/office/settings/payments')).words,
      /does not call this service about everything/,
    )
    assert.equal((await office.post('/office/settings/payments', { key: stripe.key })).status, 303)
    assert.equal(stripe.endpoints.size, 2)
    assert.equal((await office.post('/office/settings/payments/test')).status, 303)
    assert.match((await office.get('/office/settings/payments')).words, /everything worked/)
  })

  it('the same account connected again is the same, whether or not Stripe still calls, and pays back what it took', async () => {
    const remove = () => office.post('/office/settings/payments/remove')
    const earlier = stripe.key
    await sold()
    for (const lose of [
      remove,
      async () => {
        stripe.endpoints.clear()
      },
      () =>
        rowsOf(service, 'update processor_account set callback_ref = null where venue_id = $1', [venue.id]),
      async () => {
        stripe.endpoints.clear()
        await remove()
      },
    ]) {
      await lose()
      stripe.key = `rk_test_${crypto.randomUUID().replaceAll('-', '')}`
      assert.equal((await office.post('/office/settings/payments', { key: stripe.key })).status, 303)
      const accounts = await rowsOf(
        service,
        'select ended_at is null as open from processor_account where venue_id = $1',
        [venue.id],
      )
      assert.deepEqual(accounts, [{ open: true }])
    }
    await askRefund()
    await refund()
    assert.equal((await refunds()).at(-1)?.state, 'succeeded')
    stripe.key = earlier
  })

  it('a payment is found however long its key was not taken', async () => {
    const id = await opened()
    const { key } = stripe
    stripe.callsOut = false
    await stripe.pay(await sessionOf(id))
    stripe.key = `${key}0`
    for (const minutes of [2, 40, 25 * 60, 60]) {
      later(minutes)
      await sweep()
    }
    assert.equal((await row(id)).state, 'ended')
    stripe.key = key
    later(60)
    await sweep()
    assert.equal((await row(id)).state, 'completed')
  })

  it('what somebody typed who did not buy is forgotten after 30 days', async () => {
    const id = await made()
    later(29 * 24 * 60)
    await forgetOldCheckouts(service.context)
    assert.notEqual((await row(id)).form, null)
    later(2 * 24 * 60)
    await forgetOldCheckouts(service.context)
    assert.equal((await row(id)).form, null)
  })

  it('a copy that was restored asks the processor nothing, and its pages say that paying is back soon', async () => {
    const [waiting, opening] = [await made(), await opened()]
    const calls = stripe.calls.length
    const hold = { ...service.context.hold, isOn: () => true }
    const parts = lookingAtTickets({ ...service.context, hold })
    assert.deepEqual(await press(parts, { ...venue, plan: 'pro' }, waiting), { kind: 'soon' })
    later(60)
    await look(parts, { ...venue, plan: 'pro' }, opening, 'job')
    await lookAtCheckouts(parts, signal)
    await refundOnline({ ...service.context, hold }, signal)
    const place = {
      db: service.db.within(venue.id),
      venue: { ...venue, plan: 'pro', country: 'US' } as const,
      now: service.context.clock,
    }
    const context = { ...service.context, hold }
    const refused = /asks Stripe nothing until the service sends again/
    await assert.rejects(testAccount(context, place), refused)
    await assert.rejects(
      connectAccount(context, place, (act) => actAt(service, venue, act), owner, stripe.key),
      refused,
    )
    assert.deepEqual([stripe.calls.length, (await row(opening)).state], [calls, 'open'])
  })

  it('every page is there in eight languages', async () => {
    const id = await made()
    for (const language of ['en', 'es', 'fr', 'de', 'it', 'pt', 'nl', 'ja']) {
      for (const path of [
        `/v/${venue.slug}/tickets?lang=${language}`,
        `/v/${venue.slug}/tickets/${event}?date=${date}&seats=2&lang=${language}`,
        `${pageOf(id)}?lang=${language}`,
      ]) {
        const { status, text } = await guestAt(service, path)
        assert.equal(status, 200)
        assert.ok(text.includes(`<html lang="${language}"`), path)
      }
    }
    const { text, headers } = await guestAt(service, `/v/${venue.slug}/tickets/${event}?date=${date}&seats=2`)
    assert.match(headers.get('content-security-policy') ?? '', /form-action 'self' https: http:\/\/127/)
    assert.match(text, /target="_top"/)
    hiddenOn(text, 'token')
  })
})
