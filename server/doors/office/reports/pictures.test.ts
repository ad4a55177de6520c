import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultRules } from '../../../book/rules/booking-rules.ts'
import type { Row } from '../../../data/reports/in-words.ts'
import { html, textOf } from '../../../platform/html/html.ts'
import { askedOf, isMostlyBefore } from './period.ts'
import { percentShown, shownOf } from './picture.ts'
import { csvOf } from './shown-page.ts'
import { arrivalsPicture } from './pictures/arrivals.ts'
import { columnsDrawn } from './drawn/columns.ts'
import { minutesWords } from './pictures/answered.ts'
import { byTablePicture } from './pictures/by-table.ts'
import { leadPicture, sizesPicture, sourcesPicture } from './pictures/bookings.ts'
import { bouncesPicture, campaignsPicture } from './pictures/business.ts'
import { ticketsPicture } from './pictures/tickets.ts'
import { cameBackPicture } from './pictures/came-back.ts'
import { codesPicture } from './pictures/codes.ts'
import { coversPicture } from './pictures/covers.ts'
import { refusedPicture } from './pictures/demand.ts'
import { firstSourcesPicture } from './pictures/first-sources.ts'
import { funnelPicture } from './pictures/funnel.ts'
import { cancelledPicture } from './pictures/cancelled.ts'
import { noShowsPicture } from './pictures/no-shows.ts'
import { staysPicture, tablesPicture } from './pictures/stays.ts'
import { weekdaysPicture } from './pictures/weekdays.ts'
import { type Rows, shownBy } from './test/shown-by.ts'

describe('pictures of reports', () => {
  it('write each share alike in sentence and table, halves up', () => {
    for (let d = 20; d <= 400; d++) {
      for (let n = 0; n <= d; n++) {
        assert.equal(percentShown(n / d), `${Math.floor((200 * n + d) / (2 * d))}%`, `${n} of ${d}`)
      }
    }
  })

  it('say when a campaign cost bookings, and no fewer or more of 0', () => {
    const said = (difference: number, low: number, high: number): string => {
      const measures = { sent: 400, sent_booked: 20, difference, difference_low: low, difference_high: high }
      const campaigns = Object.entries(measures).map(
        ([measure, n]) => [{ campaign: 1, measure }, n, 400, n] as [Row['key'], number, number, number],
      )
      return campaignsPicture(shownBy({ campaigns }))?.sentence ?? ''
    }
    assert.match(
      said(-0.1, -0.15, -0.05),
      /It cost bookings beyond chance: of every 100 people who got it, 10 fewer booked than of every 100 who did not \(between 15 fewer and 5 fewer\), about 40 bookings lost\./,
    )
    const chance = 'What it brought may be chance: of every 100 people who got it, '
    assert.ok(
      said(0.03, -0.0001, 0.052).endsWith(
        `${chance}3 more booked than of every 100 who did not (between 0 and 5.2 more).`,
      ),
    )
    assert.ok(
      said(-0.01, -0.02, 0).endsWith(
        `${chance}1 fewer booked than of every 100 who did not (between 2 fewer and 0).`,
      ),
    )
  })

  it('draw when guests booked where nobody noted when they sat down', () => {
    const arrivals = [[{ weekday: 5, quarter: 76, measure: 'booked' }, 24, 2, 12]] as const
    const picture = arrivalsPicture(shownBy({ arrivals: [...arrivals] as never }))
    assert.match(
      picture.sentence,
      /^Nobody noted when guests sat down\..*Fridays at .*, with 12 guests on average, over 2 days with guests\.$/,
    )
    assert.ok(picture.drawn)
  })

  it('write amounts in the currency of the venue', () => {
    const rows: Rows = { ticket_money: [[{ date: '2026-10-02', measure: 'net' }, 150000]] }
    const shown = shownBy(rows)
    const yen = shownOf({ ...shown.figures, currency: 'JPY' }, shown)
    assert.match(ticketsPicture(yen)?.sentence ?? '', /¥1,500 /)
    assert.match(ticketsPicture(shown)?.sentence ?? '', /\$1,500\.00 /)
  })

  it('say that a campaign of this week is still being counted, and of how many its shares are', () => {
    const rows: Rows = {
      campaigns: [
        [{ campaign: 1, measure: 'sent_booked' }, 51, 916, 51 / 916],
        [{ campaign: 1, measure: 'held_booked' }, 17, 265, 17 / 265],
        ...(['difference', 'difference_low', 'difference_high'] as const).map(
          (measure) => [{ campaign: 1, measure }, 0, 1, 0] as [Row['key'], number, number, number],
        ),
      ],
    }
    const done = campaignsPicture(shownBy(rows))
    assert.match(
      done?.sentence ?? '',
      /^“Number 1” went to 0 people; nobody then left the list\. What it brought may be chance: as many booked of those who got it as of those who did not \(/,
    )
    assert.deepEqual(done?.rows[0]?.slice(-4), [51, 916, 17, 265])
    const until = new Map([[1, Temporal.Instant.from('2026-10-12T12:00:00Z')]])
    const counting = campaignsPicture({ ...shownBy(rows), countingUntil: until })
    assert.match(counting?.sentence ?? '', /still being counted, until Mon 12 Oct\.$/)
  })

  it('make no headline of a weekday that was closed', () => {
    const refused: Rows = {
      refused: [
        [{ reason: 'pacing-covers-full', door: 'book' }, 9],
        [{ weekday: 4, minute: 1140, measure: 'full' }, 6],
        [{ weekday: 4, minute: 1140, measure: 'dates' }, 1, 1],
        [{ weekday: 5, minute: 1140, measure: 'full' }, 3],
        [{ weekday: 5, minute: 1140, measure: 'dates' }, 1, 2],
      ],
    }
    const rules = {
      ...defaultRules,
      periods: [{ weekday: 4 }, { weekday: 5 }] as never,
      closures: [
        { from: '2026-10-01', to: '2026-10-01' },
        { from: '2026-10-09', to: '2026-10-09' },
      ] as never,
    }
    const of = (to: string) => refusedPicture({ ...shownBy(refused, { to }), rules }).sentence
    assert.match(
      of('2026-10-03'),
      /^On Fridays at 19:00, 3 parties were turned away, on 1 of 2 Friday evenings\. In all, 9 /,
    )
    assert.match(of('2026-10-09'), /^(On|For) Thursdays? at 19:00/)
    assert.match(
      of('2026-10-03'),
      /9 requests for a table were refused, all for lack of room: your pacing limit\.$/,
    )
  })

  it('name where most guests leave the booking page, on bars that never rise', () => {
    const step = (name: string, n: number) => [{ door: 'book', step: name }, n] as [Row['key'], number]
    const funnel = [
      step('opened', 100),
      step('times', 150),
      step('chosen', 40),
      step('details', 30),
      step('booked', 20),
    ]
    const picture = funnelPicture(shownBy({ funnel }))
    assert.match(
      picture?.sentence ?? '',
      /The largest share leaves after “Opened”: 40% went on to “Time chosen”\./,
    )
    const drawn = picture?.drawn ? textOf(picture.drawn) : ''
    assert.ok(drawn.indexOf('Open times shown') > drawn.indexOf('>Booked'), 'looks at days are apart')
  })

  it('compare with no period that had hardly begun when the first booking came', () => {
    const year = { from: '2025-01-01', to: '2025-12-30' }
    assert.ok(isMostlyBefore(year, '2025-12-30'))
    assert.ok(isMostlyBefore(year, null))
    assert.ok(!isMostlyBefore(year, '2025-01-20'))
    assert.ok(!isMostlyBefore(year, '2020-01-01'))
  })

  it('call the time after midnight the night of its weekday, and one guest one', () => {
    const arrivals = [[{ weekday: 5, quarter: 98, measure: 'seated' }, 2, 2, 1]]
    assert.match(
      arrivalsPicture(shownBy({ arrivals: arrivals as never })).sentence,
      /Friday nights at .*, when 1 guest sat down on average, over 2 days with guests\.$/,
    )
  })

  it('compare no counts of days that are not over', () => {
    const rows: Rows = { sources: [[{ source: 'staff', measure: 'promised' }, 30]] }
    const columns = (to: string) =>
      sourcesPicture(shownBy(rows, { to, before: rows })).columns.map(({ key }) => key)
    assert.ok(columns('2026-10-03').includes('parties_before'))
    assert.ok(!columns('2026-10-06').includes('parties_before'))
  })

  it('compare no-shows and cancellations row by row, where they are compared at all', () => {
    const noShows = (missed: number): Rows => ({
      no_shows: [
        [{ measure: 'parties' }, missed, 100],
        [{ measure: 'parties', weekday: 5 }, missed, 30],
      ],
    })
    const picture = noShowsPicture(shownBy(noShows(6), { before: noShows(3) }))
    assert.deepEqual(
      picture.columns.map(({ key }) => key),
      [
        ...['by', 'of', 'no_shows', 'parties', 'rate', 'guests_missed', 'guests'],
        ...['no_shows_before', 'parties_before', 'rate_before'],
      ],
    )
    assert.deepEqual(picture.rows, [
      ['all', '', 6, 100, 0.06, 0, 0, 3, 100, 0.03],
      ['weekday', 'Friday', 6, 30, 0.2, 0, 0, 3, 30, 0.1],
    ])
    assert.deepEqual(noShowsPicture(shownBy(noShows(6))).rows[0], ['all', '', 6, 100, 0.06, 0, 0])
    const cancelled = (n: number): Rows => ({
      cancelled: ['guest', 'late', 'staff'].map((measure) => [{ measure }, n, 40]),
    })
    const given = cancelledPicture(shownBy(cancelled(4), { before: cancelled(2) }))
    assert.deepEqual(given.rows[0], ['guest', 4, 40, 0.1, 0, 0, 2, 40, 0.05])
    assert.ok(!cancelledPicture(shownBy(cancelled(4))).columns.some(({ key }) => key.endsWith('_before')))
  })

  it('cross what owners ask of two things at once: large parties of a source, reasons of a weekday, and each size', () => {
    const source = 'public'
    const shown = shownBy({
      no_shows: [[{ measure: 'parties' }, 5, 60]],
      no_shows_by_source_and_size: [
        [{ source, size: '5' }, 0, 9],
        [{ source, size: '6' }, 2, 11],
        [{ source, size: '7-8' }, 3, 10],
        [{ source: 'staff', size: '2' }, 0, 30],
        [{ source, size: 'unknown' }, 1, 2],
      ],
      refused: [[{ reason: 'closed', door: 'api' }, 6]],
      refused_by_weekday: [
        [{ weekday: 5, reason: 'party-too-large' }, 2],
        [{ weekday: 5, reason: 'tables-full' }, 4],
        [{ weekday: 5, reason: 'nothing-open' }, 7],
        [{ weekday: 1, reason: 'closed' }, 1],
      ],
      stays_by_size: [
        [{ size: '4', measure: 'stay' }, 0, 25, 101],
        [{ size: '4', measure: 'turn' }, 0, 1, 120],
      ],
      ticket_money: [[{ code: 'DOOR20', measure: 'orders' }, 3]],
      code_discounts: [[{ code: 'DOOR20' }, 4550]],
    })
    const missed = noShowsPicture(shown)
    assert.deepEqual(
      missed.rows.filter(([by]) => by === 'source_and_size').map(([, ...cells]) => cells.slice(0, 4)),
      [
        ['Booking page, 6 guests or more', 5, 21, 5 / 21],
        ['Booking page, 5 guests', 0, 9, null],
        ['Booking page, 6 guests', 2, 11, null],
        ['Booking page, 7–8 guests', 3, 10, null],
        ['Booking page, Not known', 1, 2, null],
        ['By staff, 2 guests', 0, 30, 0],
      ],
    )
    assert.match(textOf(missed.drawn ?? html``), /Source, 6 guests or more.*Booking page.*24% · 5 of 21/s)
    const refused = refusedPicture(shown)
    assert.deepEqual(
      refused.rows.filter(([by]) => String(by).startsWith('weekday')).map(([, of, n]) => `${of} ${n}`),
      [
        ...['Monday 1', 'Monday: Closed 1', 'Friday 6', 'Friday: No open time 7'],
        ...['Friday: No free table 4', 'Friday: Party too large 2'],
      ],
    )
    assert.match(textOf(refused.drawn ?? html``), /By weekday.*Friday.*6 · no room 4/s)
    assert.deepEqual(staysPicture(shown).rows, [['4', 'all', 101, 120, 25, null, null]])
    const codes = codesPicture(shown)
    assert.deepEqual(codes?.rows, [['DOOR20', 3, 4550]])
    assert.match(
      codes?.sentence ?? '',
      /^3 orders used a promo code, most often DOOR20; \$45\.50 was taken off\.$/,
    )
  })

  it('say what an open day of each weekday brings, whichever of them were closed', () => {
    const covers = (dates: Readonly<Record<string, number>>): Rows => ({
      covers: Object.entries(dates).map(([date, n]) => [{ date, service: 'Dinner' }, n]),
    })
    // Mondays on September 14 and 21; the one of the 28th was closed. Of October 6, today, nothing is said yet.
    const shown = shownBy(
      covers({ '2026-09-14': 30, '2026-09-21': 31, '2026-09-22': 50, '2026-09-29': 54, '2026-10-06': 900 }),
      { from: '2026-09-14', to: '2026-10-04', before: covers({ '2026-09-21': 40 }) },
    )
    const found = weekdaysPicture(shown)
    assert.equal(
      found?.sentence,
      'Tuesdays bring the most, 52 guests on average over 2 open days; Mondays the fewest, 30.5 over 2 open days.',
    )
    assert.deepEqual(found?.rows, [
      [1, 30.5, 2, 61, 40, 1],
      [2, 52, 2, 104, null, 0],
    ])
    const week = weekdaysPicture(shownBy(covers({ '2026-09-28': 30, '2026-09-29': 54 })))
    assert.equal(week?.sentence, 'Tuesday brought the most, 54 guests; Monday the fewest, 30.')
    const alike = (days: Parameters<typeof covers>[0], from?: string) =>
      weekdaysPicture(shownBy(covers(days), { from }))?.sentence
    assert.equal(
      alike({ '2026-09-29': 8, '2026-09-30': 10, '2026-10-01': 8, '2026-10-03': 8 }),
      'Wednesday brought the most, 10 guests; Tuesday, Thursday and Saturday the fewest, 8 each.',
    )
    assert.equal(alike({ '2026-09-29': 8, '2026-09-30': 8 }), 'Tuesday and Wednesday brought 8 guests each.')
    assert.equal(
      alike({ '2026-09-22': 8, '2026-09-29': 8, '2026-09-30': 10, '2026-10-01': 8 }, '2026-09-20'),
      'Wednesdays bring the most, 10 guests on average over 1 open day; Tuesdays and Thursdays the fewest, 8 each.',
    )
    assert.equal(
      weekdaysPicture(shownBy(covers({ '2026-09-22': 50 }))),
      undefined,
      'one weekday is not the most',
    )
  })

  it('rank no source by return visits of guests of any age, and say who is in none of the sources', () => {
    const visits = (source: string, news: number, back: number): NonNullable<Rows['guests']>[number][] => [
      [{ source, kind: 'new' }, news],
      [{ source, kind: 'returning' }, back],
    ]
    const found = firstSourcesPicture(
      shownBy({
        guests_by_first_source: [...visits('public', 40, 60), ...visits('staff', 20, 42)],
        guests: [
          [{ kind: 'new' }, 60],
          [{ kind: 'returning' }, 102],
          [{ kind: 'unknown' }, 90],
        ],
      }),
    )
    assert.equal(
      found?.sentence,
      'Of 162 visits with a guest on file, 102 were return visits, 60 of them by guests who first came through “Booking page”. They may have first come long ago, so this shows who visits now, not which source’s guests come back most. 90 parties without a guest on file, such as walk-ins, are in none of these.',
    )
    assert.deepEqual(found?.rows, [
      ['Booking page', 60, 40],
      ['By staff', 42, 20],
    ])
    assert.equal(firstSourcesPicture(shownBy({})), undefined)
  })

  it('say which source brings guests who come back, from 20 of them on, and whether that may be chance', () => {
    const of = (...sources: readonly (readonly [source: string, back: number, guests: number])[]): Rows => ({
      came_back: sources.map(([source, back, guests]) => [{ source, measure: 'back' }, back, guests]),
    })
    const found = cameBackPicture(shownBy(of(['staff', 9, 40], ['public', 90, 200], ['walkin', 19, 19])))
    assert.equal(
      found?.sentence,
      '46% of the guests who first came from Mon 22 Jun to Sun 28 Jun came back within 90 days. Most often those who first came through “Booking page” (45% of 200), least often those through “By staff” (23% of 40): more than chance.',
    )
    assert.deepEqual(found?.rows, [
      ['Booking page', 90, 200, 0.45],
      ['By staff', 9, 40, 0.225],
      ['Walk-in', 19, 19, null],
    ])
    assert.match(textOf(found?.drawn ?? html``), /45% · 90 of 200<.*class="too-few".*19 of 19</s)
    assert.deepEqual([found?.cases, found?.key], ['259 guests', [['full', 'A full bar: 45%']]])
    const said = (rows: Rows): string => cameBackPicture(shownBy(rows))?.sentence ?? ''
    const two = [['public', 60, 150] as const, ['staff', 40, 150] as const]
    assert.match(said(of(...two)), /more than chance\.$/, 'the only pair')
    const alike = ['walkin', 'waitlist', 'api', 'phone'].map((source) => [source, 50, 150] as const)
    assert.match(
      said(of(...two, ...alike)),
      / The sources with 20 guests or more differ by no more than chance may: from 27% to 40%\.$/,
      'the first and the last of six',
    )
    assert.match(
      said(of(['staff', 9, 40], ['public', 10, 40])),
      / differ by no more than chance may: from 23% to 25%\.$/,
    )
    assert.match(said(of(['public', 20, 60], ['staff', 8, 24])), / came back alike\.$/)
    const shared = said(of(['walkin', 60, 100], ['waitlist', 30, 50], ['staff', 60, 200], ['api', 58, 200]))
    assert.doesNotMatch(shared, /most often/i, 'two share the first place')
    assert.match(
      said(of(['staff', 60, 100], ['public', 64, 200], ['api', 60, 200])),
      / Most often those who first came through “By staff” \(60% of 100\): more than chance\.$/,
      'and nobody is named last, as two are alike',
    )
    assert.match(
      said(of(['staff', 60, 100], ['phone', 58, 100], ['public', 64, 200], ['api', 60, 200])),
      / range from 30% to 60%, which is more than chance, but no one of them stands apart\.$/,
    )
    assert.match(
      said(of(['staff', 9, 40], ['public', 18, 80])),
      / Those of every source with 20 guests or more came back alike\.$/,
    )
    assert.match(
      said(of(['staff', 9, 20], ['public', 1, 19])),
      /^26% of the guests .* within 90 days\.$/,
      'nothing to compare',
    )
    assert.match(
      said(of(['staff', 3, 11])),
      /^3 of 11 guests who first came from Mon 22 Jun .* came back within 90 days\.$/,
    )
    assert.equal(cameBackPicture(shownBy(of(['staff', 3, 11])))?.drawn, undefined)
    assert.equal(
      said({ came_back: [[{ measure: 'too_soon' }, 1]] }),
      'No guest on file first came from Mon 22 Jun to Sun 28 Jun, the last days whose guests have had 90 days to come back. 1 guest first came in the days of this report less than 100 days ago: too soon to tell, so this one is left out.',
    )
    const year = cameBackPicture(shownBy(of(['staff', 9, 40]), { from: '2025-10-05', to: '2026-10-03' }))
    assert.match(year?.sentence ?? '', /who first came from 30 June 2025 to 28 June 2026 came back/)
    assert.equal(cameBackPicture(shownBy({})), undefined)
  })

  it('say how long three quarters of the parties stay, from 20 of them on, and how far ahead half of them book', () => {
    const stays = (cases: number) =>
      staysPicture(
        shownBy({
          stays: [
            [{ sizes: '3-4', part: 'evening', measure: 'stay' }, 0, cases, 95],
            [{ sizes: '3-4', part: 'evening', measure: 'turn' }, 0, 1, 120],
          ],
          stay_quarters: [
            [{ sizes: '3-4', part: 'evening', measure: 'lower' }, 0, cases, 82],
            [{ sizes: '3-4', part: 'evening', measure: 'upper' }, 0, cases, 110],
            ...(
              [
                ['lower', 82],
                ['upper', 110],
                ['turn', 120],
              ] as const
            ).map(
              ([measure, value]) =>
                [{ sizes: '3-4', measure }, 0, cases, value] as [Row['key'], number, number, number],
            ),
            [{ sizes: '3-4', measure: 'longer' }, 4, cases],
          ],
        }),
      )
    assert.equal(
      stays(20).sentence,
      'Day and evening together, parties of 3–4 are furthest from their turn time (all 20 parties): three quarters leave within 110 minutes; their table is held for 120.',
    )
    assert.match(textOf(stays(20).drawn ?? html``), />110 min \(95\) · 20</)
    assert.match(textOf(stays(19).drawn ?? html``), />19</)
    assert.deepEqual(stays(19).rows, [
      ['3–4', 'day and evening', null, 120, 19, 82, 110],
      ['3–4', 'evening', 95, 120, 19, 82, 110],
    ])
    const lead = (median: number, d: number): string =>
      leadPicture(shownBy({ lead_days: [[{ days: '2-3' }, d]], days_ahead: [[{}, 0, d, median]] })).sentence
    assert.match(lead(3, 20), /^Half of the bookings were made 3 days ahead or less\. None was made on/)
    assert.match(lead(0, 20), /^Half of the bookings or more were made on the day\. /)
    assert.match(lead(3, 19), /^None was made on the day or the day before; none more than two weeks ahead/)
  })

  it('say since when tables are known, where parties came before that', () => {
    const shown = (date?: string) =>
      shownBy({
        guests_by_table: [
          [{ table: '1', measure: 'covers' }, 4],
          [{ table: '1', measure: 'parties' }, 2],
        ],
        tables: [
          [{ measure: 'seats' }, 60, 100, 0.6],
          [{ measure: 'turns' }, 30, 20, 1.5],
        ],
        parties: [
          [{ date: '2026-09-28', service: 'Dinner' }, 40],
          [{ date: '2026-09-30', service: 'Dinner' }, 40],
        ],
        tables_known: date === undefined ? [] : [[{ date }, 25]],
      })
    const sentence = (date?: string): string => tablesPicture(shown(date))?.sentence ?? ''
    assert.match(
      sentence('2026-09-30'),
      /counts at each\. These figures begin on Wed 30 Sep: before it, no party of this period had a table\.$/,
    )
    assert.match(sentence('2026-09-28'), /counts at each\.$/)
    assert.match(sentence(), /counts at each\.$/, 'never known')
    assert.match(
      byTablePicture(shown('2026-09-30'))?.sentence ?? '',
      /4 guests in 2 parties\. These figures begin on Wed 30 Sep: before it, no party of this period had a table\.$/,
    )
    assert.doesNotMatch(byTablePicture(shown('2026-09-28'))?.sentence ?? '', /begin on/)
  })

  it('say which table had the most guests, and which the fewest', () => {
    const at = (table: string, covers: number, parties: number): NonNullable<Rows['guests_by_table']> => [
      [{ table, measure: 'covers' }, covers],
      [{ table, measure: 'parties' }, parties],
    ]
    const shown = shownBy({ guests_by_table: [...at('2', 4, 1), ...at('12', 143, 60), ...at('B1', 20, 9)] })
    const picture = byTablePicture(shown)
    assert.equal(
      picture?.sentence,
      'Table 12 had the most guests: 143 guests in 60 parties; of the tables that had any, table 2 had the fewest: 4 guests in 1 party.',
    )
    assert.deepEqual(picture?.rows, [
      ['12', 143, 60],
      ['B1', 20, 9],
      ['2', 4, 1],
    ])
    const alike = (...tables: ReturnType<typeof at>[]) =>
      byTablePicture(shownBy({ guests_by_table: tables.flat() }))?.sentence
    assert.equal(
      alike(at('1', 9, 3), at('2', 9, 2), at('T6', 2, 1), at('T7', 2, 1)),
      'Tables 1 and 2 had the most guests, 9 each; of the tables that had any, tables T6 and T7 had the fewest, 2 each.',
    )
    assert.match(
      alike(at('1', 9, 3), ...['4', '5', '6', '7'].map((table) => at(table, 2, 1))) ?? '',
      /9 guests in 3 parties; of the tables that had any, 4 tables had the fewest, 2 each\.$/,
    )
    assert.equal(alike(at('1', 2, 1), at('2', 2, 1)), 'Each of the 2 tables had 2 guests.')
    assert.equal(
      byTablePicture(shownBy({ guests_by_table: at('7', 2, 1) }))?.sentence,
      'Table 7 had 2 guests in 1 party.',
    )
    const known = (parties: number) =>
      byTablePicture(
        shownBy({
          guests_by_table: [...at('1', 6, 1), ...at('2', 6, 1)],
          tables_known: [[{ date: '2026-10-02' }, parties]],
        }),
      )?.sentence
    assert.match(
      known(1) ?? '',
      / A party at joined tables counts at each of them with all of its guests, so the tables add up to more guests than came\.$/,
    )
    assert.doesNotMatch(known(2) ?? '', /joined/, 'where none were')
    assert.equal(byTablePicture(shownBy({})), undefined)
  })

  it('say within how long requests were answered, never less than it was', () => {
    assert.deepEqual([0, 1, 119, 120, 667, 690, 2880, 2881].map(minutesWords), [
      'a minute',
      '1 minute',
      '119 minutes',
      '2 hours',
      '11.5 hours',
      '11.5 hours',
      '48 hours',
      '2.5 days',
    ])
  })

  it('draw no numbers that would run together', () => {
    const numbersOf = (columns: number) => {
      const column = {
        ...{ tick: '', words: '', value: 635, coming: 0, before: null, isClosed: false },
      }
      const [wide = '', narrow = ''] = textOf(
        columnsDrawn(
          Array.from({ length: columns }, () => column),
          'Said',
        ),
      ).split('on-narrow')
      return [wide, narrow].map((svg) => svg.match(/class="middle number"/g)?.length ?? 0)
    }
    assert.deepEqual(numbersOf(7), [7, 7])
    assert.deepEqual(numbersOf(13), [13, 0], 'on a phone')
  })

  it('say at which tables nobody sat, and have them in the table', () => {
    const used = (parties: number, known = 1) => ({
      ...shownBy({
        guests_by_table: [
          [{ table: '1', measure: 'covers' }, 4],
          [{ table: '1', measure: 'parties' }, 1],
        ],
        parties: [[{ date: '2026-10-02', service: 'Dinner' }, parties]],
        tables_known: [[{ date: '2026-10-02' }, known]],
      }),
    })
    const said = (tables: readonly string[], parties = 1): string | undefined =>
      byTablePicture({ ...used(parties), tables })?.sentence
    assert.equal(said(['1']), 'Table 1 had 4 guests in 1 party.')
    assert.equal(said(['1', 'T2']), 'Table 1 had 4 guests in 1 party. Nobody sat at table T2.')
    assert.equal(
      said(['1', '2', '3', '4'], 2),
      'Table 1 had 4 guests in 1 party. Nobody sat at tables 2, 3 and 4, as far as tables are known.',
    )
    const many = byTablePicture({ ...used(1), tables: ['1', '2', '3', '4', '5'] })
    assert.match(many?.sentence ?? '', / Nobody sat at 4 of your 5 tables\.$/)
    assert.deepEqual(many?.rows, [['1', 4, 1], ...['2', '3', '4', '5'].map((table) => [table, 0, 0])])
  })

  it('say of how many parties a table is known', () => {
    const shown = shownBy({
      tables: [
        [{ measure: 'seats' }, 60, 100, 0.6],
        [{ measure: 'turns' }, 30, 20, 1.5],
        [{ measure: 'parties' }, 25],
      ],
      parties: [[{ date: '2026-09-30', service: 'Dinner' }, 80]],
    })
    const picture = tablesPicture(shown)
    assert.match(
      picture?.sentence ?? '',
      / 25 of the 80 parties served had a table on record, and only these count\. A party at joined/,
    )
    assert.equal(picture?.cases, '25 parties')
    assert.deepEqual(picture?.rows.at(-1), ['parties', 25, 80, null])
  })

  it('have the promo codes and the mail that came back as rows of their own', () => {
    const ticketMoney = (orders: number): Rows => ({
      ticket_money: [
        [{ date: '2026-10-02', measure: 'net' }, 5000],
        [{ code: 'CELLAR10', measure: 'orders' }, orders],
        [{ code: '=EARLY', measure: 'orders' }, 9],
      ],
    })
    const codes = codesPicture(shownBy(ticketMoney(4), { before: ticketMoney(2) }))
    assert.deepEqual(codes?.rows, [
      ['=EARLY', 9, 0, 9],
      ['CELLAR10', 4, 0, 2],
    ])
    assert.match(codes?.sentence ?? '', /^13 orders used a promo code, most often =EARLY\.$/)
    assert.match(codes ? csvOf(codes) : '', /\r\n'=EARLY,9,0,9\r\n/)
    assert.equal(
      codesPicture(shownBy({ ticket_money: [[{ date: '2026-10-02', measure: 'net' }, 5000]] })),
      undefined,
    )
    const bounces = bouncesPicture(
      shownBy({
        list: [
          [{ date: '2026-09-28', measure: 'bounced' }, 3],
          [{ date: '2026-09-28', measure: 'joined' }, 8],
          [{ date: '2026-10-01', measure: 'bounced' }, 5],
        ],
      }),
    )
    assert.deepEqual(bounces?.rows, [
      ['2026-09-28', 3],
      ['2026-10-01', 5],
    ])
    assert.match(bounces?.sentence ?? '', /^8 emails bounced, the most on Thu/)
  })

  it('compare with no days before most of which nobody came yet', () => {
    const covers = (date: string): Rows => ({
      covers: [[{ date, service: 'Dinner' }, 40]],
      parties: [[{ date, service: 'Dinner' }, 20]],
    })
    const rules = {
      ...defaultRules,
      periods: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, name: 'Dinner' })) as never,
    }
    const sentence = (date: string) =>
      coversPicture({ ...shownBy(covers('2026-09-27'), { before: covers(date) }), rules }).sentence
    assert.match(sentence('2026-09-20'), /as many as the week before/)
    assert.doesNotMatch(sentence('2026-09-25'), /the week before/)
  })

  it('have whole weeks in each column of a quarter and a year', () => {
    for (const [period, days] of [
      ['quarter', 91],
      ['year', 364],
    ] as const) {
      const asked = askedOf(new URLSearchParams({ period }), '2026-10-08', 7)
      assert.equal(asked.to, '2026-10-03')
      const picture = coversPicture({ ...shownBy({}, asked), firstWeekday: 7 })
      assert.deepEqual(new Set(picture.rows.map((row) => row.at(-1))), new Set([7]))
      assert.equal(picture.rows.length * 7, days)
    }
  })

  it('write no month over the next where only its last week is drawn', () => {
    const columns = Array.from({ length: 52 }, (_, at) => ({
      ...{ tick: { 0: 'Nov', 1: 'Dec', 6: 'Jan' }[at] ?? '', words: '', value: 1, coming: 0 },
      ...{ before: null, isClosed: false },
    }))
    const text = textOf(columnsDrawn(columns, 'What is drawn'))
    assert.doesNotMatch(text, />Nov</)
    assert.match(text, />Dec<[^]*>Jan</)
  })

  it('say how many days a column of part of a week has', () => {
    const picture = coversPicture(shownBy({}, { from: '2026-07-01', to: '2026-09-30' }))
    assert.deepEqual([picture.rows[0]?.at(-1), picture.rows.at(-1)?.at(-1)], [5, 3])
  })

  it('name the year of a date in another one', () => {
    const picture = ticketsPicture(
      shownBy({ ticket_money: [[{ date: '2025-10-02', measure: 'net' }, 5000]] }),
    )
    assert.match(picture?.columns[0]?.shown?.('2025-10-02', []) ?? '', /2025/)
  })

  it('write fewer than 20 cases as a number of all, in words that read', () => {
    assert.match(
      sizesPicture(shownBy({ sizes: [[{ size: '2' }, 3]] })).sentence,
      /^3 of 3 parties were two guests/,
    )
    const more: Rows = {
      sizes: [
        [{ size: '2' }, 20],
        [{ size: '5' }, 20],
      ],
    }
    assert.match(sizesPicture(shownBy(more)).sentence, /^50% of the parties were two guests/)
  })

  it('keep names as they are written, and say how far ahead', () => {
    const rows = (part: Row['key'], n = 10): Rows => ({
      no_shows: [
        [{ measure: 'parties' }, n, 100],
        [{ measure: 'parties', ...part }, n, 30],
      ],
    })
    const most = (part: Row['key']) => noShowsPicture(shownBy(rows(part))).sentence
    assert.match(most({ weekday: 5 }), /Of the weekdays, most often: Friday, /)
    assert.match(most({ days: '0' }), /By how far ahead, most often: booked on the day, /)
    assert.match(most({ days: '2-3' }), /By how far ahead, most often: booked 2–3 days ahead, /)
    assert.doesNotMatch(noShowsPicture(shownBy(rows({ size: '9-12' }, 9))).sentence, /most often/, 'of 9')
  })

  it('give no class to a spreadsheet that it would take for a date', () => {
    const sizes = sizesPicture(shownBy({ sizes: [[{ size: '7-8' }, 1]] }))
    assert.ok(sizes.rows.some(([size]) => size === '7 to 8'))
    assert.equal(sizes.columns[0]?.shown?.('7 to 8', []), '7–8 guests')
  })
})
