/*
 * As much of a spreadsheet as our script uses, with what Google's would refuse, and how it takes what is written: text
 * that looks like something else becomes that, unless an apostrophe precedes it.
 */

type Cell = string | number | boolean | Date | { readonly formula: string }

const cellCharacters = 50_000

const taken = (value: unknown): Cell => {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return value as Cell
  if (value.length > cellCharacters + 1)
    throw new Error('Your input contains more than the maximum of 50000 characters in a single cell.')
  if (value.startsWith("'")) return value.slice(1)
  if (/^[=+]./.test(value)) return { formula: value }
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return Number(value)
  if (/^\d{4}-\d\d-\d\d/.test(value) || /^\d\d?:\d\d$/.test(value)) return new Date(0)
  return /^(?:true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value
}

export class Book {
  /** A run that wrote so often is stopped. */
  writesLeft = Infinity
  readonly #sheets = new Map<string, Sheet>()

  getSheetByName(name: string): Sheet | null {
    return this.#sheets.get(name) ?? null
  }

  insertSheet(name: string): Sheet {
    if (this.#sheets.has(name)) throw new Error(`A sheet with the name "${name}" already exists.`)
    const sheet = new Sheet(this)
    this.#sheets.set(name, sheet)
    return sheet
  }

  wrote(): void {
    if (this.writesLeft-- <= 0) throw new Error('Exceeded maximum execution time')
  }

  /** Every sheet as its rows with something in them, the header first. */
  contents(): Record<string, Cell[][]> {
    return Object.fromEntries([...this.#sheets].map(([name, sheet]) => [name, sheet.contents()]))
  }
}

class Sheet {
  #columns = 26
  #grid: Cell[][] = Array.from({ length: 1_000 }, () => this.#blank())
  #frozen = 0
  readonly #book: Book

  constructor(book: Book) {
    this.#book = book
  }

  #blank(): Cell[] {
    return Array<Cell>(this.#columns).fill('')
  }

  getMaxRows = (): number => this.#grid.length
  getMaxColumns = (): number => this.#columns
  getLastRow = (): number => this.#grid.findLastIndex((row) => row.some((cell) => cell !== '')) + 1
  setFrozenRows = (count: number): void => void (this.#frozen = count)
  hideColumns = (): void => undefined

  insertRowsAfter(after: number, count: number): void {
    if (after > this.#grid.length || count < 1) throw new Error('Those rows are out of bounds.')
    this.#grid.splice(after, 0, ...Array.from({ length: count }, () => this.#blank()))
  }

  insertColumnsAfter(after: number, count: number): void {
    if (after > this.#columns || count < 1) throw new Error('Those columns are out of bounds.')
    for (const row of this.#grid) row.splice(after, 0, ...Array<Cell>(count).fill(''))
    this.#columns += count
  }

  deleteRows(first: number, count: number): void {
    this.#book.wrote()
    if (count < 1 || first + count - 1 > this.#grid.length) throw new Error('Those rows are out of bounds.')
    if (this.#grid.length - count <= this.#frozen) {
      throw new Error('Sorry, it is not possible to delete all non-frozen rows.')
    }
    this.#grid.splice(first - 1, count)
  }

  getRange(row: number, column: number, rows: number, columns: number) {
    if (row < 1 || column < 1 || rows < 1 || columns < 1)
      throw new Error('The number of rows in the range must be at least 1.')
    if (row + rows - 1 > this.#grid.length || column + columns - 1 > this.#columns) {
      throw new Error('The coordinates of the range are outside the dimensions of the sheet.')
    }
    return {
      getValues: (): Cell[][] =>
        this.#grid.slice(row - 1, row - 1 + rows).map((one) => one.slice(column - 1, column - 1 + columns)),
      setValues: (values: unknown[][]): void => {
        this.#book.wrote()
        if (values.length !== rows || values.some((one) => one.length !== columns)) {
          throw new Error('The number of rows or columns in the data does not match that of the range.')
        }
        for (const [at, one] of values.entries())
          this.#grid[row - 1 + at]?.splice(column - 1, columns, ...one.map(taken))
      },
    }
  }

  contents = (): Cell[][] => this.#grid.slice(0, this.getLastRow())
}
