/**
 * Comma-separated values (RFC 4180) that are safe to open in a spreadsheet: what it would run as a formula begins with an
 * apostrophe, which it shows as plain text. A spreadsheet may be set to split cells at `;` or a tab, and then takes our
 * quotes for plain signs, so what follows one of those, or a line break inside a cell, counts as a cell of its own.
 */

/** `written`: as it is, which only what is not typed by anybody may be, such as a sum below zero. */
export type CsvValue = string | number | boolean | null | { readonly written: string }

/** One row, ended by CR LF. */
export const csvRow = (values: readonly CsvValue[]): string => `${values.map(csvCell).join(',')}\r\n`

const csvCell = (value: CsvValue): string => {
  if (value === null) return ''
  if (typeof value === 'object') return value.written
  if (typeof value !== 'string') return String(value)
  const safe = value.replaceAll(formula, "$1'$2")
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A cell as it was meant: without the apostrophes that `csvRow` put in. */
export const meantCell = (cell: string): string => cell.replaceAll(keptFormula, '$1$2')

/** Where a cell may begin for some spreadsheet, what it overlooks there, and what makes a formula. */
const formula = /(^|[;\t\r\n])((?:(?![;\t\r\n])[\s"])*[=+\-@＝＋－＠])/g
const keptFormula = /(^|[;\t\r\n])'((?:(?![;\t\r\n])[\s"])*[=+\-@＝＋－＠])/g
