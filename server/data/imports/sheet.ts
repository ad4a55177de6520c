import type { Work } from '../../context.ts'
import type { CsvRow } from '../../platform/kernel/csv/csv-reader.ts'
import { plainCell, rowsOfFile } from './csv-file.ts'
import type { ImportKind } from './fields.ts'
import { recordsBetween } from './records.ts'
import { type ImportRow, hasParts, partsOf, refusalsBetween } from './store.ts'

/**
 * After an import: each row of its file with what came of it. It is made from the file, which is kept for it for
 * seven days, so nothing of it is stored a second time.
 */

export const sheetDays = 7

export const hasSheet = (kind: ImportKind): boolean => kind === 'guests' || kind === 'reservations'

/** Whether its file is still there. */
export const sheetIsThere = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  { kind, state, upload_id }: ImportRow,
): Promise<boolean> =>
  hasSheet(kind) && ['done', 'undoing', 'undone'].includes(state) && hasParts(db, venue.id, upload_id)

export type SheetRow = {
  readonly line: number
  readonly what: string
  readonly why: string
  /** What is in columns without a place. */
  readonly notTaken: string
  readonly cells: readonly string[]
}

const rowsAtOnce = 500

export const sheetRows = async function* (
  work: Pick<Work, 'db' | 'venue'>,
  row: ImportRow,
): AsyncGenerator<readonly SheetRow[]> {
  let waiting: CsvRow[] = []
  let isHeader = row.plan.header
  for await (const rows of rowsOfFile(partsOf(work.db, work.venue.id, row.upload_id), row.separator)) {
    for (const one of rows) {
      if (isHeader) isHeader = false
      else waiting.push(one)
    }
    if (waiting.length < rowsAtOnce) continue
    yield await sheetOf(work, row, waiting)
    waiting = []
  }
  if (waiting.length > 0) yield await sheetOf(work, row, waiting)
}

const sheetOf = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  row: ImportRow,
  rows: readonly CsvRow[],
): Promise<readonly SheetRow[]> => {
  const [from, to] = [rows[0]?.line ?? 0, rows.at(-1)?.line ?? 0]
  const [records, said] = await Promise.all([
    recordsBetween(db, venue.id, row.id, from, to),
    refusalsBetween(db, venue.id, row.id, from, to),
  ])
  const recordsOf = Map.groupBy(records, ({ line }) => line)
  const saidOf = new Map(said.map((one) => [one.line, one]))
  const taken = new Set(Object.values(row.plan.columns))
  return rows.map(({ line, cells }) => {
    const remark = saidOf.get(line)
    const plain = cells.map(plainCell)
    const left = plain.flatMap((text, column) =>
      taken.has(column) || row.plan.besides?.[column] === 'note' || !/[^\s-]/.test(text)
        ? []
        : [`${row.plan.headings?.[column] || `Column ${column + 1}`}: ${text}`],
    )
    return {
      line,
      what: remark && !remark.imported ? 'Not imported' : inWords(recordsOf.get(line) ?? []),
      why: remark?.sentence ?? '',
      notTaken: left.join('\n'),
      cells: plain,
    }
  })
}

const inWords = (
  records: readonly {
    kind: string
    record_id: number
    made: boolean
    filled: readonly string[]
    stays: string | null
  }[],
): string => {
  const words = records.flatMap(({ kind, record_id: id, made, filled, stays }) => {
    const since = stays === null ? '' : stays === '' ? ' (undone)' : ` (stays: ${stays})`
    const called = `${kind === 'guest' ? 'guest' : 'booking'} ${id}`
    if (made) return [`New ${called}${since}`]
    const fields = [...new Set(filled.map((one) => fieldWords[one.split(':', 1)[0] ?? ''] ?? one))]
    return fields.length === 0 ? [] : [`Added to ${called}: ${fields.join(', ')}${since}`]
  })
  return words.length === 0 ? 'Already there' : words.join('. ')
}

const fieldWords: Readonly<Record<string, string>> = {
  externalId: 'ID in other software',
  seatingPreference: 'seating preference',
  referralSource: 'how they heard about you',
  noShows: 'no-shows',
  lastVisit: 'last visit',
  vip: 'VIP',
  tag: 'tags',
  note: 'staff notes',
}
