import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt } from '../../../test/guest.ts'
import { rowsOf } from '../../../test/rows.ts'
import { deposit, securingTables } from '../../../test/securing-tables.ts'
import { sellingOnline } from '../../../test/selling-online.ts'

const theirs = '/office/data/person?email=maya@example.com'
const erase = { email: 'maya@example.com', sure: 'yes' }

describe('the page that erases somebody who has secured a table', () => {
  const scene = securingTables()
  const words = async () => (await scene.office.get(theirs)).words

  it('says what of their money is here and on its way back', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    assert.match(await words(), /\$40\.00 that they paid is behind bookings still to come\./)
    await guestAt(scene.service, mine, { form: { do: 'cancel' } })
    const back = await words()
    assert.match(back, /\$40\.00 has not reached them yet\./)
    assert.doesNotMatch(back, /still to come\. It stays/)
    await scene.refund()
    assert.doesNotMatch(await words(), /has not reached them|that they paid/)
  })

  it('says nothing of a deposit whose evening is over', async () => {
    await scene.ask(deposit)
    await scene.secure()
    await scene.later('2026-10-12T14:00:00Z')
    assert.doesNotMatch(await words(), /that they paid/)
  })

  it('says that they may be paying; the page closes at the processor, and the table is free', async () => {
    await scene.ask(deposit)
    const page = await scene.goToPay()
    assert.match(await words(), /They may be paying at this moment/)
    assert.equal((await scene.office.post('/office/data/person/erase', erase)).status, 200)
    await scene.sweep()
    assert.equal(scene.stripe.sessions.get(page)?.status, 'expired')
    assert.deepEqual(await scene.rows('select state, why from checkout where venue_id = $1'), [
      { state: 'ended', why: 'not-asked' },
    ])
    assert.deepEqual(await scene.rows('select id from booking_hold where venue_id = $1'), [])
  })

  it('sends back what they paid before the page closed, and books nothing without a name', async () => {
    await scene.ask(deposit)
    const page = await scene.goToPay()
    scene.stripe.callsOut = false
    try {
      await scene.stripe.pay(page)
      await scene.office.post('/office/data/person/erase', erase)
      await scene.sweep()
    } finally {
      scene.stripe.callsOut = true
    }
    await scene.refund()
    assert.deepEqual(await scene.rows('select id from reservation where venue_id = $1'), [])
    assert.deepEqual(
      [...scene.stripe.refunds.values()].map(({ amount }) => amount),
      [4_000],
    )
  })
})

describe('the page that erases somebody who has tickets', () => {
  const scene = sellingOnline()
  const mine = { email: 'maya@example.com' }
  const words = async () => (await scene.office.get(theirs)).words

  it('says all that is on its way to them, also what goes back beyond what their order had left', async () => {
    const id = await scene.opened(mine)
    await scene.stripe.pay(await scene.sessionOf(id))
    await scene.sweep()
    const [order] = await rowsOf(scene.service, 'select id, version from ticket_order where venue_id = $1', [
      scene.venue.id,
    ])
    const inCash = { amount: '90.00', seats: '0', via: 'cash', outcome: 'succeeded', answer: '' }
    await scene.office.post(`/office/tickets/orders/${String(order?.['id'])}/refunds`, {
      ...{ version: String(order?.['version']), ...inCash },
    })
    scene.stripe.refundsPend = true
    const made = await scene.stripe.refundThere([...scene.stripe.intents.keys()].at(-1) ?? '', 9_000)
    await scene.heard()
    assert.match(await words(), /\$90\.00 has not reached them yet\./)
    await scene.stripe.endRefund(made.id, 'succeeded')
    scene.later(61)
    await scene.refund()
    assert.doesNotMatch(await words(), /has not reached them/)
  })

  it('says how many are for events still to come, and not those of events that are over', async () => {
    const id = await scene.opened(mine)
    await scene.stripe.pay(await scene.sessionOf(id))
    await scene.sweep()
    assert.match(await words(), /2 tickets for events still to come will stay valid without a name/)
    await rowsOf(scene.service, `update occurrence set date = '2026-10-01' where venue_id = $1`, [
      scene.venue.id,
    ])
    assert.doesNotMatch(await words(), /events still to come/)
  })

  it('sends back what they paid while they were erased, and the seats are free', async () => {
    const id = await scene.opened(mine)
    scene.stripe.callsOut = false
    await scene.stripe.pay(await scene.sessionOf(id))
    assert.equal((await scene.office.post('/office/data/person/erase', erase)).status, 200)
    await scene.sweep()
    await scene.refund()
    const [order] = await scene.orders()
    assert.deepEqual([order?.['status'], order?.['seats_returned']], ['refunded', 2])
  })

  it('closes a page that is open', async () => {
    const id = await scene.opened(mine)
    await scene.office.post('/office/data/person/erase', erase)
    await scene.sweep()
    assert.equal(scene.stripe.sessions.get(await scene.sessionOf(id))?.status, 'expired')
  })
})
