import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guestAt } from '../../../test/guest.ts'
import { deposit, securingTables } from '../../../test/securing-tables.ts'

/** In New York the clocks go back on November 1, 2026, at two in the morning. */
describe('a deposit of the night on which the clocks change', () => {
  const scene = securingTables()

  it('is free until the same moment on the page, in the row, by API and in the calendar file', async () => {
    await scene.ask({ ...deposit, freeUntilHours: 24 })
    await scene.later('2026-10-20T14:00:00Z')
    const mine = await scene.secure('2026-11-01 19:00')
    const { sentence, free_until: free } = await scene.guarantee()
    // Twenty-four hours that pass, of which one is passed twice.
    assert.equal(new Date(String(free)).toISOString(), '2026-11-01T00:00:00.000Z')
    assert.match(String(sentence), /Cancel by 8:00 PM on Saturday, October 31 and it all goes back/)
    assert.match((await guestAt(scene.service, mine)).text, /Cancel by 8:00 PM on Saturday, October 31/)
    const { body } = await scene.service.call('GET', `/api/v1/reservations/${await scene.bookingId()}`, {
      key: scene.venue.key,
    })
    assert.equal(body.guarantee.freeUntil, '2026-11-01T00:00:00.000Z')
    const calendar = (await guestAt(scene.service, `${mine}/table.ics`)).text
    assert.match(calendar, /DTSTART[^\r\n]*:(?:20261101T190000|20261102T000000Z)\r?\n/)
  })

  it('goes back a minute before that moment, and stays a minute after it, by the real time', async () => {
    await scene.ask({ ...deposit, freeUntilHours: 24 })
    await scene.later('2026-10-20T14:00:00Z')
    const [early, late] = [await scene.secure('2026-11-01 19:00'), await scene.secure('2026-11-01 20:00')]
    scene.service.setClock('2026-10-31T23:59:00Z')
    assert.match((await guestAt(scene.service, `${early}?do=cancel`)).text, /\$40\.00 goes back to your card/)
    scene.service.setClock('2026-11-01T01:01:00Z')
    assert.match((await guestAt(scene.service, `${late}?do=cancel`)).text, /the restaurant keeps \$40\.00/)
    await guestAt(scene.service, late, { form: { do: 'cancel' } })
    await scene.refund()
    assert.deepEqual([...scene.stripe.refunds.values()], [])
  })

  it('is free until the same moment where an hour is passed over, in March', async () => {
    await scene.ask({ ...deposit, freeUntilHours: 24 })
    await scene.later('2027-03-10T14:00:00Z')
    const mine = await scene.secure('2027-03-14 19:00')
    const { sentence, free_until: free } = await scene.guarantee()
    assert.equal(new Date(String(free)).toISOString(), '2027-03-13T23:00:00.000Z')
    assert.match(String(sentence), /Cancel by 6:00\sPM on Saturday, March 13 and it all goes back/)
    const { text } = await guestAt(scene.service, mine)
    assert.match(text, /Cancel by 6:00\sPM on Saturday, March 13/)
    assert.match(
      (await guestAt(scene.service, `${mine}/table.ics`)).text,
      /DTSTART[^\r\n]*:(?:20270314T190000|20270314T230000Z)\r?\n/,
    )
    scene.service.setClock('2027-03-13T22:59:00Z')
    assert.match((await guestAt(scene.service, `${mine}?do=cancel`)).text, /\$40\.00 goes back to your card/)
    scene.service.setClock('2027-03-13T23:01:00Z')
    assert.match((await guestAt(scene.service, `${mine}?do=cancel`)).text, /the restaurant keeps \$40\.00/)
  })
})
