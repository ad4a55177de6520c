import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runImports } from '../../../data/imports/run.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { chosenIn, countsOf, importingOwner } from './test/importing-owner.ts'

/*
 * A file as it comes at nine in the evening: UTF-16 from a spreadsheet, semicolons, line breaks and commas inside of cells,
 * dates in two orders, midnight, numbers twice, blank lines and a row of totals.
 */

const heading =
  'Visit Date;Visit Time;Party Size;Status;Guest First Name;Guest Last Name;Phone Number;Email;Table;Confirmation Number;Guest Requests;Visit Notes;Guest Notes;Guest Tags;Server;Source;Created Date'
const bookings = 1_500
const statuses = [
  'Done',
  'Booked',
  'Cancelled by Guest',
  'No Show',
  'Done',
  'Done',
  'Cancelled by Restaurant',
]
/** The service’s clock: Tuesday, October 6, 2026. */
const now = '2026-10-06T19:00:00Z'
const today = Temporal.PlainDate.from('2026-10-06')

type Written = { readonly line: string; readonly kind: 'booking' | 'again' | 'day first' | 'other' }

/** One booking; what is ahead is booked or cancelled, what is past is done, cancelled or a no-show. */
const bookingAt = (n: number): Written => {
  const ahead = (n % 260) - 200
  const isAhead = ahead >= 0
  const day = today.add({ days: isAhead ? ahead + 1 : ahead })
  const status = isAhead ? (n % 5 === 0 ? 'Cancelled by Guest' : 'Booked') : statuses[n % 7]
  const monthFirst = `${day.month}/${day.day}/${day.year}`
  const isDayFirst = n % 100 === 50 && day.day > 12
  const date = isDayFirst ? `${day.day}/${day.month}/${day.year}` : monthFirst
  const time = n % 40 === 0 ? '12:00:00 AM' : `${5 + (n % 5)}:${n % 2 === 0 ? '00' : '30'}:00 PM`
  const size = String(status).startsWith('Cancelled') && n % 3 === 0 ? 0 : 1 + (n % 8)
  const last = n % 17 === 0 ? `Okafor, Jr. ${n}` : n % 19 === 0 ? `"O""Neil; ${n}"` : `Lindqvist ${n}`
  const asked = n % 11 === 0 ? `"A booth, please;\r\nand a high chair"` : ''
  const note = n % 13 === 0 ? `"press\n\n""regular"""` : ''
  const cells = [date, time, size, status, 'Maya', last, '', `maya${n % 900}@example.com`, '', 40_000 + n]
  return {
    line: [...cells, asked, note, '', '', 'Ann', 'OpenTable app', monthFirst].join(';'),
    kind: isDayFirst ? 'day first' : 'booking',
  }
}

const messyFile = (): { readonly bytes: Buffer; readonly count: (kind: Written['kind']) => number } => {
  const written: Written[] = []
  for (let n = 0; n < bookings; n++) {
    const one = bookingAt(n)
    written.push(one)
    // Exported twice: a page of the list that overlaps the one before.
    if (n % 150 === 149 && one.kind === 'booking') written.push({ ...one, kind: 'again' })
    if (n % 200 === 0) written.push({ line: '', kind: 'other' })
  }
  const text = [heading, ...written.map(({ line }) => line), '', 'Total;;22410;;;;;;;;;;;;;;', ''].join(
    '\r\n',
  )
  return {
    bytes: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
    count: (kind) => written.filter((one) => one.kind === kind).length,
  }
}

describe('a messy file of bookings from another system', () => {
  let service: TestService
  before(async () => {
    service = await startService({ PRACTICE: 'on' })
    service.setClock(now)
  })
  after(() => service.stop())

  it('is imported, undone and imported again: nothing is lost or doubled, and each row that is refused has its sentence', async () => {
    const { venue, owner, upload } = await importingOwner(service)
    const file = messyFile()
    const inBook = async () => {
      const [row] = await rowsOf(
        service,
        `select count(*)::int as bookings, count(distinct import_key)::int as keys,
                count(*) filter (where time = '00:00')::int as midnights,
                coalesce(sum(party_size), 0)::int as covers
           from reservation where venue_id = ${venue.id}`,
      )
      return row as { bookings: number; keys: number; midnights: number; covers: number }
    }
    const bring = async () => {
      const { to, html } = await upload('reservations', file.bytes)
      assert.ok(to, html)
      const shown = await owner.get(to)
      assert.equal((await owner.post(`${to}/start`, chosenIn(shown.html))).status, 303)
      await runImports(service.context)
      return { to, shown, ...(await countsOf(service, venue, to)) }
    }
    const made = file.count('booking')
    const [again, dayFirst] = [file.count('again'), file.count('day first')]
    assert.ok(again > 5 && dayFirst > 5, 'the file is as messy as it says')

    const first = await bring()
    assert.match(first.shown.words, /Some dates in this file begin with the day, others with the month/)
    assert.deepEqual(
      [first.state, first.made, first.known, first.refused],
      ['done', made, again, dayFirst + 1],
      'all but the repeated ones, those that are no date in the file’s order, and the row of totals',
    )
    const book = await inBook()
    assert.deepEqual([book.bookings, book.keys], [made, made])
    assert.ok(book.midnights > 30)
    const sentences = await rowsOf(
      service,
      `select sentence, count(*)::int as rows from data_import_refusal
        where venue_id = ${venue.id} and not imported group by sentence order by 2`,
    )
    assert.equal(
      sentences.reduce((sum, { rows }) => sum + Number(rows), 0),
      dayFirst + 1,
    )
    assert.ok(sentences.every(({ sentence }) => /^[A-Z].*\.$/s.test(String(sentence))))

    const sheet = (await owner.get(`${first.to}/sheet.csv`)).html
    assert.equal(sheet.match(/Already there: an earlier row has the same booking number/g)?.length, again)
    assert.equal(sheet.match(/New booking \d+/g)?.length, made)
    assert.equal((await owner.post(`${first.to}/undo`)).status, 303)
    await runImports(service.context)
    assert.match((await owner.get(first.to)).words, /Undone/)
    assert.equal((await inBook()).bookings, 0)

    const second = await bring()
    assert.deepEqual([second.made, second.known, second.refused], [made, again, dayFirst + 1])
    assert.deepEqual(await inBook(), book)
    const third = await bring()
    assert.deepEqual([third.made, third.known, third.refused], [0, made + again, dayFirst + 1])
    assert.deepEqual(await inBook(), book)
  })
})
