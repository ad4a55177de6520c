/*
 * What people read: a table for several records, one line per field for a single one. Scripts use --json.
 */

type Cell = string | number | boolean | null

/** Rows under their column names, as wide as needed. */
export const table = <Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => Cell>>,
): string => {
  const lines = [
    Object.keys(columns),
    ...rows.map((row) => Object.values(columns).map((cell) => shown(cell(row)))),
  ]
  const widths = Object.keys(columns).map((_, place) =>
    Math.max(...lines.map((line) => widthOf(line[place] ?? ''))),
  )
  return lines
    .map((line) =>
      line
        .map((text, place) => padded(text, widths[place] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The fields of one record, one to a line. */
export const sheet = (fields: Readonly<Record<string, Cell>>): string => {
  const width = Math.max(...Object.keys(fields).map(widthOf))
  return Object.entries(fields)
    .map(([name, value]) => `${padded(name, width)}  ${shown(value)}`)
    .join('\n')
}

/** Without control characters: an owner's text must not move the cursor of the operator's terminal. */
const shown = (value: Cell): string => {
  if (value === null || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return String(value).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
}

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))

const widthOf = (text: string): number => Array.from(text).length
