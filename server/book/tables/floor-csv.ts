import { type CsvValue, csvRow } from '../../platform/kernel/csv/csv-text.ts'
import { type CsvTyped, csvTyped } from '../../platform/kernel/csv/csv-typed.ts'
import { documentBounds } from '../rules/rules-document-bounds.ts'
import { drawnKinds, tableShapes } from '../rules/floor/floor.ts'
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
const drawnColumns = ['room', 'what', 'x', 'y', 'wide', 'high'] as const

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

export const drawnAsCsv = ({ drawn }: WrittenFloor): string =>
  csvRow(drawnColumns) + drawn.map((one) => csvRow(drawnColumns.map((name) => one[name]))).join('')

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

/** The floor with what a file has drawn of its rooms; without a line, nothing is drawn. */
export const withDrawn = (floor: WrittenFloor, text: string): FloorRead =>
  text.trim() === ''
    ? { ok: true, floor: { ...floor, drawn: [] } }
    : read(text, drawnColumns, ['room', 'what'], (rows, mistakes) => ({
        ...floor,
        drawn: rows.map((row) => {
          const what = row.text('what').toLowerCase()
          if (!drawnKinds.some((known) => known === what))
            mistakes.push(`Line ${row.line}: what must be one of ${drawnKinds.join(', ')}.`)
          return {
            room: row.word('room', documentBounds.name),
            what,
            x: row.number('x', documentBounds.place, 0),
            y: row.number('y', documentBounds.place, 0),
            wide: row.number('wide', documentBounds.drawnSteps, 1),
            high: row.number('high', documentBounds.drawnSteps, 1),
          }
        }),
      }))

const read = (
  text: string,
  columns: readonly string[],
  needed: readonly string[],
  floorOf: (rows: readonly CsvTyped[], mistakes: string[]) => WrittenFloor,
): FloorRead => {
  const { rows, mistakes } = csvTyped(text, {
    ...{ columns, needed, most: documentBounds.tables },
    // People who draw the tables see labels, not line numbers.
    nameOf: (cell) => {
      const label = cell('label')
      return label !== '' && label.length <= documentBounds.label ? `, table ${label}` : ''
    },
  })
  if (mistakes.length > 0) return { ok: false, mistakes }
  const floor = floorOf(rows, mistakes)
  if (mistakes.length === 0) mistakes.push(...floorMistakes(floor))
  return mistakes.length === 0 ? { ok: true, floor } : { ok: false, mistakes }
}
