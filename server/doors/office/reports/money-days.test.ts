import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { rowsOf } from '../../../test/rows.ts'
import { sellingOnline } from '../../../test/selling-online.ts'

/* An order of $90.00 for October 20, paid on October 6 and partly refunded on October 9. */
describe('money of a partly refunded order', () => {
  const scene = sellingOnline()

  it('is net on the day of its event in the reports, and came and went on its own days on the page of payments', async () => {
    await scene.sold()
    await rowsOf(scene.service, 'update processor_account set live = true where venue_id = $1', [
      scene.venue.id,
    ])
    const payments = async () => (await scene.office.get('/office/payments')).words
    assert.match(await payments(), /Today \$90\.00 1 payment/)
    scene.later(3 * 24 * 60)
    scene.office = visitOffice(scene.service)
    await scene.office.signIn(
      (await staffOf(scene.service, scene.venue, 'owner', 'second@example.com')).email,
    )
    await scene.askRefund('30.00')
    await scene.refund()
    assert.match(await payments(), /Today \$0\.00 0 payments \$30\.00 refunded −\$30\.00 net/)
    assert.match(await payments(), /This week \$90\.00 1 payment \$30\.00 refunded \$60\.00 net/)

    const file = async (date: string) =>
      (await scene.office.get(`/office/reports/tickets.csv?from=${date}&to=${date}&compare=none`)).html
    assert.match(await file('2026-10-20'), /\r\n2026-10-20,[^,]+,2,9000,0,0,0,3000,6000,0\r\n$/)
    for (const date of ['2026-10-06', '2026-10-09'])
      assert.equal(
        (await scene.office.get(`/office/reports/tickets.csv?from=${date}&to=${date}`)).status,
        404,
        date,
      )
    const report = await scene.office.get('/office/reports?from=2026-10-20&to=2026-10-20')
    assert.match(
      report.words,
      /brought in \$60\.00 for 2 seats, after \$30\.00 was refunded or lost to disputes\./,
    )
    // Each says which of the two it is.
    assert.match(report.words, /Ticket orders by the date of their event/)
    assert.match(report.words, /The Payments page has the days on which money moved/)
  })
})
