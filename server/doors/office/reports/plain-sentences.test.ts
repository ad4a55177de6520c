import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { html, textOf } from '../../../platform/html/html.ts'
import type { Row } from '../../../data/reports/in-words.ts'
import { defaultRules } from '../../../book/rules/booking-rules.ts'
import { askedOf } from './period.ts'
import { refusedPicture } from './pictures/demand.ts'
import { reportBody } from './shown-page.ts'
import { picturesOf } from './pictures.ts'
import { coversPicture } from './pictures/covers.ts'
import { sourcesPicture } from './pictures/bookings.ts'
import { campaignsPicture, listPicture } from './pictures/business.ts'
import { funnelPicture } from './pictures/funnel.ts'
import { ticketsPicture } from './pictures/tickets.ts'
import { firstSourcesPicture } from './pictures/first-sources.ts'
import { cancelledPicture } from './pictures/cancelled.ts'
import { noShowsPicture } from './pictures/no-shows.ts'
import { tablesPicture, waitsPicture } from './pictures/stays.ts'
import { type Rows, shownBy } from './test/shown-by.ts'

describe('a sentence of the reports', () => {
  it('says of how many bookings guests cancelled some, and how many of these late', () => {
    const said = (guest: number, late: number, all: number): string =>
      cancelledPicture(
        shownBy({
          cancelled: [
            [{ measure: 'guest' }, guest, all],
            [{ measure: 'late' }, late, all],
          ],
        }),
      ).sentence
    assert.equal(
      said(18, 9, 188),
      'Guests cancelled 18 of 188 confirmed bookings (10%), 9 of them less than 24 hours ahead.',
    )
    assert.equal(
      said(3, 0, 11),
      'Guests cancelled 3 of 11 confirmed bookings, none of them less than 24 hours ahead.',
    )
    assert.equal(said(0, 0, 40), 'Guests cancelled none of 40 confirmed bookings.')
  })

  it('says how many guests the no-shows were, and no-shows and late cancellations out of the same bookings', () => {
    const rows: Rows = {
      no_shows: [
        [{ measure: 'parties' }, 7, 160],
        [{ measure: 'covers' }, 25, 500],
        [{ measure: 'parties', source: 'public' }, 7, 120],
        [{ measure: 'covers', source: 'public' }, 25, 400],
      ],
      cancelled: [
        [{ measure: 'guest' }, 18, 188],
        [{ measure: 'late' }, 9, 188],
        [{ measure: 'late_covers' }, 31, 640],
      ],
    }
    const { sentence, columns, rows: table } = noShowsPicture(shownBy(rows))
    assert.equal(
      sentence,
      '7 of 160 parties that booked did not come: 4%. These were 25 of the 500 guests booked (5%).',
    )
    const at = (key: string) => columns.findIndex((column) => column.key === key)
    assert.deepEqual(
      table.map((row) => [row[at('of')], row[at('guests_missed')], row[at('guests')]]),
      [
        ['', 25, 500],
        ['Booking page', 25, 400],
      ],
    )
    const cancelled = cancelledPicture(shownBy(rows))
    assert.deepEqual(
      cancelled.rows.find(([by]) => by === 'late'),
      ['late', 9, 188, 9 / 188, 31, 640],
    )
    assert.match(
      cancelled.sentence,
      / 9 of them less than 24 hours ahead\. The late ones were for 31 guests\. Out of these 188, 5% were cancelled that late and 4% were no-shows\.$/,
    )
    const kept = (n: number) =>
      textOf(
        noShowsPicture(shownBy({ ...rows, guarantee_money: [[{ date: '2026-10-02', measure: 'kept' }, n]] }))
          .action ?? html``,
      )
    assert.match(kept(3000), /href="#guarantees">\$30\.00 was kept for no-shows and cancelled bookings</)
    assert.equal(kept(0), '')
  })

  it('says through what parties came by their shares, and of few by their numbers', () => {
    const said = (page: number, staff: number): string =>
      sourcesPicture(
        shownBy({
          sources: [
            [{ source: 'public', measure: 'promised' }, page],
            [{ source: 'staff', measure: 'promised' }, staff],
          ],
        }),
      ).sentence
    assert.match(said(80, 40), /, 67% came through “Booking page” and 33% through “By staff”\.$/)
    assert.match(said(8, 4), /, 8 came through “Booking page” and 4 through “By staff”\.$/)
  })

  it('says all and none of few as people say it, and of several that are alike that it is one of them', () => {
    const of = (rows: Rows) => new Map(picturesOf(shownBy(rows)).map(({ id, sentence }) => [id, sentence]))
    const came = (date: string, n: number): [Row['key'], number] => [{ date, service: 'Dinner' }, n]
    const days = [came('2026-10-01', 6), came('2026-10-02', 6), came('2026-10-03', 2)]
    const seated = (weekday: number, n: number): [Row['key'], number, number, number] => [
      ...([{ weekday, quarter: 76, measure: 'seated' }, n, 1, n] as const),
    ]
    const said = of({
      ...{ covers: days, parties: days },
      arrivals: [seated(4, 6), seated(5, 6), seated(6, 2)],
      sources: [
        [{ source: 'automation', measure: 'promised' }, 4],
        [{ source: 'automation', measure: 'served' }, 4],
      ],
      sizes: [[{ size: '3' }, 4]],
      guests_by_first_source: [
        [{ source: 'public', kind: 'returning' }, 3],
        [{ source: 'walkin', kind: 'new' }, 2],
      ],
    })
    assert.match(said.get('covers') ?? '', / One of the 2 busiest days was Thursday \d* ?October/)
    assert.match(said.get('arrivals') ?? '', /^One of the 2 busiest quarters of an hour: Thursday at 19:00/)
    assert.match(said.get('sources') ?? '', /, all came through “Integration”\.$/)
    assert.match(said.get('sizes') ?? '', /^None of 4 parties were two guests, none five or six/)
    assert.match(
      said.get('first-sources') ?? '',
      /3 were return visits, all of them by guests who first came/,
    )
  })

  it('says of one day beside a closed one that it was closed, and why', () => {
    const day = '2026-10-02'
    const came: Rows = { covers: [[{ date: day, service: 'Dinner' }, 30]], parties: [[{ date: day }, 9]] }
    const shown = shownBy(came, { from: day, to: day, before: {} })
    const beside = {
      ...shown,
      figures: {
        ...shown.figures,
        compared: { ...shown.figures, from: '2026-09-25', to: '2026-09-25', figures: [] },
      },
    }
    const said = (closures: readonly object[]) =>
      coversPicture({
        ...{ ...beside, beforeWords: 'the Friday before' },
        rules: { ...defaultRules, periods: [{ weekday: 5 }] as never, closures: closures as never },
      }).sentence
    assert.match(
      said([{ from: '2026-09-25', to: '2026-09-25', name: 'Rain' }]),
      /in 9 parties\. The Friday before was closed \(Rain\), so nothing is compared\.$/,
    )
    assert.doesNotMatch(said([]), /was closed/)
  })

  it('says how full tables were, and of which parties that is only where it is not of all', () => {
    const said = (known: number, seats = 80): string | undefined =>
      tablesPicture(
        shownBy({
          tables: [
            [{ measure: 'seats' }, seats / 2, seats],
            [{ measure: 'turns' }, 60, 30, 2],
            [{ measure: 'parties' }, known],
          ],
          parties: [[{ date: '2026-10-02', service: 'Dinner' }, 60]],
          tables_known: [[{ date: '2026-10-02' }, known]],
        }),
      )?.sentence
    assert.equal(
      said(60),
      'Parties filled 50% of the seats at their tables; a table that was used had 2 parties a day on average. A party at joined tables counts at each.',
    )
    assert.match(
      said(40) ?? '',
      / 40 of the 60 parties served had a table on record, and only these count\. /,
    )
    assert.match(said(60, 12) ?? '', /^Parties filled 6 of 12 seats at their tables;/)
  })

  it('says what half of those in line were quoted and waited, and of whom some left', () => {
    const rows: Rows = {
      waits: [
        [{ measure: 'quoted' }, 0, 30, 40],
        [{ measure: 'waited' }, 0, 30, 1],
        [{ measure: 'within_5' }, 12, 30],
        [{ measure: 'left' }, 20, 50],
      ],
    }
    assert.equal(
      waitsPicture(shownBy(rows))?.sentence,
      'Half of those seated were quoted 40 minutes or less, and half waited 1 minute or less; 40% sat down within 5 minutes of their quote. Of all in line, 40% left or could not be reached.',
    )
  })

  it('says what tickets brought in, and of refunds only where there were some', () => {
    const said = (refunded: number): string | undefined =>
      ticketsPicture(
        shownBy({
          ticket_money: (
            [
              ['net', 9000 - refunded],
              ['refunded', refunded],
              ['seats', 3],
            ] as const
          ).map(([measure, n]) => [{ date: '2026-10-02', measure }, n] as [Row['key'], number]),
        }),
      )?.sentence
    assert.equal(said(0), 'Tickets for events on 1 date brought in $90.00 for 3 seats.')
    assert.equal(
      said(3000),
      'Tickets for events on 1 date brought in $60.00 for 3 seats, after $30.00 was refunded or lost to disputes.',
    )
  })

  it('has views of guest pages by each kind that add up to all of them', () => {
    const view = (step: string, n: number, by: Row['key'] = {}): [Row['key'], number] => [
      { door: 'book', step, ...by },
      n,
    ]
    const picture = funnelPicture(
      shownBy({
        funnel: [
          ...[view('opened', 40), view('booked', 10)],
          ...[view('opened', 40, { from: 'direct' }), view('booked', 7, { from: 'direct' })],
          ...[view('opened', 12, { campaign: 'c1' }), view('booked', 4, { campaign: 'c1' })],
          ...[view('opened', 40, { language: 'en' }), view('booked', 10, { language: 'en' })],
        ],
      }),
    )
    assert.deepEqual(
      picture?.rows.filter(([, , by]) => by !== '').map(([, step, by, of, n]) => `${by} ${step} ${of} ${n}`),
      [
        'from opened Direct or unknown 40',
        'from booked Direct or unknown 7',
        'from opened Not known 0',
        'from booked Not known 3',
        'campaign opened Number 1 12',
        'campaign booked Number 1 4',
        'campaign opened No campaign, or not known 28',
        'campaign booked No campaign, or not known 6',
        'language opened en 40',
        'language booked en 10',
      ],
    )
  })

  it('says of a time that was full each week that it was on all evenings', () => {
    const said = (dates: number) =>
      refusedPicture({
        ...shownBy(
          {
            refused: [
              [{ reason: 'pacing-covers-full', door: 'book' }, 33],
              [{ weekday: 6, minute: 1140, measure: 'full' }, 33],
              [{ weekday: 6, minute: 1140, measure: 'dates' }, dates, 26],
            ],
          },
          { from: '2026-04-05', to: '2026-10-03' },
        ),
        rules: {
          ...defaultRules,
          periods: [{ weekday: 6, startMinute: 1020, endMinute: 1500, pacing: {} }] as never,
        },
      })
    assert.match(
      said(26).sentence,
      /^On Saturdays at 19:00, 33 parties were turned away, on all 26 Saturday evenings\./,
    )
    assert.match(textOf(said(26).drawn ?? html``), />33 · all 26 days</)
    assert.match(said(13).sentence, /, on 50% of the Saturday evenings\./)
  })

  it('says what is counted of campaigns in plain words, and exactly below them', () => {
    const shown = shownBy({ campaigns: [[{ campaign: 1, measure: 'sent' }, 50]] })
    const page = textOf(
      reportBody(
        shown,
        askedOf(new URLSearchParams(), '2026-10-06', 1),
        [campaignsPicture(shown)].flatMap((one) => one ?? []),
        'UTC',
      ),
    )
    assert.match(
      page,
      /made a booking with the same email address[^]*<summary>Exactly<\/summary><p>[^<]*an equal address/,
    )
  })

  it('says “most” of those who joined the list only of more than half of them', () => {
    const said = (booking: number, form: number): string | undefined =>
      listPicture(
        shownBy({
          list: [
            [{ source: 'booking', measure: 'joined' }, booking],
            [{ source: 'form', measure: 'joined' }, form],
            [{ source: 'order', measure: 'joined' }, 5],
            [{ date: '2026-10-02', measure: 'joined' }, booking + form + 5],
          ],
        }),
      )?.sentence
    assert.match(said(10, 4) ?? '', /Most of them joined through a booking\.$/)
    assert.match(said(6, 4) ?? '', /More joined through a booking than in any other way\.$/)
  })

  it('names the campaign it is about out of several', () => {
    const sent = (campaign: number): [Row['key'], number] => [{ campaign, measure: 'sent' }, 50]
    const held: [Row['key'], number, number, number] = [{ campaign: 1, measure: 'difference' }, 0, 50, 0]
    const said = (...rows: NonNullable<Rows['campaigns']>): string | undefined =>
      campaignsPicture(shownBy({ campaigns: rows }))?.sentence
    assert.match(said(sent(1)) ?? '', /^“Number 1” went to 50 people;/)
    assert.match(said(sent(1), sent(2)) ?? '', /^“Number 2”, the last of 2 in the table, went to /)
    assert.match(
      said(sent(1), held, sent(2)) ?? '',
      /^“Number 1”, the last of 2 in the table that held guests back, went to /,
    )
  })

  it('leads from who visits to the picture of who comes back only where that is shown', () => {
    const said = (rows: Rows): string | undefined =>
      firstSourcesPicture(
        shownBy({ guests_by_first_source: [[{ source: 'public', kind: 'returning' }, 6]], ...rows }),
      )?.sentence
    assert.match(said({}) ?? '', /all of them by guests .*, not which source’s guests come back most\.$/)
    assert.match(
      said({ came_back: [[{ source: 'public', measure: 'back' }, 1, 4]] }) ?? '',
      /come back most: the next picture shows that\.$/,
    )
  })
})
