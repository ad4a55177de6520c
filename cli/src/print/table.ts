import type { Output } from '../world.ts'
import { paint } from './paint.ts'
import { cut, padded, printable, widthOf } from './printable.ts'

type Fields = Readonly<Record<string, unknown>>

type Column = { readonly name: string; readonly cells: readonly string[]; readonly width: number }

/** The widest a column may be when there is not room for all of them. */
const widestColumn = 32
const gap = '  '

/**
 * Records as a table as wide as the terminal: the first fields that fit, in the order in which the API has them, without
 * those that are empty everywhere. When the output is not a terminal, all fields.
 */
export const table = (records: readonly Fields[], out: Output): string => {
  const whole = columnsOf(records, Infinity)
  const room = out.columns()
  const shown = widthTogether(whole) <= room ? whole : fitting(columnsOf(records, widestColumn), room)
  const line = (cells: readonly string[]): string =>
    `${cells
      .map((text, i) => padded(text, shown[i]?.width ?? 0))
      .join(gap)
      .trimEnd()}\n`
  return [
    paint(out, 'dim', line(shown.map(({ name }) => name)).trimEnd()) + '\n',
    ...records.map((_, row) => line(shown.map(({ cells }) => cells[row] ?? ''))),
  ].join('')
}

/** Every field that any record has. */
const columnsOf = (records: readonly Fields[], widest: number): Column[] =>
  [...new Set(records.flatMap((one) => Object.keys(one)))]
    .filter((name) => records.some((one) => one[name] !== null && one[name] !== undefined))
    .map((name) => {
      const cells = records.map((one) => cut(cell(one[name]), widest))
      return { name, cells, width: Math.max(widthOf(name), ...cells.map(widthOf)) }
    })

const widthTogether = (columns: readonly Column[]): number =>
  columns.reduce((sum, { width }) => sum + width + gap.length, -gap.length)

/** As many columns as there is room for, but at least one. */
const fitting = (columns: readonly Column[], room: number): Column[] =>
  columns.filter((_, i) => i === 0 || widthTogether(columns.slice(0, i + 1)) <= room)

/** One record, a line for each field. */
export const sheet = (record: Fields, out: Output): string => {
  const width = Math.max(0, ...Object.keys(record).map((name) => name.length))
  return Object.entries(record)
    .map(([name, value]) => `${paint(out, 'dim', name.padEnd(width))}${gap}${cell(value)}`.trimEnd() + '\n')
    .join('')
}

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
    return printable(value.join(', '))
  return printable(typeof value === 'string' ? value : JSON.stringify(value))
}
