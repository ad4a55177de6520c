import { meantCell } from '../../platform/kernel/csv/csv-text.ts'
import { type CsvRow, CsvFault, type Separator, csvReader } from '../../platform/kernel/csv/csv-reader.ts'

/**
 * UTF-8, or UTF-16 as spreadsheets save “Unicode text”, with or without its mark, piece by piece; another encoding is reported
 * in a sentence (CsvFault).
 */
export const textReader = (): {
  readonly push: (bytes: Uint8Array) => string
  readonly end: () => string
} => {
  let decoder: TextDecoder | undefined
  const decode = (bytes: Uint8Array | undefined): string => {
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true })
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch {
      throw notText()
    }
  }
  return {
    push: (bytes) => {
      if (bytes.length === 0) return ''
      const text = decode(bytes)
      if (text.includes('\0'))
        throw new CsvFault(0, 'The file contains characters that are not text: is this a CSV file?')
      return text
    },
    end: () => decode(undefined),
  }
}

/** By its mark, or by the half of its first letter that is nothing. */
const encodingOf = ([first, second]: Uint8Array | readonly number[] = []): string => {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : 'utf-8'
}

const notText = () =>
  new CsvFault(
    0,
    'The file is in neither UTF-8 nor UTF-16. Save it again as “CSV UTF-8” (Excel: File, Save As; Numbers and Google Sheets do this automatically).',
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
  const text = textReader()
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
