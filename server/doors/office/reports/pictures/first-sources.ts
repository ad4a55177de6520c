import { numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import {
  counted,
  fewestCases,
  oneDecimal,
  parties,
  rowOf,
  sourceName,
  total,
} from '../../../../data/reports/in-words.ts'
import { linesDrawn } from '../drawn/lines.ts'
import type { Picture, Shown } from '../picture.ts'

/** Which source brings guests who come back: visits by the source of each guest's first one. */
export const firstSourcesPicture = (shown: Shown): Picture | undefined => {
  const rows = shown.rows('guests_by_first_source')
  const of = (source: string, kind: 'new' | 'returning'): number => rowOf(rows, { source, kind })?.n ?? 0
  const sources = [...new Set(rows.map(({ key }) => String(key['source'])))]
    .map((source) => ({ name: sourceName(source), news: of(source, 'new'), back: of(source, 'returning') }))
    .toSorted((a, b) => b.back - a.back || b.news - a.news)
  if (sources.length === 0) return undefined
  const [best] = sources
    .filter(({ news }) => news >= fewestCases)
    .toSorted((a, b) => b.back / b.news - a.back / a.news)
  const all = total(rows)
  const sentence =
    best === undefined
      ? `There are too few new guests of one source to say which brings guests who come back: ${counted(all, 'visit')} in all.`
      : `Guests who first came through “${best.name}” come back most: ${counted(best.back, 'return visit')}, ${perNew(best)} for each of its ${numberInWords(best.news)} new guests.`
  return {
    ...{ id: 'first-sources', title: 'Which source brings guests back', of: ['guests_by_first_source'] },
    ...{ sentence, cases: parties(all) },
    drawn: linesDrawn(
      [
        {
          lines: sources.map((one) => ({
            name: one.name,
            value: one.news < fewestCases ? null : one.back / one.news,
            words: `${one.news < fewestCases ? '' : `${perNew(one)} · `}${numberInWords(one.back)} back, ${numberInWords(one.news)} new`,
          })),
        },
      ],
      sentence,
    ),
    columns: [
      { key: 'first_source', name: 'First came through' },
      { key: 'return_visits', name: 'Return visits' },
      { key: 'new_guests', name: 'New guests' },
      {
        key: 'return_visits_per_new_guest',
        name: 'For each new guest',
        shown: (value) => (typeof value === 'number' ? oneDecimal(value) : '–'),
      },
    ],
    rows: sources.map(({ name, news, back }) => [name, back, news, news < fewestCases ? null : back / news]),
  }
}

const perNew = ({ back, news }: { readonly back: number; readonly news: number }): string =>
  oneDecimal(back / news)
