import { numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import { counted, parties, rowOf, sourceName, total } from '../../../../data/reports/in-words.ts'
import { linesDrawn } from '../drawn/lines.ts'
import { type Picture, type Shown, youngBook } from '../picture.ts'

/**
 * By what the guests first came who visited in this period. It ranks no source: return visits are those of guests of all
 * years, and next to the new guests of this period alone they say nothing of how many come back.
 */
export const firstSourcesPicture = (shown: Shown): Picture | undefined => {
  const rows = shown.rows('guests_by_first_source')
  const of = (source: string, kind: 'new' | 'returning'): number => rowOf(rows, { source, kind })?.n ?? 0
  const sources = [...new Set(rows.map(({ key }) => String(key['source'])))]
    .map((source) => ({ name: sourceName(source), news: of(source, 'new'), back: of(source, 'returning') }))
    .toSorted((a, b) => b.back - a.back || b.news - a.news)
  const [first] = sources
  if (first === undefined) return undefined
  const all = total(rows)
  const back = sources.reduce((sum, one) => sum + one.back, 0)
  const unknown = rowOf(shown.rows('guests'), { kind: 'unknown' })?.n ?? 0
  const most =
    first.back === 0
      ? ''
      : `, ${first.back === back ? (back === 1 ? 'by a guest' : 'all of them by guests') : `${numberInWords(first.back)} of them by guests`} who first came through “${first.name}”`
  const left =
    unknown === 0
      ? ''
      : ` ${parties(unknown)} without a guest on file, such as walk-ins, ${unknown === 1 ? 'is' : 'are'} in none of these.`
  const sentence = `Of ${counted(all, 'visit')} with a guest on file, ${numberInWords(back)} ${back === 1 ? 'was a return visit' : 'were return visits'}${most}. They may have first come long ago, so this shows who visits now, not which source’s guests come back most${shown.rows('came_back').length > 0 ? ': the next picture shows that' : ''}.${left}${youngBook(shown, shown.figures.from, 'too many count as new')}`
  return {
    ...{ id: 'first-sources', title: 'How guests first came', of: ['guests_by_first_source', 'guests'] },
    ...{ sentence, cases: parties(all) },
    drawn: linesDrawn(
      [
        {
          lines: sources.map((one) => ({
            name: one.name,
            value: one.back + one.news,
            words: `${numberInWords(one.back)} back, ${numberInWords(one.news)} new`,
          })),
        },
      ],
      sentence,
    ),
    columns: [
      { key: 'first_source', name: 'First came through' },
      { key: 'return_visits', name: 'Return visits' },
      { key: 'new_guests', name: 'New guests' },
    ],
    rows: sources.map(({ name, news, back: visits }) => [name, visits, news]),
  }
}
