import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hurryCalled } from '../../core/money/call-store.ts'
import { checkoutsDue } from '../../core/money/checkout-store.ts'
import { look, press } from '../../core/money/look.ts'
import { forgetOldCheckouts, lookAtCheckouts } from '../../core/money/sweep.ts'
import { guestSettingsOf } from '../../core/venue/guest-settings.ts'
import { venueOfId } from '../../core/venue/venues.ts'
import type { VenueQueries } from '../../platform/db/pool.ts'
import type { GuestMailRow } from '../../mail/guest-mail-queue.ts'
import { composeLetter } from '../../messages/guest-mail/compose.ts'
import type { Written } from '../../messages/guest-mail/writing.ts'
import { wordsIn } from '../../messages/guest-words/words.ts'
import { actAt } from '../../test/act.ts'
import { eventually } from '../../test/eventually.ts'
import { guestAt, hiddenOn } from '../../test/guest.ts'
import { rowsOf, waitingForLock } from '../../test/rows.ts'
import { owner, sellingOnline, signal, start } from '../../test/selling-online.ts'
import { startService } from '../../test/service.ts'
import { editOccurrence } from '../events.ts'
import { occurrenceForUpdate } from '../event-reads.ts'
import { makePromoCode } from '../promo-codes.ts'
import { type Asked, askTickets } from './ask-tickets.ts'
import { lookingAtTickets } from './looking.ts'

describe('selling tickets online, when something goes wrong', () => {
  const scene = sellingOnline()
  const {
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
    refund,
    orders,
    opened,
    withProcessor,
  } = scene

  it('a checkout that is open or abandoned is in no list, feed or event', async () => {
    const said = async () => [
      (await scene.service.call('GET', '/api/v1/ticket-orders', { key: scene.venue.key })).body,
      (await scene.service.call('GET', '/api/v1/events', { key: scene.venue.key })).body.events,
      await rowsOf(scene.service, 'select kind from record_change where venue_id = $1 order by 1', [
        scene.venue.id,
      ]),
    ]
    const before = await said()
    await opened()
    await made()
    later(40)
    await sweep()
    assert.deepEqual(await said(), before)
  })

  it('called late, twice, in any order and before the guest is back, one order is paid', async () => {
    scene.stripe.callsOut = false
    const id = await opened()
    await scene.stripe.pay(await sessionOf(id))
    const [event] = scene.stripe.held
    assert.ok(event)
    const answers = await Promise.all([1, 2, 3].map(() => scene.stripe.call(event)))
    assert.deepEqual(answers, [200, 200, 200])
    await Promise.all([
      sweep(),
      sweep(),
      guestAt(scene.service, `${pageOf(id)}/back`),
      guestAt(scene.service, `${pageOf(id)}/back`),
    ])
    later(120)
    assert.equal(await scene.stripe.call(event), 200)
    await sweep()
    assert.equal((await orders()).length, 1)
    assert.deepEqual(
      await rowsOf(scene.service, 'select state from payment where venue_id = $1', [scene.venue.id]),
      [{ state: 'succeeded' }],
    )
    const said = (what: string) =>
      rowsOf(scene.service, `select ${what} where venue_id = $1`, [scene.venue.id])
    assert.deepEqual(await said('name from event'), [{ name: 'ticket_order.paid' }])
    assert.deepEqual(await said('kind from guest_mail'), [{ kind: 'tickets' }])
  })

  it('a call that is not signed by the account changes nothing', async () => {
    const answer = await fetch(`${scene.service.url}/payments/${scene.venue.slug}`, {
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
      await rowsOf(scene.service, 'select 1 from processor_event where venue_id = $1', [scene.venue.id]),
      [],
    )
  })

  it('what can be paid is sold to nobody else; without a word of the processor it is free 33 minutes after the press', async () => {
    scene.date = await newDate({ capacity: 2 })
    const waiting = await made()
    later(14)
    assert.equal((await ask()).kind, 'refused', 'until the press')
    assert.equal((await pay(waiting)).status, 303)
    later(32)
    scene.stripe.trouble = { at: 'GET /v1/checkout', how: 'busy' }
    await sweep()
    assert.equal((await ask()).kind, 'refused', 'while the page may be open')
    later(2)
    scene.stripe.trouble = { at: 'GET /v1/checkout', how: 'busy' }
    await sweep()
    assert.equal((await row(waiting)).state, 'ended')
    assert.equal((await ask()).kind, 'checkout')
  })

  it('paid after it had ended, it is given if there are seats; otherwise the money goes back and the page says why', async () => {
    scene.date = await newDate({ capacity: 4 })
    const [one, other] = [await opened(), await opened()]
    const sessions = [await sessionOf(one), await sessionOf(other)]
    scene.stripe.callsOut = false
    for (const session of sessions) await scene.stripe.pay(session)
    scene.stripe.clock = () => Temporal.Instant.from(start).epochMilliseconds
    // Nothing is heard of them, and somebody else buys two of the seats.
    await rowsOf(scene.service, `update checkout set state = 'ended', look_at = null where venue_id = $1`, [
      scene.venue.id,
    ])
    const third = await opened()
    scene.stripe.callsOut = true
    await scene.stripe.pay(await sessionOf(third))
    await sweep()
    for (const event of scene.stripe.held) await scene.stripe.call(event)
    await sweep()
    assert.deepEqual([(await row(one)).state, (await row(other)).state].toSorted(), ['completed', 'refused'])
    const late = (await row(one)).state === 'refused' ? one : other
    const { text } = await guestAt(scene.service, pageOf(late))
    assert.match(text, /The tickets were gone by the time your payment arrived/)
    const office = await scene.office.get(`/office/tickets/orders/${(await row(late)).order_id}`)
    assert.match(
      office.words,
      /Seats None were given, as the payment arrived too late; \$90\.00 is on its way back/,
    )
    // They closed the page long ago.
    const [mail, ...more] = await rowsOf<GuestMailRow>(
      scene.service,
      `select * from guest_mail where venue_id = $1 and kind = 'ticketsRefused'`,
      [scene.venue.id],
    )
    assert.deepEqual([Number(mail?.record_id), more], [late, []])
    const { settings } = await guestSettingsOf(scene.service.db, scene.venue.id)
    const whole = await venueOfId(scene.service.db, scene.venue.id)
    assert.ok(mail && whole)
    for (const language of ['en', 'ja']) {
      await rowsOf(scene.service, 'update checkout set language = $2 where venue_id = $1', [
        scene.venue.id,
        language,
      ])
      const written = await actAt(scene.service, scene.venue, (work): Promise<Written> =>
        composeLetter({ work, context: scene.service.context, venue: whole, settings, mail }),
      )
      assert.ok('letter' in written)
      const { sale } = wordsIn(language as 'en')
      assert.deepEqual(written.letter.paragraphs, [sale.full, sale.back])
      assert.match(written.letter.subject, /Wine dinner/)
      assert.ok(written.letter.facts?.some(([, value]) => value.includes('90.00')))
    }
    await refund()
    const [taken] = await rowsOf(
      scene.service,
      `select sum(seats - seats_returned)::int as seats, sum(refunded_cents)::int as back from ticket_order where venue_id = $1`,
      [scene.venue.id],
    )
    assert.deepEqual(taken, { seats: 4, back: 9_000 })
    assert.equal([...scene.stripe.refunds.values()].filter(({ amount }) => amount === 9_000).length, 1)
    scene.stripe.clock = () => scene.service.context.clock().epochMilliseconds
  })

  it('of presses for different dates at once, one address has no more payments open than it may', async () => {
    const press = async (then: () => Promise<void> | void = () => undefined) => {
      const date = await newDate()
      return actAt(scene.service, scene.venue, async (work) => {
        const asked = await askTickets(work, 'US', {
          ...{ occurrenceId: date, seats: 1, promoCode: '', language: 'en', title: '1 ticket' },
          buyer: { firstName: 'Maya', lastName: 'Okafor', email: 'maya@example.com', phone: null },
        })
        await then()
        return asked.kind
      })
    }
    assert.deepEqual([await press(), await press()], ['checkout', 'checkout'])
    const { promise: committed, resolve: commit } = Promise.withResolvers<void>()
    const { promise: counted, resolve: count } = Promise.withResolvers<void>()
    const third = press(() => {
      count()
      return committed
    })
    await counted
    let isOver = false
    const fourth = press().finally(() => (isOver = true))
    await eventually(async () => isOver || (await waitingForLock(scene.service)) > 0).finally(commit)
    assert.deepEqual([await third, await fourth], ['checkout', 'refused'])
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
    await actAt(scene.service, scene.venue, (work) => makePromoCode(work, owner, typed))
    scene.date = await newDate({ capacity: 100 })
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
    scene.date = await newDate({ capacity: 60 })
    const asked: Asked[] = []
    for (let round = 0; round < 20; round++)
      asked.push(...(await Promise.all(Array.from({ length: 10 }, () => ask({ seats: 1 })))))
    const ids = asked.flatMap((one) => (one.kind === 'checkout' ? [one.checkout] : []))
    assert.deepEqual([ids.length, asked.length], [60, 200])
    const parts = lookingAtTickets(scene.service.context)
    for (const id of ids) {
      await pay(id)
      await scene.stripe.pay(await sessionOf(id))
    }
    await Promise.all(ids.map((id) => look(parts, { ...scene.venue, plan: 'pro' }, id, 'job')))
    assert.equal((await orders()).filter(({ status }) => status === 'paid').length, 60)
    assert.equal([...scene.stripe.intents.values()].filter(({ amount }) => amount === 4_500).length, 60)
  })

  it('a price that changed before the press is shown again, and nothing is made', async () => {
    const seen = await actAt(scene.service, scene.venue, (work) =>
      occurrenceForUpdate(work.db, scene.venue.id, scene.date),
    )
    await actAt(scene.service, scene.venue, (work) =>
      editOccurrence(work, owner, {
        ...{
          id: scene.date,
          seenVersion: seen?.version ?? 0,
          title: null,
          date: '2026-10-20',
          startTime: '19:00',
        },
        ...{ capacity: 6, priceCents: 5_000 },
      }),
    )
    assert.deepEqual(await ask(), {
      kind: 'refused',
      not: { why: 'price', totalCents: 10_000, currency: 'USD' },
    })
  })

  it('while the processor cannot be reached, nothing is given and the seats are free at once', async () => {
    const before = [...scene.stripe.sessions.keys()].length
    const away = await startService({
      PRACTICE: 'on',
      PAYMENTS_URL: 'http://127.0.0.1:9',
      DATABASE_URL: scene.service.databaseUrl,
    })
    try {
      const id = await made({ seats: 6 })
      const context = { ...scene.service.context, processors: away.context.processors }
      assert.deepEqual(await press(lookingAtTickets(context), { ...scene.venue, plan: 'pro' }, id), {
        kind: 'settled',
      })
      assert.deepEqual([(await row(id)).state, (await row(id)).why], ['ended', 'away'])
      assert.equal((await ask({ seats: 6 })).kind, 'checkout')
      assert.equal([...scene.stripe.sessions.keys()].length, before)
    } finally {
      await away.stop()
    }
  })

  it('a failure that is repeated to its key, and an answer that never came, make one page and leave nobody stuck', async () => {
    const pages = () => [...scene.stripe.sessions.values()].length
    for (const how of ['failed after', 'failed', 'closed'] as const) {
      const before = pages()
      const id = await made()
      scene.stripe.trouble = { at: 'POST /v1/checkout/sessions', how }
      await pay(id)
      for (let round = 0; round < 4 && (await row(id)).state === 'opening'; round++) {
        await sweep()
        later(1)
      }
      assert.equal((await row(id)).state, 'open', how)
      assert.equal(pages(), before + 1, how)
    }
  })

  it('a venue that is paused, or whose account has ended, sells nothing, neither at the form nor at a page of before', async () => {
    const [waiting, going] = [await made(), await opened()]
    const path = `/v/${scene.venue.slug}/tickets/${scene.event}`
    const form = formOn((await guestAt(scene.service, `${path}?date=${scene.date}&seats=2`)).text)
    const calls = () => scene.stripe.calls.filter((one) => JSON.stringify(one).includes('POST')).length
    const before = calls()
    const refused = async () => {
      const answers = [await pay(waiting), await pay(going), await guestAt(scene.service, path, { form })]
      assert.deepEqual(
        answers.map(({ status, headers }) => [status, headers.get('location')]),
        answers.map(() => [409, null]),
      )
      return answers.map(({ text }) => text)
    }
    const set = (is: boolean) =>
      rowsOf(scene.service, 'update venue set paused = $2 where id = $1', [scene.venue.id, is])
    await set(true)
    for (const text of await refused()) assert.match(text, /not taking requests online right now/)
    await set(false)
    await rowsOf(scene.service, `update processor_account set ended_at = now() where venue_id = $1`, [
      scene.venue.id,
    ])
    for (const text of await refused()) assert.match(text, /Tickets are sold at the restaurant/)
    assert.deepEqual([calls(), (await row(waiting)).state, await orders()], [before, 'made', []])
  })

  it('what a paying buyer types is judged as where nothing is paid, and the form says what is wrong', async () => {
    const path = `/v/${scene.venue.slug}/tickets/${scene.event}`
    for (const [typed, sentence] of [
      [{ tel: `2125550177${' '.repeat(60_000)}1` }, /Enter a phone number/],
      [{ first: 'Maya\nBcc: x@example.com' }, /Enter your name/],
      [{ last: 'Oka\u0007for' }, /Enter your name/],
    ] as const) {
      const form = {
        ...formOn((await guestAt(scene.service, `${path}?date=${scene.date}&seats=2`)).text),
        ...typed,
      }
      const { status, text } = await guestAt(scene.service, path, { form })
      assert.equal(status, 400)
      assert.match(text, /id="mistakes"/)
      assert.match(text, sentence)
      assert.match(text, /value="maya@example.com"/)
    }
    await assert.rejects(ask({ email: 'maya@example.com', phone: '1'.repeat(60_000) }), /at most 50/)
    assert.deepEqual(
      await rowsOf(scene.service, 'select 1 from checkout where venue_id = $1', [scene.venue.id]),
      [],
    )
  })

  it('a date without a time, pressed for before midnight, is given to who pays after it; to who is heard of the next day it is not', async () => {
    scene.service.setClock('2026-10-07T03:50:00Z')
    scene.stripe.callsOut = false
    scene.date = await newDate({ date: '2026-10-06', startTime: null })
    const ids = [await opened(), await opened()]
    for (const id of ids) await scene.stripe.pay(await sessionOf(id))
    later(13)
    await look(lookingAtTickets(scene.service.context), { ...scene.venue, plan: 'pro' }, ids[0] ?? 0, 'job')
    scene.service.setClock('2026-10-07T12:00:00Z')
    await look(lookingAtTickets(scene.service.context), { ...scene.venue, plan: 'pro' }, ids[1] ?? 0, 'job')
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
    await scene.stripe.pay(await sessionOf(id))
    await sweep()
    assert.match((await guestAt(scene.service, pageOf(id))).headers.get('location') ?? '', /^\/o\//)
    scene.date = await newDate({ priceCents: 0 })
    const { text } = await guestAt(
      scene.service,
      `/v/${scene.venue.slug}/tickets/${scene.event}?date=${scene.date}&seats=1`,
    )
    const form = formOn(text)
    const press = () => guestAt(scene.service, `/v/${scene.venue.slug}/tickets/${scene.event}`, { form })
    assert.match((await press()).headers.get('location') ?? '', /^\/o\//)
    await rowsOf(scene.service, `update ticket_order set link_issue = 1 where venue_id = $1`, [
      scene.venue.id,
    ])
    for (const shown of [await guestAt(scene.service, pageOf(id)), await press()]) {
      assert.deepEqual([shown.status, shown.headers.get('location')], [200, null])
      assert.match(shown.text, /They were sent to your email address/)
      assert.ok(!shown.text.includes('/o/'))
    }
  })

  it('one that ended before its page was known is looked for a day, and given if it was paid', async () => {
    for (const isThere of [true, false]) {
      const id = await made()
      scene.stripe.trouble = { at: 'POST /v1/checkout/sessions', how: isThere ? 'failed after' : 'failed' }
      await pay(id)
      await rowsOf(
        scene.service,
        `update checkout set state = 'ended', look_at = made_at where venue_id = $1 and id = $2`,
        [scene.venue.id, id],
      )
      if (isThere) {
        await scene.stripe.pay([...scene.stripe.sessions.keys()].at(-1) ?? '')
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
      scene.stripe.calls.length = 0
      later(60)
      await sweep()
      assert.deepEqual(scene.stripe.calls, [])
      assert.equal((await row(id)).state, 'ended')
    }
  })

  it('what was paid while nobody looked for more than a day is given, also where the first look is not answered', async () => {
    const { stripe } = scene
    stripe.callsOut = false
    const id = await opened()
    await stripe.pay(await sessionOf(id))
    later(25 * 60)
    stripe.trouble = { at: 'GET /v1/checkout/sessions', how: 'busy' }
    await sweep()
    assert.equal((await row(id)).state, 'ended')
    later(16)
    await sweep()
    assert.equal((await row(id)).state, 'completed')

    const other = await made({ email: 'other@example.com' })
    stripe.trouble = { at: 'POST /v1/checkout/sessions', how: 'failed after' }
    await pay(other)
    await stripe.pay([...stripe.sessions.keys()].at(-1) ?? '')
    await rowsOf(
      scene.service,
      `update checkout set state = 'ended', look_at = made_at where venue_id = $1 and id = $2`,
      [scene.venue.id, other],
    )
    later(25 * 60)
    stripe.trouble = { at: 'GET /v1/checkout/sessions', how: 'busy' }
    await sweep()
    for (let round = 0; round < 2; round++) {
      later(16)
      await sweep()
    }
    assert.equal((await row(other)).state, 'completed')
  })

  it('what was paid on a page that nobody knew of is found by the lists once the processor has forgotten the call', async () => {
    const { stripe } = scene
    stripe.callsOut = false
    const id = await made()
    stripe.trouble = { at: 'POST /v1/checkout/sessions', how: 'failed after' }
    await pay(id)
    await stripe.pay([...stripe.sessions.keys()].at(-1) ?? '')
    const pages = stripe.sessions.size
    later(25 * 60)
    stripe.forgetKeys()
    await sweep()
    later(2)
    await sweep()
    assert.equal((await row(id)).state, 'completed')
    assert.equal(stripe.sessions.size, pages)
  })

  it('a page that is made after its checkout ended leads nobody there, and what is paid on it is seen', async () => {
    const id = await made()
    const parts = withProcessor((processor) => ({
      openSession: async (session) => {
        const answer = await processor.openSession(session)
        await rowsOf(
          scene.service,
          `update checkout set state = 'ended', look_at = null where venue_id = $1 and id = $2`,
          [scene.venue.id, id],
        )
        return answer
      },
    }))
    assert.deepEqual(await press(parts, { ...scene.venue, plan: 'pro' }, id), { kind: 'settled' })
    assert.equal((await row(id)).state, 'ended')
    scene.stripe.callsOut = false
    await scene.stripe.pay(await sessionOf(id))
    later(2)
    await sweep()
    assert.equal((await row(id)).state, 'completed')
  })

  it('one that is not answered keeps no other waiting, and what was called about is looked at first', async () => {
    const [slow, paid, called] = [
      ...[await opened({ seats: 1 }), await opened({ seats: 1 }), await opened({ seats: 1 })],
    ]
    scene.stripe.callsOut = false
    await scene.stripe.pay(await sessionOf(paid ?? 0))
    await scene.stripe.pay(await sessionOf(called ?? 0))
    later(2)
    await scene.stripe.call(scene.stripe.held.at(-1) as (typeof scene.stripe.held)[number])
    const now = scene.service.context.clock()
    await actAt(scene.service, scene.venue, ({ db }) => hurryCalled(db, scene.venue.id, now))
    assert.equal((await checkoutsDue.take(scene.service.db, scene.venue.id, now))?.id, called)
    later(2)
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

  const ended = (lookAt: string | null) =>
    rowsOf(scene.service, `update checkout set state = 'ended', look_at = $2 where venue_id = $1`, [
      scene.venue.id,
      lookAt,
    ])

  it('a call that comes while the calls before it are gone through is looked at the next time', async () => {
    const [first, second] = [await opened({ seats: 1 }), await opened({ seats: 1 })]
    scene.stripe.callsOut = false
    for (const id of [first, second]) await scene.stripe.pay(await sessionOf(id))
    await ended(null)
    const [called, between] = scene.stripe.held
    assert.ok(called && between)
    await scene.stripe.call(called)
    const interrupted = (db: VenueQueries): VenueQueries => {
      let isFirst = true
      const then = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
        const answered = await answer
        if (isFirst) {
          isFirst = false
          assert.equal(await scene.stripe.call(between), 200)
        }
        return answered
      }
      return {
        ...db,
        many: (statement) => then(db.many(statement)),
        run: (statement) => then(db.run(statement)),
      }
    }
    await actAt(scene.service, scene.venue, ({ db }) =>
      hurryCalled(interrupted(db), scene.venue.id, scene.service.context.clock()),
    )
    for (let times = 0; times < 2; times += 1) await sweep()
    assert.deepEqual([(await row(first)).state, (await row(second)).state], ['completed', 'completed'])
  })

  it('a call that comes while its checkout is looked at is looked at next, not after a quarter of an hour', async () => {
    const id = await opened()
    scene.stripe.callsOut = false
    later(1)
    await ended(scene.service.context.clock().toString())
    let isFirst = true
    const parts = withProcessor((processor) => ({
      lookAtSession: async (session) => {
        const seen = await processor.lookAtSession(session)
        if (isFirst) {
          isFirst = false
          await scene.stripe.pay(session)
          const [event] = scene.stripe.held
          assert.ok(event)
          await scene.stripe.call(event)
          await actAt(scene.service, scene.venue, ({ db }) =>
            hurryCalled(db, scene.venue.id, scene.service.context.clock()),
          )
        }
        return seen
      },
    }))
    await lookAtCheckouts(parts, signal)
    await sweep()
    assert.equal((await row(id)).state, 'completed')
  })

  it('a guest who loads the page again and again has the processor asked every two seconds', async () => {
    const id = await opened()
    scene.stripe.callsOut = false
    for (const wait of [0, 1, 1]) {
      scene.service.setClock(scene.service.context.clock().add({ seconds: wait }).toString())
      await Promise.all([1, 2, 3, 4].map(() => guestAt(scene.service, `${pageOf(id)}/back`)))
    }
    assert.equal(scene.stripe.calls.filter(({ what }) => what.startsWith('GET /v1/checkout')).length, 2)
    await scene.stripe.pay(await sessionOf(id))
    later(1)
    const { status } = await guestAt(scene.service, `${pageOf(id)}/back`)
    assert.deepEqual([status, (await row(id)).state], [303, 'completed'])
  })

  it('what somebody typed who did not buy is forgotten after 30 days', async () => {
    const id = await made()
    later(29 * 24 * 60)
    await forgetOldCheckouts(scene.service.context)
    assert.notEqual((await row(id)).form, null)
    later(2 * 24 * 60)
    await forgetOldCheckouts(scene.service.context)
    assert.equal((await row(id)).form, null)
  })

  it('every page is there in eight languages', async () => {
    const id = await made()
    for (const language of ['en', 'es', 'fr', 'de', 'it', 'pt', 'nl', 'ja']) {
      for (const path of [
        `/v/${scene.venue.slug}/tickets?lang=${language}`,
        `/v/${scene.venue.slug}/tickets/${scene.event}?date=${scene.date}&seats=2&lang=${language}`,
        `${pageOf(id)}?lang=${language}`,
      ]) {
        const { status, text } = await guestAt(scene.service, path)
        assert.equal(status, 200)
        assert.ok(text.includes(`<html lang="${language}"`), path)
      }
    }
    const { text, headers } = await guestAt(
      scene.service,
      `/v/${scene.venue.slug}/tickets/${scene.event}?date=${scene.date}&seats=2`,
    )
    assert.match(headers.get('content-security-policy') ?? '', /form-action 'self' https: http:\/\/127/)
    hiddenOn(text, 'token')
  })
})
