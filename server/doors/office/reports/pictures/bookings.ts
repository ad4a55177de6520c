import type { FigureName } from '@venue-data/contract/records/figures.ts'
import type { CountedFigure } from '../../../../data/reports/figure-names.ts'
import { numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import { leadClasses, sizeClasses } from '../../../../data/reports/figures-of-day.ts'
import { type Line, linesDrawn } from '../drawn/lines.ts'
import {
  type Row,
  countOf,
  counted,
  fewestCases,
  parties,
  rowOf,
  share,
  shareOf,
  total,
  leadWords,
  sizeWords,
  sourceName,
} from '../../../../data/reports/in-words.ts'
import {
  type Picture,
  type Shown,
  areCountsCompared,
  daysInWords,
  markedBefore,
  percentShown,
  rateBefore,
  rateCell,
} from '../picture.ts'

/** How long before they come parties book. */
export const leadPicture = (shown: Shown): Picture =>
  classes(shown, {
    ...{ id: 'lead-days', title: 'How far ahead', figure: 'lead_days', word: 'days', column: 'days_ahead' },
    ...{ name: 'Booked ahead', keys: leadClasses.map(([word]) => word), words: leadWords },
    more: ['days_ahead'],
    sentence: (n, all) => {
      const soon = n('0') + n('1')
      const far = n('15-30') + n('31+')
      const late =
        soon === 0
          ? 'None was'
          : `${shareOf(soon, all, 'booking', 'bookings')} ${soon === 1 && all < fewestCases ? 'was' : 'were'}`
      return `${medianAhead(shown)}${late} made on the day or the day before; ${far === 0 ? 'none' : share(far, all)} more than two weeks ahead.${soFar(shown)}`
    },
  })

/** "Half of the bookings were made 6 days ahead or less. "; empty with too few of them. */
const medianAhead = (shown: Shown): string => {
  const [median] = shown.rows('days_ahead')
  if (!median || median.value === null || (median.d ?? 0) < fewestCases) return ''
  return median.value === 0
    ? 'Half of the bookings or more were made on the day. '
    : `Half of the bookings were made ${counted(median.value, 'day')} ahead or less. `
}

/** What parties are like in size. */
export const sizesPicture = (shown: Shown): Picture =>
  classes(shown, {
    ...{ id: 'sizes', title: 'Sizes of parties', figure: 'sizes', word: 'size', column: 'size' },
    ...{ name: 'Guests', keys: [...sizeClasses.map(([word]) => word), 'unknown'], words: sizeWords },
    sentence: (n, all) => {
      const large = n('7-8') + n('9-12') + n('13+')
      const much = (some: number): string =>
        all < fewestCases ? (some === 0 ? 'none' : numberInWords(some)) : share(some, all)
      const twos =
        n('2') === 0 && all > 1 && all < fewestCases
          ? `None of ${parties(all)}`
          : shareOf(n('2'), all, 'party', 'parties')
      return `${twos} ${all === 1 ? 'was' : 'were'} two guests, ${much(n('5') + n('6'))} five or six, ${much(large)} more than six.`
    },
  })

/** Where parties come from: those that were promised a table, and those served. */
export const sourcesPicture = (shown: Shown): Picture => {
  const rows = shown.rows('sources')
  const sources = [...new Set(rows.map(({ key }) => String(key['source'])))]
  const of = (list: readonly Row[], source: string, measure: string): number =>
    rowOf(list, { source, measure })?.n ?? 0
  const promised = total(rows.filter(({ key }) => key['measure'] === 'promised'))
  const counts = sources
    .map((source) => ({
      source,
      promised: of(rows, source, 'promised'),
      served: of(rows, source, 'served'),
      before: of(shown.before('sources'), source, 'promised'),
    }))
    .toSorted((a, b) => b.promised - a.promised)
  const [first] = counts
  const sentence =
    first === undefined
      ? `Nobody booked for ${daysInWords(shown)}.`
      : `Of the ${parties(promised)} promised a table, cancelled ones and no-shows included, ${sourcesInWords(counts.slice(0, 2), promised)}.${soFar(shown)}`
  const shownLines = counts.slice(0, counts.length > mostSeries ? mostSeries - 1 : mostSeries)
  const others = counts.slice(shownLines.length)
  const lines: Line[] = shownLines.map((one) => ({
    name: sourceName(one.source),
    value: one.promised,
    mark: areCountsCompared(shown) ? one.before : null,
    words: countOf(one.promised, promised),
  }))
  const rest = others.reduce((sum, one) => sum + one.promised, 0)
  if (others.length > 0) lines.push({ name: 'Other', value: rest, words: countOf(rest, promised) })
  return {
    ...{ id: 'sources', title: 'Where they come from', of: ['sources'], sentence, cases: parties(promised) },
    drawn: lines.length === 0 ? undefined : linesDrawn([{ lines }], sentence),
    key: areCountsCompared(shown) && total(shown.before('sources')) > 0 ? markedBefore(shown) : [],
    columns: [
      { key: 'source', name: 'Source', shown: (source) => sourceName(String(source)) },
      { key: 'parties_promised', name: 'With a table' },
      { key: 'parties_served', name: 'Served' },
      { key: 'share', name: 'Share', shown: percentShown },
      ...beforeColumn(shown),
    ],
    rows: counts.map((one) => [
      ...[one.source, one.promised, one.served, rateCell(one.promised, promised)],
      ...(areCountsCompared(shown) ? [one.before] : []),
    ]),
  }
}

/** "63% came through “Booking page” and 17% through “Walk-in”"; of few parties, how many. */
const sourcesInWords = (
  most: readonly { readonly source: string; readonly promised: number }[],
  all: number,
): string =>
  most
    .map(({ source, promised }, at) => {
      const isAll = promised === all && all > 1
      const much = isAll ? 'all' : all < fewestCases ? numberInWords(promised) : share(promised, all)
      return `${much}${at === 0 ? ' came' : ''} through “${sourceName(source)}”`
    })
    .join(' and ')

/** Of days to come, more will book late than did so far. */
const soFar = ({ figures, today }: Shown): string =>
  figures.to < today ? '' : ' Days to come count with what is booked so far.'

/** Series of one picture, with what the rest is together. */
const mostSeries = 5

type Classes = {
  readonly id: string
  readonly title: string
  readonly figure: FigureName
  /** Others that its sentence is made of. */
  readonly more?: readonly CountedFigure[]
  /** The word of the row's key, and the column's name in a file. */
  readonly word: string
  readonly column: string
  readonly name: string
  readonly keys: readonly string[]
  readonly words: (key: string) => string
  readonly sentence: (n: (key: string) => number, all: number) => string
}

/** Parties by the classes of a figure, each as a bar, with a mark where it was before. */
const classes = (shown: Shown, of: Classes): Picture => {
  const countIn = (rows: readonly Row[]) => {
    const counts = new Map(rows.map(({ key, n }) => [String(key[of.word]), n ?? 0]))
    return (key: string): number => counts.get(key) ?? 0
  }
  const [now, before] = [countIn(shown.rows(of.figure)), countIn(shown.before(of.figure))]
  const [all, allBefore] = [total(shown.rows(of.figure)), total(shown.before(of.figure))]
  const keys = of.keys.filter((key) => key !== 'unknown' || now(key) > 0)
  const sentence = all === 0 ? `There is nothing to count on ${daysInWords(shown)}.` : of.sentence(now, all)
  return {
    ...{ id: of.id, title: of.title, of: [of.figure, ...(of.more ?? [])], sentence, cases: parties(all) },
    drawn:
      all === 0
        ? undefined
        : linesDrawn(
            [
              {
                lines: keys.map((key) => ({
                  name: of.words(key),
                  value: now(key) / all,
                  mark: rateBefore(shown, { n: before(key), d: allBefore }),
                  words: countOf(now(key), all),
                })),
              },
            ],
            sentence,
          ),
    key: rateBefore(shown, { n: 0, d: allBefore }) === null ? [] : markedBefore(shown),
    columns: [
      { key: of.column, name: of.name, shown: (key) => of.words(String(key).replace(' to ', '-')) },
      { key: 'parties', name: 'Parties' },
      { key: 'share', name: 'Share', shown: percentShown },
      ...beforeColumn(shown),
    ],
    rows: keys.map((key) => [
      // Spreadsheets take 2-3 for a date.
      ...[key.replace('-', ' to '), now(key), rateCell(now(key), all)],
      ...(areCountsCompared(shown) ? [before(key)] : []),
    ]),
  }
}

const beforeColumn = (shown: Shown) =>
  areCountsCompared(shown) ? [{ key: 'parties_before', name: 'Before' }] : []
