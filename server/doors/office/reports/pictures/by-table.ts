import { counted, guests, parties, rowOf } from '../../../../data/reports/in-words.ts'
import { numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import { linesDrawn } from '../drawn/lines.ts'
import type { Picture, Shown } from '../picture.ts'
import { mostLines } from './business.ts'

/** Which tables had the most guests. Which server had them is a figure of people, and not of this page. */
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
  const sentence =
    most === least
      ? `Table ${most.table} had ${words(most)}.`
      : `Table ${most.table} had the most guests: ${words(most)}; of the tables that had any, table ${least.table} had the fewest: ${words(least)}.`
  return {
    ...{ id: 'by-table', title: 'Guests by table', of: ['guests_by_table'], sentence },
    cases: `${counted(tables.length, 'table')}${tables.length > mostLines ? `, the first ${mostLines} drawn` : ''}`,
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
    rows: tables.map((one) => [one.table, one.covers, one.parties]),
  }
}
