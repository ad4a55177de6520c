import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addMatter } from '../../../core/money/matter-store.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { card, deposit, securingTables } from '../../../test/securing-tables.ts'
import { sellingOnline } from '../../../test/selling-online.ts'

describe('the page of payments', () => {
  const scene = sellingOnline()
  const { sold, made, opened, pay, row, sessionOf, sweep, heard, askRefund, refund, later } = scene

  const home = '/office/payments'
  const words = async () => (await scene.office.get(home)).words
  /** Days later somebody signs in again. */
  const daysLater = async (days: number) => {
    later(days * 24 * 60)
    const { email } = await staffOf(scene.service, scene.venue, 'manager')
    await scene.office.signIn(email)
  }
  const intent = () => [...scene.stripe.intents.keys()].at(-1) ?? ''

  it('says what came in and went back today, this week and for each event, and what is left', async () => {
    assert.match(await words(), /No payments or refunds/)
    await sold()
    await sold()
    await askRefund('30.00')
    await refund()
    const said = await words()
    assert.match(said, /Test payments: no money moves/)
    assert.match(said, /Today \$180\.00 2 payments \$30\.00 refunded \$150\.00 net/)
    assert.match(said, /This week \$180\.00 2 payments/)
    assert.match(said, /Wine dinner.*\$150\.00 after \$30\.00 refunded/)
    later(10 * 60)
    assert.match(await words(), /Today No payments or refunds\. This week \$180\.00/)
  })

  it('shows any past week as it was, with links to those beside it, and leads no further than this one', async () => {
    await sold()
    await daysLater(7)
    await sold()
    await askRefund('30.00')
    await refund()
    const now = await scene.office.get(home)
    assert.match(now.words, /This week \$90\.00 1 payment \$30\.00 refunded \$60\.00 net/)
    assert.match(now.html, /href="\/office\/payments\?week=2026-10-04" aria-label="Previous week"/)
    assert.doesNotMatch(now.html, /Next week/)
    const past = await scene.office.get(`${home}?week=2026-10-08`)
    assert.match(past.words, /4, 2026 – .*10, 2026 \$90\.00 1 payment \$0\.00 refunded \$90\.00 net/)
    assert.match(past.words, /By event and policy Wine dinner \$90\.00/)
    assert.doesNotMatch(past.words, /Needs a look/)
    assert.match(past.html, /href="\/office\/payments\?week=2026-10-11" aria-label="Next week"/)
    assert.match((await scene.office.get(`${home}?week=2026-09-30`)).words, /No payments or refunds/)
    assert.match((await scene.office.get(`${home}?week=2027-01-01`)).words, /This week \$90\.00/)
    const mistyped = await scene.office.get(`${home}?week=2026-02-30`)
    assert.equal(mistyped.status, 400)
    assert.match(mistyped.words, /The week must be named by one of its dates/)
  })

  it('gives a file with one row for each movement of money on its day, and no name of the processor or of a guest', async () => {
    await sold()
    await daysLater(1)
    await askRefund('30.00')
    await refund()
    const file = (from: string, to: string) =>
      scene.office.get(`${home}/payments.csv?${new URLSearchParams({ from, to }).toString()}`)
    const [order] = await rowsOf(scene.service, 'select order_number from ticket_order where venue_id = $1', [
      scene.venue.id,
    ])
    const number = String(order?.order_number)
    const both = await file('2026-10-06', '2026-10-07')
    assert.equal(both.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(
      both.html,
      [
        'date,time,kind,event_or_policy,order_or_booking,amount,currency,origin',
        `2026-10-06,15:00,payment,Wine dinner,${number},90.00,USD,guest page`,
        `2026-10-07,15:00,refund,Wine dinner,${number},-30.00,USD,venue or its rules`,
        '',
      ].join('\r\n'),
    )
    assert.doesNotMatch((await file('2026-10-06', '2026-10-06')).html, /refund/)
    for (const [from, to] of [
      ['2026-10-07', '2026-10-06'],
      ['', '2026-10-06'],
      ['2026-10-06', '2027-11-30'],
    ] as const)
      assert.equal((await file(from, to)).status, 400)
  })

  it('writes sums with as many decimals as their currency has, as the file of orders does', async () => {
    await rowsOf(scene.service, `update venue set currency = 'JPY' where id = $1`, [scene.venue.id])
    scene.date = await scene.newDate({ priceCents: 150_000 })
    const id = await scene.opened({ shownTotalCents: 300_000 })
    await scene.stripe.pay(await scene.sessionOf(id))
    await scene.sweep()
    await askRefund('300')
    await refund()
    const { html } = await scene.office.get(`${home}/payments.csv?from=2026-10-06&to=2026-10-06`)
    assert.match(html, /,payment,Wine dinner,[^,]+,3000,JPY,/)
    assert.match(html, /,refund,Wine dinner,[^,]+,-300,JPY,/)
    const orders = await scene.office.get('/office/data/export/ticket-orders.csv')
    const [names = [], values = []] = orders.html.split('\r\n').map((line) => line.split(','))
    assert.deepEqual(
      ['totalCents', 'total', 'refunded'].map((name) => values[names.indexOf(name)]),
      ['300000', '3000', '300'],
    )
  })

  it('keeps a dispute that was lost in its week, and writes what was won later in the week of that', async () => {
    await sold()
    await scene.stripe.dispute(intent(), 'lost')
    await heard()
    await daysLater(7)
    await scene.stripe.dispute(intent(), 'won')
    await heard()
    const past = await scene.office.get(`${home}?week=2026-10-06`)
    assert.match(past.words, /\$90\.00 lost to disputes \$0\.00 net/)
    assert.match(
      await words(),
      /This week \$0\.00 0 payments \$0\.00 refunded \$90\.00 came back again \$90\.00 net/,
    )
    const { html } = await scene.office.get(`${home}/payments.csv?from=2026-10-06&to=2026-10-13`)
    assert.match(html, /2026-10-06,15:00,dispute lost,Wine dinner,[^,]+,-90.00,USD,bank/)
    assert.match(html, /2026-10-13,15:00,dispute won,Wine dinner,[^,]+,90.00,USD,bank/)
  })

  it('has figures that the reports leave out, and they say so', async () => {
    const report = '/office/reports?from=2026-10-01&to=2026-10-31'
    // Of days that were all closed, the reports show no more than how many came.
    await setRules(scene.service, scene.venue, everyEvening())
    await sold()
    const said = (await scene.office.get(report)).words
    assert.match(said, /No tickets were paid for\. Test payments move no money and are left out\./)
    assert.match(said, /none were paid\. Test payments move no money and are left out\./)
    assert.equal(
      (await scene.office.get('/office/reports/tickets.csv?from=2026-10-01&to=2026-10-31')).status,
      404,
    )
    await rowsOf(scene.service, 'update processor_account set live = true where venue_id = $1', [
      scene.venue.id,
    ])
    const live = (await scene.office.get(report)).words
    assert.match(live, /Tickets for events on 1 date brought in \$90\.00/)
    assert.doesNotMatch(live, /Test payments move/)
  })

  it('says how many seats are being paid for and until when, here and at the date', async () => {
    await made()
    const said = /2 seats being paid until 3:15 PM/
    assert.match(await words(), said)
    assert.match((await scene.office.get(`/office/tickets/dates/${scene.date}`)).words, said)
  })

  it('shows a dispute, a payment that differs and a refund that failed until somebody says that it is done', async () => {
    await sold()
    await scene.stripe.dispute(intent(), 'needs_response')
    await heard()
    const id = await opened()
    await pay(id)
    const session = scene.stripe.sessions.get(await sessionOf(id))
    assert.ok(session)
    session.amount_total = 100
    await scene.stripe.pay(session.id)
    await sweep()
    assert.equal((await row(id)).state, 'ended')
    const said = await words()
    assert.match(said, /\$90\.00 disputed by the guest’s bank Reason: fraudulent\. Answer it in Stripe by/)
    assert.match(said, /\$1\.00 paid, which is not what was asked for/)
    const [matter] = await rowsOf(
      scene.service,
      `select id from money_matter where venue_id = $1 and kind = 'payment-differs'`,
      [scene.venue.id],
    )
    const done = `${home}/matters/${String(matter?.id)}`
    assert.equal((await scene.office.post(done)).status, 303)
    assert.equal((await scene.office.post(done)).status, 303)
    assert.doesNotMatch(await words(), /not what was asked for/)
    const [order] = await rowsOf(scene.service, 'select id from ticket_order where venue_id = $1', [
      scene.venue.id,
    ])
    const [dispute] = await rowsOf(
      scene.service,
      `select id from money_matter where venue_id = $1 and kind = 'dispute'`,
      [scene.venue.id],
    )
    const evidence = await scene.office.get(`${home}/matters/${String(dispute?.id)}/evidence.pdf`)
    assert.equal(evidence.headers.get('content-type'), 'application/pdf')
    const written = Array.from(evidence.html.matchAll(/<([\da-f]+)> Tj/g), ([, hex]) =>
      Buffer.from(hex ?? '', 'hex').toString('latin1'),
    ).join('\n')
    for (const line of [
      /Amount: \$90\.00/,
      /Wine dinner/,
      /Buyer: Maya Okafor/,
      /Tickets: goes out October 6, 2026/,
      /Ticket 1: not used/,
    ])
      assert.match(written, line)
    assert.match(written, /shown to the buyer before the button at October 6, 2026/)
    assert.match(written, /: The guest bought the tickets\./)
    for (const name of [...scene.stripe.intents.keys(), ...scene.stripe.disputes.keys()])
      assert.ok(!written.includes(name))
    assert.equal((await scene.office.get(`${home}/matters/${String(matter?.id)}/evidence.pdf`)).status, 404)
    assert.match(
      (await scene.office.get(`/office/tickets/orders/${String(order?.id)}`)).words,
      /disputed by the guest’s bank/,
    )
  })

  it('is for managers, who see the matters of their own venue alone', async () => {
    const other = await scene.service.venue()
    const now = scene.service.context.clock()
    await addMatter(
      scene.service.db,
      other.id,
      { kind: 'not-here', subject: 'x', order: null, amountCents: 12_345, currency: 'USD' },
      now,
    )
    const [foreign] = await rowsOf(scene.service, 'select id from money_matter where venue_id = $1', [
      other.id,
    ])
    for (const [role, status] of [
      ['host', 403],
      ['manager', 200],
    ] as const) {
      const visitor = visitOffice(scene.service)
      await visitor.signIn((await staffOf(scene.service, scene.venue, role)).email)
      const seen = await visitor.get(home)
      assert.equal(seen.status, status)
      assert.doesNotMatch(seen.words, /123\.45/)
      assert.equal((await visitor.get(`${home}/payments.csv?from=2026-10-06&to=2026-10-06`)).status, status)
      await visitor.post(`${home}/matters/${String(foreign?.id)}`)
    }
    assert.deepEqual(
      await rowsOf(scene.service, 'select done_at from money_matter where venue_id = $1', [other.id]),
      [{ done_at: null }],
    )
  })
})

describe('the file of payments for tables', () => {
  const scene = securingTables()
  const rows = async (): Promise<readonly string[]> => {
    const path = '/office/payments/payments.csv?from=2026-10-01&to=2026-10-31'
    return (await scene.office.get(path)).html.trim().split('\r\n').slice(1)
  }

  it('says of a deposit, of a card that was charged and of what was given back for which booking it was', async () => {
    await scene.ask(deposit)
    await scene.secure()
    const paid = await scene.bookingId()
    assert.match((await rows())[0] ?? '', new RegExp(`,payment,Deposits,${paid},40.00,USD,guest page$`))
    await scene.pressCard(paid, { do: 'refund' })
    await scene.refund()
    assert.match(
      (await rows())[1] ?? '',
      new RegExp(`,refund,Deposits,${paid},-40.00,USD,venue or its rules$`),
    )
  })

  it('calls a no-show’s card what it is: a fee, charged to a card on file', async () => {
    const id = await scene.absent()
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    await scene.charges()
    assert.match(
      (await rows())[0] ?? '',
      new RegExp(`,fee charged,Charged to cards,${id},50.00,USD,card on file$`),
    )
  })
})

describe('a past week of payments by event and policy', () => {
  const scene = securingTables()

  it('tells a deposit of an experience from what was charged to cards for it', async () => {
    await scene.ask()
    for (const [asks, slot] of [
      [deposit, '2026-10-09 19:00'],
      [card, '2026-10-09 20:00'],
    ] as const) {
      await scene.rules([asks])
      await scene.secure(slot)
    }
    await scene.rules([], { experiences: [{ key: 'carte', name: 'À la carte', asks: 'nothing' }] })
    await scene.rows(`update guarantee set experience = 'carte' where venue_id = $1`)
    await scene.later('2026-10-10T02:00:00Z')
    const id = await scene.bookingId()
    await scene.move('markNoShow', id)
    await scene.pressCard(id, { do: 'charge', amount: '25.00' })
    await scene.charges()
    await scene.later('2026-10-13T14:00:00Z')
    const { words } = await scene.office.get('/office/payments?week=2026-10-09')
    assert.match(words, /À la carte: charged to cards \$25\.00/)
    assert.match(words, /À la carte: deposits \$40\.00/)
    const { html } = await scene.office.get('/office/payments/payments.csv?from=2026-10-04&to=2026-10-10')
    assert.match(html, /,fee charged,À la carte: charged to cards,/)
    assert.match(html, /,payment,À la carte: deposits,/)
  })
})
