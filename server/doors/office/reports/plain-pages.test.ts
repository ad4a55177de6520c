import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultRules } from '../../../book/rules/booking-rules.ts'
import { html, textOf } from '../../../platform/html/html.ts'
import { glance } from './glance.ts'
import { askedOf } from './period.ts'
import { picturesOf } from './pictures.ts'
import { coversPicture } from './pictures/covers.ts'
import { sizesPicture } from './pictures/bookings.ts'
import { refusedPicture } from './pictures/demand.ts'
import { guestsPicture } from './pictures/guests.ts'
import { staysPicture, tablesPicture } from './pictures/stays.ts'
import { ticketsPicture } from './pictures/tickets.ts'
import { weekdaysPicture } from './pictures/weekdays.ts'
import { reportBody } from './shown-page.ts'
import { type Rows, shownBy } from './test/shown-by.ts'

describe('a page of the reports', () => {
  it('compares nothing, and names no cause, where many bookings were never marked', () => {
    const came = (date: string, n: number): Rows => ({
      covers: [[{ date, service: 'Dinner' }, n]],
      parties: [[{ date, service: 'Dinner' }, n]],
    })
    const before: Rows = {
      covers: ['2026-09-25', '2026-09-26'].map((date) => [{ date, service: 'Dinner' }, 150]),
    }
    const shown = (open: number, n = 40) =>
      shownBy(
        {
          ...came('2026-10-02', n),
          open_ends: open === 0 ? [] : [[{ date: '2026-10-02', status: 'Confirmed' }, open]],
        },
        { before },
      )
    const top = (open: number, n?: number) => textOf(glance(shown(open, n), []) ?? html``)
    assert.match(top(0), /40 guests came, 87% fewer than the week before<[^]*What made the difference/)
    for (const words of [top(30), top(30, 0), coversPicture(shown(30)).sentence])
      assert.doesNotMatch(words, /fewer|difference/)
    assert.match(top(30), /30 bookings were never marked[^]*<strong>40 guests came<\/strong> in 40 parties/)
  })

  it('leaves an evening out of both periods where a tenth of its bookings were never marked, and says so', () => {
    const came = (
      days: Readonly<Record<string, number>>,
      open: Readonly<Record<string, number>> = {},
    ): Rows => ({
      covers: Object.entries(days).map(([date, n]) => [{ date, service: 'Dinner' }, 2 * n]),
      parties: Object.entries(days).map(([date, n]) => [{ date, service: 'Dinner' }, n]),
      open_ends: Object.entries(open).map(([date, n]) => [{ date, status: 'Confirmed' }, n]),
    })
    const now = { '2026-09-30': 60, '2026-10-02': 18, '2026-10-03': 60 }
    const before = { '2026-09-23': 50, '2026-09-25': 80, '2026-09-26': 50 }
    const of = (
      openNow: Readonly<Record<string, number>>,
      openBefore: Readonly<Record<string, number>> = {},
    ) => {
      const shown = shownBy(came(now, openNow), { before: came(before, openBefore) })
      return [textOf(glance(shown, []) ?? html``), coversPicture(shown).sentence] as const
    }
    for (const words of of({ '2026-10-02': 1 })) assert.match(words, /276 guests came, 23% fewer/, 'a 19th')
    const others = /without it and the day beside it, 240 guests came, 20% more than the week before\./
    const [top, sentence] = of({ '2026-10-02': 2 })
    for (const words of [top, sentence]) {
      assert.match(words, /bookings of Fri 2 Oct were never marked; /)
      assert.match(words, others)
      assert.doesNotMatch(words, /fewer|Friday −/)
    }
    assert.match(top, /What made the difference: Wednesday \+20, Saturday \+20\./)
    const [topBefore] = of({}, { '2026-09-25': 9 })
    assert.match(topBefore, /bookings of Fri 25 Sep were never marked; /)
    assert.match(topBefore, others)
    const [two] = of({ '2026-10-02': 2 }, { '2026-09-26': 50 })
    assert.match(
      two,
      /of Sat 26 Sep and Fri 2 Oct were never marked; without them and the days beside them, 120 guests/,
    )
    const [none] = of({}, { '2026-09-23': 6, '2026-09-25': 9, '2026-09-26': 50 })
    assert.match(
      none,
      /<strong>276 guests came<\/strong> in [^]* were never marked, so nothing is compared\./,
    )
    assert.doesNotMatch(none, /difference/)
  })

  it('compares nothing where the day beside an evening that was never marked is in neither period', () => {
    const came = (
      days: Readonly<Record<string, number>>,
      open: Readonly<Record<string, number>> = {},
    ): Rows => ({
      covers: Object.entries(days).map(([date, n]) => [{ date, service: 'Dinner' }, n]),
      parties: Object.entries(days).map(([date, n]) => [{ date, service: 'Dinner' }, n]),
      open_ends: Object.entries(open).map(([date, n]) => [{ date, status: 'Confirmed' }, n]),
    })
    // Tuesday to Monday, against Sunday to Saturday: there is no other Monday.
    const now = { '2026-09-29': 40, '2026-10-02': 100, '2026-10-05': 10 }
    const before = { '2026-09-22': 40, '2026-09-25': 60 }
    const of = (open: Readonly<Record<string, number>>) => {
      const shown = shownBy(came(now, open), { from: '2026-09-29', to: '2026-10-05', before: came(before) })
      return coversPicture(shown).sentence
    }
    assert.match(of({ '2026-10-02': 12 }), /without it and the day beside it, 50 guests came, 25% more than/)
    assert.match(
      of({ '2026-10-05': 12 }),
      /bookings of Mon 5 Oct were never marked, so nothing is compared\./,
    )
  })

  it('makes no weekday weaker by an evening whose bookings were never marked, and says so', () => {
    const rows = (open: number): Rows => {
      const days = { '2026-09-28': 40, '2026-10-02': 20, '2026-10-03': 160 }
      const came = Object.entries(days).map(
        ([date, n]) => [{ date, service: 'Dinner' }, n] as [object, number],
      )
      return {
        covers: came as never,
        parties: came as never,
        open_ends: open === 0 ? [] : [[{ date: '2026-10-02', status: 'Confirmed' }, open]],
      }
    }
    const said = (open: number) => {
      const shown = shownBy(rows(open))
      return [weekdaysPicture(shown)?.sentence, coversPicture(shown).sentence] as const
    }
    const [usual, mean] = said(2)
    assert.equal(usual, 'Saturday brought the most, 160 guests; Friday the fewest, 20.')
    assert.match(mean, / 73\.3 guests a day over 3 open days\. 2 bookings/)
    const [without, meanWithout] = said(3)
    const leftOut = 'Fri 2 Oct is left out, as a tenth or more of its bookings were never marked.'
    assert.equal(without, `Saturday brought the most, 160 guests; Monday the fewest, 40. ${leftOut}`)
    assert.ok(meanWithout.includes(` 100 guests a day over 2 open days. ${leftOut}`), meanWithout)
  })

  it('compares returning guests of no week that is not over', () => {
    const guests = (back: number): Rows => ({
      guests: [
        [{ kind: 'new' }, 100 - back],
        [{ kind: 'returning' }, back],
      ],
    })
    const of = (to: string) => guestsPicture(shownBy(guests(40), { to, before: guests(80) }))
    assert.match(of('2026-10-03').sentence, /^40% of .* had been here before; 80% the week before\./)
    const { press, guests: away } = of('2026-10-03').first ?? {}
    assert.match(textOf(press ?? html``), /40% of .*; 80% the week before\.<[^]*Write to subscribers/, 'why')
    assert.equal(away, 40, 'as many fewer of a hundred parties, of a guest each as nothing says otherwise')
    const fewer = (back: number) =>
      guestsPicture(
        shownBy(
          {
            ...guests(back),
            covers: [[{ date: '2026-10-02' }, 250]],
            parties: [[{ date: '2026-10-02' }, 100]],
          },
          { before: guests(80) },
        ),
      ).first?.guests
    assert.deepEqual(
      [fewer(79), fewer(70), fewer(60)],
      [undefined, undefined, 50],
      'not where it may be chance',
    )
    assert.match(of('2026-10-06').sentence, /^40% of .* had been here before\./)
    assert.equal(of('2026-10-06').first, undefined)
  })

  it('says that days end yesterday where they do, and ends all periods of whole weeks with the same day', () => {
    const head = (query: Record<string, string>): string => {
      const asked = askedOf(new URLSearchParams(query), '2026-10-06', 1)
      const page = textOf(reportBody(shownBy({}, asked), asked, [], 'UTC'))
      return page.slice(0, page.indexOf('report-choices'))
    }
    assert.match(head({ from: '2026-10-01', to: '2026-10-05' }), /Thu 1 Oct – Mon 5 Oct \(yesterday\)/)
    for (const period of ['last-week', '4-weeks', 'quarter'])
      assert.match(head({ period }), / – Sun 4 Oct</, period)
  })

  it('says of one day on which nobody came that it was closed, and why', () => {
    const periods = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, startMinute: 1020, endMinute: 1320 }))
    const rules = { ...defaultRules, periods: periods as never }
    const closures = [{ from: '2026-10-01', to: '2026-10-01', name: 'Founders’ Day' }]
    const said = (from: string, to: string, more: object = {}) =>
      coversPicture({ ...shownBy({}, { from, to }), rules: { ...rules, ...more } }).sentence
    assert.match(said('2026-10-01', '2026-10-01', { closures }), /^Closed on Thursday.* \(Founders’ Day\)\.$/)
    assert.match(said('2026-10-03', '2026-10-03'), /^Closed on Saturday[^()]*\.$/)
    assert.equal(said('2026-10-03', '2026-10-04'), 'Closed on all of these 2 days.')
    const cards = (from: string, to: string, rows: Rows = {}) =>
      picturesOf({ ...shownBy(rows, { from, to }), rules }).map(({ id }) => id)
    assert.deepEqual(
      cards('2026-10-03', '2026-10-04'),
      ['covers'],
      'no empty picture of days without a guest',
    )
    const away: Rows = { refused: [[{ reason: 'closed', door: 'book' }, 2]] }
    assert.deepEqual(cards('2026-10-03', '2026-10-04', away), ['covers', 'refused'])
    assert.ok(cards('2026-10-02', '2026-10-03').length > 8, 'one of these was open')
    assert.equal(said('2026-10-01', '2026-10-01'), 'Nobody was served on this day.')
    assert.equal(said('2026-10-02', '2026-10-03', { closures }), 'Nobody was served on these days.')
  })

  it('draws each of some days beside the same weekday, and beside none where there was none', () => {
    const covers = (days: Readonly<Record<string, number>>): Rows => ({
      covers: Object.entries(days).map(([date, n]) => [{ date, service: 'Dinner' }, n]),
    })
    const shown = shownBy(covers({ '2026-09-30': 8, '2026-10-02': 9 }), {
      from: '2026-09-29',
      to: '2026-10-02',
      before: covers({ '2026-09-25': 70, '2026-09-26': 90, '2026-09-28': 30 }),
    })
    const { compared } = shown.figures
    const { columns, rows } = coversPicture({
      ...shown,
      figures: {
        ...shown.figures,
        compared: compared && { ...compared, from: '2026-09-25', to: '2026-09-28' },
      },
    })
    const at = columns.findIndex(({ key }) => key === 'guests_before')
    assert.deepEqual(
      rows.map((row) => [row[0], row[at]]),
      [
        ['2026-09-29', null],
        ['2026-09-30', null],
        ['2026-10-01', null],
        ['2026-10-02', 70],
      ],
    )
  })

  it('says of stays that cannot be counted what was not marked, whatever the times are', () => {
    assert.equal(staysPicture(shownBy({})).sentence, 'No stays to count on these days.', 'nobody came')
    assert.equal(
      staysPicture(shownBy({ parties: [[{ date: '2026-10-02' }, 3]] })).sentence,
      'No stays to count on these days: no party was marked seated when it sat down and closed when it left.',
    )
  })

  it('has the open days of a week next to its days', () => {
    const periods = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, startMinute: 1020, endMinute: 1320 }))
    const { columns, rows } = coversPicture({
      ...shownBy(
        {
          parties: [[{ date: '2026-07-04', service: 'Lunch' }, 1]],
          covers: [[{ date: '2026-07-04', service: 'Lunch' }, 9]],
        },
        { from: '2026-06-29', to: '2026-09-27' },
      ),
      rules: { ...defaultRules, periods: periods as never },
    })
    assert.deepEqual(
      columns.slice(-2).map(({ key }) => key),
      ['open_days', 'days'],
    )
    assert.deepEqual(
      rows.slice(0, 2).map((row) => row.slice(-2)),
      [
        [6, 7],
        [5, 7],
      ],
    )
  })

  it('says of each day in its table and its file whether it was open', () => {
    const { columns, rows } = coversPicture({
      ...shownBy(
        { covers: [[{ date: '2026-10-02', service: 'Dinner' }, 9]] },
        { from: '2026-10-01', to: '2026-10-03' },
      ),
      rules: { ...defaultRules, periods: [{ weekday: 6 }] as never },
    })
    const open = columns.findIndex(({ key }) => key === 'open_days')
    assert.deepEqual(
      rows.map((row) => [row[open], columns[open]?.shown?.(row[open] ?? null, row)]),
      [
        [0, 'Closed'],
        [1, 'Open'],
        [1, 'Open'],
      ],
      'closed; closed, but somebody came; open, and nobody did',
    )
  })

  it('writes seats taken as a share, and parties per table as a number', () => {
    const picture = tablesPicture(
      shownBy({
        tables: [
          [{ measure: 'seats' }, 92, 100, 0.92],
          [{ measure: 'turns' }, 61, 30, 61 / 30],
          [{ measure: 'parties' }, 60],
        ],
      }),
    )
    const at = picture?.columns.findIndex(({ key }) => key === 'value') ?? 0
    const written = picture?.rows.map((row) => picture.columns[at]?.shown?.(row[at] ?? null, row))
    assert.deepEqual(written, ['92%', '2', '–'])
    assert.equal(picture?.rows[0]?.[at], 0.92, 'raw in the file')
  })

  it('says of the first parties of a venue which sizes had none', () => {
    const said = (sizes: NonNullable<Rows['sizes']>) => sizesPicture(shownBy({ sizes })).sentence
    assert.equal(
      said([
        [{ size: '2' }, 1],
        [{ size: '3' }, 1],
      ]),
      '1 of 2 parties were two guests, none five or six, none more than six.',
    )
    assert.equal(
      said([[{ size: '6' }, 1]]),
      '0 of 1 party was two guests, 1 five or six, none more than six.',
    )
  })

  it('names the events of each date of ticket money', () => {
    const date = '2026-10-02'
    const eventsOn = new Map([[date, ['Truffle dinner', 'Wine tasting']]])
    const picture = ticketsPicture({
      ...shownBy({ ticket_money: [[{ date, measure: 'net' }, 500]] }),
      eventsOn,
    })
    assert.deepEqual(
      picture?.columns.slice(0, 2).map(({ key }) => key),
      ['event_date', 'events'],
    )
    assert.deepEqual(picture?.rows[0]?.slice(0, 2), [date, 'Truffle dinner, Wine tasting'])
    assert.match(textOf(picture?.drawn ?? html``), /<title>Fri.* · Truffle dinner · Wine tasting: /)
  })

  const refused: Rows = {
    refused: [
      [{ reason: 'pacing-covers-full', door: 'book' }, 5],
      [{ reason: 'closed', door: 'book' }, 2],
      [{ reason: 'nothing-open', door: 'book' }, 7],
    ],
    refused_by_weekday: [
      [{ weekday: 5, reason: 'pacing-covers-full' }, 5],
      [{ weekday: 5, reason: 'nothing-open' }, 7],
      [{ weekday: 1, reason: 'closed' }, 2],
    ],
  }

  it('counts looks at days without an open time apart from the requests that were refused', () => {
    const { cases, drawn, rows } = refusedPicture(shownBy(refused))
    assert.equal(cases, '7 requests')
    const text = textOf(drawn ?? html``)
    const others = text.split('<div>').find((group) => group.includes('>For another reason<')) ?? ''
    assert.match(others, /Closed: 2</)
    assert.doesNotMatch(others, /: 7</)
    assert.match(text, /No request: no time was open[^]*Chose such a day: 7/)
    const byReason = rows.filter(([by]) => by === 'reason').map(([, , n]) => Number(n))
    assert.equal(
      byReason.reduce((sum, n) => sum + n, 0),
      7,
    )
    assert.deepEqual(
      rows.filter(([by]) => String(by).endsWith('no_request')).map(([by, , n]) => [by, n]),
      [
        ['no_request', 7],
        ['weekday_and_no_request', 7],
      ],
    )
  })

  it('has on paper who was turned away on each weekday and why, also where the table is too long for it', () => {
    const shown = shownBy(refused)
    const asked = askedOf(new URLSearchParams(), '2026-10-06', 1)
    const page = textOf(reportBody(shown, asked, [refusedPicture(shown)], 'UTC'))
    const [, paper = ''] = page.split('<div class="paper-only')
    const words = paper
      .slice(0, paper.indexOf('</div>'))
      .replaceAll(/<[^>]*>|\s+/g, ' ')
      .replaceAll(/ +/g, ' ')
    assert.match(
      words,
      /Monday: 2 requests\. Closed 2\. Friday: 5 requests\. Your pacing limit \(guests\) 5\. 7 times a guest chose such a day and no time was open\./,
    )
  })
})
