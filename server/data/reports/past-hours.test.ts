import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestBook, openBook, staff } from '../../book/reservations/test/book.ts'
import { changeRules, rulesVersion } from '../../book/rules/rules-change.ts'
import { allBookingRules } from '../../book/rules/rules-store.ts'
import { weekdayName } from '../../platform/kernel/time/calendar.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, startService } from '../../test/service.ts'
import { isShutOn } from './open-days.ts'
import { withHoursBefore } from './past-hours.ts'

const service = (weekday: number) => ({ weekday, name: 'Dinner', opens: '17:00', closes: '22:00' })

describe('days that are over', () => {
  let at: TestService
  before(async () => {
    at = await startService()
  })
  after(() => at.stop())

  /** Changes the hours as the office does, at a moment. */
  const open = async (book: TestBook, moment: string, weekdays: readonly number[]): Promise<void> => {
    at.setClock(moment)
    await book.act(async (work) =>
      changeRules(work, staff('manager'), {
        action: 'change the hours of Monday',
        seen: rulesVersion(await allBookingRules(work.db, work.venue.id)),
        edit: (document) => ({ ...document, periods: weekdays.map(service) }),
        confirmed: true,
      }),
    )
  }
  /** The weekdays with a service in the week of a Monday. */
  const openIn = (book: TestBook, monday: string): Promise<string> =>
    book.act(async ({ db, venue }) => {
      const rules = await withHoursBefore(db, venue, await allBookingRules(db, venue.id))
      const first = Temporal.PlainDate.from(monday)
      return [0, 1, 2, 3, 4, 5, 6]
        .filter((days) => !isShutOn(rules, first.add({ days }).toString()))
        .map((days) => weekdayName(days + 1).slice(0, 3))
        .join(' ')
    })

  it('keep the weekly hours that they had, whatever is changed later', async () => {
    const book = await openBook(at, { periods: [5, 6].map(service) })
    assert.equal(await openIn(book, '2026-08-31'), 'Fri Sat', 'never changed')
    // In New York: the evening of Monday, September 14, and the afternoon of Wednesday, September 23.
    await open(book, '2026-09-15T01:00:00Z', [1, 5, 6])
    await open(book, '2026-09-23T19:00:00Z', [1, 3, 5])
    for (const [monday, weekdays] of [
      ['2026-08-31', 'Fri Sat'],
      ['2026-09-07', 'Fri Sat'],
      ['2026-09-14', 'Mon Fri Sat'],
      ['2026-09-21', 'Mon Wed Fri'],
      ['2026-10-05', 'Mon Wed Fri'],
    ] as const)
      assert.equal(await openIn(book, monday), weekdays, monday)
  })

  it('had what was in force when they were over, however often it was changed on one day', async () => {
    const book = await openBook(at, { periods: [5, 6].map(service) })
    await open(book, '2026-09-15T14:00:00Z', [2])
    await open(book, '2026-09-15T15:00:00Z', [1, 2, 3, 4])
    assert.equal(await openIn(book, '2026-09-07'), 'Fri Sat')
    assert.equal(await openIn(book, '2026-09-14'), 'Tue Wed Thu', 'from that day on')
  })

  it('before any hours were entered had those of the end of the first day on which some were', async () => {
    const book = await openBook(at, { periods: [] })
    await open(book, '2026-09-15T14:00:00Z', [2])
    await open(book, '2026-09-15T15:00:00Z', [2, 5])
    assert.equal(await openIn(book, '2026-08-31'), 'Tue Fri', 'an imported past')
    await open(book, '2026-09-24T15:00:00Z', [5])
    for (const monday of ['2026-08-31', '2026-09-14'])
      assert.equal(await openIn(book, monday), 'Tue Fri', monday)
    assert.equal(await openIn(book, '2026-09-28'), 'Fri')
  })

  it('were closed where the venue had taken all of its hours away', async () => {
    const book = await openBook(at, { periods: [5, 6].map(service) })
    await open(book, '2026-09-07T14:00:00Z', [])
    await open(book, '2026-09-21T14:00:00Z', [6])
    assert.equal(await openIn(book, '2026-08-31'), 'Fri Sat')
    assert.equal(await openIn(book, '2026-09-07'), '')
    assert.equal(await openIn(book, '2026-09-21'), 'Sat')
  })

  it('count by the hours as they are where those of the trail cannot be read, and by those of no other venue', async () => {
    const [book, other] = [
      await openBook(at, { periods: [5, 6].map(service) }),
      await openBook(at, { periods: [service(7)] }),
    ]
    await open(book, '2026-09-15T14:00:00Z', [1])
    assert.equal(await openIn(other, '2026-09-07'), 'Sun')
    await rowsOf(
      at,
      `update activity set before = '{"periods": "[{\\"day\\": 5}]"}' where venue_id = ${book.venue.id} returning id`,
    )
    assert.equal(await openIn(book, '2026-09-07'), 'Mon')
  })
})
