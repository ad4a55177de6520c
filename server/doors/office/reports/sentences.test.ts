import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { html, textOf } from '../../../platform/html/html.ts'
import { type Row, compared, perOpenDay } from '../../../data/reports/in-words.ts'
import type { Picture } from './picture.ts'
import { definitions } from '../../../data/reports/definitions.ts'
import { askedOf } from './period.ts'
import { plainWords } from './plain-words.ts'
import { reportBody } from './shown-page.ts'
import { defaultRules } from '../../../book/rules/booking-rules.ts'
import { glance } from './glance.ts'
import { whyOf } from './how-many-came.ts'
import { arrivalsPicture } from './pictures/arrivals.ts'
import { sourcesPicture } from './pictures/bookings.ts'
import { listPicture } from './pictures/business.ts'
import { ticketsPicture } from './pictures/tickets.ts'
import { cameBackPicture } from './pictures/came-back.ts'
import { coversPicture } from './pictures/covers.ts'
import { refusedPicture } from './pictures/demand.ts'
import { funnelPicture } from './pictures/funnel.ts'
import { guaranteesPicture } from './pictures/guarantees.ts'
import { guestsPicture } from './pictures/guests.ts'
import { noShowsPicture } from './pictures/no-shows.ts'
import { weekdaysPicture } from './pictures/weekdays.ts'
import { type Rows, shownBy } from './test/shown-by.ts'

describe('what reports say, and when they say nothing', () => {
  it('draw no bar of fewer than 20 cases', () => {
    const drawn = (d: number): string =>
      textOf(noShowsPicture(shownBy({ no_shows: [[{ measure: 'parties' }, 5, d]] })).drawn ?? html``)
    assert.match(drawn(19), /class="too-few".*5 of 19</s)
    assert.doesNotMatch(drawn(20), /class="too-few"/)
    assert.match(drawn(20), /25% · 5 of 20</)
  })

  it('draw no group of no-shows in which all are too few for a bar, as the table has them', () => {
    const shown = (d: number) =>
      noShowsPicture(
        shownBy({
          no_shows: [
            [{ measure: 'parties' }, 1, 40],
            [{ measure: 'parties', size: '2' }, 1, d],
            [{ measure: 'parties', size: '4' }, 0, 12],
          ],
        }),
      )
    assert.match(textOf(shown(20).drawn ?? html``), />Size<.*>4 guests</s)
    assert.doesNotMatch(textOf(shown(19).drawn ?? html``), />Size</)
    assert.equal(shown(19).rows.filter(([by]) => by === 'size').length, 2)
  })

  it('compare no day of a week that is not over', () => {
    const covers = (date: string, n = 40): Rows => ({
      covers: [[{ date, service: 'Dinner' }, n]],
      parties: [[{ date, service: 'Dinner' }, n / 2]],
    })
    const now: Rows = {
      covers: [...(covers('2026-09-29', 60).covers ?? []), ...(covers('2026-10-02', 90).covers ?? [])],
      parties: [...(covers('2026-09-29', 60).parties ?? []), ...(covers('2026-10-02', 90).parties ?? [])],
    }
    const shown = (to: string) => shownBy(now, { to, before: covers('2026-09-22', 50) })
    const before = (to: string) =>
      weekdaysPicture(shown(to))?.columns.some(({ key }) => key.endsWith('_before'))
    assert.deepEqual([before('2026-10-03'), before('2026-10-06')], [true, false])
    const marks = (to: string) => weekdaysPicture(shown(to))?.key?.length
    assert.deepEqual([marks('2026-10-03'), marks('2026-10-06')], [1, 0])
    assert.match(
      coversPicture(shown('2026-10-03')).sentence,
      /^150 guests came, 200% more than the week before,/,
    )
    assert.match(coversPicture(shown('2026-10-06')).sentence, /^150 guests came in 75 parties\./)
  })

  it('say that test payments are left out, also where nothing else was paid', () => {
    const money: Rows = {
      ticket_money: [[{ date: '2026-10-02', measure: 'net' }, 9_000]],
      guarantee_money: [[{ date: '2026-10-02', measure: 'taken' }, 4_000]],
    }
    const left = /Test payments move no money and are left out\.$/
    for (const [picture, none] of [
      [ticketsPicture, /^No tickets were paid for\. Test/],
      [guaranteesPicture, /^No rule asks for deposits or cards, and none were paid\. Test/],
    ] as const) {
      const said = (rows: Rows, hasTestPayments: boolean) =>
        picture({ ...shownBy(rows), hasTestPayments })?.sentence
      assert.match(said(money, true) ?? '', left)
      assert.doesNotMatch(said(money, false) ?? 'nothing', left)
      assert.match(said({}, true) ?? '', none)
      assert.equal(said({}, false), undefined)
    }
  })

  it('write to guests who stayed away only from a period of the last 8 weeks', () => {
    const guests: Rows = { guests: [[{ kind: 'returning' }, 20]] }
    const action = (to: string) => textOf(guestsPicture(shownBy(guests, { to })).action ?? html``)
    assert.match(action('2026-08-11'), /Write to subscribers/)
    assert.equal(action('2026-08-10'), '')
  })

  it('name no step at which guests leave, where fewer than 20 came to it', () => {
    const sentence = (opened: number): string =>
      funnelPicture(
        shownBy({
          funnel: [
            [{ door: 'book', step: 'opened' }, opened],
            [{ door: 'book', step: 'chosen' }, 8],
            [{ door: 'book', step: 'details' }, 8],
            [{ door: 'book', step: 'booked' }, 2],
          ],
        }),
      )?.sentence ?? ''
    assert.doesNotMatch(sentence(19), /largest share leaves/)
    assert.match(sentence(20), /The largest share leaves after “Opened”: 40% went on to “Time chosen”\./)
  })

  it('say how many guests the largest dot of a week is', () => {
    const seated = (quarter: number, n: number): NonNullable<Rows['arrivals']>[number] => [
      { weekday: 5, quarter, measure: 'seated' },
      ...([n, 2, n / 2] as const),
    ]
    const { key } = arrivalsPicture(shownBy({ arrivals: [seated(76, 25), seated(77, 4)] }))
    assert.deepEqual(key, [['dot', 'The largest: 12.5 guests in a quarter of an hour']])
    assert.match(
      arrivalsPicture(shownBy({ arrivals: [seated(76, 25), seated(77, 24.96)] })).sentence,
      /^One of the 2 busiest quarters of an hour: /,
      'the table has 12.5 of both',
    )
  })

  it('compare nothing with next to nothing, and no single day per open day', () => {
    assert.equal(compared(80, 20, 'the week before'), ', 300% more than the week before')
    assert.equal(compared(81, 20, 'the week before'), '')
    assert.equal(compared(80, 19, 'the week before'), '')
    assert.equal(perOpenDay(openOn({ '2026-09-28': 40 }), undefined), '')
    assert.equal(
      perOpenDay(openOn({ '2026-09-28': 20, '2026-09-29': 21 }), undefined),
      ' 20.5 guests a day over 2 open days.',
    )
  })

  it('say no gain of a week in which only a weak weekday was closed', () => {
    const before = { '2026-09-21': 140, '2026-09-22': 62, '2026-09-23': 160 }
    assert.equal(
      perOpenDay(openOn({ '2026-09-28': 136, '2026-09-30': 152 }), openOn(before)),
      ' 144 guests a day over 2 open days, against 3 before; counting each weekday only as often as it was open both times, 144 a day against 150: 4% fewer.',
    )
    assert.equal(
      perOpenDay(openOn({ '2026-09-24': 136, '2026-09-25': 152 }), openOn(before)),
      ' 144 guests a day over 2 open days.',
      'no weekday was open both times',
    )
    assert.equal(
      perOpenDay(openOn({ '2026-09-28': 136, '2026-09-29': 60, '2026-09-30': 152 }), openOn(before)),
      ' 116 guests a day over 3 open days.',
      'the weekdays are the same, and so is what the totals say',
    )
  })

  it('begin with how it was, which weekdays made the difference, and the press that is about most guests', () => {
    const rows = (days: Parameters<typeof coversOn>[0]): Rows => {
      const covers = coversOn(days).map(({ key, n }) => [key, n] as [Row['key'], number])
      return { covers, parties: covers }
    }
    const before = { '2026-09-21': 20, '2026-09-24': 85, '2026-09-25': 200, '2026-09-26': 150 }
    const now = { '2026-09-28': 26, '2026-10-02': 159, '2026-10-03': 121 }
    const days = { from: '2026-09-28', to: '2026-10-04' }
    const closures = [{ from: '2026-10-01', to: '2026-10-01' }]
    const rules = { ...defaultRules, periods: [{ weekday: 4 }] as never, closures: closures as never }
    const shown = { ...shownBy(rows(now), { ...days, before: rows(before) }), rules }
    const why =
      'What made the difference: closed on Thursday: 85 fewer; Friday −41, Saturday −29; the other days together +6.'
    assert.equal(whyOf(shown), why)
    const opened = shownBy(rows({ ...now, '2026-09-30': 500 }), { ...days, before: rows(before) })
    assert.match(
      whyOf(opened),
      /: closed on Thursday: 85 fewer; Wednesday \+500 \(closed in the earlier period\), Friday −41; the other days/,
    )
    const offer = (words: string, guests: number) =>
      ({ first: { press: html`<button>${words}</button>`, guests } }) as Partial<Picture> as Picture
    const presses = [offer('Write', 9.5), offer('Open 7 PM', 12), offer('Hold tables', 11)]
    const top = textOf(glance(shown, [{} as Picture, ...presses]) ?? html``)
    assert.match(top, /<strong>306 guests came, 33% fewer than the week before<\/strong>, in 306 parties\./)
    assert.ok(top.includes(why) && top.includes('<button>Open 7 PM</button>'), top)
    assert.equal(top.match(/<button>/g)?.length, 1, 'the one that is about most guests')
    const alone = textOf(glance(shownBy(rows(now), days), []) ?? html``)
    assert.doesNotMatch(alone, /difference|button/, 'compared with nothing')
    const limit = { first: { press: html`Raise the limit`, guests: 1, isFirst: true } } as Partial<Picture>
    assert.match(
      textOf(glance(shown, [...presses, limit as Picture]) ?? html``),
      /Raise the limit/,
      'before more guests',
    )
    assert.equal(glance(shownBy({}), []), undefined)
  })

  it('name the largest changes whichever way they went, and weekdays that were open more or less often', () => {
    const rows = (days: Parameters<typeof coversOn>[0]): Rows => {
      const covers = coversOn(days).map(({ key, n }) => [key, n] as [Row['key'], number])
      return { covers, parties: covers }
    }
    const before = { '2026-09-21': 90, '2026-09-22': 60, '2026-09-23': 100, '2026-09-26': 200 }
    const now = { '2026-09-28': 91, '2026-09-29': 58, '2026-09-30': 147, '2026-10-03': 171 }
    const week = { from: '2026-09-28', to: '2026-10-04' }
    assert.equal(
      whyOf(shownBy(rows(now), { ...week, before: rows(before) })),
      'What made the difference: Wednesday +47, Saturday −29, Tuesday −2; the other days together +1.',
    )
    const twice = rows({ '2026-09-24': 80, '2026-09-28': 90, '2026-10-01': 85, '2026-10-03': 171 })
    const days = { from: '2026-09-24', to: '2026-10-04' }
    assert.match(
      whyOf(shownBy(twice, { ...days, before: rows({ '2026-09-24': 60, '2026-09-26': 200 }) })),
      /Thursdays \+105 \(2 open days against 1\)/,
    )
  })

  it('count an open evening without guests as an open day, and a closed one as none', () => {
    const covers = coversOn({ '2026-09-28': 40, '2026-09-29': 20 }).map(
      ({ key, n }) => [key, n] as [Row['key'], number],
    )
    const periods = [1, 2, 3, 4].map((weekday) => ({ weekday })) as never
    const closures = [{ from: '2026-10-01', to: '2026-10-01' }] as never
    const shown = { ...shownBy({ covers }), rules: { ...defaultRules, periods, closures } }
    assert.deepEqual(
      weekdaysPicture(shown)?.rows.map(([weekday, mean, open]) => [weekday, mean, open]),
      [
        [1, 40, 1],
        [2, 20, 1],
        [3, 0, 1],
      ],
    )
    assert.match(coversPicture(shown).sentence, /20 guests a day over 3 open days\./)
    const asked = askedOf(new URLSearchParams(), '2026-10-06', 1)
    const page = textOf(
      reportBody(
        shown,
        asked,
        [weekdaysPicture(shown)].flatMap((one) => one ?? []),
        'UTC',
      ),
    )
    assert.equal(
      page.split('An average is of the open days that are over. A day is open if').length,
      3,
      'and on paper',
    )
    assert.match(
      coversPicture({ ...shown, since: '2026-10-01' }).sentence,
      /30 guests a day over 2 open days\./,
    )
  })

  it('count an evening that was blocked for all bookings as closed, and say why', () => {
    const rows = (days: Parameters<typeof coversOn>[0]): Rows => ({
      covers: coversOn(days).map(({ key, n }) => [key, n] as [Row['key'], number]),
    })
    const before = rows({ '2026-09-21': 40, '2026-09-24': 85, '2026-09-25': 60 })
    const service = { startMinute: 1020, endMinute: 1320, lastArrivalMinute: 1290 }
    const periods = [1, 4, 5].map((weekday) => ({ weekday, ...service })) as never
    const said = (block: object, days: Parameters<typeof coversOn>[0] = {}) => {
      const blocks = [
        { serviceDate: '2026-10-01', scope: 'all', publicNote: 'Private party.', ...block },
      ] as never
      const now = rows({ '2026-09-28': 40, '2026-10-02': 70, ...days })
      const shown = {
        ...shownBy(now, { from: '2026-09-28', to: '2026-10-04', before }),
        rules: { ...defaultRules, periods, blocks },
      }
      return [whyOf(shown), /over (\d) open days/.exec(coversPicture(shown).sentence)?.[1]]
    }
    const evening = { fromMinute: 1020, toMinute: 1320 }
    const why = 'What made the difference: closed on Thursday'
    assert.deepEqual(said(evening), [`${why} (private party): 85 fewer; Friday +10.`, '2'])
    assert.deepEqual(said({ ...evening, publicNote: null }), [`${why}: 85 fewer; Friday +10.`, '2'])
    const open = 'What made the difference: Thursday −85, Friday +10.'
    assert.deepEqual(said({ ...evening, scope: 'online' }), [open, '3'], 'staff still book')
    assert.deepEqual(said({ ...evening, toMinute: 1200 }), [open, '3'], 'a part of it')
    assert.deepEqual(said(evening, { '2026-10-01': 12 }), [
      `${why} (private party): 73 fewer; Friday +10.`,
      '2',
    ])
  })

  it('count a blocked evening to which somebody came as closed at the top and in averages alike', () => {
    const rows = (days: Parameters<typeof coversOn>[0]): Rows => ({
      covers: coversOn(days).map(({ key, n }) => [key, n] as [Row['key'], number]),
    })
    const service = { startMinute: 1020, endMinute: 1320, lastArrivalMinute: 1290 }
    const periods = [1, 3].map((weekday) => ({ weekday, ...service })) as never
    const block = { scope: 'all', publicNote: 'Private party.', fromMinute: 1020, toMinute: 1320 }
    const blocks = ['2026-09-16', '2026-09-30'].map((serviceDate) => ({ serviceDate, ...block })) as never
    // Of two Wednesdays one was blocked both times; to the earlier one, four guests came.
    const before = rows({ '2026-09-07': 20, '2026-09-09': 40, '2026-09-14': 20, '2026-09-16': 4 })
    const now = rows({ '2026-09-21': 20, '2026-09-23': 90, '2026-09-28': 25 })
    const { figures, ...facts } = shownBy(now, { from: '2026-09-21', to: '2026-10-04', before })
    const compared = figures.compared && { ...figures.compared, from: '2026-09-07', to: '2026-09-20' }
    const rules = { ...defaultRules, periods, blocks }
    const shown = { ...facts, rules, figures: { ...figures, compared } }
    assert.equal(whyOf(shown), 'What made the difference: Wednesdays +46, Mondays +5.')
    const picture = weekdaysPicture(shown)
    const at = (key: string): number => picture?.columns.findIndex((column) => column.key === key) ?? -1
    const wednesday = picture?.rows.find(([weekday]) => weekday === 3)
    assert.deepEqual([wednesday?.[at('open_days')], wednesday?.[at('open_days_before')]], [1, 1])
  })

  it('make no mean smaller by guests of a day that the venue had closed, name the day, and count its guests in the total', () => {
    const covers = coversOn({ '2026-09-28': 40, '2026-09-30': 3, '2026-10-02': 70 }).map(
      ({ key, n }) => [key, n] as [Row['key'], number],
    )
    const service = { startMinute: 1020, endMinute: 1320, lastArrivalMinute: 1290 }
    const periods = [1, 3, 5].map((weekday) => ({ weekday, ...service })) as never
    const blocks = [
      {
        serviceDate: '2026-09-30',
        scope: 'all',
        publicNote: 'Private party',
        fromMinute: 1020,
        toMinute: 1320,
      },
    ] as never
    const closures = [{ from: '2026-09-30', to: '2026-09-30', name: 'Fair' }] as never
    const shownWith = (more: object, days = { from: '2026-09-28', to: '2026-10-04' }) => ({
      ...shownBy({ covers, parties: covers }, days),
      rules: { ...defaultRules, periods, ...more },
    })
    const leftOut = 'Wed 30 Sep is left out, as you had closed it for bookings; 3 guests came.'
    for (const shut of [{ blocks }, { closures }]) {
      const shown = shownWith(shut)
      assert.ok(
        coversPicture(shown).sentence.startsWith('113 guests came') &&
          coversPicture(shown).sentence.includes(` 55 guests a day over 2 open days. ${leftOut}`),
        coversPicture(shown).sentence,
      )
      assert.equal(
        weekdaysPicture(shown)?.sentence,
        `Friday brought the most, 70 guests; Monday the fewest, 40. ${leftOut}`,
      )
      const { columns, rows } = coversPicture(shown)
      const open = columns.findIndex(({ key }) => key === 'open_days')
      assert.equal(rows.find(([date]) => date === '2026-09-30')?.[open], 0)
    }
    assert.match(
      coversPicture(shownWith({}, undefined)).sentence,
      / 37\.7 guests a day over 3 open days\.$/,
      'as it is where it was open',
    )
    const day = { from: '2026-09-30', to: '2026-09-30' }
    const ofDay = [[{ date: '2026-09-30', service: 'Dinner' }, 3]] as never
    const said = (more: object) =>
      coversPicture({
        ...shownBy({ covers: ofDay, parties: ofDay }, day),
        rules: { ...defaultRules, periods, ...more },
      }).sentence
    assert.match(said({ blocks }), /^You had closed this day for bookings \(private party\)\. 3 guests came/)
    assert.doesNotMatch(said({}), /closed/)
    const top = textOf(
      glance(
        { ...shownBy({ covers: ofDay, parties: ofDay }, day), rules: { ...defaultRules, periods, blocks } },
        [],
      ) ?? html``,
    )
    assert.match(top, /You had closed this day for bookings \(private party\)\.<[^]*3 guests came/, 'first')
  })

  it('say of a day whose bookings were never marked that nobody was marked, not that nobody came', () => {
    const day = { from: '2026-10-02', to: '2026-10-02' }
    const open = { open_ends: [[{ date: '2026-10-02', status: 'Confirmed' }, 10]] } as never
    const shown = shownBy(open, day)
    assert.match(coversPicture(shown).sentence, /^Nobody was marked as served on this day\. 10 bookings/)
    assert.equal(arrivalsPicture(shown)?.sentence, 'Nobody was marked as seated on this day.')
    assert.equal(arrivalsPicture(shownBy({}, day))?.sentence, 'Nobody was seated on this day.')
    const top = textOf(glance(shown, []) ?? html``)
    assert.ok(top.includes('Nobody was marked as served') && !top.includes('0 guests'), top)
  })

  it('say first that many bookings were never marked, with a link to each day of them', () => {
    const top = (open: number, served = 90): string => {
      const rows: Rows = {
        covers: [[{ date: '2026-10-02', service: 'Dinner' }, 2 * served]],
        parties: [[{ date: '2026-10-02', service: 'Dinner' }, served]],
        open_ends: [
          ...(open > 1 ? [[{ date: '2026-09-30', status: 'Confirmed' }, 1] as [Row['key'], number]] : []),
          [{ date: '2026-10-02', status: 'Confirmed' }, Math.max(1, open - 1)],
        ],
      }
      return textOf(glance(shownBy(rows), []) ?? html``)
    }
    assert.match(
      top(10),
      /10 bookings were never marked seated or no-show, so these figures are too low\.<[^]*: 2 days<[^]*today\?date=2026-10-02">[^<]*: 9 bookings<[^]*today\?date=2026-09-30">[^<]*: 1 booking<[^]*180 guests came/,
    )
    assert.doesNotMatch(top(9), /never marked/)
    assert.doesNotMatch(top(9), /today\?date=/)
    assert.match(top(1, 0), /1 booking was never marked/, 'nobody was')
  })

  it('say of a day to come who was turned away so far, and which limit left no room', () => {
    const refused: Rows = {
      refused: [
        [{ reason: 'pacing-covers-full', door: 'book' }, 287],
        [{ reason: 'tables-full', door: 'book' }, 24],
        [{ weekday: 5, minute: 1140, measure: 'full' }, 3],
        [{ weekday: 5, minute: 1140, measure: 'dates' }, 1, 1],
      ],
    }
    const rules = { ...defaultRules, periods: [{ weekday: 5 }] as never }
    const said = (from: string, to: string) =>
      refusedPicture({ ...shownBy(refused, { from, to }), rules }).sentence
    assert.match(
      said('2026-10-04', '2026-10-10'),
      /^For Friday at 19:00, 3 parties have been turned away so far\. In all, 311 .*: your pacing limit \(287\) and no free table \(24\)\.$/,
    )
    assert.match(said('2026-09-27', '2026-10-03'), /^On Friday at 19:00, 3 parties were turned away\./)
  })

  it('lead to the limits of the venue where a time is full on half of the evenings of its weekday or more', () => {
    const page = (
      dates: number,
      of: number,
      { to = '2026-10-03', reason = 'pacing-covers-full', own = null as number | null } = {},
    ) => {
      const refused: Rows = {
        refused: [
          [{ reason, door: 'book' }, 9],
          [{ weekday: 5, minute: 1140, measure: 'full' }, 9],
          [{ weekday: 5, minute: 1140, measure: 'dates' }, dates, of],
        ],
      }
      const dinner = { weekday: 5, startMinute: 1020, endMinute: 1500, pacing: { maxCovers: own } }
      const rules = { ...defaultRules, periods: [dinner] as never }
      const { action } = refusedPicture({ ...shownBy(refused, { from: '2026-07-06', to }), rules })
      return textOf(action ?? html``)
    }
    assert.match(page(2, 4), /href="\/office\/settings\/limits#pacing">Change how many guests a time takes</)
    assert.match(
      page(4, 4, { own: 18 }),
      /It takes 18 guests in 15 minutes now\. <a href="\/office\/settings\?day=5&amp;minute=1140#day-5">Change how many/,
      'its hours have it',
    )
    for (const nothing of [
      page(1, 4),
      page(3, 3),
      page(4, 4, { to: '2026-08-08' }),
      page(4, 4, { reason: 'tables-full' }),
    ])
      assert.doesNotMatch(nothing, /Change how many/)
  })

  it('name no day before the book began as one on which guests first came', () => {
    const rows: Rows = { came_back: [[{ source: 'public', measure: 'back' }, 10, 40]] }
    const shown = shownBy(rows, { from: '2025-10-06', to: '2026-10-05' })
    assert.match(
      cameBackPicture({ ...shown, since: '2026-05-04' })?.sentence ?? '',
      /^25% of the guests who first came from Mon 4 May to /,
    )
  })

  it('have the total of what tickets brought in and cost as the last row', () => {
    const on = (date: string, fees: number) => [{ date, measure: 'fees' }, fees] as [Row['key'], number]
    const picture = ticketsPicture(shownBy({ ticket_money: [on('2026-10-01', 300), on('2026-10-02', 450)] }))
    const at = picture?.columns.findIndex(({ key }) => key === 'fees_cents') ?? 0
    assert.ok(picture?.columns.some(({ name }) => name === 'Discounts and complimentary'))
    assert.deepEqual([picture?.rows.at(-1)?.[0], picture?.rows.at(-1)?.[at]], ['total', 750])
  })

  it('compare no rate of days that are not over, and say of what kind the highest is', () => {
    const rows: Rows = {
      no_shows: [
        [{ measure: 'parties' }, 20, 600],
        [{ measure: 'parties', source: 'api' }, 12, 120],
      ],
    }
    const of = (to: string) =>
      noShowsPicture(shownBy(rows, { to, before: { no_shows: [[{ measure: 'parties' }, 30, 600]] } }))
    assert.match(
      of('2026-10-03').sentence,
      /: 3%; 5% the week before\. Of the sources, most often: .*, 10% of 120\.$/,
    )
    assert.doesNotMatch(of('2026-10-06').sentence, /5% the week/)
    assert.doesNotMatch(textOf(of('2026-10-06').drawn ?? html``), /class="mark"/)
  })

  it('warn of first and return visits of a book that was young', () => {
    const guests: Rows = {
      guests: [
        [{ kind: 'new' }, 20],
        [{ kind: 'returning' }, 20],
      ],
    }
    const sentence = (since: string) => guestsPicture({ ...shownBy(guests), since }).sentence
    assert.match(
      sentence('2026-07-01'),
      /Read this with care: your book begins on .*, so in its first 90 days too few count as returning\.$/,
    )
    assert.doesNotMatch(sentence('2026-06-28'), /with care/)
  })

  it('say tax of what was sold, and which discounts were no promo codes', () => {
    const on = (measure: string, n: number) => [{ date: '2026-10-02', measure }, n] as [Row['key'], number]
    const tickets = ticketsPicture(
      shownBy({
        ticket_money: [on('net', 50_000), on('taxes', 8_000), on('discounts', 5_000), on('refunded', 40_000)],
        code_discounts: [[{ code: 'DOOR' }, 700]],
      }),
    )
    assert.match(
      tickets?.sentence ?? '',
      /; \$7\.00 was taken off by promo codes, and tickets worth \$43\.00 were complimentary\. Of the total before refunds, \$80\.00 was tax\./,
    )
  })

  it('say that no deposit was paid where the venue asks for them', () => {
    assert.equal(guaranteesPicture(shownBy({})), undefined)
    const rules = { ...defaultRules, guarantees: [{}] as never }
    assert.match(guaranteesPicture({ ...shownBy({}), rules })?.sentence ?? '', /^No deposits were paid/)
  })

  it('draw no axis of a period without anything', () => {
    assert.equal(coversPicture(shownBy({})).drawn, undefined)
  })

  it('write a decimal where two whole rates would be the same, and what a full bar of no-shows is', () => {
    const noShows = (n: number, d: number): Rows => ({ no_shows: [[{ measure: 'parties' }, n, d]] })
    const of = (n: number, d: number) => noShowsPicture(shownBy(noShows(9, 241), { before: noShows(n, d) }))
    assert.match(of(11, 250).sentence, /did not come: 3\.7%; 4\.4% the week before\.$/)
    assert.match(of(18, 482).sentence, /did not come: 4%; 4% the week before\.$/, 'the same')
    assert.match(of(20, 250).sentence, /did not come: 4%; 8% the week before\.$/)
    assert.deepEqual(of(20, 250).key?.at(-1), ['full', 'A full bar: 8%'])
  })

  it('say that shares of sources include cancelled bookings, and that people left by how they had joined', () => {
    const sources = sourcesPicture(shownBy({ sources: [[{ source: 'staff', measure: 'promised' }, 30]] }))
    assert.match(
      sources.sentence,
      /^Of the 30 parties promised a table, cancelled ones and no-shows included, all came through “By staff”\./,
    )
    const list = listPicture(
      shownBy({
        list: [
          [{ source: 'booking', measure: 'left' }, 45],
          [{ date: '2026-09-28', measure: 'left' }, 45],
        ],
      }),
    )
    assert.match(textOf(list?.drawn ?? html``), />Left, by how they had joined<.*>a booking</s)
  })

  it('print what is counted once at the end, and no long table that its picture has', () => {
    const arrivals = (quarter: number, measure: string, n: number): NonNullable<Rows['arrivals']>[number] => [
      { weekday: 5, quarter, measure },
      ...([n, 2, n / 2] as const),
    ]
    const quarters = (count: number) =>
      Array.from({ length: count }, (_, at) => arrivals(60 + at, 'seated', 25))
    const shown = shownBy({ arrivals: quarters(12) })
    const asked = askedOf(new URLSearchParams(), '2026-10-06', 1)
    const page = textOf(reportBody(shown, asked, [arrivalsPicture(shown), coversPicture(shown)], 'UTC'))
    const [, paper = ''] = page.split('<section class="paper-only')
    assert.equal(paper.split(plainWords.arrivals ?? '').length, 2)
    assert.equal(paper.split(definitions.covers.definition).length, 2)
    assert.doesNotMatch(page, /screen-only/)
    const long = shownBy({ arrivals: quarters(13) })
    const picture = arrivalsPicture(long)
    assert.match(
      textOf(reportBody(long, asked, [picture], 'UTC')),
      /<details class="report-table screen-only">/,
    )
    assert.doesNotMatch(
      textOf(reportBody(long, asked, [{ ...picture, drawn: undefined }], 'UTC')),
      /screen-only/,
      'nothing else has its numbers',
    )
  })
})

const coversOn = (days: Readonly<Record<string, number>>) =>
  Object.entries(days).map(([date, n]) => ({ key: { date, service: 'Dinner' }, n, d: null, value: n }))

/** Days on which somebody came, each open. */
const openOn = (days: Readonly<Record<string, number>>) => ({
  covers: coversOn(days),
  dates: Object.keys(days),
  all: Object.keys(days),
})
