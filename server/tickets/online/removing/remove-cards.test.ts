import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { guestAt } from '../../../test/guest.ts'
import { removingAccounts } from '../../../test/money/removing-accounts.ts'
import { waitingForLock } from '../../../test/rows.ts'
import { card, deposit, lookAsRestored, securingTables } from '../../../test/securing-tables.ts'
import { removeAccounts } from './remove-account.ts'

describe('removing a former account that secured tables', () => {
  const scene = securingTables()
  const { accounts, address, disconnect, asks, press, goOn, overtaken, removed } = removingAccounts(scene)
  const isRemoved = async () => (await accounts())[0]?.['is_removed']
  const changes = async () =>
    (await scene.events()).filter((name) => name === 'reservation.guarantee_changed').length
  const statusNow = async () => (await scene.guarantees()).map(({ status, has_card }) => [status, has_card])

  it('says how many cards go with it, and deletes them at Stripe before the key goes', async () => {
    await scene.ask(card)
    await scene.secure('2026-10-09 19:00')
    await scene.secure('2026-10-09 20:00')
    assert.equal(scene.stripe.customers.size, 2)
    await disconnect()
    assert.match(
      (await asks()).words,
      /2 cards kept on file: they are deleted at Stripe and can no longer be charged\. Calls/,
    )
    await press()
    await goOn(0)
    assert.equal(await isRemoved(), false)
    assert.match(
      (await scene.office.get('/office/settings/payments')).words,
      /waits for 2 cards to be deleted/,
    )
    assert.equal(await changes(), 2, 'software hears that they are let go before they are deleted')
    await scene.cards()
    await goOn()
    assert.equal(await isRemoved(), true)
    assert.equal(scene.stripe.customers.size, 0)
    assert.deepEqual(await statusNow(), [
      ['released', false],
      ['released', false],
    ])
    assert.equal(await changes(), 2)
  })

  it('keeps the key while Stripe does not delete a card', async () => {
    await scene.ask(card)
    await scene.secure()
    await disconnect()
    await press()
    await goOn(0)
    scene.stripe.trouble = { at: 'DELETE /v1/customers', how: 'busy' }
    await scene.cards()
    await goOn()
    assert.deepEqual([await isRemoved(), scene.stripe.customers.size], [false, 1])
    await goOn(15 * 60)
    await scene.cards()
    await goOn()
    assert.deepEqual([await isRemoved(), scene.stripe.customers.size], [true, 0])
  })

  it('names the guests who could still be charged, waits for a charge that is under way, and refuses another', async () => {
    const id = await scene.absent()
    await disconnect()
    assert.match((await asks()).words, /For 1, the guest did not come or canceled too late: charge it first/)
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    assert.match((await asks()).words, /Before that it waits for: 1 card being charged/)
    await press()
    await goOn(0)
    await scene.cards()
    assert.equal(await isRemoved(), false)
    assert.equal(scene.stripe.customers.size, 1, 'it is charged with it')
    await scene.charges()
    assert.deepEqual(scene.charged(), [5_000])
    await goOn()
    await scene.cards()
    await goOn()
    assert.equal(await isRemoved(), true)
    assert.deepEqual(await statusNow(), [['charged', false]])
  })

  it('names guests who canceled too late, and none whose card may not be charged', async () => {
    await scene.ask(card)
    await scene.secure()
    await scene.later('2026-10-09T20:00:00Z')
    await scene.move('cancel', await scene.bookingId(), 'guest')
    await disconnect()
    const named = /For 1, the guest did not come or canceled too late/
    assert.match((await asks()).words, named)
    const [{ delete_at: day } = {}] = await scene.rows('select delete_at from guarantee where venue_id = $1')
    const write = (text: string, ...values: unknown[]) =>
      scene.service.db.session((client) => client.query(text, [scene.venue.id, ...values]))
    await write('update guarantee set delete_at = $2 where venue_id = $1', '2026-10-09T19:00:00Z')
    assert.doesNotMatch((await asks()).words, named, 'its day is over')
    await write('update guarantee set delete_at = $2 where venue_id = $1', day)
    await write(`update reservation set cancelled_from = 'Requested' where venue_id = $1`)
    assert.doesNotMatch((await asks()).words, named, 'nobody had confirmed it')
  })

  it('waits for a guest who may pay a fee after a refused card, and deletes that card afterward', async () => {
    const id = await scene.absent()
    scene.stripe.declines = 'authentication_required'
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    await scene.charges()
    scene.stripe.declines = undefined
    await disconnect()
    assert.match((await asks()).words, /1 guest who may still pay a fee after a refused card, within 7 days/)
    await press()
    await goOn(0)
    await scene.cards()
    await goOn()
    assert.deepEqual([await isRemoved(), scene.stripe.customers.size], [false, 1])
    await scene.later('2026-10-17T02:00:00Z')
    await goOn(0)
    await scene.cards()
    await goOn()
    assert.deepEqual([await isRemoved(), scene.stripe.customers.size], [true, 0])
  })

  it('closes the page on which a guest pays such a fee when the time for it is over', async () => {
    await scene.ask(card)
    const mine = await scene.secure()
    await scene.later('2026-10-10T01:00:00Z')
    const id = await scene.bookingId()
    await scene.move('markNoShow', id)
    scene.stripe.declines = 'authentication_required'
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    await scene.charges()
    scene.stripe.declines = undefined
    await scene.later('2026-10-17T00:55:00Z')
    const page = await scene.agree(mine)
    await disconnect()
    await press()
    await scene.later('2026-10-17T01:01:00Z')
    await goOn(0)
    await scene.sweep()
    assert.equal(scene.stripe.sessions.get(page)?.status, 'expired')
    await scene.cards()
    await goOn()
    assert.deepEqual([await isRemoved(), scene.stripe.customers.size], [true, 0])
  })

  it('charges no card once its removal has begun', async () => {
    const id = await scene.absent()
    await disconnect()
    await press()
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    await scene.charges()
    assert.deepEqual(scene.charged(), [])
  })

  it('has the venue hand back a deposit that a guest cancels in time, and says so to both before and after', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure('2026-10-09 19:00')
    await removed()
    const before = await guestAt(scene.service, `${mine}?do=cancel`)
    assert.match(before.text, /The restaurant itself gives \$40\.00 back to you/)
    const id = await scene.bookingId()
    const sheet = await scene.office.get(`/office/bookings/${id}`)
    assert.match(sheet.words, /Paid through an account that was removed \$40\.00/)
    assert.match(sheet.words, /you refund \$40\.00 yourself, as the Stripe account that took it was removed/)
    const tried = await scene.office.post(`/office/bookings/${id}/guarantee`, { do: 'refund' })
    assert.match(
      (await scene.office.get(tried.to ?? `/office/bookings/${id}`)).words,
      /Refund it in Stripe itself/,
    )
    await guestAt(scene.service, mine, { form: { do: 'cancel' } })
    await scene.refund()
    assert.deepEqual(
      [scene.stripe.refunds.size, await scene.rows('select id from refund where venue_id = $1')],
      [0, []],
    )
    assert.match(
      (await guestAt(scene.service, mine)).text,
      /The restaurant itself gives \$40\.00 back to you/,
    )
    const tasks = await scene.rows('select title from task where venue_id = $1')
    assert.match(String(tasks[0]?.['title']), /Give back .*the deposit of Maya Okafor.*\$40\.00/)
    assert.match(
      (await scene.office.get(`/office/bookings/${id}`)).words,
      /The guest is to get \$40\.00 back\. .*Refund it in Stripe itself/,
    )
    await scene.pressCard(id, { do: 'given-back' })
    assert.deepEqual(
      (await scene.guarantees()).map(({ status, refunded_cents }) => [status, refunded_cents]),
      [['refunded', 4_000]],
    )
  })

  it('has the venue hand it back as well where software cancels the booking', async () => {
    await scene.ask(deposit)
    await scene.secure('2026-10-09 19:00')
    await removed()
    const id = await scene.bookingId()
    const { status, text } = await scene.service.call('POST', `/api/v1/reservations/${id}/cancel`, {
      ...{ key: scene.venue.key, body: {} },
    })
    assert.equal(status, 200, text)
    await scene.refund()
    assert.equal(scene.stripe.refunds.size, 0)
    assert.equal((await scene.rows('select id from task where venue_id = $1')).length, 1)
  })

  it('refuses to try a refund of a deposit again that failed before, and takes it as refunded another way', async () => {
    await scene.ask(deposit)
    await scene.secure()
    scene.stripe.refundsPend = true
    await scene.pressCard(await scene.bookingId(), { do: 'refund' })
    await scene.refund()
    await scene.stripe.endRefund([...scene.stripe.refunds.keys()].at(-1) ?? '', 'failed')
    scene.stripe.refundsPend = false
    await scene.sweep()
    await scene.later(scene.service.context.clock().add({ minutes: 2 }).toString())
    await scene.refund()
    const failed = await scene.rows('select id, guarantee_id, state from refund where venue_id = $1')
    assert.equal(failed[0]?.['state'], 'failed')
    const offered = async () => (await scene.office.get('/office/payments')).words
    assert.match(await offered(), /Refund failed Try again Refunded another way/)
    await removed()
    assert.match(await offered(), /Refund failed Refunded another way/)
    const press = async (more: object) => {
      const { to, words } = await scene.office.post(`/office/payments/refunds/${String(failed[0]?.['id'])}`, {
        ...{ of: String(failed[0]?.['guarantee_id']), ...more },
      })
      return to ? (await scene.office.get(to)).words : words
    }
    assert.match(await press({}), /Refund it in Stripe itself/)
    assert.equal((await scene.rows('select id from refund where venue_id = $1')).length, 1)
    await press({ do: 'by-hand' })
    assert.deepEqual(
      (await scene.guarantees()).map(({ status, refunded_cents }) => [status, refunded_cents]),
      [['refunded', 4_000]],
    )
  })

  it('does not forget the key under a refund that began before, which it waits for', async () => {
    await scene.ask(deposit)
    await scene.secure()
    await disconnect()
    await press()
    const [account] = await accounts()
    const [asked, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    scene.stripe.beforeEach = async () => {
      asked.resolve()
      await locked.promise
    }
    const going = goOn(0)
    await asked.promise
    await scene.service.db.session(async (client) => {
      await client.query('begin')
      // It holds the account as every refund does.
      await client.query('select id from processor_account where venue_id = $1 and id = $2 for key share', [
        ...[scene.venue.id, account?.['id']],
      ])
      await client.query(
        `insert into refund (venue_id, guarantee_id, amount_cents, seats, via, state, made_at, payment_id, ref, look_at)
         select venue_id, guarantee_id, amount_cents, 0, 'processor', 'pending', made_at, id, gen_random_uuid(), made_at
           from payment where venue_id = $1`,
        [scene.venue.id],
      )
      locked.resolve()
      await eventually(async () => (await waitingForLock(scene.service)) > 0)
      await client.query('commit')
    })
    await going
    scene.stripe.beforeEach = async () => undefined
    assert.equal(await isRemoved(), false)
    await scene.refund()
    await goOn()
    assert.deepEqual([await isRemoved(), scene.stripe.refunds.size], [true, 1])
  })

  it('refuses a refund that is pressed at the same moment as its removal', async () => {
    await scene.ask(deposit)
    await scene.secure()
    await disconnect()
    const id = await scene.bookingId()
    await overtaken('remove_at = now()', () =>
      scene.office.post(`/office/bookings/${id}/guarantee`, { do: 'refund' }),
    )
    assert.deepEqual(await scene.rows('select id from refund where venue_id = $1'), [])
  })

  it('is not begun or gone on with by a copy that was restored, which has the key of its backup again', async () => {
    await scene.ask(deposit)
    await scene.secure()
    await disconnect()
    const { context } = scene.service
    const { hold } = context
    const kept = await scene.rows(
      'select id, key_sealed, signing_sealed, callback_ref from processor_account where venue_id = $1',
    )
    await press()
    Object.assign(context, { hold: { ...hold, isOn: () => true } })
    try {
      await goOn(0)
      assert.equal(await isRemoved(), false)
      assert.equal(scene.stripe.endpoints.size, 1)
      const refused = await scene.office.post(await address(), { sure: 'yes' })
      assert.match(
        (await scene.office.get(refused.to ?? '')).words,
        /This copy was restored and asks Stripe nothing/,
      )
    } finally {
      Object.assign(context, { hold })
    }
    await goOn()
    assert.equal(await isRemoved(), true)
    const none = { checkouts: 0, notHere: 0, denied: [] }
    assert.deepEqual(await lookAsRestored(scene.service), none)
    // The database of a backup from before the press.
    const [{ key_sealed: key, signing_sealed: signing, callback_ref: callback } = {}] = kept
    await scene.service.db.session((client) =>
      client.query(
        `update processor_account set removed_at = null, key_sealed = $2, signing_sealed = $3, callback_ref = $4 where venue_id = $1`,
        [scene.venue.id, key, signing, callback],
      ),
    )
    assert.deepEqual((await lookAsRestored(scene.service)).denied, [])
    await scene.service.db.session((client) =>
      client.query('update processor_account set look_at = null where venue_id = $1', [scene.venue.id]),
    )
    await press()
    await removeAccounts(context, new AbortController().signal)
    assert.equal(await isRemoved(), true, 'the address that is called is gone already')
  })
})
