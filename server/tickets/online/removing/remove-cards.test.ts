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
    await scene.cards()
    await goOn()
    assert.equal(await isRemoved(), true)
    assert.equal(scene.stripe.customers.size, 0)
    assert.deepEqual(await statusNow(), [
      ['released', false],
      ['released', false],
    ])
    const changed = (await scene.events()).filter((name) => name === 'reservation.guarantee_changed')
    assert.equal(changed.length, 2)
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
