import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dinner } from '../../../book/reservations/test/book.ts'
import { tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { hostAtBook } from '../../../test/host-at-book.ts'
import { madeBefore } from '../../../test/made-before.ts'
import { startService } from '../../../test/service.ts'

describe('an allergy and a VIP', () => {
  const service = madeBefore(() => startService())

  it('are marked, and said, in front of the name of who has a table or comes to it next, on the floor and the grid, and of a VIP in every row', async () => {
    service.setClock('2026-10-06T23:40:00Z') // 19:40 in New York
    const tables = [{ label: '1', most: 4 }]
    const { book, host } = await hostAtBook(service, dinner({ ...tablesOf(tables) }))
    await turnTablesOn(service, book.venue)
    const email = 'maya@example.com'
    const id = await book.booking('Confirmed', {
      guestName: 'Maya Okafor',
      email,
      partySize: 2,
      time: '21:00',
    })
    const { guest_id: guest } = await book.row(id)
    await book.query(`update guest set allergies = 'Peanuts' where id = $1`, [guest])
    await book.query('insert into guest_house (venue_id, id, vip) values ($1, $2, true)', [
      book.venue.id,
      guest,
    ])
    const floor = (await host.get('/office/floor')).words
    assert.match(floor, /Table 1 .*Free to 9:00\s*PM.* Allergies: Peanuts\. VIP\. Okafor 9:00/)
    await book.query(`update reservation set checked_in_at = $2 where id = $1`, [id, '2026-10-06T23:39:00Z'])
    assert.match(
      (await host.get('/office/floor')).words,
      /Table 1 .*Allergies: Peanuts\. VIP\. Okafor 2 Here/,
    )
    assert.match((await host.get('/office/grid')).words, /2 Allergies: Peanuts\. VIP\. Maya Okafor/)
    assert.match((await host.get('/office/service')).words, /VIP\. Maya Okafor , 2 guests/)
  })
})
