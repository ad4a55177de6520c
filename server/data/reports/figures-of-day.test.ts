import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definitions } from './definitions.ts'
import { type BookingFacts, type DayRows, figuresOfDay } from './figures-of-day.ts'
import { differenceOf } from './difference-of.ts'
import type { CountedFigure } from './figure-names.ts'
import { figuresOf } from './rows-of-figures.ts'
import { type Tally, add, nothing, quantileOf, sumOf, textOfTally } from './tally.ts'

/** A Friday whose evening is over. */
const friday = '2026-10-02'

const booking = (more: Partial<BookingFacts> = {}): BookingFacts => ({
  service_date: friday,
  service_minute: 19 * 60,
  party_size: 2,
  status: 'Completed',
  source: 'public',
  service: 'Dinner',
  is_imported: false,
  was_seated_at_once: false,
  cancelled_from: null,
  cancelled_by: null,
  cancelled_ahead_ms: null,
  days_ahead: 3,
  seated_minute: 19 * 60 + 5,
  seated_ms: null,
  completed_ms: null,
  duration_minutes: 90,
  answered_minutes: null,
  visit: null,
  first_source: null,
  returned_after: null,
  table_ids: [],
  ...more,
})

const services = new Set(['Dinner', 'Lunch'])
const dayOf = (bookings: readonly BookingFacts[], more: Partial<DayRows> = {}): Tally =>
  figuresOfDay({
    date: friday,
    isOver: true,
    bookings,
    longestTurn: 120,
    services,
    line: [],
    ...more,
  })

/** A turn time for each size: an hour, and a minute for each guest. */
const anHourAndAMinuteEach = {
  turnTimes: Array.from({ length: 20 }, (_, at) => ({ upTo: at + 1, minutes: 61 + at })),
}

/** Rows of a figure as "key words: n/d". */
const shown = (tally: Tally, name: CountedFigure, today = '2026-10-06'): string[] =>
  (figuresOf(tally, [name], { today, rules: anHourAndAMinuteEach })[0]?.rows ?? []).map(
    ({ key, n, d }) => `${Object.values(key).join(' ')}: ${d === null ? n : `${n}/${d}`}`,
  )

/** Without the rows of their guests. */
const partiesOf = (rows: readonly string[]): string[] => rows.filter((row) => !row.includes('_covers'))

const hoursMs = 60 * 60_000

describe('the figures of a day', () => {
  it('name a service for what a file calls a type only where the venue has such a service', () => {
    const tally = dayOf([
      booking({ is_imported: true, service: 'Lunch' }),
      booking({ is_imported: true, service: 'Anniversary' }),
      booking({ service: 'Supper' }),
    ])
    assert.deepEqual(shown(tally, 'parties'), [
      '2026-10-02 Lunch: 1',
      '2026-10-02 Supper: 1',
      '2026-10-02 other: 1',
    ])
  })

  it('count who was served, by service; a party without a size is a party and no guest', () => {
    const tally = dayOf([
      booking(),
      booking({ status: 'Seated', party_size: 5 }),
      booking({ party_size: null, service: null }),
      booking({ status: 'No-show' }),
      booking({ status: 'Confirmed' }),
    ])
    assert.deepEqual(shown(tally, 'parties'), [`${friday} Dinner: 2`, `${friday} other: 1`])
    assert.deepEqual(shown(tally, 'covers'), [`${friday} Dinner: 7`, `${friday} other: 0`])
    assert.deepEqual(shown(tally, 'sizes'), ['2: 1', '5: 1', 'unknown: 1'])
  })

  it('classes of sizes and of days ahead have the bounds they are named by', () => {
    const sizes = [6, 7, 8, 9, 12, 13, 400].map((party_size) => booking({ party_size }))
    assert.deepEqual(shown(dayOf(sizes), 'sizes'), ['6: 1', '7-8: 2', '9-12: 2', '13+: 2'])
    const days = [-2, 0, 1, 2, 3, 4, 7, 8, 14, 15, 30, 31].map((days_ahead) => booking({ days_ahead }))
    assert.deepEqual(shown(dayOf(days), 'lead_days'), [
      '0: 2',
      '1: 1',
      '2-3: 2',
      '4-7: 2',
      '8-14: 2',
      '15-30: 2',
      '31+: 1',
    ])
  })

  it('walk-ins and parties seated at once are in no no-show rate and in no lead time, and imports in no lead time', () => {
    const tally = dayOf([
      booking(),
      booking({ source: 'walkin' }),
      booking({ source: 'waitlist', was_seated_at_once: true }),
      booking({ source: 'waitlist' }),
      booking({ source: 'import', is_imported: true, status: 'No-show' }),
    ])
    assert.deepEqual(shown(tally, 'lead_days'), ['2-3: 2'])
    const rates = shown(tally, 'no_shows')
    assert.ok(rates.includes('parties: 1/3'), rates.join(', '))
    assert.ok(rates.includes('covers: 2/6'))
    assert.ok(rates.includes('parties import: 1/1'))
    assert.ok(rates.includes('parties 2-3: 0/2'), 'the imported one has no days ahead')
    assert.ok(rates.includes('parties 5: 1/3'), 'a Friday')
    assert.ok(!rates.some((row) => row.startsWith('parties walkin')))
    assert.deepEqual(shown(tally, 'sources'), [
      'import promised: 1',
      ...['public', 'waitlist', 'walkin'].flatMap((source) => {
        const parties = source === 'waitlist' ? 2 : 1
        return [`${source} promised: ${parties}`, `${source} served: ${parties}`]
      }),
    ])
  })

  it('a declined request is no cancellation, and what is left open is in no rate', () => {
    const tally = dayOf([
      booking(),
      booking({ status: 'Cancelled', cancelled_from: 'Requested', cancelled_by: 'staff' }),
      booking({ status: 'Cancelled', cancelled_from: 'Requested', cancelled_by: 'guest' }),
      booking({ status: 'Confirmed' }),
      booking({ status: 'Requested' }),
    ])
    assert.deepEqual(partiesOf(shown(tally, 'cancelled')), [
      ...['guest: 0/1', 'late: 0/1', 'staff: 0/1', 'unknown: 0/1'],
    ])
    assert.ok(shown(tally, 'no_shows').includes('parties: 0/1'))
    assert.deepEqual(shown(tally, 'open_ends'), [`${friday} Confirmed: 1`, `${friday} Requested: 1`])
  })

  it('a confirmed booking still to come is promised, and no open end', () => {
    const tally = dayOf([booking({ status: 'Confirmed' }), booking({ status: 'Requested' })], {
      isOver: false,
    })
    assert.ok(shown(tally, 'cancelled').includes('guest: 0/1'))
    assert.deepEqual(shown(tally, 'open_ends'), [])
    assert.deepEqual(shown(tally, 'booked', friday), [
      `${friday} covers: 4`,
      `${friday} parties: 2`,
      `${friday} requested: 1`,
    ])
    assert.deepEqual(shown(tally, 'booked', '2026-10-03'), [], 'only days to come')
  })

  it('a cancellation is late with less than 24 hours to go, to the millisecond, and one of unknown origin was promised', () => {
    const cancelled = (
      ms: number,
      cancelled_by: 'guest' | 'staff' | null,
      from: string | null = 'Confirmed',
    ) => booking({ status: 'Cancelled', cancelled_from: from, cancelled_by, cancelled_ahead_ms: ms })
    const tally = dayOf([
      cancelled(24 * hoursMs, 'guest'),
      cancelled(24 * hoursMs - 1, 'guest'),
      cancelled(-hoursMs, 'guest'),
      cancelled(hoursMs, 'staff'),
      cancelled(hoursMs, null, null),
    ])
    assert.deepEqual(partiesOf(shown(tally, 'cancelled')), [
      ...['guest: 3/5', 'late: 2/5', 'staff: 1/5', 'unknown: 1/5'],
    ])
    const sized = dayOf([
      { ...cancelled(hoursMs, 'guest'), party_size: 5 },
      { ...cancelled(25 * hoursMs, 'guest'), party_size: 3 },
      { ...cancelled(hoursMs, 'staff'), party_size: null },
      booking({ party_size: 4 }),
    ])
    assert.deepEqual(
      shown(sized, 'cancelled').filter((row) => row.includes('_covers')),
      ['guest_covers: 8/12', 'late_covers: 5/12', 'staff_covers: 0/12', 'unknown_covers: 0/12'],
    )
  })

  it('arrivals are divided by the days of the weekday on which somebody was served', () => {
    const other = '2026-10-09'
    const tally = sumOf([
      dayOf([
        booking({ service_minute: 19 * 60 + 14, seated_minute: 24 * 60 + 30, party_size: 3 }),
        booking({ service_minute: 19 * 60, status: 'No-show', seated_minute: null }),
      ]),
      dayOf([booking({ service_date: other })], { date: other }),
      dayOf([booking({ service_date: '2026-10-16', status: 'Confirmed', seated_minute: null })], {
        date: '2026-10-16',
      }),
    ])
    assert.deepEqual(shown(tally, 'arrivals'), ['5 76 booked: 9/2', '5 76 seated: 2/2', '5 98 seated: 3/2'])
  })

  it('a time before midnight of the service date, or two days after it, is no arrival', () => {
    const tally = dayOf([booking({ seated_minute: -1 }), booking({ seated_minute: 48 * 60 })])
    assert.ok(!shown(tally, 'arrivals').some((row) => row.includes('seated')))
  })

  it('answers are of requests ahead that were not imported, and a declined one is one of them', () => {
    const declined = { status: 'Cancelled', cancelled_from: 'Requested', cancelled_by: 'staff' } as const
    const tally = dayOf([
      booking({ answered_minutes: 12 }),
      booking({ answered_minutes: 30, ...declined }),
      booking({ answered_minutes: 90, status: 'Confirmed' }),
      booking({ answered_minutes: 1, source: 'walkin' }),
      booking({ answered_minutes: 1, is_imported: true }),
      booking({ status: 'Requested' }),
      booking({ ...declined, cancelled_by: 'guest' }),
      booking(),
    ])
    const rows = figuresOf(tally, ['answered'], { today: friday, rules: anHourAndAMinuteEach })[0]?.rows
    assert.deepEqual(
      rows?.map(({ key, n, d, value }) => [key['measure'], n, d, value]),
      [
        ['declined', 1, 3, 1 / 3],
        ['minutes', null, 3, 30],
        ['unanswered', 1, null, 1],
      ],
    )
  })

  it('stays are whole minutes of the day or the evening, the turn time with them', () => {
    const start = 1_000_000_000_000
    const stay = (minutes: number, more: Partial<BookingFacts> = {}, at = minutes * 10) =>
      booking({ seated_ms: start + (at - minutes) * 60_000, completed_ms: start + at * 60_000, ...more })
    const rowsOf = (bookings: readonly BookingFacts[]) =>
      figuresOf(dayOf(bookings), ['stays'], { today: friday, rules: anHourAndAMinuteEach })[0]?.rows.map(
        ({ key, d, value }) => [...Object.values(key), d, value],
      )
    assert.deepEqual(rowsOf([stay(80.9), stay(70), stay(60, { party_size: 4, service_minute: 959 })]), [
      ['1-2', 'evening', 'stay', 2, 70],
      ['1-2', 'evening', 'turn', null, 62],
      ['3-4', 'day', 'stay', 1, 60],
      ['3-4', 'day', 'turn', null, 64],
    ])
    assert.deepEqual(
      rowsOf([
        ...[9.99, 10, 180, 180.01].map((minutes) => stay(minutes)),
        ...[240, 240.01].map((minutes) => stay(minutes, { duration_minutes: null, party_size: 9 })),
        ...[stay(50, { status: 'Seated' }), stay(50, { party_size: null })],
      ]),
      [
        ['1-2', 'evening', 'stay', 2, 10],
        ['1-2', 'evening', 'turn', null, 62],
        ['7+', 'evening', 'stay', 1, 240],
        ['7+', 'evening', 'turn', null, 67],
      ],
    )
    const cleared = [50, 50.2, 50.3, 50.4].map((minutes) => stay(minutes, {}, 500 + minutes))
    assert.deepEqual(rowsOf(cleared), [], 'four closed within half a minute of each other')
    assert.equal(rowsOf(cleared.slice(1))?.[0]?.[3], 3)
    const apart = (last: number) => [50, 50.1, 50.2, last].map((minutes) => stay(minutes, {}, 500 + minutes))
    assert.deepEqual(rowsOf(apart(50.5)), [], 'half a minute is within')
    assert.equal(rowsOf(apart(50.51))?.[0]?.[3], 2, 'the first and the last have only two near them')
    const spread = [0, 20, 27, 47].map((second) => stay(50 + second / 60, {}, 500 + second / 60))
    assert.equal(
      rowsOf(spread)?.[0]?.[3],
      2,
      'each by those before and after it, though all four took 47 seconds',
    )
    assert.match(
      definitions.stays.definition,
      /four or more of that service date, themselves included, were closed within 30 seconds before or after\./,
    )
  })

  it('no-shows are counted by source and size at once, and stays by each size', () => {
    const start = 1_000_000_000_000
    const tally = dayOf([
      booking({ status: 'No-show', party_size: 7 }),
      booking({ party_size: 8, seated_ms: start, completed_ms: start + 90 * 60_000 }),
      booking({ party_size: 8, source: 'staff' }),
      booking({ party_size: 4, source: 'walkin', seated_ms: start, completed_ms: start + 80 * 60_000 }),
    ])
    assert.deepEqual(shown(tally, 'no_shows_by_source_and_size'), ['public 7-8: 1/2', 'staff 7-8: 0/1'])
    assert.deepEqual(shown(tally, 'stays_by_size'), [
      ...['4 stay: null/1', '4 turn: null', '7-8 stay: null/1', '7-8 turn: null'],
    ])
  })

  it('stays are judged by the turn time of their own sizes: a class is cut where it changes', () => {
    const start = 1_000_000_000_000
    const stayed = (party_size: number, minutes: number) =>
      booking({
        ...{ party_size, duration_minutes: 240 },
        seated_ms: start,
        completed_ms: start + (party_size * 10 + minutes) * 60_000,
      })
    const bookings = [
      ...[stayed(1, 85), stayed(2, 75), stayed(3, 40)],
      ...[stayed(7, 90), stayed(8, 60), stayed(9, 130), stayed(10, 100), stayed(14, 110)],
    ]
    const rows = (turnTimes: { upTo: number; minutes: number }[]) =>
      figuresOf(dayOf(bookings), ['stay_quarters'], { today: friday, rules: { turnTimes } })[0]
        ?.rows.filter(
          ({ key: { measure, ...key } }) => 'sizes' in key && !('part' in key) && measure !== 'lower',
        )
        .map(
          ({ key, n, d, value }) => `${key['sizes']} ${key['measure']}: ${n === null ? value : `${n}/${d}`}`,
        )
    assert.deepEqual(
      rows([
        { upTo: 2, minutes: 95 },
        { upTo: 8, minutes: 150 },
        { upTo: 99, minutes: 240 },
      ]),
      [
        ...['1-2 longer: 0/2', '1-2 turn: 95', '1-2 upper: 95', '3-4 longer: 0/1', '3-4 turn: 150'],
        ...['3-4 upper: 70', '7-8 longer: 1/2', '7-8 turn: 150', '7-8 upper: 160'],
        ...['9+ longer: 1/3', '9+ turn: 240', '9+ upper: 250'],
      ],
    )
    const whole = rows([])?.filter((row) => row.startsWith('7+'))
    assert.deepEqual(whole, ['7+ longer: 5/5', '7+ turn: 120', '7+ upper: 220'])
  })

  it('guests are counted by the source of their first visit, and those without a guest on file not', () => {
    const tally = dayOf([
      booking({ visit: 'new', first_source: 'public' }),
      booking({ visit: 'returning', first_source: 'staff' }),
      booking({ visit: 'returning', first_source: 'staff', source: 'walkin' }),
      booking(),
    ])
    assert.deepEqual(shown(tally, 'guests_by_first_source'), [...['public new: 1', 'staff returning: 2']])
  })

  it('a name may have any sign in it', () => {
    const service = 'Brunch & “Lunch”: 50% = half'
    assert.deepEqual(shown(dayOf([booking({ service })]), 'parties'), [`2026-10-02 ${service}: 1`])
  })

  it('waits are those of who was quoted and seated, and right within five minutes', () => {
    const entry = (status: string, quoted_minutes: number | null, waited_minutes: number | null) => ({
      ...{ service_date: friday, status, quoted_minutes, waited_minutes },
    })
    const tally = dayOf([], {
      line: [
        entry('booked', 20, 25),
        entry('booked', 20, 15),
        entry('booked', 30, 36),
        entry('booked', null, 10),
        entry('booked', 20, null),
        entry('cancelled', 20, null),
        entry('expired', 20, null),
        entry('waiting', 20, null),
      ],
    })
    const rows = figuresOf(tally, ['waits'], { today: friday, rules: anHourAndAMinuteEach })[0]?.rows
    assert.deepEqual(
      rows?.map(({ key, n, d, value }) => [key['measure'], n, d, value]),
      [
        ['left', 2, 8, 0.25],
        ['quoted', null, 3, 20],
        ['waited', null, 3, 25],
        ['within_5', 2, 3, 2 / 3],
      ],
    )
  })

  it('seats used and turns count a party at two tables at both', () => {
    const tally = dayOf([
      booking({ party_size: 6, table_ids: [1, 2] }),
      booking({ party_size: 2, table_ids: [1] }),
      booking({ party_size: null, table_ids: [2] }),
      booking({ party_size: 3 }),
      booking({ party_size: 5, status: 'No-show', table_ids: [1] }),
    ])
    const of = (name: CountedFigure, tables: ReadonlyMap<number, { label: string; most: number }>) =>
      (
        figuresOf(tally, [name], { ...{ today: friday, rules: anHourAndAMinuteEach }, tables })[0]?.rows ?? []
      ).map(({ key, n, d }) => `${Object.values(key).join(' ')}: ${d === null ? n : `${n}/${d}`}`)
    const four = new Map([1, 2].map((id) => [id, { label: `T${id}`, most: 4 }]))
    assert.deepEqual(of('tables', four), ['parties: 3', 'seats: 8/12', 'turns: 4/2'])
    assert.deepEqual(of('tables_known', four), ['2026-10-02: 3'])
    const byTable = ['T1 covers: 8', 'T1 parties: 2', 'T2 covers: 6', 'T2 parties: 2']
    assert.deepEqual(of('guests_by_table', four), byTable)
    // The same sums, once one table seats more and has the name of the other.
    const changed = new Map([1, 2].map((id) => [id, { label: 'Bar', most: id * 4 }]))
    assert.deepEqual(of('tables', changed), ['parties: 3', 'seats: 8/16', 'turns: 4/2'])
    assert.deepEqual(of('guests_by_table', changed), ['Bar covers: 14', 'Bar parties: 4'])
    for (const name of ['tables', 'tables_known', 'guests_by_table'] as const)
      assert.deepEqual(shown(tally, name), [], 'where tables decide nothing')
  })

  it('guests are new, returning or unknown', () => {
    const visits = ['new', 'returning', null, 'returning'].map((visit) => booking({ visit }))
    assert.deepEqual(shown(dayOf(visits), 'guests'), ['new: 1', 'returning: 2', 'unknown: 1'])
  })

  it('the interval of a difference is that of Newcombe', () => {
    const { difference, difference_low, difference_high } = differenceOf(
      { people: 70, booked: 56 },
      { people: 80, booked: 48 },
    )
    const shownAs = [difference, difference_low, difference_high].map((value) => value.toFixed(4))
    assert.deepEqual(shownAs, ['0.2000', '0.0524', '0.3339'])
  })

  it('add up in any order and by any halves', () => {
    const days = [
      dayOf([booking(), booking({ status: 'No-show' })]),
      dayOf([booking({ source: 'walkin' })]),
      dayOf([booking({ party_size: 7 })]),
    ]
    const [a = nothing, b = nothing, c = nothing] = days
    assert.deepEqual(add(add(a, b), c), add(a, add(b, c)))
    assert.deepEqual(add(a, b), add(b, a))
    assert.deepEqual(sumOf(days), add(add(a, b), c))
    assert.deepEqual(add(nothing, a), a)
    assert.deepEqual(shown(sumOf(days), 'sizes'), ['2: 2', '7-8: 1'])
  })

  it('a median of an even number is the lower of the two in the middle', () => {
    assert.equal(quantileOf({ 90: 1, 100: 1 }, 0.5), 90)
    assert.equal(quantileOf({ 90: 1, 100: 1, 9: 1 }, 0.5), 90)
    assert.equal(quantileOf({ 5: 1, 100: 3 }, 0.5), 100)
    assert.equal(quantileOf([100, 3, 5, 1], 0.5), 100)
    assert.equal(quantileOf({}, 0.5), null)
  })

  it('a quarter has left by the lowest minute up to which a quarter of the stays lie', () => {
    const stays = { 60: 1, 70: 1, 80: 1, 90: 1 }
    assert.deepEqual([quantileOf(stays, 0.25), quantileOf(stays, 0.75)], [60, 80])
    assert.deepEqual(
      [quantileOf({ ...stays, 100: 1 }, 0.25), quantileOf({ ...stays, 100: 1 }, 0.75)],
      [70, 90],
    )
  })

  it('are the same when they are kept and added up again', () => {
    const start = 1_000_000_000_000
    const tally = dayOf([
      booking({ seated_ms: start, completed_ms: start + 90 * 60_000 }),
      booking({ seated_ms: start, completed_ms: start + 80 * 60_000, visit: 'new', first_source: 'staff' }),
      booking({ visit: 'returning', first_source: 'staff', returned_after: 12 }),
    ])
    const text = textOfTally(tally)
    assert.match(text, /\[0,2,\[80,1,90,1\]\]/, 'numbers one after another, which are read fast')
    assert.deepEqual(sumOf([JSON.parse(text) as Tally]), sumOf([tally]))
  })

  it('how far ahead parties book is counted in whole days, and on the day is none', () => {
    const ahead = [-2, 0, 3, 10].map((days_ahead) => booking({ days_ahead }))
    const rows = figuresOf(
      dayOf([...ahead, booking({ is_imported: true, days_ahead: 90 })]),
      ['days_ahead'],
      {
        ...{ today: friday, rules: anHourAndAMinuteEach },
      },
    )[0]?.rows
    assert.deepEqual(rows, [{ key: {}, n: null, d: 4, value: 0 }])
  })
})
