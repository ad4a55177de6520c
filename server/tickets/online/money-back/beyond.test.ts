import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { venueOfId } from '../../../core/venue/venues.ts'
import { guestAt } from '../../../test/guest.ts'
import { letterOf, mailsWentOut } from '../../../test/letter-of.ts'
import { rowsOf } from '../../../test/rows.ts'
import { deposit, securingTables } from '../../../test/securing-tables.ts'
import { sellingOnline, signal } from '../../../test/selling-online.ts'
import { lookAtCalls } from './called-about.ts'
import { checkBooks } from '../reconciling/nightly.ts'
import { reconcile } from '../reconciling/reconcile.ts'

const days = { from: '2026-10-06', to: '2026-10-08' }

describe('money that goes back beyond what an order had left', () => {
  const scene = sellingOnline()
  const { sold, heard, refunds, later } = scene
  const rows = (text: string) => rowsOf(scene.service, text, [scene.venue.id])
  const payments = async () => (await scene.office.get('/office/payments')).words
  const books = async () => {
    const row = await venueOfId(scene.service.db, scene.venue.id)
    assert.ok(row)
    return reconcile(scene.service.context, { ...row, plan: 'pro' }, days)
  }
  const handBack = async (amount: string) => {
    const [order] = await rows('select id, version from ticket_order where venue_id = $1')
    const asked = await scene.office.post(`/office/tickets/orders/${String(order?.['id'])}/refunds`, {
      ...{
        version: String(order?.['version']),
        amount,
        seats: '0',
        via: 'cash',
        outcome: 'succeeded',
        answer: '',
      },
    })
    assert.equal(asked.status, 303, asked.words)
  }
  const paid = () => [...scene.stripe.intents.keys()].at(-1) ?? ''
  const thrown = {
    status: 'refunded',
    seats: 2,
    seats_returned: 0,
    total_cents: 9_000,
    refunded_cents: 9_000,
  }

  it('in the dashboard after it was handed back in cash is in every figure, and the order stays as it was', async () => {
    await sold()
    await handBack('90.00')
    const before = await scene.orders()
    assert.match(
      await payments(),
      /By event .*Wine dinner.*\$90\.00 \(\$90\.00 more was refunded another way than through Stripe\)/,
    )
    await scene.stripe.refundThere(paid(), 9_000)
    await heard()
    assert.deepEqual(await scene.orders(), before)
    const page = await payments()
    assert.match(page, /This week \$90\.00 1 payment \$90\.00 refunded \$0\.00 net/)
    assert.match(page, /\$90\.00 went back through Stripe beyond what was left/)
    const { moved, differences, recorded } = await books()
    assert.deepEqual([moved.map(({ cents_back }) => cents_back), differences, recorded], [[9_000], [], 0])
    const file = await scene.office.get('/office/payments/payments.csv?from=2026-10-06&to=2026-10-08')
    assert.match(file.html, /refund,Wine dinner,[^,]*,-90.00,USD,Stripe dashboard/)
    const events = await rows(`select name from event where venue_id = $1 and name = 'ticket_order.refunded'`)
    assert.equal(events.length, 1, 'the order was refunded once')
    const [mail] = await rows(
      `select count(*)::int as sent from guest_mail where venue_id = $1 and kind = 'ticketsRefunded'`,
    )
    assert.equal(mail?.['sent'], 0)
  })

  it('is no difference between the books, not before somebody says that it is done and not after; no night raises it again', async () => {
    await sold()
    await handBack('90.00')
    await scene.stripe.refundThere(paid(), 9_000)
    await heard()
    const matters = () =>
      rows('select id, kind, done_at is not null as done from money_matter where venue_id = $1')
    const [matter] = await matters()
    await scene.office.post(`/office/payments/matters/${String(matter?.['id'])}`)
    assert.deepEqual((await books()).differences, [])
    scene.service.setClock('2026-10-07T09:00:00Z')
    await checkBooks(scene.service.context, signal)
    assert.deepEqual(
      (await matters()).map(({ kind, done }) => [kind, done]),
      [['refund-above', true]],
    )
  })

  it('by a dispute is the bank’s own sum in what its buyer reads', async () => {
    await sold()
    await handBack('40.00')
    await scene.stripe.dispute(paid(), 'lost')
    await heard()
    const { text } = await guestAt(scene.service, await scene.buyersPage())
    assert.match(text.replaceAll(/<[^>]+>|\s+/g, ' '), /Taken back by your bank\s+\$90\.00/)
    assert.match(text.replaceAll(/<[^>]+>|\s+/g, ' '), /Refunded\s+\$40\.00/)
    assert.match(text, /Your bank took this payment back after a dispute/)
    assert.doesNotMatch(text, /This order was refunded/)
  })

  it('in part is written as one refund, of which the order takes what it had left', async () => {
    await sold()
    await handBack('50.00')
    await scene.stripe.refundThere(paid(), 9_000)
    await heard()
    assert.deepEqual(await scene.orders(), [{ ...thrown }])
    assert.match(await payments(), /This week \$90\.00 1 payment \$90\.00 refunded \$0\.00 net/)
    const [order] = await rows('select id from ticket_order where venue_id = $1')
    const page = await scene.office.get(`/office/tickets/orders/${String(order?.['id'])}`)
    assert.match(page.words, /\$90\.00 Refunded in Stripe.*\$50\.00 of it beyond what the order had left/)
    assert.deepEqual((await books()).differences, [])
  })

  it('and comes back from the bank comes back in the figures too, and is no failed refund of the order', async () => {
    await sold()
    await handBack('90.00')
    scene.stripe.refundsPend = true
    const made = await scene.stripe.refundThere(paid(), 9_000)
    await heard()
    assert.match(await payments(), /This week \$90\.00 1 payment \$0\.00 refunded \$90\.00 net/)
    await scene.stripe.endRefund(made.id, 'succeeded')
    later(61)
    await scene.refund()
    assert.match(await payments(), /This week \$90\.00 1 payment \$90\.00 refunded \$0\.00 net/)
    await scene.stripe.endRefund(made.id, 'failed')
    later(61)
    await scene.refund()
    assert.match(await payments(), /\$90\.00 refunded \$90\.00 came back again \$90\.00 net/)
    assert.match(await payments(), /Needs a look Nothing\./)
    assert.deepEqual(await scene.orders(), [{ ...thrown }])
    assert.equal((await refunds()).at(-1)?.['state'], 'dismissed')
  })

  it('by a dispute is nothing beyond, once the refund of before comes back from the bank: no more is offered', async () => {
    await sold()
    await scene.askRefund('50.00')
    await scene.refund()
    await scene.stripe.dispute(paid(), 'lost')
    await heard()
    assert.match(await payments(), /\$50\.00 went back through Stripe beyond what was left/)
    const made = [...scene.stripe.refunds.keys()].at(-1) ?? ''
    await scene.stripe.endRefund(made, 'failed')
    later(61)
    await scene.refund()
    const page = await payments()
    assert.doesNotMatch(page, /beyond what was left|Refund failed|Try again/)
    assert.match(page, /\$90\.00 lost to disputes \$50\.00 came back again/)
    assert.deepEqual(await scene.orders(), [{ ...thrown }])
    const [row] = await rows(
      `select sum(amount_cents)::int as off, sum(beyond_cents)::int as beyond from refund where venue_id = $1 and state = 'succeeded'`,
    )
    assert.deepEqual(row, { off: 9_000, beyond: 0 })
  })

  it('by a dispute is counted at once while a refund is under way there, and again once that has failed', async () => {
    await sold()
    scene.stripe.refundsPend = true
    await scene.askRefund('50.00')
    await scene.refund()
    await scene.stripe.dispute(paid(), 'lost')
    await heard()
    const under = await payments()
    assert.match(under, /This week \$90\.00 1 payment \$0\.00 refunded \$90\.00 lost to disputes \$0\.00 net/)
    assert.match(under, /\$50\.00 went back through Stripe beyond what was left/)
    await scene.stripe.endRefund([...scene.stripe.refunds.keys()].at(-1) ?? '', 'failed')
    later(61)
    await scene.refund()
    assert.doesNotMatch(await payments(), /beyond what was left|Refund failed|Try again/)
    assert.deepEqual(
      (await scene.orders()).map(({ status, refunded_cents: cents }) => [status, cents]),
      [['refunded', 9_000]],
    )
  })

  it('is settled once it is marked as done, also of a payment that was not what was asked for', async () => {
    await sold()
    const intent = scene.stripe.intents.get(paid())
    assert.ok(intent)
    const ref = crypto.randomUUID()
    scene.stripe.intents.set('pi_else', {
      ...intent,
      id: 'pi_else',
      amount: 4_200,
      metadata: { ...intent.metadata, ref },
    })
    await rows(
      `insert into money_matter (venue_id, kind, subject, amount_cents, currency, made_at, done_at)
       values ($1, 'payment-differs', '${ref}', 4200, 'USD', '2026-10-06T19:00:00Z', '2026-10-06T19:05:00Z')`,
    )
    const { differences, settled } = await books()
    assert.deepEqual([differences, settled], [[], 1])
  })
})

describe('the mail about a part of the money', () => {
  const scene = sellingOnline()

  it('says that the tickets stay valid, and of all of it that it was refunded', async () => {
    await scene.sold()
    await scene.askRefund('40.00')
    await scene.refund()
    const part = await letterOf(scene, 'ticketsRefunded')
    assert.match(part.subject, /^Partly refunded: Wine dinner/)
    assert.match(String(part.paragraphs), /\$40\.00 .*Your 2 tickets stay valid\./)
    await mailsWentOut(scene)
    await scene.askRefund('50.00')
    await scene.refund()
    const rest = await letterOf(scene, 'ticketsRefunded')
    assert.match(rest.subject, /^Refunded: Wine dinner/)
    assert.doesNotMatch(String(rest.paragraphs), /stay valid/)
  })
})

describe('the refund of a ticket that failed', () => {
  const scene = sellingOnline()

  it('says of no seat that it is back on sale, until it is', async () => {
    await scene.sold()
    scene.stripe.refundsPend = true
    await scene.askRefund('45.00', '1')
    await scene.refund()
    const [order] = await rowsOf(scene.service, 'select id from ticket_order where venue_id = $1', [
      scene.venue.id,
    ])
    const page = async () => (await scene.office.get(`/office/tickets/orders/${String(order?.['id'])}`)).words
    assert.match(await page(), /1 seat goes back on sale with it/)
    await scene.stripe.endRefund([...scene.stripe.refunds.keys()].at(-1) ?? '', 'failed')
    scene.later(61)
    await scene.refund()
    assert.match(await page(), /Failed/)
    assert.doesNotMatch(await page(), /back on sale with it|1 seat back on sale/)
  })
})

describe('a deposit of which a bank takes more than is left', () => {
  const scene = securingTables()
  const payments = async () => (await scene.office.get('/office/payments')).words

  it('is the bank’s own sum on the guest’s page', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    const intent = [...scene.stripe.intents.keys()].at(-1) ?? ''
    await scene.stripe.refundThere(intent, 1_000)
    await lookAtCalls(scene.service.context, signal)
    await scene.stripe.dispute(intent, 'lost')
    await lookAtCalls(scene.service.context, signal)
    const { text } = await guestAt(scene.service, mine)
    assert.match(text, /\$10\.00 went back to your card/)
    assert.match(text, /Your bank took \$40\.00 back from the restaurant/)
  })

  it('is lost to the cent, and what failed to go back before is not offered once more', async () => {
    await scene.ask(deposit)
    await scene.secure()
    const id = await scene.bookingId()
    const intent = [...scene.stripe.intents.keys()].at(-1) ?? ''
    await scene.stripe.refundThere(intent, 1_000)
    await lookAtCalls(scene.service.context, signal)
    scene.stripe.refundsPend = true
    await scene.move('cancel', id, 'staff')
    scene.service.setClock('2026-10-06T14:01:00Z')
    await scene.refund()
    const failing = [...scene.stripe.refunds.keys()].at(-1) ?? ''
    await scene.stripe.endRefund(failing, 'failed')
    scene.service.setClock('2026-10-06T16:01:00Z')
    await scene.refund()
    assert.match(await payments(), /Refund failed Try again/)
    await scene.stripe.dispute(intent, 'lost')
    await lookAtCalls(scene.service.context, signal)
    const page = await payments()
    assert.doesNotMatch(page, /Refund failed|Try again/)
    assert.match(
      page,
      /This week \$40\.00 1 payment \$10\.00 refunded \$40\.00 lost to disputes −?-?\$10\.00 net/,
    )
    assert.match(page, /\$10\.00 went back through Stripe beyond what was left/)
    const { status, paid_cents, refunded_cents } = await scene.guarantee()
    assert.deepEqual([status, paid_cents, refunded_cents], ['refunded', 4_000, 4_000])
    await scene.stripe.dispute(intent, 'won')
    await lookAtCalls(scene.service.context, signal)
    assert.match(await payments(), /\$40\.00 came back again \$30\.00 net/)
  })
})
