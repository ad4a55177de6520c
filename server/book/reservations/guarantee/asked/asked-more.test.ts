import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt } from '../../../../test/guest.ts'
import { letterOf, writtenOf } from '../../../../test/letter-of.ts'
import { card, deposit, securingTables } from '../../../../test/securing-tables.ts'

describe('what is asked of a guest beyond what they agreed to', () => {
  const scene = securingTables()
  const sums = async () => {
    const { status, amount_cents, asked_cents, paid_cents, refunded_cents } = await scene.guarantee()
    return [status, amount_cents, asked_cents, paid_cents, refunded_cents]
  }
  const mails = async () =>
    (
      await scene.rows(`select kind from guest_mail where venue_id = $1 and kind like 'table%' order by id`)
    ).map(({ kind }) => kind)

  it('a larger party keeps its deposit paid, and pays the difference with the same button', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    const id = await scene.bookingId()
    await scene.resize(id, 4)
    assert.deepEqual(await sums(), ['paid', 4_000, 4_000, 4_000, 0])
    assert.deepEqual(await mails(), ['tableAsked'])
    assert.match((await guestAt(scene.service, mine)).text, /You pay \$40\.00 in advance/)
    await scene.payOn(await scene.agree(mine))
    assert.deepEqual(await sums(), ['paid', 8_000, 0, 8_000, 0])
    await scene.resize(id, 3)
    scene.service.setClock('2026-10-06T14:01:00Z')
    await scene.refund()
    assert.deepEqual(await sums(), ['partially_refunded', 6_000, 0, 8_000, 2_000])
    await scene.resize(id, 4)
    assert.deepEqual(await sums(), ['partially_refunded', 6_000, 2_000, 8_000, 2_000])
    await scene.move('cancel', id, 'staff')
    scene.service.setClock('2026-10-06T14:02:00Z')
    await scene.refund()
    assert.deepEqual((await sums()).slice(3), [8_000, 8_000], 'all of it comes back')
  })

  it('its guest reads one sentence about the whole deposit, and staff each that was agreed to', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    const id = await scene.bookingId()
    await scene.resize(id, 3)
    await scene.payOn(await scene.agree(mine))
    const { text } = await guestAt(scene.service, mine)
    assert.match(text, /You pay \$60\.00 in advance\. Cancel by 7:00 PM on Thursday, October 8/)
    assert.doesNotMatch(text, /You pay \$[24]0\.00/)
    assert.match(text, /\$60\.00 paid/)
    const { words } = await scene.office.get(`/office/bookings/${id}`)
    assert.match(words, /You pay \$40\.00 in advance.*You pay \$20\.00 in advance/s)
  })

  it('its guest reads of a card only the last sentence, which is about the whole', async () => {
    await scene.ask({ ...card, per: 'party' })
    const mine = await scene.secure()
    const agreed = 'If you cancel or nobody comes, $75.00.'
    await scene.rows(
      `update guarantee set amount_cents = 7500, sentence = sentence || E'\\n${agreed}' where venue_id = $1`,
    )
    const { text } = await guestAt(scene.service, mine)
    assert.match(text, /If you cancel or nobody comes, \$75\.00\./)
    assert.doesNotMatch(text, /\$25\.00/)
  })

  it('once it is paid, a mail says so, but no longer where the table was cancelled before it went out', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    const id = await scene.bookingId()
    await scene.resize(id, 4)
    await scene.payOn(await scene.agree(mine))
    assert.ok('letter' in (await writtenOf(scene, 'tableSecured')))
    await scene.move('cancel', id, 'staff')
    assert.deepEqual(await writtenOf(scene, 'tableSecured'), {
      dropped: 'the booking was cancelled meanwhile',
    })
  })

  describe('and is paid after all', () => {
    const grown = async () => {
      await scene.ask(deposit)
      const mine = await scene.secure()
      const id = await scene.bookingId()
      await scene.resize(id, 4)
      return { id, page: await scene.agree(mine) }
    }
    const sentBack = () => [...scene.stripe.refunds.values()].map(({ amount }) => amount)

    it('once its guest cancelled late, it goes back, and the deposit stays', async () => {
      const { id, page } = await grown()
      await scene.rows(`update guarantee set free_until = '2026-10-06T13:00:00Z' where venue_id = $1`)
      await scene.move('cancel', id, 'guest')
      assert.deepEqual(await sums(), ['paid', 4_000, 0, 4_000, 0])
      const { body } = await scene.service.call('GET', `/api/v1/reservations/${id}`, { key: scene.venue.key })
      assert.equal(body.guarantee.askedCents, 0)
      assert.match((await scene.pay(page)).text, /The restaurant no longer asks for this/)
      await scene.refund()
      assert.deepEqual(
        await scene.rows(
          'select status, paid_cents, refunded_cents from guarantee where venue_id = $1 order by id limit 1',
        ),
        [{ status: 'paid', paid_cents: 4_000, refunded_cents: 0 }],
      )
      assert.deepEqual(sentBack(), [4_000])
    })

    it('once the venue cancelled, all of it goes back, also what arrived before the first refund was made', async () => {
      const { id, page } = await grown()
      await scene.move('cancel', id, 'staff')
      await scene.pay(page)
      scene.service.setClock('2026-10-06T14:01:00Z')
      await scene.refund()
      assert.deepEqual([(await sums())[0], sentBack()], ['refunded', [4_000, 4_000]])
    })

    it('once its guests did not come, it goes back', async () => {
      const { page } = await grown()
      await scene.rows(`update reservation set status = 'No-show' where venue_id = $1`)
      assert.match((await scene.pay(page)).text, /The restaurant no longer asks for this/)
      await scene.refund()
      assert.deepEqual(sentBack(), [4_000])
    })
  })

  it('is asked again where a cancellation is undone, of a card and of a deposit', async () => {
    for (const [asks, slot, was] of [
      [card, '2026-10-09 19:00', ['held', 5_000, 5_000, 0, 0]],
      [deposit, '2026-10-09 20:00', ['paid', 4_000, 4_000, 4_000, 0]],
    ] as const) {
      await (asks === card ? scene.ask(card) : scene.rules([asks]))
      await scene.secure(slot)
      const id = await scene.bookingId()
      await scene.resize(id, 4)
      assert.deepEqual(await sums(), was)
      await scene.move('cancel', id, 'staff')
      assert.equal((await sums())[2], 0)
      await scene.move('undoCancel', id)
      assert.deepEqual(await sums(), was)
    }
  })

  it('a party that shrinks while its difference is being paid gets back what is no longer asked', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    const id = await scene.bookingId()
    await scene.resize(id, 4)
    const page = await scene.agree(mine)
    await scene.resize(id, 3)
    await scene.payOn(page)
    assert.deepEqual(await sums(), ['paid', 6_000, 0, 8_000, 0])
    await scene.refund()
    assert.deepEqual((await sums()).slice(3), [8_000, 2_000])
  })

  it('to more than was agreed on of a card its guest only agrees: the card is there', async () => {
    await scene.ask(card)
    const mine = await scene.secure()
    const id = await scene.bookingId()
    await scene.resize(id, 4)
    assert.deepEqual(await sums(), ['held', 5_000, 5_000, 0, 0])
    const { text } = await guestAt(scene.service, mine)
    assert.match(text, /asks you to agree that up to \$100\.00 may be charged; nothing is charged now/)
    assert.doesNotMatch(text, /the difference/)
    assert.equal(text.split('<p>Cancel by').length + text.split('<dd>Cancel by').length, 3, 'said once')
    await scene.later('2026-10-10T01:00:00Z')
    await scene.move('markNoShow', id)
    await scene.pressCard(id, { do: 'charge', amount: '100' })
    await scene.charges()
    assert.deepEqual(scene.charged(), [], 'no more may be charged than was agreed to')
    await scene.later('2026-10-07T14:00:00Z')
    await scene.move('undoNoShow', id)
    assert.match(await scene.agree(mine), /done=secured/)
    assert.deepEqual(await sums(), ['held', 10_000, 0, 0, 0])
    assert.match((await guestAt(scene.service, mine)).text, /\$25\.00 a guest/)
  })

  describe('a charge that the bank wants the guest for', () => {
    const refused = async () => {
      const id = await scene.absent()
      const mine = await scene.mine(id)
      scene.stripe.declines = 'authentication_required'
      await scene.pressCard(id, { do: 'charge', amount: '50' })
      await scene.charges()
      scene.stripe.declines = undefined
      return { id, mine }
    }

    it('is canceled there, and its guest is mailed and pays it: charge_failed, then charged', async () => {
      const { id, mine } = await refused()
      assert.deepEqual(await sums(), ['charge_failed', 5_000, 5_000, 0, 0])
      assert.deepEqual(
        [...scene.stripe.intents.values()].filter(({ customer }) => customer).map(({ status }) => status),
        ['canceled'],
      )
      assert.deepEqual(await mails(), ['tableAsked'])
      assert.match((await guestAt(scene.service, mine)).text, /Please pay \$50\.00/)
      // Days later the card would be gone; its guest has seven days.
      await scene.later('2026-10-15T12:00:00Z')
      await scene.cards()
      const processors = await scene.agree(mine)
      const page = await scene.goOn()
      assert.match(page, /Please pay \$50\.00: .+, Friday, October 9/)
      assert.doesNotMatch(page, /Deposit/, 'a charge is not a deposit')
      await scene.payOn(processors)
      assert.deepEqual(await sums(), ['charged', 5_000, 0, 5_000, 0])
      assert.deepEqual(await mails(), ['tableAsked', 'tableCharged'])
      const letter = await letterOf(scene, 'tableCharged')
      assert.match(letter.subject, /: \$50\.00 was charged$/)
      const whole = [letter.title, ...letter.paragraphs, ...(letter.facts ?? []).flat()].join('\n')
      assert.equal(whole.split('$50.00').length, 2, whole)
      assert.equal(whole.split('Cancel by').length, 2, whole)
      scene.service.setClock('2026-10-18T12:00:00Z')
      await scene.cards()
      assert.equal(scene.stripe.customers.size, 0)
      await scene.later('2026-10-18T12:00:00Z')
      await scene.pressCard(id, { do: 'charge', amount: '50' })
      await scene.charges()
      assert.equal((await sums())[3], 5_000, 'and not once more')
    })

    it('keeps the card longer than was said, which its mail says; once it is paid, the day that was said before is true again', async () => {
      const { mine } = await refused()
      const { facts } = await letterOf(scene, 'tableAsked')
      assert.match(String(facts), /Your card is deleted on Friday, October 16/)
      await scene.payOn(await scene.agree(mine))
      assert.match((await guestAt(scene.service, mine)).text, /Your card is deleted on Tuesday, October 13/)
      scene.service.setClock('2026-10-13T12:00:00Z')
      await scene.cards()
      assert.equal(scene.stripe.customers.size, 0)
    })

    it('that is never paid is let go after seven days, and the card is deleted', async () => {
      const { mine } = await refused()
      scene.service.setClock('2026-10-17T02:00:00Z')
      await scene.cards()
      assert.deepEqual([(await sums())[0], scene.stripe.customers.size], ['released', 0])
      assert.doesNotMatch((await guestAt(scene.service, mine)).text, /Please pay/)
    })

    it('is paid one way or the other: not charged again while its guest pays, nor paid once it was charged', async () => {
      const { id, mine } = await refused()
      const page = await scene.agree(mine)
      await scene.pressCard(id, { do: 'charge', amount: '50' })
      await scene.charges()
      assert.equal((await sums())[0], 'charge_failed', 'the guest is paying')
      await scene.stripe.expire(page)
      await scene.sweep()
      await scene.pressCard(id, { do: 'charge', amount: '50' })
      await scene.charges()
      assert.deepEqual(await sums(), ['charged', 5_000, 0, 5_000, 0])
      assert.doesNotMatch((await guestAt(scene.service, mine)).text, /Please pay/)
    })

    it('of guests who came after all is no longer asked, and what was paid goes back', async () => {
      const { id, mine } = await refused()
      const page = await scene.agree(mine)
      await scene.move('undoNoShow', id)
      assert.match((await scene.pay(page)).text, /The restaurant no longer asks for this/)
      await scene.refund()
      assert.deepEqual(
        [...scene.stripe.refunds.values()].map(({ amount }) => amount),
        [5_000],
      )
      assert.equal(
        (await scene.rows(`select id from payment where venue_id = $1 and state = 'succeeded'`)).length,
        1,
      )
    })

    it('is let go by a manager: the card is deleted, and nothing is charged', async () => {
      const { id } = await refused()
      await scene.pressCard(id, { do: 'let-go' })
      await scene.cards()
      assert.deepEqual([await sums(), scene.stripe.customers.size], [['released', 5_000, 0, 0, 0], 0])
    })
  })
})
