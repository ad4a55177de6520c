import { counted, guests, parties, rowOf, total } from '../../../../data/reports/in-words.ts'
import { numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import { linesDrawn } from '../drawn/lines.ts'
import { listInWords } from '../../../../platform/kernel/time/calendar.ts'
import { type Picture, type Shown, capital } from '../picture.ts'
import { mostLines } from './business.ts'
import { tablesSince } from './stays.ts'

/** More that are alike are counted. */
const mostNamed = 3

/** Which tables had the most guests, and which had none. Which server had them is a figure of people, and not of this page. */
export const byTablePicture = (shown: Shown): Picture | undefined => {
  const rows = shown.rows('guests_by_table')
  const tables = [...new Set(rows.map(({ key }) => String(key['table'])))]
    .map((table) => ({
      table,
      covers: rowOf(rows, { table, measure: 'covers' })?.n ?? 0,
      parties: rowOf(rows, { table, measure: 'parties' })?.n ?? 0,
    }))
    .toSorted((a, b) => b.covers - a.covers || b.parties - a.parties)
  const [most, least] = [tables[0], tables.at(-1)]
  if (most === undefined || least === undefined) return undefined
  const words = (one: typeof most): string => `${guests(one.covers)} in ${parties(one.parties)}`
  const like = (one: typeof most) => tables.filter(({ covers }) => covers === one.covers)
  const had = (one: typeof most, what: string): string => {
    const alike = like(one)
    const named = alike.map(({ table }) => table)
    return alike.length === 1
      ? `table ${one.table} had the ${what}: ${words(one)}`
      : `${alike.length > mostNamed ? counted(alike.length, 'table') : `tables ${listInWords(named)}`} had the ${what}, ${numberInWords(one.covers)} each`
  }
  const said =
    most === least
      ? `Table ${most.table} had ${words(most)}.`
      : most.covers === least.covers
        ? `Each of the ${counted(tables.length, 'table')} had ${guests(most.covers)}.`
        : `${capital(had(most, 'most guests'))}; of the tables that had any, ${had(least, 'fewest')}.`
  const unused = (shown.tables ?? []).filter((label) => tables.every(({ table }) => table !== label))
  const sentence = `${said}${joinedInWords(tables, shown)}${unusedInWords(unused, shown)}${tablesSince(shown)}`
  return {
    ...{ id: 'by-table', title: 'Guests by table', of: ['guests_by_table'], sentence },
    cases: `${counted(tables.length, 'table')} used${tables.length > mostLines ? `, the first ${mostLines} drawn` : ''}`,
    drawn: linesDrawn(
      [
        {
          lines: tables.slice(0, mostLines).map((one) => ({
            name: one.table,
            value: one.covers,
            words: `${numberInWords(one.covers)} · ${parties(one.parties)}`,
          })),
        },
      ],
      sentence,
    ),
    columns: [
      { key: 'table', name: 'Table' },
      { key: 'guests', name: 'Guests' },
      { key: 'parties', name: 'Parties' },
    ],
    rows: [
      ...tables.map((one) => [one.table, one.covers, one.parties]),
      ...unused.map((label) => [label, 0, 0]),
    ],
  }
}

/** Where parties sat at more than one table, so that nobody adds up the rows and wonders. */
const joinedInWords = (tables: readonly { readonly parties: number }[], { rows }: Shown): string => {
  const known = total(rows('tables_known'))
  return known > 0 && tables.reduce((sum, one) => sum + one.parties, 0) > known
    ? ' A party at joined tables counts at each of them with all of its guests, so the tables add up to more guests than came.'
    : ''
}

/** " Nobody sat at 18 of your 32 tables."; empty where somebody sat at each. */
const unusedInWords = (unused: readonly string[], { tables = [], rows }: Shown): string => {
  if (unused.length === 0) return ''
  const which =
    unused.length > mostNamed
      ? `${numberInWords(unused.length)} of your ${counted(tables.length, 'table')}`
      : `${unused.length === 1 ? 'table' : 'tables'} ${listInWords(unused)}`
  const isKnown = total(rows('tables_known')) >= total(rows('parties'))
  return ` Nobody sat at ${which}${isKnown ? '' : ', as far as tables are known'}.`
}
