import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt } from '../../../../test/guest.ts'
import { letterOf } from '../../../../test/letter-of.ts'
import { followed } from '../../../../test/office-forms.ts'
import { card, securingTables } from '../../../../test/securing-tables.ts'

describe('what staff do without while its guest is on the payment page', () => {
  const scene = securingTables()
  const asked = async () => {
    await scene.ask()
    const id = await scene.bookedByKey()
    const form = {
      ...{ do: 'ask', asks: 'deposit', amount: '50', per: 'party', hours: '24' },
      ...{ untilDate: '2026-10-07', untilTime: '19:00', note: '' },
    }
    assert.equal((await scene.office.post(`/office/bookings/${id}/guarantee`, form)).status, 303)
    return id
  }
  const press = async (id: number) => scene.agree(await scene.mine(id))
  const waive = async (id: number) => {
    const path = `/office/bookings/${id}/guarantee`
    return (await followed(scene.office, await scene.office.post(path, { do: 'waive' }))).words
  }
  const state = async () =>
    (await scene.rows('select state, why from checkout where venue_id = $1 order by id desc'))[0]

  it('closes that page at the processor, and staff and the guest read that nothing is asked', async () => {
    const id = await asked()
    const page = await press(id)
    assert.match(
      await waive(id),
      /They had a payment page open: it is being closed, and what they have paid there goes back/,
    )
    await scene.sweep()
    assert.equal(scene.stripe.sessions.get(page)?.status, 'expired')
    assert.deepEqual(await state(), { state: 'ended', why: 'not-asked' })
    assert.match(await scene.goOn(), /The restaurant no longer asks for this\./)
    assert.equal(await scene.stripe.pay(page), undefined, 'nobody can pay there')
  })

  it('says nothing of a page where nobody has one open', async () => {
    assert.doesNotMatch(await waive(await asked()), /payment page/)
  })

  it('leads nobody to the payment page after that, and takes their next press as a new one', async () => {
    const id = await asked()
    await press(id)
    await waive(id)
    const [row] = await scene.rows('select id from checkout where venue_id = $1')
    const opened = scene.stripe.sessions.size
    const { text } = await guestAt(scene.service, await scene.mine(id))
    assert.doesNotMatch(text, /name="asked"/)
    assert.equal(scene.stripe.sessions.size, opened)
    await scene.sweep()
    await scene.office.post(`/office/bookings/${id}/guarantee`, {
      ...{ do: 'ask', asks: 'deposit', amount: '50', per: 'party', hours: '24' },
      ...{ untilDate: '2026-10-07', untilTime: '19:00', note: '' },
    })
    await scene.payOn(await press(id))
    const rows = await scene.rows(`select id, state from checkout where venue_id = $1 order by id`)
    assert.deepEqual(
      rows.map((one) => [one['id'] === row?.['id'], one['state']]),
      [
        [true, 'ended'],
        [false, 'completed'],
      ],
    )
  })

  it('goes back where they had paid just before, and they are told', async () => {
    const id = await asked()
    const page = await press(id)
    scene.stripe.callsOut = false
    try {
      assert.ok(await scene.stripe.pay(page))
      await waive(id)
      await scene.sweep()
    } finally {
      scene.stripe.callsOut = true
    }
    assert.deepEqual(await state(), { state: 'refused', why: 'not-asked' })
    await scene.refund()
    assert.deepEqual(
      [...scene.stripe.refunds.values()].map(({ amount }) => amount),
      [5_000],
    )
    const { paragraphs } = await letterOf(scene, 'tableRefused')
    assert.deepEqual(paragraphs, [
      'The restaurant no longer asks for this.',
      'The whole amount goes back to your card; this takes a few days.',
    ])
    assert.equal((await scene.guarantee())['refunded_cents'], 5_000)
  })

  it('is let go of with a page that was never opened at the processor', async () => {
    const id = await asked()
    await press(id)
    await scene.rows(`update checkout set state = 'opening', session_ref = null where venue_id = $1`)
    scene.stripe.sessions.clear()
    await waive(id)
    await scene.sweep()
    assert.deepEqual(await state(), { state: 'ended', why: 'not-asked' })
    assert.equal(scene.stripe.sessions.size, 0, 'none is opened any more')
  })

  it('a booking that is cancelled closes it, too, and undone its guest goes to a page that is new', async () => {
    const id = await asked()
    const page = await press(id)
    await scene.move('cancel', id, 'staff')
    await scene.sweep()
    assert.equal(scene.stripe.sessions.get(page)?.status, 'expired')
    await scene.move('undoCancel', id)
    await scene.payOn(await press(id))
    assert.equal((await scene.guarantee())['status'], 'paid')
  })

  it('a charge that is let go closes the page on which its guest pays it', async () => {
    await scene.ask(card)
    await scene.secure()
    await scene.later('2026-10-10T01:00:00Z')
    const id = await scene.bookingId()
    await scene.move('markNoShow', id)
    scene.stripe.declines = 'authentication_required'
    await scene.pressCard(id, { do: 'charge', amount: '50' })
    await scene.charges()
    const page = await press(id)
    await scene.pressCard(id, { do: 'let-go' })
    await scene.sweep()
    assert.equal(scene.stripe.sessions.get(page)?.status, 'expired')
  })
})
