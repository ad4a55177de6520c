import type { Work } from '../../context.ts'
import type { CsvRow } from '../../platform/kernel/csv/csv-reader.ts'
import { plainCell, rowsOfFile } from './csv-file.ts'
import type { ImportKind } from './fields.ts'
import type { GuestRow } from '../../crm/guests/guest.ts'
import { guestsByIds } from '../../crm/guests/reads.ts'
import { fillIn } from '../../crm/guests/rules.ts'
import { type ContactInFile, type ReadRow, contactOf, differWords, readRow } from './rows.ts'
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
  /** The guests it is about, with their ids. */
  readonly guests: readonly { readonly id: number; readonly name: string }[]
  readonly why: string
  /** What is in columns without a place. */
  readonly notTaken: string
  readonly cells: readonly string[]
}

const rowsAtOnce = 500

export const sheetRows = async function* (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  row: ImportRow,
): AsyncGenerator<readonly SheetRow[]> {
  let waiting: CsvRow[] = []
  let isHeader = row.plan.header
  const numbers = new Set<string>()
  for await (const rows of rowsOfFile(partsOf(work.db, work.venue.id, row.upload_id), row.separator)) {
    for (const one of rows) {
      if (isHeader) isHeader = false
      else waiting.push(one)
    }
    if (waiting.length < rowsAtOnce) continue
    yield await sheetOf(work, row, waiting, numbers)
    waiting = []
  }
  if (waiting.length > 0) yield await sheetOf(work, row, waiting, numbers)
}

const sheetOf = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  row: ImportRow,
  rows: readonly CsvRow[],
  /** Of the bookings of rows before these. */
  numbers: Set<string>,
): Promise<readonly SheetRow[]> => {
  const { db, venue } = work
  const [from, to] = [rows[0]?.line ?? 0, rows.at(-1)?.line ?? 0]
  const [records, said] = await Promise.all([
    recordsBetween(db, venue.id, row.id, from, to),
    refusalsBetween(db, venue.id, row.id, from, to),
  ])
  const ids = records.flatMap(({ kind, record_id: id }) => (kind === 'guest' ? [id] : []))
  const guests = new Map((await guestsByIds(db, venue.id, ids)).map((guest) => [guest.id, guest]))
  const recordsOf = Map.groupBy(records, ({ line }) => line)
  const saidOf = new Map(said.map((one) => [one.line, one]))
  const taken = new Set(Object.values(row.plan.columns))
  return rows.map((one) => {
    const { line, cells } = one
    const own = recordsOf.get(line) ?? []
    const read = readRow(row.kind, row.plan, one, work)
    const said = suppliedBy(read)
    const isAgain = isRepeated(read, numbers) && own.length === 0
    const remark = saidOf.get(line)
    const plain = cells.map(plainCell)
    const left = plain.flatMap((text, column) =>
      taken.has(column) || row.plan.besides?.[column] === 'note' || !/[^\s-]/.test(text)
        ? []
        : [`${row.plan.headings?.[column] || `Column ${column + 1}`}: ${text}`],
    )
    return {
      line,
      what:
        remark && !remark.imported
          ? 'Skipped'
          : isAgain
            ? 'Already there: an earlier row has the same booking number'
            : inWords(own, guests, said),
      guests: own.flatMap(({ kind, record_id: id }) => {
        const guest = kind === 'guest' ? guests.get(id) : undefined
        return guest ? [{ id, name: nameOf(guest) }] : []
      }),
      why: remark?.sentence ?? '',
      notTaken: left.join('\n'),
      cells: plain,
    }
  })
}

/** Whether a row before it has its booking number; notes the number. */
const isRepeated = (row: ReadRow, numbers: Set<string>): boolean => {
  if (row.kind !== 'reservations' || !row.value.numbered) return false
  const before = numbers.size
  return numbers.add(row.value.identity).size === before
}

/** What a row says of its guest, and whether it has something for the staff notes. */
type Said = { readonly contact: ContactInFile; readonly hasNote: boolean }

const suppliedBy = (row: ReadRow): Said | undefined => {
  if (row.kind === 'guests') {
    const { notes, noteLines = [], brought } = row.value
    return {
      contact: row.value,
      hasNote: Boolean(notes) || noteLines.length > 0 || Boolean(brought?.allergies),
    }
  }
  if (row.kind !== 'reservations') return undefined
  const { lines, allergies } = row.value.staff
  return { contact: contactOf(row.value), hasNote: lines.length > 0 || allergies !== null }
}

const nameOf = ({ name, email, phone }: GuestRow): string => name ?? email ?? phone ?? 'no name'

const inWords = (
  records: readonly {
    kind: string
    record_id: number
    made: boolean
    filled: readonly string[]
    stays: string | null
  }[],
  guests: ReadonlyMap<number, GuestRow>,
  said: Said | undefined,
): string => {
  const words = records.flatMap(({ kind, record_id: id, made, filled, stays }) => {
    const since = stays === null ? '' : stays === '' ? ' (undone)' : ` (stays: ${stays})`
    const guest = kind === 'guest' ? guests.get(id) : undefined
    const called = `${kind === 'guest' ? 'guest' : 'booking'} ${id}${guest && !made ? `, ${nameOf(guest)}` : ''}`
    if (made) return [`New ${called}${since}`]
    const conflicting = guest && said ? fillIn(guest, said.contact).conflicting : {}
    const isDiffering = Object.keys(conflicting).length > 0
    // What differs is a line in the notes: a row without a note of its own brought none.
    const brought =
      isDiffering && said && !said.hasNote ? filled.filter((one) => !one.startsWith('note:')) : filled
    const fields = [...new Set(brought.map((one) => fieldWords[one.split(':', 1)[0] ?? ''] ?? one))]
    const words = `${fields.length === 0 ? 'belongs to' : 'added to'} ${called}${fields.length === 0 ? '' : `: ${fields.join(', ')}`}`
    return fields.length === 0 && !isDiffering
      ? []
      : [`${words[0]?.toUpperCase()}${words.slice(1)}${differWords(conflicting)}${since}`]
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
