import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt, hiddenOn } from '../../../test/guest.ts'
import { letterOf } from '../../../test/letter-of.ts'
import { deposit, securingTables } from '../../../test/securing-tables.ts'
import { signal } from '../../../test/selling-online.ts'
import { lookAtCalls } from '../../../tickets/online/money-back/called-about.ts'

describe('a deposit that was paid in two, of which a bank disputes one', () => {
  const scene = securingTables()
  const dispute = async (status: 'needs_response' | 'won' | 'lost') => {
    await scene.stripe.dispute([...scene.stripe.intents.keys()].at(-1) ?? '', status)
    await lookAtCalls(scene.service.context, signal)
  }
  /** 40.00 for two guests and 20.00 for a third, which is disputed. */
  const paidInTwo = async (status: 'needs_response' | null = 'needs_response') => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    const id = await scene.bookingId()
    await scene.resize(id, 3)
    await scene.payOn(await scene.agree(mine))
    if (status !== null) await dispute(status)
    return { id, mine }
  }
  const sheet = async (id: number) => (await scene.office.get(`/office/bookings/${id}`)).words
  const sentBack = () => [...scene.stripe.refunds.values()].map(({ amount }) => amount)

  it('the other is refunded by a manager, and the sheet says what goes and what waits', async () => {
    const { id } = await paidInTwo()
    const before = await sheet(id)
    assert.match(before, /Amount to refund .*Up to \$40\.00/s)
    assert.match(before, /The other \$20\.00 waits\. The guest’s bank disputes this payment/)
    assert.match(
      before,
      /If the guest cancels now, \$40\.00 is refunded, and \$20\.00 is refunded once its dispute is decided\./,
    )
    await scene.pressCard(id, { do: 'refund' })
    await scene.refund()
    assert.deepEqual(sentBack(), [4_000])
    const after = await sheet(id)
    assert.doesNotMatch(after, /Amount to refund/)
    assert.match(after, /The guest’s bank disputes this payment/)
    await scene.office.post(`/office/bookings/${id}/guarantee`, { do: 'refund' })
    await scene.refund()
    assert.deepEqual(sentBack(), [4_000], 'nothing else goes before that is decided')
    await dispute('won')
    await scene.pressCard(id, { do: 'refund' })
    await scene.refund()
    assert.deepEqual(sentBack(), [4_000, 2_000])
    assert.equal((await scene.guarantee())['status'], 'refunded')
  })

  it('and that is lost and then won stays with the venue: no refund has failed, and none is offered once more', async () => {
    const { id } = await paidInTwo('needs_response')
    await dispute('lost')
    assert.match(await sheet(id), /Lost to a dispute \$20\.00/)
    await dispute('won')
    const said = await sheet(id)
    assert.match(said, /Paid \$60\.00/)
    assert.doesNotMatch(said, /Refund failed|Lost to a dispute/)
    assert.doesNotMatch((await scene.office.get('/office/payments')).words, /Refund failed|Try again/)
    await dispute('lost')
    assert.match(await sheet(id), /Lost to a dispute \$20\.00/, 'and may be lost once more')
  })

  it('but is owed to a guest who cancelled in time meanwhile, and somebody is to send it', async () => {
    const { id } = await paidInTwo('needs_response')
    await dispute('lost')
    await scene.move('cancel', id, 'staff')
    await dispute('won')
    assert.match(await sheet(id), /Refund failed \$20\.00/)
    assert.match(
      (await scene.office.get('/office/payments')).words,
      /\$20\.00, a booking.{0,60}Refund failed Try again/,
    )
  })

  it('the other goes back at once after a cancellation in time, and its guest reads both sums before the press', async () => {
    const { mine } = await paidInTwo()
    const { text } = await guestAt(scene.service, `${mine}?do=cancel`)
    assert.match(text, /\$40\.00 goes back to your card; this takes a few days\./)
    assert.match(text, /\$20\.00 is to go back to your card\. Your bank is looking into this payment/)
    await guestAt(scene.service, mine, { form: { do: 'cancel' } })
    await scene.refund()
    assert.deepEqual(sentBack(), [4_000])
    await dispute('won')
    await scene.refund()
    assert.deepEqual(sentBack(), [4_000, 2_000])
  })

  it('and takes it while a cancellation may still be undone: page and mail say what goes back, and what the bank took', async () => {
    const { id, mine } = await paidInTwo(null)
    await scene.move('cancel', id, 'staff')
    await dispute('lost')
    const onWay = /\$40\.00 is on its way back to your card/
    const took = /Your bank took \$20\.00 back from the restaurant/
    const { text } = await guestAt(scene.service, mine)
    assert.match(text, onWay)
    assert.match(text, took)
    assert.doesNotMatch(text, /\$60\.00 is on its way/)
    const { facts } = await letterOf(scene, 'bookingCancelled')
    assert.match(String(facts), onWay)
    assert.match(String(facts), took)
    assert.match(await sheet(id), /On its way back \$40\.00/)
    scene.service.setClock('2026-10-06T14:01:00Z')
    await scene.refund()
    assert.deepEqual(sentBack(), [4_000])
  })

  /** The first payment, of which a part went back before all of it is taken. */
  const firstTakenTwice = async () => {
    const { id, mine } = await paidInTwo(null)
    const first = [...scene.stripe.intents.keys()][0] ?? ''
    const decided = async (status: 'won' | 'lost') => {
      await scene.stripe.dispute(first, status)
      await lookAtCalls(scene.service.context, signal)
    }
    await scene.stripe.refundThere(first, 3_000)
    await lookAtCalls(scene.service.context, signal)
    await decided('lost')
    return { id, mine, decided }
  }

  it('and takes what had gone back in part before: every sum is of the whole booking, and nothing more is offered', async () => {
    const { id, mine, decided } = await firstTakenTwice()
    const page = await sheet(id)
    assert.match(page, /Paid \$60\.00 Refunded \$30\.00 Lost to a dispute \$40\.00/)
    assert.match(page, /\$10\.00 went back through Stripe beyond what was left/)
    assert.doesNotMatch(page, /Amount to refund/)
    const { status, paid_cents, refunded_cents } = await scene.guarantee()
    assert.deepEqual([status, paid_cents, refunded_cents], ['refunded', 6_000, 6_000])
    const { text } = await guestAt(scene.service, mine)
    assert.match(text, /\$30\.00 went back to your card/)
    assert.match(text, /Your bank took \$40\.00 back from the restaurant/)
    await scene.office.post(`/office/bookings/${id}/guarantee`, { do: 'refund' })
    await scene.refund()
    assert.deepEqual(sentBack(), [3_000])
    await decided('won')
    const after = await sheet(id)
    assert.match(after, /Paid \$60\.00 Refunded \$30\.00 .*Up to \$30\.00/)
    assert.doesNotMatch((await scene.office.get('/office/payments')).words, /beyond what was left/)
  })

  it('and gives it back after its booking was cancelled in time: all that is left of both payments is sent', async () => {
    const { id, decided } = await firstTakenTwice()
    await scene.move('cancel', id, 'staff')
    scene.service.setClock('2026-10-06T14:05:00Z')
    await scene.refund()
    assert.deepEqual(sentBack(), [3_000], 'the guest has more than they paid')
    await decided('won')
    assert.match(await sheet(id), /Refund failed \$30\.00/)
    assert.match(
      (await scene.office.get('/office/payments')).words,
      /\$30\.00, a booking.{0,60}Refund failed Try again/,
    )
    const [row] = await scene.rows(
      `select id, guarantee_id from refund where venue_id = $1 and state = 'failed'`,
    )
    await scene.office.post(`/office/payments/refunds/${String(row?.['id'])}`, {
      of: String(row?.['guarantee_id']),
    })
    await scene.refund()
    assert.deepEqual(
      sentBack().toSorted((one, other) => one - other),
      [1_000, 2_000, 3_000],
    )
    assert.equal((await scene.guarantee())['refunded_cents'], 6_000)
  })

  it('a refund of the other that failed is offered once more, and one of what is disputed is not', async () => {
    const { mine } = await paidInTwo()
    await guestAt(scene.service, mine, { form: { do: 'cancel' } })
    await scene.refund()
    const again = async () => (await scene.office.get('/office/payments')).html.match(/<button>Try again/g)
    const fails = (amount: number) =>
      scene.rows(
        `update refund set state = 'failed', look_at = null, settled_at = made_at where venue_id = $1 and amount_cents = ${amount}`,
      )
    await fails(2_000)
    assert.equal(await again(), null)
    await fails(4_000)
    assert.equal((await again())?.length, 1)
  })

  it('and takes a whole payment of which a part waits to go back: the guest reads the bank’s own sum', async () => {
    const { id, mine } = await paidInTwo(null)
    const page = await scene.office.get(`/office/bookings/${id}`)
    const { status, words } = await scene.office.post(`/office/bookings/${id}/edits`, {
      version: hiddenOn(page.html.slice(page.html.indexOf('booking-form')), 'version'),
      ...{ date: '2026-10-09', time: '7:00 PM', partySize: '2', guestName: 'Maya Okafor', phone: '' },
      ...{ email: 'maya@example.com', notes: '' },
    })
    assert.equal(status, 303, words)
    await scene.stripe.dispute([...scene.stripe.intents.keys()][0] ?? '', 'lost')
    await lookAtCalls(scene.service.context, signal)
    const { text } = await guestAt(scene.service, mine)
    assert.match(text, /Your bank took \$40\.00 back from the restaurant/)
    assert.doesNotMatch(text, /on its way back/)
    scene.service.setClock('2026-10-06T14:01:00Z')
    await scene.refund()
    assert.deepEqual(sentBack(), [])
  })
})
