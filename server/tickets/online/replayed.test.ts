import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { securingTables } from '../../test/securing-tables.ts'
import { sellingOnline } from '../../test/selling-online.ts'

/* The processor repeats a failure to the key that it failed for, whether it had carried the call out or not, and forgets keys after a day. */

const hours = [
  ['soon', 0],
  ['once its key is forgotten', 24],
] as const
const troubles = [
  ['failed there before it was done', 'failed'],
  ['failed there after it was done', 'failed after'],
  ['was done and cut off', 'closed'],
] as const

describe('a call that moves money, and that is not known to be done', () => {
  const tables = securingTables()
  const tickets = sellingOnline()

  for (const [when, later] of hours)
    for (const [what, how] of troubles) {
      it(`a charge that ${what} is made once, looked at ${when}`, async () => {
        const { stripe, service } = tables
        const id = await tables.absent()
        await tables.pressCard(id, { do: 'charge', amount: '50' })
        stripe.trouble = { at: 'POST /v1/payment_intents', how }
        await tables.charges()
        if (later > 0) stripe.forgetKeys()
        for (const minutes of [2, 4, 6, 8]) {
          service.setClock(
            Temporal.Instant.from('2026-10-10T01:00:00Z').add({ hours: later, minutes }).toString(),
          )
          await tables.charges()
        }
        assert.deepEqual(tables.charged(), [5_000])
        const { status, paid_cents: paid } = await tables.guarantee()
        assert.deepEqual([status, paid], ['charged', 5_000])
        assert.deepEqual(await tables.rows('select state from payment where venue_id = $1'), [
          { state: 'succeeded' },
        ])
      })

      it(`a refund that ${what} is made once, looked at ${when}`, async () => {
        const { stripe } = tickets
        stripe.callsOut = false
        stripe.refunds.clear()
        const id = await tickets.opened()
        await stripe.pay(await tickets.sessionOf(id))
        tickets.later(2)
        await tickets.sweep()
        await tickets.askRefund('20.00')
        stripe.trouble = { at: 'POST /v1/refunds', how }
        await tickets.refund()
        if (later > 0) stripe.forgetKeys()
        tickets.later(later * 60)
        for (let round = 0; round < 4; round++) {
          tickets.later(2)
          await tickets.refund()
        }
        assert.deepEqual(
          [...stripe.refunds.values()].map(({ amount }) => amount),
          [2_000],
        )
        assert.deepEqual(await tickets.refunds(), [{ state: 'succeeded', seats: 0, amount_cents: 2_000 }])
      })
    }

  for (const [what, how] of troubles)
    it(`a page whose call ${what} is over a day later: nobody can pay on it, and its seats are free`, async () => {
      const { stripe } = tickets
      stripe.callsOut = false
      const id = await tickets.made({ seats: 6 })
      stripe.trouble = { at: 'POST /v1/checkout/sessions', how }
      await tickets.pay(id)
      assert.equal((await tickets.ask({ seats: 1 })).kind, 'refused')
      stripe.forgetKeys()
      tickets.later(24 * 60)
      for (let round = 0; round < 4; round++) {
        await tickets.sweep()
        tickets.later(2)
      }
      assert.equal((await tickets.row(id)).state, 'ended')
      const { ref } = await tickets.row(id)
      for (const page of [...stripe.sessions.values()].filter(({ metadata }) => metadata?.['ref'] === ref))
        assert.equal(await stripe.pay(page.id), undefined)
      assert.equal((await tickets.ask({ seats: 6 })).kind, 'checkout')
    })
})
