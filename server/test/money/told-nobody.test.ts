import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pathOf } from '../guest.ts'
import { assertUnsaid } from '../stripe/names-in.ts'
import {
  delivered,
  logged,
  mailsByRelay,
  mailsOf,
  saidByApi,
  saidByOffice,
  saidOnPaper,
  writtenDown,
} from './everything-said.ts'
import { runningVenue } from './running-venue.ts'

/*
 * Of the processor only the service knows: no answer, event, export, log, mail or row beside those that are for it names what the
 * processor gave a name to. And a private link is in the mail to its own person, and nowhere else.
 */

type Checkout = { readonly id: number; readonly url: string }

describe('what only the processor and a guest know', () => {
  const scene = runningVenue()
  const { call, guest, presses, rows, pays, until } = scene
  const today = '2026-10-06'

  const statusOf = (email: string, status: string) =>
    until(
      `select g.id from guarantee g join reservation r on r.venue_id = g.venue_id and r.id = g.reservation_id
        where g.venue_id = $1 and r.email = '${email}' and g.status = '${status}'`,
    )
  const bookingOf = async (email: string) => {
    const [row] = await rows<{ id: string; version: number; status: string }>(
      `select id, version, status from reservation where venue_id = $1 and email = '${email}'`,
    )
    assert.ok(row)
    return row
  }
  const move = async (email: string, pressed: string) => {
    const { id, version, status } = await bookingOf(email)
    await presses(`/office/bookings/${id}/moves`, {
      ...{ version: String(version), status, back: '/office/today', move: pressed },
    })
  }
  const card = async (email: string, form: Record<string, string>) =>
    presses(`/office/bookings/${(await bookingOf(email)).id}/guarantee`, form)
  const linksIn = (text: string, kinds = 'pay|o|r'): string[] =>
    [...text.matchAll(new RegExp(`/(?:${kinds})/([\\w-]{16,}(?:\\.[\\w-]+)*)`, 'g'))].map(
      ([, token = '']) => token,
    )

  /** Tickets, and their money back: a part by staff, a part in the dashboard; then another order, which a bank takes. */
  const sellTickets = async (): Promise<void> => {
    await pays(await scene.asksTickets('2', 'maya@tickets.example'))
    const order = "select id, version from ticket_order where venue_id = $1 and status = 'paid'"
    await until(order)
    const [sold] = await rows<{ id: string; version: number }>(order)
    await presses(`/office/tickets/orders/${sold?.id}/refunds`, {
      ...{ version: String(sold?.version), amount: '45.00', seats: '1' },
      ...{ via: 'processor', outcome: 'pending', answer: '' },
    })
    await until("select id from refund where venue_id = $1 and state = 'succeeded'")
    const [paid] = await rows<{ ref: string }>('select processor_ref as ref from payment where venue_id = $1')
    await scene.stripe.refundThere(paid?.ref ?? '', 1_000)
    await until("select id from refund where venue_id = $1 and origin = 'dashboard'")
    await pays(await scene.asksTickets('1', 'noor@tickets.example'))
    await until("select id from ticket_order where venue_id = $1 and buyer_email = 'noor@tickets.example'")
    const [last] = await rows<{ ref: string }>(
      'select processor_ref as ref from payment where venue_id = $1 order by id desc limit 1',
    )
    for (const [status, state] of [
      ['needs_response', 'open'],
      ['lost', 'lost'],
    ] as const) {
      await scene.stripe.dispute(last?.ref ?? '', status)
      await until(
        `select id from money_matter where venue_id = $1 and kind = 'dispute' and state = '${state}'`,
      )
    }
  }

  /** A card that is charged, one whose bank wants the guest, one that is let go, and a deposit that goes back. */
  const secureTables = async (): Promise<void> => {
    for (const [time, size, email] of [
      ['17:15', '2', 'charged@tables.example'],
      ['17:15', '2', 'fee@tables.example'],
      ['21:00', '2', 'freed@tables.example'],
      ['21:00', '4', 'deposit@tables.example'],
    ] as const) {
      await pays(await scene.asksTable(`${today} ${time}`, size, email))
      await statusOf(email, size === '2' ? 'held' : 'paid')
    }
    for (const email of ['freed@tables.example', 'deposit@tables.example']) await move(email, 'cancel:staff')
    // Until then the cancellation may be undone.
    await scene.later({ minutes: 1 })
    await statusOf('freed@tables.example', 'released')
    await statusOf('deposit@tables.example', 'refunded')
  }

  const chargeCards = async (): Promise<void> => {
    await scene.later({ hours: 1, minutes: 30 })
    for (const email of ['charged@tables.example', 'fee@tables.example']) await move(email, 'markNoShow')
    await card('charged@tables.example', { do: 'charge', amount: '50' })
    await statusOf('charged@tables.example', 'charged')
    scene.stripe.declines = 'authentication_required'
    await card('fee@tables.example', { do: 'charge', amount: '50' })
    await statusOf('fee@tables.example', 'charge_failed')
    scene.stripe.declines = undefined
    const [mine = ''] = await tokensTo('fee@tables.example', '/r/')
    const asked = /name="asked" value="([^"]*)"/.exec((await guest(`/r/${mine}`)).text)?.[1] ?? ''
    const { headers } = await guest(`/r/${mine}`, { do: 'secure', asked })
    await pays(headers.get('location') ?? '')
    await statusOf('fee@tables.example', 'charged')
  }

  /** Private links in the mails to one address. */
  const tokensTo = async (email: string, at: string): Promise<string[]> => {
    await scene.worker.until(async () =>
      (await mailsOf(scene)).some(({ to, text }) => to === email && text.includes(at)),
    )
    return (await mailsOf(scene))
      .filter(({ to }) => to === email)
      .flatMap(({ mail }) => [...`${mail.html}`.matchAll(new RegExp(`${at}([\\w.-]{16,})`, 'g'))])
      .map(([, token = '']) => token)
  }

  /** What software begins; every page of it, and where its guest is led. */
  const payByKey = async (): Promise<Checkout[]> => {
    const returnUrl = `${scene.site}/thanks`
    const bodies = [
      { occurrenceId: scene.date, seats: 1, buyerFirstName: 'Ida', buyerEmail: 'ida@key.example', returnUrl },
      { date: today, time: '20:00', partySize: 4, guestName: 'Ida', email: 'ida@key.example', returnUrl },
    ]
    const begun: Checkout[] = []
    for (const [at, body] of bodies.entries()) {
      const headers = { 'idempotency-key': `cart-${at}` }
      const made = await call('POST', '/api/v1/checkouts', { body, headers })
      assert.equal(made.status, 201, made.text)
      const { checkout } = made.body as { checkout: Checkout }
      const [before, led] = [
        await guest(pathOf(checkout.url)),
        await guest(pathOf(checkout.url), { do: 'pay' }),
      ]
      const back = await pays(led.headers.get('location') ?? '')
      const after = await guest(pathOf(checkout.url))
      for (const page of [before, led, after]) assert.doesNotMatch(page.text, /\/[or]\/[\w-]{16}/)
      for (const to of [back, after.headers.get('location')])
        assert.equal(to, `${returnUrl}?checkout=${checkout.id}`)
      begun.push(checkout)
    }
    return begun
  }

  it('is in no log, answer, event, delivery, export, row or mail of anybody else, whatever is paid, charged, refunded and disputed', async () => {
    await sellTickets()
    await secureTables()
    const begun = await payByKey()
    await chargeCards()
    await scene.worker.until(
      async () =>
        (await rows("select 1 from guest_mail where venue_id = $1 and state = 'waiting'")).length === 0,
    )
    await scene.worker.until(() => scene.receiver.received.length > 20)

    const written = await mailsOf(scene)
    await scene.worker.stop()
    const relayed = await mailsByRelay(scene)
    assert.ok(
      relayed.length > 5 && relayed.length <= written.length,
      `${relayed.length} of ${written.length}`,
    )
    const mails = [...written, ...relayed]
    const orders = new Set(mails.flatMap(({ mail }) => linksIn(`${mail.html}`, 'o')))
    const paper = await saidOnPaper(scene, [...orders])
    const attached = mails.filter(({ text }) => text.includes('%PDF-'))
    for (const some of [paper.tickets, paper.evidence, attached]) assert.ok(some.length > 0)
    const byKey = begun.flatMap(({ url }) => linksIn(url))
    const read = [
      ...(await saidByApi(
        scene,
        begun.map(({ id }) => id),
      )),
      ...(await saidByOffice(scene)),
      ...paper.tickets,
      ...paper.evidence,
    ]
    const rest = [...logged(scene), ...delivered(scene)]
    const kept = await writtenDown(scene)
    const { issued } = scene.stripe
    const kinds = new Set([...issued].map((name) => /^(?:[a-z]+(?=_)|http)/.exec(name)?.[0] ?? name))
    assert.deepEqual([...kinds].toSorted(), [
      'ch',
      'cs',
      'cus',
      'dp',
      'evt',
      'http',
      'pi',
      'pm',
      're',
      'seti',
      'we',
      'whsec',
    ])
    assert.ok(rest.every(({ text }) => text.length > 100))
    assertUnsaid([...issued, scene.stripe.key], [...read, ...rest, ...kept, ...mails])

    const links = mails.flatMap(({ mail, to }) => linksIn(`${mail.html}`).map((token) => ({ token, to })))
    assert.ok(links.length > 5)
    const tokens = new Set(links.map(({ token }) => token))
    assertUnsaid(tokens, [...read, ...rest, ...kept])
    for (const { token, to } of links)
      assertUnsaid(
        [token],
        mails.filter((one) => one.to !== to),
      )
    // The key that began it is given the page to lead its guest to, and nobody else is.
    assertUnsaid(byKey, [
      ...read.filter(({ where }) => !where.startsWith('GET /api/v1/checkouts/')),
      ...rest,
      ...mails,
      ...kept.filter(({ where }) => where !== 'table idempotency'),
    ])

    // It would be found on paper: the name of the event is on both.
    const [planted = ''] = issued
    await rows(`update ticketed_event set name = 'Dinner ${planted}' where venue_id = $1`)
    const after = await saidOnPaper(scene, [...orders])
    for (const papers of [after.tickets, after.evidence])
      assert.throws(() => assertUnsaid([planted], papers), /\.pdf: /)
  })
})
