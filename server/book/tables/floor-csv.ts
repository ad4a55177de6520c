import { type CsvValue, csvRow, meantCell } from '../../platform/kernel/csv/csv-text.ts'
import { CsvFault, csvReader, guessSeparator } from '../../platform/kernel/csv/csv-reader.ts'
import { documentBounds } from '../rules/rules-document-bounds.ts'
import { tableShapes } from '../rules/floor/floor.ts'
import {
  type WrittenFloor,
  type WrittenTable,
  floorMistakes,
  sameWord,
} from '../rules/floor/written-floor.ts'

/*
 * Tables and combinations as files for a spreadsheet, out and in again. A file replaces all tables, or all combinations;
 * rooms follow from the tables, and what else is known of them stays.
 */

const tableColumns = [
  'label',
  'room',
  'least',
  'most',
  'shape',
  'online',
  'priority',
  'features',
  'x',
  'y',
] as const
const combinationColumns = ['tables', 'least', 'most'] as const

const between = '; '

export const tablesAsCsv = ({ tables }: WrittenFloor): string =>
  csvRow(tableColumns) +
  tables
    .map((table) =>
      csvRow(
        tableColumns.map((name): CsvValue => {
          const value = table[name]
          return typeof value === 'object' ? value.join(between) : value
        }),
      ),
    )
    .join('')

export const combinationsAsCsv = ({ combinations }: WrittenFloor): string =>
  csvRow(combinationColumns) +
  combinations.map(({ tables, least, most }) => csvRow([tables.join('+'), least, most])).join('')

export type FloorRead =
  | { readonly ok: true; readonly floor: WrittenFloor }
  | { readonly ok: false; readonly mistakes: readonly string[] }

/** The floor with the tables of a file. Combinations, outages and plans of a table that is gone go with it. */
export const withTables = (floor: WrittenFloor, text: string): FloorRead =>
  read(text, tableColumns, ['label', 'room', 'most'], (rows, mistakes) => {
    const tables = rows.map((row): WrittenTable => {
      const shape = row.text('shape').toLowerCase() || 'square'
      if (!tableShapes.some((known) => known === shape)) {
        mistakes.push(`Line ${row.line}: shape must be one of ${tableShapes.join(', ')}.`)
      }
      return {
        label: row.word('label', documentBounds.label),
        room: row.word('room', documentBounds.name),
        least: row.number('least', documentBounds.seats, 1),
        most: row.number('most', documentBounds.seats, 1),
        shape,
        online: row.yes('online', true),
        priority: row.number('priority', documentBounds.priority, 0),
        features: row
          .text('features')
          .split(/[;,]/)
          .map((feature) => feature.trim())
          .filter(Boolean),
        x: row.number('x', documentBounds.place, 0),
        y: row.number('y', documentBounds.place, 0),
      }
    })
    const names = [...new Map(tables.map(({ room }) => [room.toLowerCase(), room])).values()]
    const rooms = [
      ...floor.rooms,
      ...names
        .filter((name) => !floor.rooms.some((room) => sameWord(room.name, name)))
        .map((name) => ({ name, isOn: true })),
    ]
    const isThere = (label: string): boolean => tables.some((table) => sameWord(table.label, label))
    return {
      ...floor,
      rooms,
      tables,
      combinations: floor.combinations.filter((one) => one.tables.every(isThere)),
      outages: floor.outages.filter(({ table }) => isThere(table)),
      plans: floor.plans.filter(({ table }) => table === null || isThere(table)),
    }
  })

/** The floor with the combinations of a file. */
export const withCombinations = (floor: WrittenFloor, text: string): FloorRead =>
  read(text, combinationColumns, combinationColumns, (rows) => ({
    ...floor,
    combinations: rows.map((row) => ({
      tables: row
        .text('tables')
        .split('+')
        .map((label) => label.trim())
        .filter(Boolean),
      least: row.number('least', documentBounds.seats, 1),
      most: row.number('most', documentBounds.seats, 1),
    })),
  }))

type Row = {
  readonly line: number
  readonly text: (column: string) => string
  readonly word: (column: string, longest: number) => string
  readonly number: (column: string, bounds: readonly [number, number], otherwise: number) => number
  readonly yes: (column: string, otherwise: boolean) => boolean
}

const read = (
  text: string,
  columns: readonly string[],
  needed: readonly string[],
  floorOf: (rows: readonly Row[], mistakes: string[]) => WrittenFloor,
): FloorRead => {
  const mistakes: string[] = []
  const plain = text.replace(/^\uFEFF/, '')
  const lines = linesOf(plain)
  if (typeof lines === 'string') return { ok: false, mistakes: [lines] }
  const [heading, ...rows] = lines
  const headings = (heading?.cells ?? []).map((cell) => cell.trim().toLowerCase())
  for (const column of needed) {
    if (!headings.includes(column)) mistakes.push(`The column ${column} is missing.`)
  }
  for (const column of headings) {
    if (!columns.includes(column)) {
      mistakes.push(`${column} is not a column; known here are ${columns.join(', ')}.`)
    }
  }
  if (rows.length > documentBounds.tables) {
    mistakes.push(`The file has more than ${documentBounds.tables} rows.`)
  }
  if (mistakes.length > 0) return { ok: false, mistakes }
  const floor = floorOf(
    rows.map(({ line, cells }) => rowOf(line, headings, cells, mistakes)),
    mistakes,
  )
  if (mistakes.length === 0) mistakes.push(...floorMistakes(floor))
  return mistakes.length === 0 ? { ok: true, floor } : { ok: false, mistakes }
}

const linesOf = (text: string) => {
  try {
    const reader = csvReader(guessSeparator(text))
    return [...reader.push(text), ...reader.end()]
  } catch (error) {
    if (error instanceof CsvFault) return error.message
    throw error
  }
}

const rowOf = (
  line: number,
  headings: readonly string[],
  cells: readonly string[],
  mistakes: string[],
): Row => {
  const cell = (column: string): string => meantCell(cells[headings.indexOf(column)] ?? '').trim()
  const wrong = <T>(column: string, sentence: string, otherwise: T): T => {
    // People who draw the tables see labels, not line numbers.
    const label = cell('label')
    const isNamed = label !== '' && label.length <= documentBounds.label
    mistakes.push(`Line ${line}${isNamed ? `, table ${label}` : ''}: ${column} ${sentence}.`)
    return otherwise
  }
  return {
    line,
    text: cell,
    word: (column, longest) => {
      const value = cell(column)
      if (value === '') return wrong(column, 'is missing', '')
      return value.length > longest ? wrong(column, `must be at most ${longest} characters`, '') : value
    },
    number: (column, [least, most], otherwise) => {
      const value = cell(column)
      if (value === '') return otherwise
      const number = Number(value)
      return /^-?\d{1,9}$/.test(value) && number >= least && number <= most
        ? number
        : wrong(column, `must be a whole number from ${least} to ${most}`, otherwise)
    },
    yes: (column, otherwise) => {
      const value = cell(column).toLowerCase()
      if (value === '') return otherwise
      if (['true', 'yes', '1'].includes(value)) return true
      if (['false', 'no', '0'].includes(value)) return false
      return wrong(column, 'must be true or false', otherwise)
    },
  }
}
