import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { turnMinutes } from '../../../book/rules/turn-minutes.ts'
import { defaultRules } from '../../../book/rules/booking-rules.ts'
import { figuresOf } from '../../../data/reports/rows-of-figures.ts'
import { openTally } from '../../../data/reports/open-tally.ts'
import { turnKinds } from '../../../data/reports/turn-kinds.ts'
import { randomFrom } from '../../../demo/random.ts'
import { html, textOf } from '../../../platform/html/html.ts'
import type { Shown } from './picture.ts'
import { staysPicture } from './pictures/stays.ts'
import { shownBy } from './test/shown-by.ts'
import { withTurn } from './with-turn.ts'

type Turn = { upTo: number; minutes: number }
type Stayed = { readonly size: number; readonly part: 'day' | 'evening'; readonly minutes: number }

/** A report in which these parties stayed so long, their tables held by these turn times. */
const reportOf = (stays: readonly Stayed[], turnTimes: Turn[], to = '2026-10-03'): Shown => {
  const { tally, count } = openTally()
  for (const { size, part, minutes } of stays)
    count('stays_by_size', { size, part, measure: 'stay' }, 0, 1, minutes)
  const rules = { ...defaultRules, turnTimes }
  const names = ['stays', 'stays_by_size', 'stay_quarters'] as const
  const figures = figuresOf(tally, names, { today: '2026-10-06', rules })
  const rows = (name: string) => figures.find((figure) => figure.name === name)?.rows ?? []
  return { ...shownBy({}, { to }), rules, rows, period: { from: '2026-09-27' } }
}

type Part = ReturnType<typeof staysPicture>['action']

const wordsOf = (part: Part): string =>
  textOf(part ?? html``)
    .replaceAll(/<[^>]*>|\s+/g, ' ')
    .replaceAll(/ +/g, ' ')

type Offered = { readonly sizes: string; readonly minutes: number; readonly turn: number }
/** What is pressed, in its order. */
const offersIn = (part: Part): Offered[] =>
  [
    ...textOf(part ?? html``).matchAll(
      /for (\d+) minutes instead of (\d+)<\/summary>[^]*?name="sizes" value="([^"]*)"/g,
    ),
  ].map(([, minutes, turn, sizes = '']) => ({ sizes, minutes: Number(minutes), turn: Number(turn) }))

/** So many parties of a size, of which three quarters leave within `upper` minutes and so many stay longer than `turn`. */
const many = (size: number, minutes: readonly number[], times = 1): Stayed[] =>
  Array.from({ length: times }, () =>
    minutes.map((one) => ({ size, part: 'evening' as const, minutes: one })),
  ).flat()

/** Ten stays of which seven are this long and three are longer by half an hour. */
const around = (minutes: number) => [
  ...Array.from({ length: 7 }, () => minutes),
  ...[1, 2, 3].map(() => minutes + 30),
]

describe('turn times that a report offers', () => {
  it('change no other row of the venue: parties are judged by the turn time of their own size', () => {
    const turns = [
      { upTo: 6, minutes: 120 },
      { upTo: 8, minutes: 150 },
      { upTo: 99, minutes: 240 },
    ]
    const report = reportOf([...many(8, around(158), 12), ...many(9, around(200), 12)], turns)
    const offers = offersIn(staysPicture(report).action)
    assert.deepEqual(offers, [
      { sizes: '7-8', minutes: 190, turn: 150 },
      { sizes: '9+', minutes: 230, turn: 240 },
    ])
    const seven = turnKinds(report.rules).find(({ sizes }) => sizes === '7-8')
    assert.ok(seven)
    assert.deepEqual(withTurn(turns, seven, 190), [turns[0], { upTo: 8, minutes: 190 }, turns[2]])
    assert.match(
      wordsOf(staysPicture(report).action),
      /7–8 for 190 .* 100% of 120 parties stayed longer than 150 minutes/,
    )
  })

  it('name the minutes within which three quarters had left as the table has them', () => {
    const stays = many(2, [...Array.from({ length: 15 }, () => 101), ...[1, 2, 3, 4, 5].map(() => 130)], 30)
    const picture = staysPicture(reportOf(stays, [{ upTo: 99, minutes: 90 }]))
    assert.match(
      wordsOf(picture.action),
      /Hold tables for parties of 1–2 for 105 minutes instead of 90 .*stayed longer than 90 minutes, and three quarters had left within 101\./,
    )
    assert.deepEqual(picture.rows[0], ['1–2', 'day and evening', null, 90, 600, 101, 101])
  })

  it('are none for a minute or two, however many parties they are of', () => {
    const stays = (minutes: number) =>
      many(2, [...Array.from({ length: 70 }, () => 60), ...Array.from({ length: 30 }, () => minutes)], 60)
    const offered = (minutes: number) =>
      offersIn(staysPicture(reportOf(stays(minutes), [{ upTo: 99, minutes: 90 }])).action)
    assert.deepEqual(offered(91), [])
    assert.deepEqual(offered(94), [])
    assert.deepEqual(offered(95), [{ sizes: '1-2', minutes: 95, turn: 90 }])
    assert.match(
      wordsOf(staysPicture(reportOf(stays(94), [{ upTo: 99, minutes: 90 }])).action),
      /The turn times fit/,
    )
    assert.match(
      staysPicture(reportOf(stays(94), [{ upTo: 99, minutes: 90 }])).sentence,
      /three quarters leave within 94 minutes; their table is held for 90, which is close enough\.$/,
      'and no more than a quarter is said to stay too long',
    )
  })

  it('are none where as many longer stays may be chance', () => {
    const stays = (longer: number, of: number) => [...many(2, [60], of - longer), ...many(2, [110], longer)]
    const offered = (longer: number, of: number) =>
      offersIn(staysPicture(reportOf(stays(longer, of), [{ upTo: 99, minutes: 90 }])).action).length
    assert.equal(offered(26, 100), 0)
    assert.match(
      staysPicture(reportOf(stays(26, 100), [{ upTo: 99, minutes: 90 }])).sentence,
      /within 110 minutes; their table is held for 90, which may be chance\.$/,
    )
    assert.equal(offered(45, 100), 1)
    assert.equal(offered(260, 1000), 0)
    assert.equal(offered(320, 1000), 1)
    assert.equal(offered(19, 19), 0, 'too few to say')
    assert.equal(offered(35, 100), 1)
    const others = [4, 6, 8].flatMap((size) => many(size, [88], 100))
    const beside = staysPicture(
      reportOf([...many(2, [60], 65), ...many(2, [110], 35), ...others], [{ upTo: 99, minutes: 90 }]),
    )
    assert.deepEqual(offersIn(beside.action), [], 'one of four kinds looked at together')
  })

  it('are shorter, too, where tables are held for longer than three quarters stay, and say what that frees', () => {
    const report = reportOf(many(4, [...around(88), ...around(88)], 20), [{ upTo: 4, minutes: 135 }])
    const picture = staysPicture(report)
    assert.deepEqual(offersIn(picture.action), [{ sizes: '3-4', minutes: 120, turn: 135 }])
    assert.match(
      wordsOf(picture.action),
      /Three quarters of 400 parties had left within 118 minutes, and 0% stayed longer than 135\. Held for 120, each table is free for the next party 15 minutes sooner, and at most a quarter stay longer than that;/,
    )
    assert.match(
      picture.sentence,
      /^Day and evening together, another turn time would help most with parties of 3–4 \(all 400 parties\): three quarters leave within 118 minutes; their table is held for 135, longer than most of them need it\.$/,
    )
  })

  it('begin with the size that the sentence is about, and lead back to the period', () => {
    const stays = [...many(2, around(95), 20), ...many(4, around(150), 20), ...many(6, around(90), 20)]
    const picture = staysPicture(reportOf(stays, [{ upTo: 99, minutes: 120 }]))
    assert.match(
      picture.sentence,
      /help most with parties of 3–4 .*, so more than a quarter stay longer, beyond chance\.$/,
    )
    assert.deepEqual(
      offersIn(picture.action).map(({ sizes }) => sizes),
      ['3-4'],
    )
    assert.deepEqual(
      offersIn(picture.first?.press).map(({ sizes }) => sizes),
      ['3-4'],
    )
    const [top, there] = [picture.first?.press, picture.action].map((press) => textOf(press ?? html``))
    assert.match(top ?? '', /name="from" value="2026-09-27"[^]*name="on" value="top"/)
    assert.match(there ?? '', /name="from" value="2026-09-27"/)
    assert.doesNotMatch(there ?? '', /name="on"/)
  })

  it('begin with the size of which they change something for most guests, and not with the one that is furthest off', () => {
    const turns = [
      { upTo: 2, minutes: 90 },
      { upTo: 4, minutes: 120 },
      { upTo: 6, minutes: 135 },
      { upTo: 99, minutes: 240 },
    ]
    const few = many(8, around(158), 4)
    const first = (stays: readonly Stayed[]) => {
      const picture = staysPicture(reportOf(stays, turns))
      const [most] = offersIn(picture.action)
      assert.deepEqual(offersIn(picture.first?.press), [most])
      assert.match(
        picture.sentence,
        new RegExp(`help most with parties of ${most?.sizes.replace('-', '–').replace('+', ' or more')} `),
      )
      return [most?.sizes, Math.round(picture.first?.guests ?? 0)] as const
    }
    // Forty of seven or more could leave the table 50 minutes sooner: 40 · 50 of 190 minutes, of seven guests.
    assert.deepEqual(first(few), ['7+', 74])
    // 300 of 1,000 pairs stay over, 250 may; of 600 all do, 150 may.
    const pairs = (longer: number, of: number) => [...many(2, [80], of - longer), ...many(2, [95], longer)]
    assert.deepEqual(first([...few, ...pairs(300, 1000)]), ['1-2', 100])
    assert.deepEqual(first([...few, ...pairs(600, 600)]), ['1-2', 900])
    // A shorter one for many is more than a longer one for few.
    const fours = many(4, around(60), 20)
    assert.deepEqual(first([...few, ...fours]), ['3-4', 267])
  })

  it('are of the last eight weeks alone', () => {
    const offers = (to: string) => staysPicture(reportOf(many(2, around(150), 20), [], to))
    assert.equal(offersIn(offers('2026-08-11').action).length, 1)
    assert.deepEqual([offers('2026-08-10').action, offers('2026-08-10').first], [undefined, undefined])
  })

  it('contradict their table in no venue, and once pressed leave nothing more to press', () => {
    const random = randomFrom(28).draw
    const upTo = (most: number): number => Math.floor(random() * most)
    let [longer, shorter] = [0, 0]
    for (let venue = 0; venue < 300; venue++) {
      const ends = [...new Set(Array.from({ length: upTo(5) }, () => 1 + upTo(14)))].toSorted((a, b) => a - b)
      const turns = ends.map((end) => ({ upTo: end, minutes: 60 + 5 * upTo(30) }))
      const usual = 60 + upTo(90)
      const stays = Array.from({ length: 40 + upTo(1200) }, (): Stayed => {
        const size = 1 + Math.floor(random() ** 2 * 14)
        const minutes = usual + size * 5 + upTo(60)
        return { size, part: random() < 0.3 ? 'day' : 'evening', minutes }
      })
      const report = reportOf(stays, turns)
      const picture = staysPicture(report)
      for (const offer of offersIn(picture.action)) {
        const kind = turnKinds(report.rules).find(({ sizes }) => sizes === offer.sizes)
        assert.ok(kind)
        const ofKind = stays
          .filter(({ size }) => kind.first <= size && size <= kind.last)
          .map(({ minutes }) => minutes)
          .toSorted((a, b) => a - b)
        const quartile = ofKind[Math.ceil(0.75 * ofKind.length) - 1] ?? 0
        const row = picture.rows.find(
          ([sizes, part]) => sizes === offer.sizes.replace('-', '–') && part === 'day and evening',
        )
        assert.deepEqual([row?.[3], row?.[4], row?.[6]], [offer.turn, ofKind.length, quartile])
        assert.ok(
          offer.minutes >= quartile && offer.minutes - quartile < 5,
          JSON.stringify({ offer, quartile }),
        )
        assert.ok(Math.abs(offer.minutes - offer.turn) >= 5)
        const [isLonger, isStayed] = [offer.minutes > offer.turn, quartile > offer.turn]
        assert.equal(isLonger, isStayed)
        if (isLonger) longer++
        else shorter++
        const pressed = withTurn(turns, kind, offer.minutes)
        for (let size = 1; size <= 20; size++)
          assert.equal(
            turnMinutes({ turnTimes: pressed }, size),
            kind.first <= size && size <= kind.last ? offer.minutes : turnMinutes({ turnTimes: turns }, size),
            `${size}`,
          )
      }
      const all = offersIn(picture.action).reduce((rows: Turn[], { sizes, minutes }) => {
        const kind = turnKinds({ turnTimes: turns }).find((one) => one.sizes === sizes)
        return kind ? withTurn(rows, kind, minutes) : rows
      }, turns)
      const isOff = ({ sizes }: Offered): boolean =>
        turnKinds({ turnTimes: turns }).some((one) => one.sizes === sizes)
      assert.deepEqual(offersIn(staysPicture(reportOf(stays, all)).action).filter(isOff), [])
    }
    assert.ok(longer > 50 && shorter > 50, `${longer} longer, ${shorter} shorter`)
  })
})
