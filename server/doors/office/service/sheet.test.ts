import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { dinner, staff } from '../../../book/reservations/test/book.ts'
import { tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { hostAtBook } from '../../../test/host-at-book.ts'
import { followed } from '../../../test/office-forms.ts'
import { type TestService, startService } from '../../../test/service.ts'

const evening = '2026-10-06T20:00:00Z' // 16:00 in New York

describe('the pre-shift sheet', () => {
  let service: TestService
  before(async () => {
    service = await startService()
    service.setClock(evening)
  })
  after(() => service.stop())

  it('has the notes of the evening, who comes and what to know of them, and the service screen shows the notes', async () => {
    const { book, host } = await hostAtBook(service)
    const id = await book.booking('Confirmed', {
      guestName: 'Ruth Feldman',
      partySize: 12,
      email: 'ruth@example.com',
    })
    await book.booking('Confirmed', { guestName: 'Tomorrow Tom', date: '2026-10-07' })
    await book.query(`update guest set allergies = 'Shellfish', visit_count = 29 where venue_id = $1`, [
      book.venue.id,
    ])
    await book.query(`insert into reservation_house (venue_id, id, occasion) values ($1, $2, '70th')`, [
      book.venue.id,
      id,
    ])
    assert.match((await host.get('/office/service')).words, /Shift notes none yet/)
    const notes = { evening: '2026-10-06', version: '0', text: 'Out of branzino.\nMarco cut at 9.' }
    const saved = await followed(host, await host.post('/office/service/sheet', notes))
    for (const words of [
      'Pre-shift, Tuesday, October 6',
      'Still expected: 12 covers in 1 party, 1 regular or VIP, 1 occasion',
      'Out of branzino. Marco cut at 9.',
      '7:00 PM Ruth Feldman, 12: Shellfish',
    ])
      assert.ok(saved.words.replaceAll(/\s+/g, ' ').includes(words), words)
    assert.match(saved.html, /70th[^]*Regular 29[^]*Big party/)
    assert.ok(!saved.html.includes('Tomorrow Tom'))
    assert.match((await host.get('/office/service')).words, /Shift notes Out of branzino/)
  })

  it('says what comes in each quarter hour, what notes say of food, which nothing stores, and when each VIP was here last', async () => {
    const { book, host } = await hostAtBook(service)
    const of = [book.venue.id]
    for (const [time, partySize, guestName] of [
      ['19:00', 4, 'Ruth Feldman'],
      ['19:10', 2, 'Ida Brandt'],
      ['19:15', 3, 'Lou Reyes'],
    ] as const)
      await book.booking('Confirmed', { time, partySize, guestName, email: `${partySize}@example.com` })
    await book.query(
      `update reservation set notes = 'One of us is vegan' where venue_id = $1 and party_size = 2`,
      of,
    )
    await book.query(
      `insert into guest_house (venue_id, id, vip) select venue_id, id, true from guest where venue_id = $1 and name <> 'Ida Brandt'`,
      of,
    )
    await book.query(
      `update guest set last_visit_date = '2026-09-12', visit_count = 3 where venue_id = $1 and name = 'Ruth Feldman'`,
      of,
    )
    const words = (await host.get('/office/service/sheet')).words
    assert.match(words, /Covers by quarter hour 7:00\sPM 6 7:15\sPM 3/)
    assert.match(words, /7:10\sPM Ida Brandt, 2: vegan “One of us is vegan”/)
    assert.match(words, /7:00\sPM Ruth Feldman, 4: last visit Saturday, September 12, 2026/)
    assert.match(words, /7:15\sPM Lou Reyes, 3: never here before/)
  })

  it('counts one thing in its headline: the parties still expected, which are those below it', async () => {
    const { book, host } = await hostAtBook(service)
    await book.booking('Confirmed', { guestName: 'Ruth Feldman', partySize: 3 })
    await book.booking('Requested', { guestName: 'Ji-woo Yoon', partySize: 2 })
    for (const status of ['Seated', 'Completed', 'Cancelled'] as const)
      await book.booking(status, { guestName: 'Somebody Here', partySize: 6 })
    const sheet = await host.get('/office/service/sheet')
    assert.match(sheet.words, /Still expected: 5 covers in 2 parties, 0 regulars and VIPs, 0 occasions/)
    assert.ok(!sheet.html.includes('Somebody Here'))
  })

  it('names the allergies of who is expected and of who sits already, those with their table, and of nobody who left', async () => {
    const { book, host } = await hostAtBook(service, dinner(tablesOf([{ label: '4', most: 4 }])))
    await turnTablesOn(service, book.venue)
    for (const [guestName, status, allergies] of [
      ['Jae Kwon', 'Confirmed', 'Shellfish'],
      ['Ana Costa', 'Confirmed', 'Celiac'],
      ['Ron Howard', 'Completed', 'Peanuts'],
    ] as const) {
      const email = `${allergies}@example.com`
      const id = await book.booking(status, { guestName, partySize: 2, email })
      await book.query(
        `update guest set allergies = $2 where venue_id = $1 and id = (select guest_id from reservation where venue_id = $1 and id = $3)`,
        [book.venue.id, allergies, id],
      )
      if (allergies === 'Celiac')
        await book.act((work) => moveReservation(work, staff('host'), { id, move: 'seat' }))
    }
    const words = (await host.get('/office/service/sheet')).words.replaceAll(/\s+/g, ' ')
    assert.match(words, /Allergies tonight Table 4, Ana Costa, 2: Celiac 7:00 PM Jae Kwon, 2: Shellfish/)
    assert.doesNotMatch(words, /Peanuts/)
  })

  it('notes that somebody else changed meanwhile are not lost, and nothing typed is', async () => {
    const { book, host } = await hostAtBook(service)
    const send = (version: string, text: string) =>
      host.post('/office/service/sheet', { evening: '2026-10-06', version, text })
    const both = await Promise.all([send('0', 'One'), send('0', 'Two')])
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((a, b) => a - b),
      [303, 409],
    )
    const refused = await send('0', 'Three')
    assert.equal(refused.status, 409)
    assert.match(refused.html, />\s*Three<\/textarea/)
    assert.match(refused.words, /just changed by someone else/)
    assert.equal((await send('1', 'Four')).status, 303)
    const rows = await book.query('select text, version from shift_note where venue_id = $1', [book.venue.id])
    assert.deepEqual(rows, [{ text: 'Four', version: 2 }])
  })
})
