import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lookAtCalls } from '../../../tickets/online/money-back/called-about.ts'
import { guestAt } from '../../../test/guest.ts'
import { letterOf, mailsWentOut, writtenOf } from '../../../test/letter-of.ts'
import { rowsOf } from '../../../test/rows.ts'
import { sellingOnline, signal } from '../../../test/selling-online.ts'
import { deposit, securingTables } from '../../../test/securing-tables.ts'

describe('mail about money of a table that went back', () => {
  const scene = securingTables()
  const mails = async () =>
    (await scene.rows(`select id from guest_mail where venue_id = $1 and kind = 'tableRefunded'`)).length
  const intent = () => [...scene.stripe.intents.keys()].at(-1) ?? ''

  it('goes out once it arrived, once for each refund, in the guest’s language', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    await guestAt(scene.service, mine, { form: { do: 'cancel' } })
    assert.equal(await mails(), 0, 'not before it went')
    await scene.refund()
    await scene.refund()
    assert.equal(await mails(), 1)
    const { to, subject, paragraphs, facts } = await letterOf(scene, 'tableRefunded')
    assert.equal(to, 'maya@example.com')
    assert.match(subject, /: Refunded, Fri, Oct 9$/)
    assert.deepEqual(paragraphs, ['$40.00 went back to your card.'])
    const [label, text] = facts?.at(-1) ?? []
    assert.equal(label, 'Deposit')
    assert.match(String(text), /\$40\.00 paid$/)
    await scene.rows(`update guest_booking set language = 'de' where venue_id = $1`)
    assert.match((await letterOf(scene, 'tableRefunded')).paragraphs.join(), /40,00/)
    const sheet = await scene.office.get(`/office/bookings/${await scene.bookingId()}`)
    assert.match(sheet.words, /Email .*Money that went back goes out/)
  })

  it('says what went back by the processor’s dashboard too, and nothing of what a dispute took', async () => {
    await scene.ask(deposit)
    await scene.secure()
    await scene.stripe.refundThere(intent(), 1_500)
    await lookAtCalls(scene.service.context, signal)
    assert.equal(await mails(), 1)
    assert.deepEqual((await letterOf(scene, 'tableRefunded')).paragraphs, ['$15.00 went back to your card.'])
    await scene.secure('2026-10-09 20:00')
    await scene.stripe.dispute(intent(), 'lost')
    await lookAtCalls(scene.service.context, signal)
    assert.equal((await scene.guarantee())['refunded_cents'], 4_000)
    assert.equal(await mails(), 1)
  })

  it('says of a second one what went back in all: the sums add up to what was paid', async () => {
    await scene.ask(deposit)
    await scene.secure()
    for (const cents of [1_500, 500]) {
      await mailsWentOut(scene)
      await scene.stripe.refundThere(intent(), cents)
      await lookAtCalls(scene.service.context, signal)
    }
    const { paragraphs, facts } = await letterOf(scene, 'tableRefunded')
    assert.deepEqual(paragraphs, ['$5.00 went back to your card.'])
    assert.match(String(facts?.at(-1)?.[1]), /\$40\.00 paid\n\$20\.00 in all went back to your card\./)
    for (const [language, said] of [
      ['de', /20,00\s\$ gingen insgesamt auf Ihre Karte zurück/],
      ['ja', /合計/],
    ] as const) {
      await scene.rows(`update guest_booking set language = '${language}' where venue_id = $1`)
      assert.match(String((await letterOf(scene, 'tableRefunded')).facts?.at(-1)?.[1]), said)
    }
  })

  /** A deposit that was paid in two parts, as the party grew. */
  const paidTwice = async () => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    await scene.resize(await scene.bookingId(), 3)
    await scene.payOn(await scene.agree(mine))
    return mine
  }

  it('is one for all parts of what was paid, with their sum', async () => {
    const mine = await paidTwice()
    await guestAt(scene.service, mine, { form: { do: 'cancel' } })
    await scene.refund()
    assert.equal(scene.stripe.refunds.size, 2)
    assert.equal(await mails(), 1)
    assert.deepEqual((await letterOf(scene, 'tableRefunded')).paragraphs, ['$60.00 went back to your card.'])
  })

  it('waits a minute for a part that is still under way, and says of one that comes later only that', async () => {
    const mine = await paidTwice()
    await guestAt(scene.service, mine, { form: { do: 'cancel' } })
    scene.stripe.refundsPend = true
    await scene.refund()
    // Both are sent at once, in any order.
    const [first, second] = [...scene.stripe.refunds.values()]
      .toSorted((one, other) => other.amount - one.amount)
      .map(({ id }) => id)
    await scene.stripe.endRefund(first ?? '', 'succeeded')
    await scene.sweep()
    await scene.refund()
    assert.deepEqual(
      await scene.rows(
        `select extract(epoch from due_at - made_at)::int as seconds from guest_mail
          where venue_id = $1 and kind = 'tableRefunded'`,
      ),
      [{ seconds: 60 }],
    )
    assert.deepEqual((await letterOf(scene, 'tableRefunded')).paragraphs, ['$40.00 went back to your card.'])
    await mailsWentOut(scene)
    await scene.stripe.endRefund(second ?? '', 'succeeded')
    await scene.sweep()
    await scene.refund()
    assert.equal(await mails(), 2)
    assert.deepEqual((await letterOf(scene, 'tableRefunded')).paragraphs, ['$20.00 went back to your card.'])
  })

  it('is not written where the bank sent it back before the mail went out', async () => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    await guestAt(scene.service, mine, { form: { do: 'cancel' } })
    await scene.refund()
    await scene.rows(`update refund set state = 'failed' where venue_id = $1`)
    assert.deepEqual(await writtenOf(scene, 'tableRefunded'), { dropped: 'the money did not arrive' })
  })
})

describe('mail about money of tickets that went back', () => {
  const scene = sellingOnline()
  const kinds = async () =>
    (
      await rowsOf(scene.service, 'select kind from guest_mail where venue_id = $1 order by id', [
        scene.venue.id,
      ])
    ).map(({ kind }) => kind)

  it('is one for all refunds that it can tell of when it goes out', async () => {
    await scene.sold()
    await scene.askRefund('40.00')
    await scene.askRefund('15.00')
    await scene.refund()
    assert.equal((await kinds()).filter((kind) => kind === 'ticketsRefunded').length, 1)
    const { paragraphs } = await letterOf(scene, 'ticketsRefunded')
    assert.equal(paragraphs[0], '$55.00 went back to your card.')
  })

  it('is one mail for whom nothing could be given: it said that the money goes back', async () => {
    const id = await scene.opened()
    await rowsOf(scene.service, 'update occurrence set capacity = 1 where venue_id = $1', [scene.venue.id])
    await scene.stripe.pay(await scene.sessionOf(id))
    await scene.sweep()
    assert.equal((await scene.row(id)).state, 'refused')
    await scene.refund()
    assert.equal((await scene.orders())[0]?.['status'], 'refunded')
    assert.deepEqual(await kinds(), ['ticketsRefused'])
  })

  it('the tickets that are mailed meanwhile are those that stay, and none where all go back', async () => {
    await scene.sold()
    const codes = (
      await rowsOf(scene.service, 'select code from ticket where venue_id = $1 order by number', [
        scene.venue.id,
      ])
    ).map(({ code }) => String(code))
    const whole = await letterOf(scene, 'tickets')
    const sizeOf = (letter: typeof whole) => letter.attachments?.[0]?.content.length ?? 0
    await scene.askRefund('45.00', '1')
    const part = await letterOf(scene, 'tickets')
    assert.match(part.preheader ?? '', /^1 ticket\./)
    assert.deepEqual(part.slip?.[0], ['Seats', '1'])
    assert.equal(codes.length, 2)
    assert.ok(sizeOf(part) < sizeOf(whole) * 0.8, `${sizeOf(part)} of ${sizeOf(whole)}`)
    await scene.askRefund('45.00', '1')
    assert.deepEqual(await writtenOf(scene, 'tickets'), { dropped: 'all seats are on their way back' })
  })
})
