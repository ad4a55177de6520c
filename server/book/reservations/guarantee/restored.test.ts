import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { actAt } from '../../../test/act.ts'
import { guestAt } from '../../../test/guest.ts'
import { deposit, securingTables } from '../../../test/securing-tables.ts'
import { bookedReservation } from '../../day/book-row.ts'
import { editReservation } from '../edits/edits.ts'
import { staff } from '../test/book.ts'

describe('a booking that is restored once its deposit went back', () => {
  const scene = securingTables()
  const sentence = /Cancel by 7:00 PM on Thursday, October 8/
  const sheet = (id: number) => scene.office.get(`/office/bookings/${id}`)
  /** As a host presses it. */
  const restore = async (id: number) => {
    const [row] = await scene.rows(
      `select status, version from reservation where venue_id = $1 and id = ${id}`,
    )
    const pressed = await scene.office.post(`/office/bookings/${id}/moves`, {
      ...{ move: 'undoCancel', status: String(row?.['status']), version: String(row?.['version']) },
      back: `/office/bookings/${id}`,
    })
    assert.equal(pressed.status, 303, pressed.words)
    return (await sheet(id)).words
  }
  const wentBack = async () => {
    await scene.ask(deposit)
    const mine = await scene.secure()
    const id = await scene.bookingId()
    await guestAt(scene.service, mine, { form: { do: 'cancel' } })
    await scene.refund()
    assert.equal((await scene.guarantee())['status'], 'refunded')
    return { id, mine }
  }
  const askAgain = (id: number) =>
    scene.pressCard(id, {
      ...{ do: 'ask', asks: 'deposit', amount: '50', per: 'party', hours: '24' },
      ...{ untilDate: '2026-10-07', untilTime: '19:00', note: '' },
    })
  const pay = async (mine: string) => scene.payOn(await scene.agree(mine))
  const sums = async () => {
    const { status, amount_cents, asked_cents, paid_cents, refunded_cents } = await scene.guarantee()
    return [status, amount_cents, asked_cents, paid_cents, refunded_cents]
  }

  it('says that nothing secures it, and neither the guest’s page nor the office has the old sentence as if it did', async () => {
    const { id, mine } = await wentBack()
    assert.match(
      await restore(id),
      /Nothing secures it anymore, as the money was refunded: ask again on its page/,
    )
    const { text } = await guestAt(scene.service, mine)
    assert.match(text, /\$40\.00 went back to your card/)
    assert.doesNotMatch(text, sentence)
    assert.doesNotMatch((await sheet(id)).words, /Free until October/)
  })

  it('keeps its deposit where the money was still here, and says nothing of the kind', async () => {
    await scene.ask(deposit)
    await scene.secure()
    const id = await scene.bookingId()
    await scene.move('cancel', id, 'staff')
    assert.doesNotMatch(await restore(id), /Nothing secures it/)
    assert.equal((await scene.guarantee())['status'], 'paid')
  })

  it('can be asked for a deposit once more, which is paid, and goes back without that of before', async () => {
    const { id, mine } = await wentBack()
    await restore(id)
    assert.match((await sheet(id)).html, /Ask for a card or a deposit/)
    await askAgain(id)
    assert.deepEqual(await sums(), ['asked', 0, 5_000, 4_000, 4_000])
    await pay(mine)
    assert.deepEqual(await sums(), ['partially_refunded', 5_000, 0, 9_000, 4_000])
    assert.doesNotMatch((await sheet(id)).html, /Ask for a card or a deposit/)
    await scene.move('cancel', id, 'staff')
    scene.service.setClock('2026-10-06T14:05:00Z')
    await scene.refund()
    assert.deepEqual(
      [...scene.stripe.refunds.values()].map(({ amount }) => amount),
      [4_000, 5_000],
    )
    assert.equal((await scene.guarantee())['status'], 'refunded')
  })

  it('is asked for all of its guests when it grows', async () => {
    const { id, mine } = await wentBack()
    await restore(id)
    await actAt(scene.service, scene.venue, async (work) => {
      const { version = 0 } = (await bookedReservation(work.db, work.venue.id, id)) ?? {}
      const edit = { id, seenVersion: version, changes: { partySize: 3 }, confirmed: ['*'] as never }
      assert.equal((await editReservation(work, staff('host'), edit)).kind, 'done')
    })
    assert.deepEqual((await sums()).slice(0, 3), ['asked', 0, 6_000])
    const mails = await scene.rows(`select kind from guest_mail where venue_id = $1 and kind = 'tableAsked'`)
    assert.equal(mails.length, 1)
    assert.match((await guestAt(scene.service, mine)).text, /You pay \$60\.00 in advance/)
    await pay(mine)
    assert.deepEqual(await sums(), ['partially_refunded', 6_000, 0, 10_000, 4_000])
  })
})
