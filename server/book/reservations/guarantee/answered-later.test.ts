import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { actAt } from '../../../test/act.ts'
import { setGuestPages } from '../../../test/guest.ts'
import { card, deposit, securingTables } from '../../../test/securing-tables.ts'
import { answerChange } from '../change/answer-change.ts'
import { staff } from '../test/book.ts'

describe('a change that its guest asks for and the venue accepts past the limit', () => {
  const scene = securingTables()
  const inTime = '2026-10-08T22:59:00Z'
  const late = '2026-10-08T23:01:00Z'
  const { freeUntil, amount, back } = {
    freeUntil: async () => new Date(String((await scene.guarantee())['free_until'])).toISOString(),
    amount: async () => (await scene.guarantee())['amount_cents'],
    back: () => [...scene.stripe.refunds.values()].map((refund) => refund.amount),
  }
  /** A table for so many, whose guest asks at this moment for another size or time; the venue answers after the limit. */
  const accepted = async (asked: string, size: string, changed: readonly [size: string, slot: string]) => {
    await setGuestPages(scene.service, scene.venue, { doors: ['book'], confirmUpTo: 8 })
    const mine = await scene.secure('2026-10-09 19:00', size)
    await setGuestPages(scene.service, scene.venue, { doors: ['book'], confirmUpTo: null })
    scene.service.setClock(asked)
    await scene.change(mine, ...changed)
    const before = [await freeUntil(), await amount(), back()]
    const [waits, ...more] = await scene.rows(
      `select id, reservation_id from reservation_change where venue_id = $1 and status = 'pending'`,
    )
    assert.ok(waits && more.length === 0, 'it waits for the venue')
    assert.deepEqual(before.slice(0, 1), ['2026-10-08T23:00:00.000Z'])
    scene.service.setClock('2026-10-08T23:30:00Z')
    await actAt(scene.service, scene.venue, (work) =>
      answerChange(work, staff('manager'), {
        ...{ id: Number(waits['reservation_id']), change: Number(waits['id']), answer: 'accept' },
      }),
    )
    scene.service.setClock('2026-10-08T23:32:00Z')
    await scene.refund()
  }

  it('moves the limit along with another time that was asked for before it, and not with one asked for after it', async () => {
    for (const [asked, end] of [
      [inTime, '2026-10-11T23:00:00.000Z'],
      [late, '2026-10-08T23:00:00.000Z'],
    ] as const) {
      await scene.open()
      await scene.ask(card)
      await accepted(asked, '2', ['2', '2026-10-12 19:00'])
      assert.equal(await freeUntil(), end, asked)
    }
  })

  it('sends back the part of a guest who was taken off before it, and nothing for one taken off after it', async () => {
    for (const [asked, sent] of [
      [inTime, [2_000]],
      [late, []],
    ] as const) {
      await scene.open()
      scene.stripe.refunds.clear()
      await scene.ask(deposit)
      await accepted(asked, '4', ['3', '2026-10-09 20:00'])
      const [row] = await scene.rows('select party_size from reservation where venue_id = $1')
      assert.deepEqual([row?.['party_size'], back()], [3, sent], asked)
    }
  })
})
