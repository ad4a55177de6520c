import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt, hiddenOn, pathOf } from '../../../test/guest.ts'
import { deposit, securingTables } from '../../../test/securing-tables.ts'

describe('a deposit whose money is still to come', () => {
  const scene = securingTables()
  const holds = () => scene.rows('select id from booking_hold where venue_id = $1')
  const bookings = async () =>
    (await scene.rows('select status from reservation where venue_id = $1')).map(({ status }) => status)
  const mails = async () =>
    (await scene.rows('select kind from guest_mail where venue_id = $1 order by id'))
      .map(({ kind }) => kind)
      .filter((kind) => kind !== 'bookingReminder')
  const finished = async (): Promise<{ session: string; page: string }> => {
    await scene.ask(deposit)
    const session = await scene.goToPay()
    const paid = await scene.stripe.pay(session, 'in days')
    const page = pathOf(paid?.cancel_url)
    await scene.sweep()
    return { session, page }
  }

  it('keeps the table and makes no booking until it is known; then it is booked', async () => {
    const { session, page } = await finished()
    assert.match((await guestAt(scene.service, page)).text, /do not pay again/)
    for (const time of ['2026-10-06T14:30:00Z', '2026-10-06T15:00:00Z', '2026-10-06T15:30:00Z']) {
      await scene.later(time)
      await scene.sweep()
    }
    assert.deepEqual([await bookings(), (await holds()).length], [[], 1])
    await scene.stripe.endPayment(session, 'succeeded')
    await scene.sweep()
    assert.deepEqual([await bookings(), (await holds()).length], [['Confirmed'], 0])
  })

  it('frees the table when it does not come: the page says so, and the guest is written to once', async () => {
    const { session, page } = await finished()
    await scene.stripe.endPayment(session, 'failed')
    await scene.sweep()
    await scene.sweep()
    assert.deepEqual([await bookings(), await holds(), await mails()], [[], [], ['tableRefused']])
    const { text } = await guestAt(scene.service, page)
    assert.match(text, /Nothing was booked/)
    assert.match(text, /The payment did not go through\. No money was taken\./)
  })

  it('or that was not paid at all leads back with what the guest typed, to the same time first', async () => {
    await scene.ask(deposit)
    const session = await scene.goToPay()
    await scene.stripe.expire(session)
    await scene.sweep()
    const page = pathOf(scene.stripe.sessions.get(session)?.cancel_url)
    const ended = await guestAt(scene.service, page)
    assert.match(ended.text, /Nothing was booked/)
    const [, slot = ''] = /name="slot" value="([^"]+)"/.exec(ended.text) ?? []
    assert.equal(slot, '2026-10-09 19:00')
    const kept = ['do', 'size', 'name', 'email', 'tel', 'note'].map((name) => [
      name,
      hiddenOn(ended.text, name),
    ])
    const again = await guestAt(scene.service, `/v/${scene.venue.slug}/book`, {
      form: { ...Object.fromEntries(kept), slot },
    })
    assert.match(again.text, /name="name"[^>]*value="Maya Okafor"/)
    assert.match(again.text, /Held for you until|held/i)
  })
})
