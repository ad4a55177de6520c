/*
 * Reads comma-separated values (RFC 4180) as they come, in pieces of any size: cells in quotes may hold separators,
 * doubled quotes and line ends; lines end with CR LF, LF or CR; empty lines are skipped. Only the incomplete row is
 * kept between pieces.
 */

export type CsvRow = {
  /** The line of the file on which the row begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

export const separators = [',', ';', '\t'] as const
export type Separator = (typeof separators)[number]

/** Why a file cannot be read further, in a sentence. */
export class CsvFault extends Error {
  readonly line: number
  constructor(line: number, sentence: string) {
    super(sentence)
    this.name = 'CsvFault'
    this.line = line
  }
}

/** Most characters and cells of a row: more than any list of people has. */
const longestRow = 128 * 1024
const mostCells = 500

export type CsvReader = {
  /** The rows completed by this piece. Throws CsvFault for an endless row. */
  readonly push: (piece: string) => CsvRow[]
  /** The remaining row at the end of the file. */
  readonly end: () => CsvRow[]
}

export const csvReader = (separator: Separator): CsvReader => {
  let rest = ''
  let line = 1
  const read = (text: string, ended: boolean): CsvRow[] => {
    const rows: CsvRow[] = []
    let at = 0
    while (at < text.length) {
      const found = rowAt(text, at, separator, ended)
      if (found === 'more') break
      if (found === 'open') throw neverClosed(line)
      if (found === 'wide') throw new CsvFault(line, `Line ${line} has more than ${mostCells} columns.`)
      if (found.cells.length > 1 || found.cells[0] !== '') rows.push({ line, cells: found.cells })
      line += found.lines
      at = found.next
    }
    rest = text.slice(at)
    if (rest.length > longestRow) {
      throw rest.includes('"')
        ? neverClosed(line)
        : new CsvFault(line, `Line ${line} is too long for a row of a list: is this a CSV file?`)
    }
    return rows
  }
  return { push: (piece) => read(rest + piece, false), end: () => read(rest, true) }
}

/** The separator of a file, from its first lines: the one most frequent outside quotes. */
export const guessSeparator = (beginning: string): Separator => {
  const outside = beginning.replaceAll(/"(?:[^"]|"")*(?:"|$)/g, '')
  const head = outside.trimStart().split(/[\r\n]/, 1)[0] ?? ''
  const count = (one: Separator) => head.split(one).length
  return separators.reduce((best, one) => (count(one) > count(best) ? one : best))
}

type Found = { readonly cells: string[]; readonly next: number; readonly lines: number }

const neverClosed = (line: number) =>
  new CsvFault(line, `A quotation mark opened in line ${line} is never closed.`)

/**
 * The row that begins at a place; `more` when it continues after the text, `open` when it ends within quotes,
 * `wide` when it has too many cells.
 */
const rowAt = (
  text: string,
  from: number,
  separator: Separator,
  ended: boolean,
): Found | 'more' | 'open' | 'wide' => {
  const cells: string[] = []
  let lines = 1
  let at = from
  for (;;) {
    let cell = ''
    if (text[at] === '"') {
      const closed = quotedAt(text, at + 1)
      if (!closed) return ended ? 'open' : 'more'
      cell = closed.cell
      lines += closed.lines
      at = closed.next
    }
    const start = at
    let sign = text[at]
    while (sign !== undefined && sign !== separator && sign !== '\n' && sign !== '\r') sign = text[++at]
    // Anything between a closing quote and the separator belongs to the cell: other programs write that.
    cell += text.slice(start, at)
    cells.push(cell)
    if (cells.length > mostCells) return 'wide'
    if (sign === separator) at++
    else if (sign === undefined) return ended ? { cells, next: at, lines } : 'more'
    else if (sign === '\n') return { cells, next: at + 1, lines }
    // A line feed may follow in the next piece.
    else if (at + 1 === text.length && !ended) return 'more'
    else return { cells, next: text[at + 1] === '\n' ? at + 2 : at + 1, lines }
  }
}

const quotedAt = (text: string, from: number): { cell: string; next: number; lines: number } | undefined => {
  let cell = ''
  let lines = 0
  let at = from
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return undefined
    const piece = text.slice(at, quote)
    lines += piece.match(/\r\n?|\n/g)?.length ?? 0
    if (text[quote + 1] !== '"') return { cell: cell + piece, next: quote + 1, lines }
    cell += `${piece}"`
    at = quote + 2
  }
}
