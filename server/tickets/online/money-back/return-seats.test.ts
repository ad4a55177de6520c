import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { actAt } from '../../../test/act.ts'
import { guestAt, hiddenFieldsOn } from '../../../test/guest.ts'
import { letterOf, mailsWentOut } from '../../../test/letter-of.ts'
import { rowsOf } from '../../../test/rows.ts'
import { owner, sellingOnline } from '../../../test/selling-online.ts'
import { editEvent } from '../../events.ts'
import { centsBackFor } from '../../return-rules.ts'

describe('seats that buyers return by themselves', () => {
  const scene = sellingOnline()
  const { later, orders, refund, refunds, sold } = scene
  const rows = (text: string) => rowsOf(scene.service, text, [scene.venue.id])
  /** The event as its venue has it. */
  const event = async (more: object = {}) => {
    const [row] = await rows('select version from ticketed_event where venue_id = $1')
    await actAt(scene.service, scene.venue, (work) =>
      editEvent(work, owner, {
        ...{ id: scene.event, seenVersion: Number(row?.['version']), name: 'Wine dinner', text: null },
        ...{ orderMost: null, returnHours: 48, returnKeepsFee: false, ...more },
      }),
    )
  }
  const { buyersPage: page } = scene
  const see = async (query = '') => (await guestAt(scene.service, `${await page()}${query}`)).text
  const formOn = (text: string) => hiddenFieldsOn(text, ['seats', 'cents', 'version'])
  const press = async (form: Record<string, string>) =>
    guestAt(scene.service, await page(), { form: { do: 'return', ...form } })

  it('are not offered where the event does not let them, and the page says until when where it does', async () => {
    await sold()
    assert.doesNotMatch(await see(), /Return seats/)
    await event()
    assert.match(await see(), /Until 7:00 PM on Sunday, October 18 you can return seats here/)
    later(13 * 24 * 60)
    assert.doesNotMatch(await see(), /Return seats/)
    assert.equal((await press({ seats: '1', cents: '4500', version: '1' })).status, 409)
    assert.deepEqual(await refunds(), [])
  })

  it('the sum is said first; their part goes back, their seats go on sale again and their tickets are void', async () => {
    await event()
    await sold()
    assert.match(await see(), /2 tickets<\/dt>\s*<dd><span class="num">\$90\.00[\s\S]*Total<\/dt>/)
    const asked = await see('?return=1')
    assert.match(asked, /1 ticket will no longer be valid, and \$45\.00 goes back to your card/)
    assert.deepEqual(await refunds(), [], 'nothing before the press')
    const form = formOn(asked)
    assert.equal((await press(form)).status, 303)
    assert.equal((await press(form)).status, 409, 'a second press of the same page returns no more')
    await refund()
    assert.deepEqual(await refunds(), [{ state: 'succeeded', seats: 1, amount_cents: 4_500 }])
    assert.deepEqual(await orders(), [
      {
        status: 'partially_refunded',
        seats: 2,
        seats_returned: 1,
        total_cents: 9_000,
        refunded_cents: 4_500,
      },
    ])
    assert.deepEqual(await rows('select number from ticket where venue_id = $1 and void_at is null'), [
      { number: 1 },
    ])
    assert.match(await see(), /Refunded<\/dt>\s*<dd><span class="num">\$45\.00/)
    assert.equal((await press(formOn(await see('?return=1')))).status, 303)
    await refund()
    assert.equal((await orders())[0]?.['status'], 'refunded')
    assert.doesNotMatch(await see(), /Return seats/)
    const [entry] = await rows(
      `select actor_kind from activity where venue_id = $1 and action = 'beginRefund' order by id limit 1`,
    )
    assert.equal(entry?.['actor_kind'], 'guest')
  })

  it('whose money is on its way have no code any more, and have it again with word from the venue if it did not arrive', async () => {
    await event()
    await sold()
    const codes = (text: string) => text.split('class="qr"').length - 1
    scene.stripe.refundsPend = true
    await press(formOn(await see('?return=1')))
    await refund()
    const underWay = await see('?done=return')
    assert.match(underWay, /\$45\.00 is on its way back to your card/)
    assert.match(underWay, /Ticket 2 of 2<\/h2>\s*<p class="soft">Being returned/)
    assert.match(underWay, /Seats<\/small><b>1</)
    assert.equal(codes(underWay), 1)
    const [named] = [...scene.stripe.refunds.keys()].slice(-1)
    await scene.stripe.endRefund(named ?? '', 'failed')
    later(61)
    await refund()
    const failed = await see('?done=return')
    assert.match(failed, /\$45\.00 could not be sent back to your card\. The restaurant will write to you/)
    assert.doesNotMatch(failed, /on its way|Being returned/)
    assert.equal(codes(failed), 2)
  })

  it('all of them: the page shows no code while staff’s refund is pending, and none if it failed after it had arrived', async () => {
    await sold()
    await scene.askRefund()
    const underWay = await see()
    assert.match(underWay, /\$90\.00 is on its way back to your card/)
    assert.doesNotMatch(underWay, /Show a code|class="qr"|Tickets to print|Paid<|Seats<\/small>/)
    assert.equal((await guestAt(scene.service, `${await page()}/tickets.pdf`)).status, 404)
    await refund()
    assert.match(await see(), /This order was refunded/)
    const [named] = [...scene.stripe.refunds.keys()].slice(-1)
    later(60)
    await scene.stripe.endRefund(named ?? '', 'failed')
    later(1)
    await scene.sweep()
    await refund()
    assert.equal((await orders())[0]?.['status'], 'refund_failed')
    const failed = await see()
    assert.match(failed, /\$90\.00 could not be sent back to your card\. The restaurant will write to you/)
    assert.match(failed, /All seats of this order were returned/)
    assert.doesNotMatch(failed, /Show a code|class="qr"|Paid</)
  })

  it('all of them, with the fee kept: the order is returned, not paid', async () => {
    await event({ returnKeepsFee: true })
    await sold()
    await rows('update ticket_order set subtotal_cents = 8100, fee_cents = 900 where venue_id = $1')
    const asked = await see('?return=2')
    assert.match(await see(), /Before you do, you see how much goes back to your card/)
    await press(formOn(asked))
    await refund()
    assert.deepEqual((await orders())[0], {
      ...{ status: 'partially_refunded', seats: 2, seats_returned: 2 },
      ...{ total_cents: 9_000, refunded_cents: 8_100 },
    })
    const text = await see('?done=return')
    assert.match(text, /Done\. The money is on its way back to your card/)
    assert.match(text, /All seats of this order were returned/)
    assert.doesNotMatch(text, /Show a code|Paid<|Seats<\/small>/)
  })

  describe('where the bank sends the money of one back, and the venue keeps the fee', () => {
    const oneSeat = async () => {
      const { status, text } = await press(formOn(await see('?return=1')))
      assert.equal(status, 303, text)
      await refund()
    }
    const sentBack = () => [...scene.stripe.refunds.values()].map(({ amount }) => amount)
    /** Three seats of 45.00 each, 3.00 of it a fee; the money of the first one does not arrive. */
    const oneFailed = async () => {
      await event({ returnKeepsFee: true })
      const id = await scene.opened({ seats: 3 })
      await scene.stripe.pay(await scene.sessionOf(id))
      await scene.sweep()
      await rows('update ticket_order set subtotal_cents = 12600, fee_cents = 900 where venue_id = $1')
      scene.stripe.refunds.clear()
      await oneSeat()
      const [named = ''] = [...scene.stripe.refunds.keys()]
      later(60)
      await scene.stripe.endRefund(named, 'failed')
      await scene.sweep()
      await refund()
      assert.deepEqual(await refunds(), [{ state: 'failed', seats: 0, amount_cents: 4_200 }])
    }
    const again = async (what: string) => {
      const [row] = await rows(
        `select r.id, r.order_id, o.version from refund r join ticket_order o on o.id = r.order_id
          where r.venue_id = $1 and r.state = 'failed'`,
      )
      const path = `/office/tickets/orders/${String(row?.['order_id'])}/refunds/${String(row?.['id'])}`
      const { status, words } = await scene.office.post(path, { version: String(row?.['version']), do: what })
      assert.equal(status, 303, words)
      await refund()
    }

    it('the other seats bring back their own part, and the first can still be sent', async () => {
      await oneFailed()
      await oneSeat()
      await oneSeat()
      assert.deepEqual(sentBack(), [4_200, 4_200, 4_200])
      assert.match(await see(), /\$42\.00 could not be sent back to your card/)
      await again('retry')
      assert.deepEqual(sentBack(), [4_200, 4_200, 4_200, 4_200])
      const { refunded_cents: back, seats_returned: returned } = (await orders())[0] ?? {}
      assert.deepEqual([back, returned], [12_600, 3])
    })

    for (const what of ['retry', 'by-hand', 'dismiss'])
      it(`the fee of that seat stays with the venue, too, after staff press ${what}`, async () => {
        await oneFailed()
        await again(what)
        const before = sentBack().length
        await oneSeat()
        await oneSeat()
        assert.deepEqual(sentBack().slice(before), [4_200, 4_200])
      })
  })

  const letter = (kind: string) => letterOf(scene, kind)

  it('are mailed about once for each refund that arrived, the venue’s and the processor’s own too', async () => {
    const mails = () => rows(`select id from guest_mail where venue_id = $1 and kind = 'ticketsRefunded'`)
    await event()
    await sold()
    await press(formOn(await see('?return=1')))
    assert.deepEqual(await mails(), [], 'not before it went')
    await refund()
    await refund()
    assert.equal((await mails()).length, 1)
    const { to, subject, paragraphs, button } = await letter('ticketsRefunded')
    assert.match(to, /@example\.com$/)
    assert.match(subject, /^Partly refunded: Wine dinner, /)
    assert.deepEqual(paragraphs, ['$45.00 went back to your card.', 'Your ticket stays valid.'])
    assert.ok(button?.url.endsWith(await page()))
    await mailsWentOut(scene)
    await scene.askRefund('15.00')
    await refund()
    assert.equal((await mails()).length, 2)
    await mailsWentOut(scene)
    const [intent] = [...scene.stripe.intents.keys()].slice(-1)
    await scene.stripe.refundThere(intent ?? '', 3_000)
    await scene.heard()
    assert.equal((await mails()).length, 3)
    assert.deepEqual((await letter('ticketsRefunded')).paragraphs, ['$30.00 went back to your card.'])
  })

  it('the mail of the tickets says what was paid, line by line', async () => {
    await sold()
    assert.deepEqual((await letter('tickets')).facts?.slice(-2), [
      ['2 tickets', '$90.00'],
      ['Total', '$90.00'],
    ])
  })

  it('are not the seats of people who are in already, nor more than there are', async () => {
    await event()
    await sold()
    await rows('update ticket set in_at = now() where venue_id = $1 and number = 2')
    assert.match(await see('?return=2'), /These seats can no longer be returned like that/)
    assert.equal((await press(formOn(await see('?return=1')))).status, 303)
    await refund()
    assert.deepEqual(await rows('select number from ticket where venue_id = $1 and void_at is null'), [
      { number: 2 },
    ])
  })

  it('bring back their part of what is left, less the fee where the venue keeps it, and never more than that', () => {
    const sale = { seatsSold: 3, feeCents: 450, coin: 1 }
    const back = { seats: 1, seatsLeft: 3, centsLeft: 10_000 }
    assert.equal(centsBackFor({ ...sale, ...back, keepsFee: false }), 3_333)
    assert.equal(centsBackFor({ ...sale, ...back, keepsFee: true }), 3_183)
    assert.equal(centsBackFor({ ...sale, ...back, keepsFee: false, coin: 100 }), 3_300)
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.boolean(),
        (seatsSold, total, keepsFee) => {
          let [seatsLeft, centsLeft] = [seatsSold, total]
          while (seatsLeft > 0) {
            const cents = centsBackFor({
              ...{
                seats: 1,
                seatsLeft,
                centsLeft,
                seatsSold,
                feeCents: Math.floor(total / 20),
                keepsFee,
                coin: 1,
              },
            })
            assert.ok(cents >= 0)
            centsLeft -= cents
            seatsLeft--
          }
          assert.ok(keepsFee ? centsLeft >= 0 : centsLeft === 0)
        },
      ),
    )
  })

  it('one order has no more tickets than its event allows, at the page and by key', async () => {
    await event({ orderMost: 2, text: 'Five courses.\nBring an appetite.' })
    const path = `/v/${scene.venue.slug}/tickets/${scene.event}?date=${scene.date}`
    assert.match((await guestAt(scene.service, `${path}&seats=3`)).text, /Choose 1 to 2 tickets/)
    const { text } = await guestAt(scene.service, `${path}&seats=2`)
    assert.match(text, /<p>Five courses\.<\/p>\s*<p>Bring an appetite\.<\/p>/)
    assert.match(text, /"description":"Five courses\.\\nBring an appetite\."/)
    assert.deepEqual(await scene.ask({ seats: 3 }), { kind: 'refused', not: { why: 'seats', most: 2 } })
    assert.equal((await scene.ask({ seats: 2 })).kind, 'checkout')
  })
})
