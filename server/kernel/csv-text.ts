/**
 * Comma-separated values (RFC 4180) that are safe to open in a spreadsheet: a cell that a spreadsheet would run as a
 * formula begins with an apostrophe, which it shows as plain text.
 */

export type CsvValue = string | number | boolean | null

/** One row, ended by CR LF. */
export const csvRow = (values: readonly CsvValue[]): string => `${values.map(csvCell).join(',')}\r\n`

const csvCell = (value: CsvValue): string => {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const safe = /^\s*[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
