import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { guestAt, pathOf, setGuestPages } from '../../../test/guest.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { press as pressAt } from '../../../core/money/look.ts'
import { lookingAtTickets } from '../looking.ts'
import { everyScope, startService } from '../../../test/service.ts'
import { rowsOf } from '../../../test/rows.ts'
import { assertUnsaid } from '../../../test/stripe/names-in.ts'
import { owner, sellingOnline } from '../../../test/selling-online.ts'
import { actAt } from '../../../test/act.ts'
import { makePromoCode } from '../../promo-codes.ts'

const site = 'https://shop.example.com'
const returnUrl = `${site}/thanks?cart=7`

describe('payments that software begins', () => {
  const scene = sellingOnline()
  let key: string
  beforeEach(async () => {
    await setGuestPages(scene.service, scene.venue, { doors: [], frameSites: [site], confirmUpTo: 8 })
    key = (await scene.venue.makeKey('read_write', 'api', { scopes: ['checkouts:create'] })).key
  })

  type Answered = {
    readonly status: number
    readonly body: {
      readonly checkout: Record<string, unknown> & { id: number; url: string }
      readonly reason?: string
      readonly error?: string
    }
  }
  const call = (method: string, path: string, more: object = {}): Promise<Answered> =>
    scene.service.call(method, `/api/v1${path}`, { key, ...more })
  const tickets = (more: object = {}) => ({
    ...{ occurrenceId: scene.date, seats: 2, buyerFirstName: 'Maya', buyerEmail: 'maya@example.com' },
    returnUrl,
    ...more,
  })
  const table = (more: object = {}) => ({
    ...{ date: '2026-10-09', time: '19:30', partySize: 4 },
    ...{ guestName: 'Maya Okafor', email: 'maya@example.com', returnUrl },
    ...more,
  })
  const begin = async (body: object = tickets()): Promise<Answered['body']['checkout']> => {
    const answer = await call('POST', '/checkouts', { body })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.checkout
  }
  const read = async (id: number) => (await call('GET', `/checkouts/${id}`)).body.checkout
  const page = ({ url }: { url: string }) => guestAt(scene.service, pathOf(url))
  const press = (url: string, what = 'pay') => guestAt(scene.service, pathOf(url), { form: { do: what } })
  /** Leads the guest to the processor's page, where they pay, and back. */
  const pay = async ({ id, url }: { id: number; url: string }) => {
    const led = await press(url)
    assert.ok(led.headers.get('location')?.startsWith(scene.stripe.url), led.text)
    const paid = await scene.stripe.pay(await scene.sessionOf(id))
    return guestAt(scene.service, pathOf(paid?.success_url))
  }
  const mails = () =>
    rowsOf(scene.service, 'select kind, record_id from guest_mail where venue_id = $1 order by id', [
      scene.venue.id,
    ])
  const policy = (row: object = {}) =>
    setRules(
      scene.service,
      scene.venue,
      everyEvening({
        guarantees: [{ asks: 'deposit', amountCents: 2_000, per: 'guest', freeUntilHours: 24, ...row }],
      }),
    )

  it('tickets: the answer is whole at once, the guest pays on our page, and comes back to the site with the checkout', async () => {
    scene.stripe.calls.length = 0
    const checkout = await begin()
    assert.deepEqual(scene.stripe.calls, [], 'the processor is asked for nothing')
    assert.deepEqual(checkout, {
      ...{ id: checkout.id, url: checkout.url, status: 'open', totalCents: 9_000, currency: 'USD' },
      expiresAt: '2026-10-06T19:15:00.000Z',
      ...{ reservationId: null, ticketOrderId: null, reason: null },
    })
    const shown = await page(checkout)
    assert.match(shown.text, /2 tickets: Wine dinner/)
    assert.match(shown.text, /Pay \$90\.00/)
    const back = await pay(checkout)
    assert.equal(back.headers.get('location'), `${returnUrl}&checkout=${checkout.id}`)
    assert.equal((await page(checkout)).headers.get('location'), `${returnUrl}&checkout=${checkout.id}`)
    const { ticketOrderId, ...done } = await read(checkout.id)
    assert.deepEqual([done['status'], done['expiresAt'], done['reason']], ['completed', null, null])
    const [order] = await rowsOf(
      scene.service,
      `select channel, payment_method, status from ticket_order where id = $1`,
      [ticketOrderId],
    )
    assert.deepEqual(order, { channel: 'public', payment_method: 'processor_link', status: 'paid' })
    assert.deepEqual(
      (await mails()).map(({ kind }) => kind),
      ['tickets'],
    )
  })

  it('a table: made for the software as the venue’s own page would make it, and its guest is mailed the receipt alone', async () => {
    await policy()
    const checkout = await begin(table())
    assert.deepEqual([checkout['totalCents'], checkout['status']], [8_000, 'open'])
    const shown = await page(checkout)
    assert.match(shown.text, /You pay \$80\.00 in advance\. Cancel by 7:30\sPM on Thursday, October 8/)
    const back = await pay(checkout)
    assert.equal(back.headers.get('location'), `${returnUrl}&checkout=${checkout.id}`)
    const { reservationId } = await read(checkout.id)
    const { body } = await scene.service.call('GET', `/api/v1/reservations/${String(reservationId)}`, {
      key: scene.venue.key,
    })
    const { source, status, guestName, guarantee } = body as Record<string, unknown>
    assert.deepEqual([source, status, guestName], ['automation', 'Confirmed', 'Maya Okafor'])
    assert.deepEqual(
      [(guarantee as { status: string }).status, (guarantee as { paidCents: number }).paidCents],
      ['paid', 8_000],
    )
    assert.deepEqual(
      (await mails()).map(({ kind }) => kind),
      ['tableReceipt'],
    )
  })

  it('a table with what the guest chose: its price, its name, and never more than may have it in an evening', async () => {
    const tasting = {
      key: 'tasting',
      name: 'Tasting menu',
      asks: 'prepaid',
      amountCents: 9_500,
      mostPerEvening: 1,
    }
    const dinner = { key: 'dinner', name: 'À la carte' }
    const offer = (...experiences: readonly object[]) =>
      setRules(scene.service, scene.venue, everyEvening({ experiences }))
    const refused = async (body: object) => {
      const answer = await call('POST', '/checkouts', { body })
      return [answer.status, answer.body['reason'] ?? answer.body['error']]
    }
    await offer(dinner, { ...tasting, partyTo: 4 })
    assert.deepEqual(await refused(table()), [400, 'Send experience: one of dinner, tasting.'])
    assert.deepEqual(await refused(table({ experience: 'brunch' })), [
      400,
      'The venue has no experience with the key brunch.',
    ])
    assert.deepEqual(await refused(table({ experience: 'dinner' })), [409, 'nothing-to-secure'])
    assert.deepEqual(await refused(table({ experience: 'tasting', partySize: 6 })), [409, 'experience-full'])
    const checkout = await begin(table({ experience: 'tasting' }))
    assert.equal(checkout['totalCents'], 38_000)
    assert.match((await page(checkout)).text, /Tasting menu: [\s\S]*You pay \$380\.00 in advance/)
    assert.deepEqual(await refused(table({ experience: 'tasting', time: '21:00' })), [409, 'experience-full'])
    await pay(checkout)
    const { reservationId } = await read(checkout.id)
    const { body } = await scene.service.call('GET', `/api/v1/reservations/${String(reservationId)}`, {
      key: scene.venue.key,
    })
    const { bookingType, guarantee } = body as { bookingType: string; guarantee: { kind: string } }
    assert.deepEqual([bookingType, guarantee.kind], ['Tasting menu', 'prepaid'])
    // What asks for nothing and is all that is offered goes with the table, and the venue's rows decide.
    await setRules(
      scene.service,
      scene.venue,
      everyEvening({
        experiences: [dinner],
        guarantees: [{ asks: 'deposit', amountCents: 2_000, per: 'guest', freeUntilHours: 24 }],
      }),
    )
    const other = await begin(table({ time: '20:00' }))
    assert.equal(other['totalCents'], 8_000)
    const [held] = await rowsOf(
      scene.service,
      'select experience from booking_hold where venue_id = $1 and experience is not null',
      [scene.venue.id],
    )
    assert.deepEqual(held, { experience: 'dinner' })
  })

  it('a card: nothing is paid, and the hold that the key has gives its place', async () => {
    await policy({ asks: 'card' })
    const { key: booking } = await scene.venue.makeKey('read_write', 'api', {
      scopes: ['reservations:create'],
    })
    const held = await scene.service.call('POST', '/api/v1/holds', {
      key: booking,
      body: { date: '2026-10-09', time: '20:00', partySize: 3 },
    })
    const { date: _, time: __, partySize: ___, ...who } = table()
    const checkout = await begin({ ...who, hold: (held.body as { id: string }).id })
    assert.equal(checkout['totalCents'], 6_000)
    assert.match((await page(checkout)).text, /Continue with a card/)
    await pay(checkout)
    const { reservationId, status } = await read(checkout.id)
    assert.equal(status, 'completed')
    const [row] = await rowsOf(scene.service, 'select party_size, time from reservation where id = $1', [
      reservationId,
    ])
    assert.deepEqual(row, { party_size: 3, time: '20:00' })
    assert.deepEqual(
      await rowsOf(scene.service, 'select id from booking_hold where venue_id = $1', [scene.venue.id]),
      [],
    )
    const again = await call('POST', '/checkouts', { body: { ...who, hold: 'A'.repeat(22) } })
    assert.equal(again.status, 404)
  })

  it('sent twice with one Idempotency-Key, there is one checkout and one answer', async () => {
    const headers = { 'idempotency-key': 'cart-7' }
    const first = await call('POST', '/checkouts', { body: tickets(), headers })
    const second = await call('POST', '/checkouts', { body: tickets(), headers })
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.deepEqual(second.body, first.body)
    const rows = await rowsOf(scene.service, 'select id from checkout where venue_id = $1', [scene.venue.id])
    assert.equal(rows.length, 1)
  })

  it('another key sees none of it, and old keys have no such scope', async () => {
    const { id } = await begin()
    const { key: other } = await scene.venue.makeKey('read_write', 'api', { scopes: ['checkouts:create'] })
    for (const [method, path] of [
      ['GET', `/checkouts/${id}`],
      ['POST', `/checkouts/${id}/expire`],
    ] as const) {
      assert.equal((await call(method, path, { key: other })).status, 404)
      const old = await call(method, path, { key: scene.venue.key })
      assert.deepEqual([old.status, old.body.reason], [403, 'scope-missing'])
    }
    const old = await call('POST', '/checkouts', { key: scene.venue.key, body: tickets() })
    assert.deepEqual([old.status, old.body.reason], [403, 'scope-missing'])
    assert.equal((await read(id))['status'], 'open')
  })

  it('a key that sees no contact details reads who bought nowhere in it', async () => {
    await policy()
    const { key: hidden } = await scene.venue.makeKey('read_write', 'api', {
      scopes: [...everyScope, 'contacts:hidden'],
    })
    const begun = await Promise.all(
      [
        tickets({ buyerPhone: '+1 212 555 0199', buyerLastName: 'Okafor' }),
        table({ phone: '+1 212 555 0199' }),
      ].map(async (body) => {
        const answer = await call('POST', '/checkouts', { key: hidden, body })
        assert.equal(answer.status, 201, JSON.stringify(answer.body))
        return answer.body.checkout
      }),
    )
    for (const checkout of begun) await pay(checkout)
    const dryRun = { method: 'POST', path: '/api/v1/checkouts', body: tickets() }
    const said = [
      ...(await Promise.all(begun.map(({ id }) => call('GET', `/checkouts/${id}`, { key: hidden })))),
      await call('POST', '/dry-run', { key: hidden, body: dryRun }),
      ...(await Promise.all(
        ['/ticket-orders', '/reservations', '/guests', '/events', '/changes', '/visits'].map((path) =>
          call('GET', path, { key: hidden }),
        ),
      )),
    ]
    assert.ok(said.every(({ status }) => status === 200))
    assert.doesNotMatch(JSON.stringify([begun, said]), /maya|okafor|555 ?0199/i)
    const read = await scene.service.call('GET', '/api/v1/ticket-orders', { key: scene.venue.key })
    assert.match(read.text, /maya@example\.com/)
  })

  it('comes back only to sites that the venue has listed', async () => {
    for (const url of [
      ...['https://evil.example/', 'http://shop.example.com/', 'https://shop.example.com.evil.example/'],
      ...[
        'javascript:alert(1)',
        '/thanks',
        'https://shop.example.com:8443/',
        'https://a:b@shop.example.com/',
      ],
    ]) {
      const { status, body } = await call('POST', '/checkouts', { body: tickets({ returnUrl: url }) })
      assert.equal(status, 400, url)
      assert.match(body.error ?? '', /returnUrl|is not on the list/, url)
    }
    assert.deepEqual(
      await rowsOf(scene.service, 'select id from checkout where venue_id = $1', [scene.venue.id]),
      [],
    )
  })

  it('a site taken off the list since gets nobody back', async () => {
    const checkout = await begin()
    await setGuestPages(scene.service, scene.venue, { frameSites: [] })
    const back = await pay(checkout)
    assert.deepEqual([back.status, back.headers.get('location')], [200, null])
    assert.doesNotMatch(back.text, /shop\.example|\/o\/|\/r\//)
  })

  it('while the processor is away a checkout is made; its button says so, and its places come back', async () => {
    // Whoever calls is cut off: had making it called, the trouble would be used up.
    const trouble = { at: 'POST', how: 'closed' } as const
    scene.stripe.trouble = trouble
    const checkout = await begin(tickets({ seats: 6 }))
    assert.equal(scene.stripe.trouble, trouble)
    const away = await startService({
      ...{ PRACTICE: 'on', PAYMENTS_URL: 'http://127.0.0.1:9', DATABASE_URL: scene.service.databaseUrl },
    })
    try {
      const context = { ...scene.service.context, processors: away.context.processors }
      const venue = { ...scene.venue, plan: 'pro' } as const
      await pressAt(lookingAtTickets(context), venue, checkout.id)
    } finally {
      await away.stop()
    }
    const { text } = await page(checkout)
    assert.match(text, /shop\.example\.com\/thanks/)
    assert.doesNotMatch(text, /\/v\/[\w-]+\/tickets|\/o\/|\/r\//)
    const { status, reason } = await read(checkout.id)
    assert.deepEqual([status, reason], ['expired', 'processor-away'])
    await begin(tickets({ seats: 6 }))
  })

  it('says why there is nothing to begin', async () => {
    const reasonOf = async (body: object) => {
      const answer = await call('POST', '/checkouts', { body })
      return [answer.status, answer.body.reason]
    }
    assert.deepEqual(await reasonOf(table()), [409, 'nothing-to-secure'])
    const free = await scene.newDate({ priceCents: 0 })
    assert.deepEqual(await reasonOf(tickets({ occurrenceId: free })), [409, 'nothing-to-secure'])
    await actAt(scene.service, scene.venue, (work) =>
      makePromoCode(work, owner, {
        ...{ code: 'ALMOST', discount: { percent: 99 }, eventId: null, usesMost: null },
        ...{ validFrom: null, validTo: null },
      }),
    )
    assert.deepEqual(await reasonOf(tickets({ seats: 1, promoCode: 'ALMOST' })), [409, 'amount-too-small'])
    assert.deepEqual(await reasonOf(tickets({ seats: 7 })), [409, 'seats-full'])
    assert.deepEqual(await reasonOf(tickets({ promoCode: 'NONE' })), [409, 'promo-code-invalid'])
    assert.deepEqual(await reasonOf(tickets({ occurrenceId: 999_999 })), [404, undefined])
    await policy()
    assert.deepEqual(await reasonOf(table({ time: '23:45' })), [409, 'outside-hours'])
    const unpaid = await scene.office.post('/office/settings/payments/remove', { sure: 'yes' })
    assert.equal(unpaid.status, 303)
    assert.deepEqual(await reasonOf(tickets()), [409, 'payments-off'])
    assert.deepEqual(await reasonOf(table()), [409, 'payments-off'])
  })

  it('a body that is neither tickets nor a table, or both, is refused by name', async () => {
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ returnUrl }, /occurrenceId/],
      [tickets({ date: '2026-10-09' }), /Not both/],
      [tickets({ seats: undefined }), /seats is required/],
      [tickets({ buyerEmail: undefined }), /buyerEmail is required/],
      [table({ partySize: undefined }), /partySize is required/],
      [table({ time: undefined }), /time is missing/],
      [table({ email: undefined }), /email is required/],
      [table({ guestName: undefined }), /guestName is required/],
      [table({ hold: 'A'.repeat(22) }), /Send hold alone/],
    ]
    for (const [body, sentence] of wrong) {
      const answer = await call('POST', '/checkouts', { body })
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.match(answer.body.error ?? '', sentence)
    }
  })

  it('a key has twenty open at a time, whose seats nobody else buys; one that is ended frees them', async () => {
    const roomy = await scene.newDate({ capacity: 21 })
    const body = tickets({ occurrenceId: roomy, seats: 1 })
    const all = await Promise.all(Array.from({ length: 22 }, () => call('POST', '/checkouts', { body })))
    const made = all.filter(({ status }) => status === 201)
    assert.equal(made.length, 20)
    assert.deepEqual(
      all.filter(({ status }) => status !== 201).map((one) => one.body.reason),
      ['too-many-holds', 'too-many-holds'],
    )
    const { id } = (made[0] as Answered).body.checkout
    for (const _ of [1, 2]) {
      const ended = await call('POST', `/checkouts/${id}/expire`)
      assert.deepEqual(
        [ended.status, ended.body.checkout['status'], ended.body.checkout['reason']],
        [200, 'expired', 'given-up'],
      )
    }
    assert.equal((await call('POST', '/checkouts', { body })).status, 201)
  })

  it('one whose page is open is ended there first: who has paid has paid', async () => {
    const open = await begin()
    await press(open.url)
    const ended = await call('POST', `/checkouts/${open.id}/expire`)
    assert.deepEqual([ended.status, ended.body.checkout['status']], [200, 'expired'])
    const paid = await begin()
    await press(paid.url)
    scene.stripe.callsOut = false
    await scene.stripe.pay(await scene.sessionOf(paid.id))
    const late = await call('POST', `/checkouts/${paid.id}/expire`)
    assert.deepEqual([late.status, late.body.reason], [409, 'checkout-ended'])
    assert.equal((await read(paid.id))['status'], 'completed')
  })

  it('paid for seats that are gone by then: refused, and the site reads why', async () => {
    const last = await scene.newDate({ capacity: 2 })
    const first = await begin(tickets({ occurrenceId: last }))
    await press(first.url)
    // As after two minutes without a word of the processor's: its places are free.
    await rowsOf(scene.service, `update checkout set state = 'ended', look_at = made_at where id = $1`, [
      first.id,
    ])
    const second = await begin(tickets({ occurrenceId: last }))
    await pay(second)
    scene.stripe.callsOut = false
    await scene.stripe.pay(await scene.sessionOf(first.id))
    await scene.sweep()
    const { status, reason } = await read(first.id)
    assert.deepEqual([status, reason], ['refused', 'seats-full'])
    const { text } = await page(first)
    assert.match(text, /shop\.example\.com\/thanks/)
    assert.doesNotMatch(text, /\/v\/[\w-]+\/tickets|\/o\/|\/r\//)
  })

  it('tried with a dry run, nothing is held, and no page is named', async () => {
    const { status, body } = await scene.service.call('POST', '/api/v1/dry-run', {
      key,
      body: { method: 'POST', path: '/api/v1/checkouts', body: tickets() },
    })
    const { wouldAnswer } = body as {
      wouldAnswer: { status: number; body: { checkout: Record<string, unknown> } }
    }
    assert.deepEqual([status, wouldAnswer.status], [200, 201])
    const { id, url, totalCents } = wouldAnswer.body.checkout
    assert.deepEqual([id, url, totalCents], [null, null, 9_000])
    assert.deepEqual(
      await rowsOf(scene.service, 'select id from checkout where venue_id = $1', [scene.venue.id]),
      [],
    )
  })

  it('one that waited too long for the press has expired, also before anybody looks', async () => {
    const { id } = await begin()
    scene.later(16)
    const { status, reason, expiresAt } = await read(id)
    assert.deepEqual([status, reason, expiresAt], ['expired', 'not-paid', null])
  })

  it('nothing of the processor’s is in its answers, neither in those that are kept for a repeated call', async () => {
    const headers = { 'idempotency-key': 'cart-9' }
    const { checkout } = (await call('POST', '/checkouts', { body: tickets(), headers })).body
    await pay(checkout)
    const read = await call('GET', `/checkouts/${checkout.id}`)
    const [row] = await rowsOf(scene.service, 'select session_ref from checkout where id = $1', [checkout.id])
    assert.match(String(row?.['session_ref']), /^cs_test_/)
    const kept = await rowsOf(scene.service, 'select * from idempotency where venue_id = $1', [
      scene.venue.id,
    ])
    assert.equal(kept.length, 1)
    const text = JSON.stringify([checkout, read.body, kept])
    assertUnsaid(scene.stripe.issued, [{ where: 'its answers', text }])
  })

  it('a first try that started and never finished is not done again', async () => {
    const headers = { 'idempotency-key': 'cart-10' }
    await call('POST', '/checkouts', { body: tickets(), headers })
    await rowsOf(
      scene.service,
      `update idempotency set answered_at = null, status = null, body = null, record_id = null where venue_id = $1`,
      [scene.venue.id],
    )
    scene.later(2)
    const again = await call('POST', '/checkouts', { body: tickets(), headers })
    assert.deepEqual([again.status, again.body.reason], [409, 'outcome-unknown'])
    const rows = await rowsOf(scene.service, 'select id from checkout where venue_id = $1', [scene.venue.id])
    assert.equal(rows.length, 1)
  })

  it('yen go to the processor whole and krónur in hundredths, and both are hundredths here', async () => {
    for (const [currency, sent] of [
      ['JPY', 3_000],
      ['ISK', 300_000],
    ] as const) {
      await rowsOf(scene.service, 'update venue set currency = $2 where id = $1', [scene.venue.id, currency])
      const checkout = await begin(tickets({ occurrenceId: await scene.newDate({ priceCents: 150_000 }) }))
      assert.deepEqual([checkout['totalCents'], checkout['currency']], [300_000, currency])
      await press(checkout.url)
      const session = scene.stripe.sessions.get(await scene.sessionOf(checkout.id))
      assert.deepEqual([session?.amount_total, session?.currency], [sent, currency.toLowerCase()])
    }
  })

  it('is in no list, feed or event, open or abandoned', async () => {
    await begin()
    const abandoned = await begin()
    await press(abandoned.url, 'give-up')
    const orders = await scene.service.call('GET', '/api/v1/ticket-orders', { key: scene.venue.key })
    const events = await rowsOf(scene.service, 'select name from event where venue_id = $1', [scene.venue.id])
    const changes = await rowsOf(scene.service, 'select kind from record_change where venue_id = $1', [
      scene.venue.id,
    ])
    assert.deepEqual([orders.body, events, changes], [[], [], []])
  })
})
