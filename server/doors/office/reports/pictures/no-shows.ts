import { weekdayName } from '../../../../platform/kernel/time/calendar.ts'
import { isMoreThanChance } from '../../../../data/reports/difference-of.ts'
import { type Html, html } from '../../../../platform/html/html.ts'
import { numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import { type Lines, groupsDrawn, highestOf } from '../drawn/lines.ts'
import {
  type Row,
  fewestCases,
  outOf,
  parties,
  ratesOf,
  rowOf,
  share,
  total,
  wholePercent,
  leadWords,
  sizeWords,
  sourceName,
} from '../../../../data/reports/in-words.ts'
import {
  type Cell,
  type Column,
  type Picture,
  type Shown,
  areCountsCompared,
  daysInWords,
  markedBefore,
  percentShown,
  rateBefore,
  rateCell,
  rateLine,
} from '../picture.ts'

/** Who booked and did not come: by weekday, size, source and how far ahead. */
export const noShowsPicture = (shown: Shown): Picture => {
  const all = shown.rows('no_shows')
  const rows = all.filter(({ key }) => key['measure'] === 'parties')
  const guestsOf = (part: Row['key']): Counts => countsOf(rowOf(all, { measure: 'covers', ...part }))
  const { n, d } = countsOf(rowOf(rows, { measure: 'parties' }))
  const groups = noShowGroups.map(({ word, name, words }) => ({
    ...{ word, name },
    parts: (word === 'weekday' ? byWeekday(rows, shown) : rows)
      .filter(({ key }) => word in key)
      .map((row) => ({ of: row.key[word] ?? '', words: words(String(row.key[word])), ...countsOf(row) })),
  }))
  const sentence = noShowSentence({ n, d }, { groups, guests: guestsOf({}) }, shown)
  const crossed = bySourceAndSize(shown.rows('no_shows_by_source_and_size'))
  const crossedBefore = bySourceAndSize(shown.before('no_shows_by_source_and_size'))
  const before = countsOf(rowOf(shown.before('no_shows'), { measure: 'parties' }))
  const mark = rateBefore(shown, before)
  const drawnGroups: readonly Lines[] = [
    {
      name: undefined,
      lines: [{ ...rateLine('All', n, d), mark }],
    },
    ...groups
      .filter(({ parts }) => parts.length > 1)
      .map(({ name, parts }): Lines => ({
        name,
        lines: parts.map((part) => rateLine(part.words, part.n, part.d)),
      })),
    {
      name: `Source, ${largeParties}`,
      lines: crossed.filter(({ isLarge }) => isLarge).map((part) => rateLine(part.words, part.n, part.d)),
    },
    // Where all are too few for a bar, the table has them.
  ].filter(({ name, lines }) => name === undefined || lines.some(({ value }) => value !== null))
  return {
    ...{
      id: 'no-shows',
      title: 'No-shows',
      of: ['no_shows', 'no_shows_by_source_and_size'],
      sentence,
      cases: parties(d),
    },
    counted:
      'Both rates, of parties and of guests, are out of those who were due: who had booked and came, or did not come. Cancelled bookings and walk-ins are not among them.',
    action: moneyKept(shown),
    isWide: d > 0,
    drawn: d === 0 ? undefined : groupsDrawn(drawnGroups, sentence),
    key: [
      ...(mark === null ? [] : markedBefore(shown)),
      ...(d < fewestCases ? [] : [['full', `A full bar: ${percentShown(highestOf(drawnGroups))}`] as const]),
    ],
    columns: [
      { key: 'by', name: 'By', shown: (by) => groupName(String(by)) },
      { key: 'of', name: 'Which', shown: (words) => String(words) || 'All parties', isName: true },
      { key: 'no_shows', name: 'No-shows' },
      { key: 'parties', name: 'Booked' },
      { key: 'rate', name: 'Rate', shown: percentShown },
      { key: 'guests_missed', name: 'Guests who did not come' },
      { key: 'guests', name: 'Guests booked' },
      ...columnsBefore(shown, ['no_shows', 'No-shows before'], ['parties', 'Booked before']),
    ],
    rows: [
      ['all', '', n, d, rateCell(n, d), ...guestCells(guestsOf({})), ...cellsBefore(shown, before)],
      ...groups.flatMap(({ word, parts }) =>
        parts.map((part) => [
          ...[word, part.words, part.n, part.d, rateCell(part.n, part.d)],
          ...guestCells(guestsOf({ [word]: part.of })),
          ...cellsBefore(
            shown,
            countsOf(rowOf(shown.before('no_shows'), { measure: 'parties', [word]: part.of })),
          ),
        ]),
      ),
      ...crossed.map((part) => [
        ...['source_and_size', `${part.words}, ${part.sizes}`, part.n, part.d, rateCell(part.n, part.d)],
        // Guests are not counted by both at once.
        ...[null, null],
        ...cellsBefore(
          shown,
          crossedBefore.find(({ words, sizes }) => words === part.words && sizes === part.sizes) ??
            countsOf(undefined),
        ),
      ]),
    ],
  }
}

const noShowGroups = [
  { word: 'weekday', name: 'Weekday', words: (key: string) => weekdayName(Number(key)) },
  { word: 'size', name: 'Size', words: sizeWords },
  { word: 'days', name: 'Booked ahead', words: leadWords },
  { word: 'source', name: 'Source', words: sourceName },
] as const

/** A week begins as the country's do. */
const byWeekday = (rows: readonly Row[], { firstWeekday }: Shown): readonly Row[] =>
  rows.toSorted((a, b) => placeInWeek(a, firstWeekday) - placeInWeek(b, firstWeekday))

const placeInWeek = ({ key }: Row, firstWeekday: number): number =>
  (Number(key['weekday'] ?? 0) - firstWeekday + 7) % 7

const groupName = (by: string): string =>
  by === 'source_and_size' ? 'Source and size' : (noShowGroups.find(({ word }) => word === by)?.name ?? 'All')

/** Owners ask about parties from six guests on, and about each size. */
const [largeParties, largeFrom] = ['6 guests or more', 6]

/** Each source with its large parties together, and with each size. */
const bySourceAndSize = (rows: readonly Row[]) =>
  [...Map.groupBy(rows, ({ key }) => sourceName(String(key['source'])))].flatMap(([words, of]) => {
    const large = of.filter(({ key }) => Number.parseInt(String(key['size'])) >= largeFrom)
    const [n, d] = [total(large), large.reduce((sum, row) => sum + (row.d ?? 0), 0)]
    return [
      ...(d > 0 ? [{ words, sizes: largeParties, isLarge: true, n, d }] : []),
      ...of.map((row) => ({
        words,
        sizes: sizeWords(String(row.key['size'])),
        isLarge: false,
        ...countsOf(row),
      })),
    ]
  })

export type Counts = { readonly n: number; readonly d: number }
type Part = Counts & { readonly words: string }
type Group = { readonly word: (typeof noShowGroups)[number]['word']; readonly parts: readonly Part[] }

type Named = readonly [key: string, name: string]

/** Of the period it is compared with, where counts are: how many, of how many, and the rate. */
export const columnsBefore = (shown: Shown, [nKey, nName]: Named, [dKey, dName]: Named): readonly Column[] =>
  areCountsCompared(shown)
    ? [
        { key: `${nKey}_before`, name: nName },
        { key: `${dKey}_before`, name: dName },
        { key: 'rate_before', name: 'Rate before', shown: percentShown },
      ]
    : []

export const cellsBefore = (shown: Shown, { n, d }: Counts): readonly Cell[] =>
  areCountsCompared(shown) ? [n, d, rateCell(n, d)] : []

export const countsOf = (row: Row | undefined): Counts => ({ n: row?.n ?? 0, d: row?.d ?? 0 })

const guestCells = ({ n, d }: Counts): readonly Cell[] => [n, d]

/** Where deposits or cards paid for some of it, the way to the picture of that money. */
const moneyKept = ({ rows, money }: Shown): Html | undefined => {
  const kept = total(rows('guarantee_money').filter(({ key }) => key['measure'] === 'kept'))
  return kept <= 0
    ? undefined
    : html`<p class="press-only"><a href="#guarantees">${money(kept)} was kept for no-shows and cancelled bookings</a></p>`
}

const noShowSentence = (
  { n, d }: Counts,
  { groups, guests }: { readonly groups: readonly Group[]; readonly guests: Counts },
  shown: Shown,
): string => {
  if (d === 0) return `Nobody who booked was due on ${daysInWords(shown)}.`
  const before = countsOf(rowOf(shown.before('no_shows'), { measure: 'parties' }))
  const isCompared = rateBefore(shown, before) !== null && d >= fewestCases
  const [is, was] = isCompared ? ratesOf({ n, d }, before) : [`${wholePercent(n, d)}%`, '']
  const worst = worstOf({ n, d }, groups)
  const more = worst
    ? ` ${mostOften[worst.word]}: ${worst.word === 'days' ? bookedAhead(worst) : worst.words}, ${share(worst.n, worst.d)} of ${numberInWords(worst.d)}.`
    : ''
  const than = was === '' ? '' : `; ${was} ${shown.beforeWords ?? 'before'}`
  if (n === 0)
    return `${d === 1 ? 'The 1 party' : `All ${parties(d)}`} that booked came${than}${than && ' did not'}.`
  const all = d === 1 ? 'The 1 party' : `${outOf(n, d)} parties`
  return `${all} that booked did not come${d < fewestCases ? '' : `: ${is}${than}`}.${guestsInWords(guests)}${more}`
}

/** " These were 282 of the 4,103 guests booked (7%)." */
const guestsInWords = ({ n, d }: Counts): string =>
  n === 0
    ? ''
    : ` These were ${numberInWords(n)} of the ${numberInWords(d)} guests booked${d < fewestCases ? '' : ` (${share(n, d)})`}.`

/** Another kind of parts may have one that is higher, of fewer cases. */
const mostOften = {
  weekday: 'Of the weekdays, most often',
  size: 'Of the sizes, most often',
  days: 'By how far ahead, most often',
  source: 'Of the sources, most often',
} as const

/** Fewer times as often is no news, and fewer no-shows are no pattern. */
const [leastTimes, fewestMissed] = [1.5, 10]

/**
 * The part with the highest rate of those that stand out from all others beyond chance. All parts of all groups are looked at
 * together: by itself, one of thirty that are alike would seem to in most periods.
 */
const worstOf = ({ n, d }: Counts, groups: readonly Group[]) => {
  const parts = groups
    .flatMap(({ word, parts: of }) => of.map((part) => ({ ...part, word })))
    .filter((part) => part.d >= fewestCases)
  return parts
    .filter(
      (part) =>
        part.n >= fewestMissed &&
        part.n * d >= leastTimes * n * part.d &&
        isMoreThanChance(
          { people: part.d, booked: part.n },
          { people: d - part.d, booked: n - part.n },
          // Of a few no-shows in a hundred, the interval is narrower than its name: so as of twice as many parts.
          2 * parts.length,
        ),
    )
    .toSorted((a, b) => b.n / b.d - a.n / a.d)[0]
}

const bookedAhead = ({ words }: Part): string =>
  words === leadWords('0') ? 'booked on the day' : `booked ${words} ahead`
