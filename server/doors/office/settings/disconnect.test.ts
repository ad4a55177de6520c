import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { card, deposit, securingTables } from '../../../test/securing-tables.ts'

describe('disconnecting payments', () => {
  const scene = securingTables()
  const remove = '/office/settings/payments/remove'

  it('asks first on a page of its own, and names the cards that are kept and the guests who were asked', async () => {
    await scene.ask(card)
    await scene.secure()
    const asked = await scene.office.post(remove)
    assert.equal(asked.status, 200)
    assert.match(asked.words, /Disconnect payments\?/)
    assert.match(
      asked.words,
      /1 card kept behind bookings\. It stays at Stripe and can still be charged until its day/,
    )
    assert.match((await scene.office.get('/office/settings/payments')).words, /Test payments: no money moves/)
    assert.equal((await scene.office.post(remove, { sure: 'yes' })).status, 303)
    assert.doesNotMatch((await scene.office.get('/office/settings/payments')).words, /Test payments/)
  })

  it('leaves the figures of the days before as they were', async () => {
    await scene.ask(deposit)
    await scene.secure()
    await scene.office.post(remove, { sure: 'yes' })
    const { words } = await scene.office.get('/office/payments')
    assert.match(words, /Today \$40\.00 1 payment/)
    assert.match(words, /No account is connected.*connected last: test payments, with which no money moved/)
  })
})
