import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt, hiddenFieldsOn } from '../../test/guest.ts'
import { rowsOf } from '../../test/rows.ts'
import { sellingOnline } from '../../test/selling-online.ts'

describe('tickets that were not paid for', () => {
  const scene = sellingOnline()
  const page = () => `/v/${scene.venue.slug}/tickets/${scene.event}`

  const run = (text: string) => rowsOf(scene.service, text, [scene.venue.id])
  const newest = async () =>
    scene.pageOf(Number((await run('select max(id) as id from checkout where venue_id = $1'))[0]?.['id']))

  it('lead back with what the guest typed: the same date, seats and details, nothing bought', async () => {
    const { text } = await guestAt(scene.service, `${page()}?date=${scene.date}&seats=3`)
    const sent = await guestAt(scene.service, page(), {
      form: { ...scene.formOn(text), tel: '(646) 555-0100' },
    })
    await scene.stripe.expire((sent.headers.get('location') ?? '').replace(/^.*\/pay\//, ''))
    await scene.sweep()
    const ended = await guestAt(scene.service, await newest())
    assert.match(ended.text, /Nothing was bought/)
    const names = ['do', 'date', 'seats', 'code', 'first', 'last', 'email', 'tel']
    const again = await guestAt(scene.service, page(), {
      form: hiddenFieldsOn(ended.text, names),
    })
    assert.equal(again.status, 200, again.text)
    for (const value of ['Maya', 'Okafor', 'maya@example.com', '(646) 555-0100', '3'])
      assert.ok(again.text.includes(`value="${value}"`), value)
    assert.match(again.text, /<b>\$135\.00<\/b>/)
    assert.deepEqual(await scene.orders(), [])
    const form = { ...scene.formOn(again.text), seats: '3' }
    assert.equal((await guestAt(scene.service, page(), { form })).status, 303)
  })

  it('show nothing of who typed it once that is forgotten', async () => {
    const id = await scene.opened()
    await scene.stripe.expire(await scene.sessionOf(id))
    await scene.sweep()
    await run('update checkout set form = null where venue_id = $1')
    const { text } = await guestAt(scene.service, scene.pageOf(id))
    assert.match(text, /Nothing was bought/)
    assert.doesNotMatch(text, /Maya/)
  })

  it('and were paid too late say where the money is: on its way back, back, or not arrived', async () => {
    const id = await scene.opened()
    await run('update occurrence set capacity = 1 where venue_id = $1')
    await scene.stripe.pay(await scene.sessionOf(id))
    await scene.sweep()
    const text = async () => (await guestAt(scene.service, scene.pageOf(id))).text
    assert.match(await text(), /Your money is on its way back[^]*this takes a few days/)
    await scene.refund()
    const back = await text()
    assert.match(back, /<h1>Refunded<\/h1>[^]*\$90\.00 went back to your card\./)
    assert.doesNotMatch(back, /on its way back|a few days/)
    await scene.stripe.endRefund([...scene.stripe.refunds.keys()].at(-1) ?? '', 'failed')
    await scene.refund()
    const failed = await text()
    assert.match(failed, /\$90\.00 could not be sent back to your card\. The restaurant will write to you\./)
    assert.doesNotMatch(failed, /on its way back|went back|a few days/)
  })
})
