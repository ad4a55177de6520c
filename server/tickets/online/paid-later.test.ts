import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt } from '../../test/guest.ts'
import { rowsOf } from '../../test/rows.ts'
import { sellingOnline } from '../../test/selling-online.ts'

/* A way to pay whose money takes days: the guest has done their part, and nobody knows yet whether it comes. */

describe('tickets whose money is still to come', () => {
  const scene = sellingOnline()
  const rows = (text: string) => rowsOf(scene.service, text, [scene.venue.id])
  const events = async () =>
    (await rows('select name from event where venue_id = $1 order by id')).map(({ name }) => name)
  const mails = async () =>
    (await rows('select kind from guest_mail where venue_id = $1 order by id')).map(({ kind }) => kind)
  const left = async () =>
    (await guestAt(scene.service, `/v/${scene.venue.slug}/tickets/${scene.event}?date=${scene.date}&seats=6`))
      .text
  const finished = async (): Promise<number> => {
    const id = await scene.opened()
    await scene.stripe.pay(await scene.sessionOf(id), 'in days')
    await scene.sweep()
    return id
  }
  const end = async (id: number, how: 'succeeded' | 'failed') => {
    await scene.stripe.endPayment(await scene.sessionOf(id), how)
    await scene.sweep()
    await scene.sweep()
  }
  const ownPage = async (id: number) => {
    const back = await guestAt(scene.service, `${scene.pageOf(id)}/back`)
    return guestAt(scene.service, back.headers.get('location') ?? '')
  }

  it('are an order that waits with its seats, and are mailed once when the money comes', async () => {
    const id = await finished()
    assert.deepEqual(
      (await scene.orders()).map(({ status, seats }) => [status, seats]),
      [['paid_unconfirmed', 2]],
    )
    assert.deepEqual([await events(), await mails()], [['ticket_order.created'], []])
    const { text } = await ownPage(id)
    assert.match(text, /We are confirming your payment; do not pay again\./)
    assert.doesNotMatch(text, /Not paid yet/)
    // Nor are the seats lost to time: the bank takes days.
    scene.later(3 * 24 * 60)
    await scene.sweep()
    assert.match(await left(), /Only 4 left/)
    await end(id, 'succeeded')
    assert.deepEqual(
      (await scene.orders()).map(({ status }) => status),
      ['paid'],
    )
    assert.deepEqual(await events(), ['ticket_order.created', 'ticket_order.paid'])
    assert.deepEqual(await mails(), ['tickets'])
    assert.deepEqual(await rows('select state, amount_cents from payment where venue_id = $1'), [
      { state: 'succeeded', amount_cents: 9_000 },
    ])
    assert.match((await ownPage(id)).text, /Ticket 2 of 2/)
  })

  it('are cancelled when it does not come: the seats are free, and the buyer is written to once', async () => {
    const id = await finished()
    await end(id, 'failed')
    assert.deepEqual(
      (await scene.orders()).map(({ status }) => status),
      ['cancelled'],
    )
    assert.deepEqual(await events(), ['ticket_order.created', 'ticket_order.cancelled'])
    assert.deepEqual(await mails(), ['ticketsRefused'])
    assert.deepEqual(await rows('select id from payment where venue_id = $1'), [])
    assert.doesNotMatch(await left(), /Only \d left/)
    assert.match((await ownPage(id)).text, /No money was taken\. This order was cancelled/)
  })

  it('are cancelled by nobody while the money may come, and the office says why', async () => {
    await finished()
    const [order] = await rows('select id, version from ticket_order where venue_id = $1')
    const here = `/office/tickets/orders/${String(order?.['id'])}`
    const page = await scene.office.get(here)
    assert.match(page.words, /Awaiting payment/)
    assert.match(page.words, /The bank has not confirmed this payment yet/)
    assert.doesNotMatch(page.words, /Cancel order/)
    await scene.office.post(`${here}/cancel`, { version: String(order?.['version']) })
    assert.deepEqual(
      (await scene.orders()).map(({ status }) => status),
      ['paid_unconfirmed'],
    )
  })

  it('are given as any other when no look came before the money', async () => {
    const id = await scene.opened()
    await scene.stripe.pay(await scene.sessionOf(id), 'in days')
    await end(id, 'succeeded')
    assert.deepEqual([await events(), await mails()], [['ticket_order.paid'], ['tickets']])
  })
})
