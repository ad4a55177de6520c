/*
 * Comma-separated values (RFC 4180) that are safe to open in a spreadsheet: guests typed some of them, so a cell that
 * would run as a formula gets a leading apostrophe. The office's exports do the same.
 */

/** Makes Excel read the file as UTF-8. */
export const csvStart = '\ufeff'

/** One row, ended by CR LF. */
export const csvRow = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const safe = textOf(value).replaceAll(formula, "$1'$2")
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  const isPlain = Array.isArray(value) && value.every((one) => typeof one !== 'object')
  return isPlain ? value.join(', ') : JSON.stringify(value)
}

/** Where some spreadsheet may see the start of a cell, what it ignores there, and what makes a formula. */
const formula = /(^|[;\t\r\n])((?:(?![;\t\r\n])[\s"])*[=+\-@＝＋－＠])/g
