import { meantCell } from '../../platform/kernel/csv/csv-text.ts'
import { type CsvRow, CsvFault, type Separator, csvReader } from '../../platform/kernel/csv/csv-reader.ts'

/** UTF-8 with or without its mark, piece by piece; another encoding is reported in a sentence (CsvFault). */
export const utf8Reader = (): {
  readonly push: (bytes: Uint8Array) => string
  readonly end: () => string
} => {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let begun = false
  const decode = (bytes: Uint8Array | undefined): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch {
      throw notUtf8()
    }
  }
  return {
    push: (bytes) => {
      if (!begun && isUtf16(bytes)) throw notUtf8()
      begun ||= bytes.length > 0
      const text = decode(bytes)
      if (text.includes('\0'))
        throw new CsvFault(0, 'The file contains characters that are not text: is this a CSV file?')
      return text
    },
    end: () => decode(undefined),
  }
}

const isUtf16 = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)

const notUtf8 = () =>
  new CsvFault(
    0,
    'The file is not in UTF-8. Save it again as “CSV UTF-8” (Excel: File, Save As; Numbers and Google Sheets do this automatically).',
  )

/**
 * Short pieces are garbage-collected soon after use; strings of a quarter of a megabyte stay until memory is scarce.
 */
const bytesAtOnce = 16 * 1024

/** The rows of a file, a piece at a time, in constant memory. Throws CsvFault. */
export const rowsOfFile = async function* (
  parts: AsyncIterable<Uint8Array>,
  separator: Separator,
): AsyncGenerator<CsvRow[]> {
  const text = utf8Reader()
  const rows = csvReader(separator)
  for await (const bytes of parts) {
    for (let at = 0; at < bytes.length; at += bytesAtOnce) {
      yield rows.push(text.push(bytes.subarray(at, at + bytesAtOnce)))
    }
  }
  yield rows.push(text.end())
  yield rows.end()
}

/**
 * A cell of an import: without the prefix that keeps a spreadsheet from running it, and without surrounding spaces.
 */
export const plainCell = (cell: string): string => meantCell(cell).trim()
