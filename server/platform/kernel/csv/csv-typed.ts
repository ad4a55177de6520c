import { CsvFault, csvReader, guessSeparator } from './csv-reader.ts'
import { meantCell } from './csv-text.ts'

/*
 * Rows of a spreadsheet whose columns are known, as a manager types or pastes them: each cell is read as what it should be,
 * and what it cannot be is a sentence with its line.
 */

export type CsvTyped = {
  readonly line: number
  readonly text: (column: string) => string
  readonly word: (column: string, longest: number) => string
  readonly number: (column: string, bounds: readonly [number, number], otherwise: number) => number
  readonly yes: (column: string, otherwise: boolean) => boolean
}

export type CsvColumns = {
  readonly columns: readonly string[]
  readonly needed: readonly string[]
  /** Rows at most. */
  readonly most: number
  /** What a mistake calls a row besides its line; none: nothing. */
  readonly nameOf?: (cell: (column: string) => string) => string
}

/** The rows of a text; reading a cell that is not what it should be adds to `mistakes`. No rows where the columns are wrong. */
export const csvTyped = (
  text: string,
  { columns, needed, most, nameOf = () => '' }: CsvColumns,
): { readonly rows: readonly CsvTyped[]; readonly mistakes: string[] } => {
  const lines = linesOf(text.replace(/^\uFEFF/, ''))
  if (typeof lines === 'string') return { rows: [], mistakes: [lines] }
  const mistakes: string[] = []
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
  if (rows.length > most) mistakes.push(`The file has more than ${most} rows.`)
  if (mistakes.length > 0) return { rows: [], mistakes }
  return { rows: rows.map((row) => typedRow(row, headings, { nameOf, mistakes })), mistakes }
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

const typedRow = (
  { line, cells }: { readonly line: number; readonly cells: readonly string[] },
  headings: readonly string[],
  { nameOf, mistakes }: Required<Pick<CsvColumns, 'nameOf'>> & { readonly mistakes: string[] },
): CsvTyped => {
  const cell = (column: string): string => meantCell(cells[headings.indexOf(column)] ?? '').trim()
  const wrong = <T>(column: string, sentence: string, otherwise: T): T => {
    mistakes.push(`Line ${line}${nameOf(cell)}: ${column} ${sentence}.`)
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
