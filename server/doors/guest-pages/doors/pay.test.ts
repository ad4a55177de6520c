import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { actAt } from '../../../test/act.ts'
import { factsOn, guestAt } from '../../../test/guest.ts'
import { deposit, securingTables } from '../../../test/securing-tables.ts'
import { owner, sellingOnline } from '../../../test/selling-online.ts'
import { lookingAtTickets } from '../../../tickets/online/looking.ts'
import { saveTicketSettings } from '../../../tickets/promo-codes.ts'

describe('the page that leads on to a payment', () => {
  const scene = sellingOnline()
  const facts = async (id: number) => factsOn((await guestAt(scene.service, scene.pageOf(id))).text)

  it('says of tickets when they are for, and what the sum is made of, before the press and after it', async () => {
    await actAt(scene.service, scene.venue, (work) =>
      saveTicketSettings(work, owner, {
        ...{ feePerSeatCents: 150, feeAtBoxOffice: false, taxRate: 8_875, seenVersion: 0 },
      }),
    )
    const id = await scene.made({ shownTotalCents: 10_099 })
    const lines = [
      ['Time', '7:00 PM'],
      ['2 tickets', '$90.00'],
      ['Fee', '$3.00'],
      ['Tax', '$7.99'],
      ['Total', '$100.99'],
    ]
    assert.deepEqual(await facts(id), lines)
    await scene.pay(id)
    assert.deepEqual(await facts(id), lines)
  })

  describe('after its guest paid, and while nothing is heard of that', () => {
    const see = async (id: number) => guestAt(scene.service, scene.pageOf(id))
    const paidUnheard = async () => {
      scene.stripe.callsOut = false
      const id = await scene.opened()
      await scene.stripe.pay(await scene.sessionOf(id))
      return id
    }
    const unreachable = async (work: () => Promise<void>) => {
      const { key } = scene.stripe
      scene.stripe.key = `${key}0`
      await work()
      scene.stripe.key = key
    }

    it('never says that nothing was bought because the time is over, and leads to the tickets once that is known', async () => {
      const id = await paidUnheard()
      await unreachable(async () => {
        scene.later(45)
        await scene.sweep()
        assert.equal((await scene.row(id)).state, 'ended', 'its places are free again')
        for (const page of [scene.pageOf(id), `${scene.pageOf(id)}/back`]) {
          const { text } = await guestAt(scene.service, page)
          assert.match(text, /We are confirming your payment; do not pay again/)
          assert.doesNotMatch(text, /Nothing was bought|No money was taken|Choose tickets again/)
        }
      })
      scene.later(1)
      const { status, headers } = await see(id)
      assert.deepEqual([status, (await scene.row(id)).state], [303, 'completed'])
      assert.match(headers.get('location') ?? '', /\/o\//)
    })

    it('says that nothing was bought once that is known', async () => {
      scene.stripe.callsOut = false
      const id = await scene.opened()
      await unreachable(async () => {
        scene.later(45)
        await scene.sweep()
        assert.match((await see(id)).text, /We are confirming your payment/)
      })
      scene.later(1)
      const { text } = await see(id)
      assert.match(text, /Nothing was bought[^]*The time to pay ran out\. No money was taken\./)
    })

    it('leads to the tickets also who never came back by the processor’s page, without a press', async () => {
      const id = await paidUnheard()
      scene.later(1)
      const { status, headers } = await see(id)
      assert.deepEqual([status, (await scene.row(id)).state], [303, 'completed'])
      assert.match(headers.get('location') ?? '', /\/o\//)
    })
  })
})

describe('the page of a payment for a table, on a restored copy', () => {
  const scene = securingTables()

  it('is headed by what it is for, and says that paying is back soon', async () => {
    await scene.ask(deposit)
    await scene.goToPay()
    const { context } = scene.service
    const [row] = await scene.rows('select id from checkout where venue_id = $1 order by id desc limit 1')
    const { cancel } = lookingAtTickets(context).pagesOf({ ...scene.venue, plan: 'pro' }, Number(row?.['id']))
    const { hold } = context
    Object.assign(context, { hold: { ...hold, isOn: () => true } })
    const page = cancel.replace(context.config.publicUrl, '')
    const { status, text } = await guestAt(scene.service, page, { form: { do: 'pay' } })
    Object.assign(context, { hold })
    assert.equal(status, 503)
    assert.match(text, /Online payment is back soon/)
    assert.doesNotMatch(text, />\s*Tickets\s*</)
  })
})
