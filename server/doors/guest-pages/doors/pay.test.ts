import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { actAt } from '../../../test/act.ts'
import { factsOn, guestAt } from '../../../test/guest.ts'
import { owner, sellingOnline } from '../../../test/selling-online.ts'
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
})
