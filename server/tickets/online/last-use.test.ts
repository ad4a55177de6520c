import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { actAt } from '../../test/act.ts'
import { eventually } from '../../test/eventually.ts'
import { rowsOf, waitingForLock } from '../../test/rows.ts'
import { owner, sellingOnline } from '../../test/selling-online.ts'
import { makePromoCode } from '../promo-codes.ts'
import { type Asked, askTickets } from './ask-tickets.ts'
import { giveTickets } from './give-tickets.ts'

describe('the last use of a code', () => {
  const scene = sellingOnline()
  const { newDate, opened, row, sessionOf, sweep, orders, refund } = scene
  beforeEach(async () => {
    await actAt(scene.service, scene.venue, (work) =>
      makePromoCode(work, owner, {
        ...{ code: 'LAST', discount: { percent: 10 }, eventId: null, usesMost: 1 },
        ...{ validFrom: null, validTo: null },
      }),
    )
  })

  /** Another transaction came as far as it can while this one is open. */
  const waitsOrIsDone = async (other: Promise<unknown>): Promise<void> => {
    let isDone = false
    void other.finally(() => (isDone = true))
    await eventually(async () => isDone || (await waitingForLock(scene.service)) > 0)
  }

  it('goes to one of two who ask at once for two dates', async () => {
    const { service, venue } = scene
    const asking = (date: number, meanwhile?: () => Promise<unknown>) =>
      actAt(service, venue, async (work): Promise<Asked> => {
        const asked = await askTickets(work, 'US', {
          ...{ occurrenceId: date, seats: 1, promoCode: 'LAST', language: 'en', title: '1 ticket' },
          ...{
            buyer: {
              firstName: 'Maya',
              lastName: null,
              email: `${crypto.randomUUID()}@example.com`,
              phone: null,
            },
          },
        })
        await meanwhile?.()
        return asked
      })
    const other = await newDate({ date: '2026-10-21' })
    let second: Promise<Asked> | undefined
    const first = await asking(scene.date, async () => {
      second = asking(other)
      await waitsOrIsDone(second)
    })
    assert.deepEqual([first.kind, (await second)?.kind], ['checkout', 'refused'])
  })

  it('goes to one of two whose payments for two dates are heard of late, and at once', async () => {
    const { service, venue, stripe } = scene
    const late: number[] = []
    stripe.callsOut = false
    for (const date of [scene.date, await newDate({ date: '2026-10-21' })]) {
      scene.date = date
      late.push(await opened({ promoCode: 'LAST', shownTotalCents: 8_100 }))
      await rowsOf(service, `update checkout set state = 'ended', look_at = null where venue_id = $1`, [
        venue.id,
      ])
    }
    const give = async (id: number, meanwhile?: () => Promise<unknown>) => {
      const paid = await stripe.pay(await sessionOf(id))
      await actAt(service, venue, async (work) => {
        await giveTickets(work, id, { how: 'paid', paymentRef: paid?.payment_intent ?? null, card: null })
        await meanwhile?.()
      })
    }
    const [one = 0, other = 0] = late
    let second: Promise<void> | undefined
    await give(one, async () => {
      second = give(other)
      await waitsOrIsDone(second)
    })
    await second
    assert.deepEqual(
      [await row(one), await row(other)].map(({ state, why }) => [state, why]),
      [
        ['completed', null],
        ['refused', 'promo-code-invalid'],
      ],
    )
  })

  it('that somebody else made while a payment was not heard of is not made twice: its money goes back', async () => {
    const ask = { promoCode: 'LAST', shownTotalCents: 8_100 }
    const late = await opened(ask)
    scene.stripe.callsOut = false
    await scene.stripe.pay(await sessionOf(late))
    // Nothing was heard of it in time, so its seats and its use of the code are others'.
    await rowsOf(scene.service, `update checkout set state = 'ended', look_at = null where venue_id = $1`, [
      scene.venue.id,
    ])
    const other = await opened(ask)
    scene.stripe.callsOut = true
    await scene.stripe.pay(await sessionOf(other))
    await sweep()
    for (const event of scene.stripe.held) await scene.stripe.call(event)
    await sweep()
    assert.deepEqual([(await row(other)).state, (await row(other)).why], ['completed', null])
    const { state, why } = await row(late)
    assert.deepEqual([state, why], ['refused', 'promo-code-invalid'])
    await refund()
    assert.deepEqual(
      (await orders()).map(({ status, refunded_cents: cents }) => [status, cents]),
      [
        ['paid', 0],
        ['refunded', 8_100],
      ],
    )
  })
})
