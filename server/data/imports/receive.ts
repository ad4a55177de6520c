import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../context.ts'
import { uuidFrom } from '../../platform/kernel/uuid.ts'
import { Refusal, badRequest } from '../../platform/kernel/refusal.ts'
import type { Venue } from '../../core/venue/venue.ts'
import { venueBySlug } from '../../core/venue/venues.ts'
import { textReader } from './csv-file.ts'
import {
  CsvFault,
  type CsvReader,
  type CsvRow,
  type Separator,
  csvReader,
  guessSeparator,
} from '../../platform/kernel/csv/csv-reader.ts'
import {
  type DateOrder,
  type ImportKind,
  type ImportPlan,
  datedFields,
  guessBesides,
  guessColumns,
  looksLikeHeader,
} from './fields.ts'
import { type ImportRow, deleteParts, insertImport, insertPart, waitingFiles } from './store.ts'
import { guessDateOrder, orderIn } from './read-cells.ts'

const partBytes = 256 * 1024
/** Rows from which the date order is guessed. */
const rowsLookedAt = 500

/**
 * Receives a file as it arrives and stores it in parts, so that a large one is never entirely in memory, and so that
 * any process can import it. It is read to its end: anything that is not a list in UTF-8 or UTF-16 is refused here, with
 * nothing stored.
 */
export const receiveImport = async (
  { db, clock, random }: Pick<Context, 'db' | 'clock' | 'random'>,
  venue: Venue,
  { kind, fileName, madeBy }: { kind: ImportKind; fileName: string; madeBy: string },
  file: AsyncIterable<Buffer>,
): Promise<ImportRow> => {
  if ((await waitingFiles(db, venue.id)) >= limits.importsWaiting) {
    throw new Refusal(
      409,
      `${limits.importsWaiting} files are already waiting: import or discard them first.`,
    )
  }
  const upload = uuidFrom(random)
  const look = makeLook()
  let fileBytes = 0
  let number = 0
  try {
    for await (const part of partsOfStream(file)) {
      fileBytes += part.length
      if (fileBytes > limits.importFileBytes) {
        throw badRequest(
          `The file is larger than ${limits.importFileBytes / 1024 / 1024} MB: split it and import the parts.`,
        )
      }
      look.push(part)
      await insertPart(db, venue.id, upload, number++, part, clock())
    }
    const { rows, count, separator, filled, orders } = look.end()
    const [first] = rows
    if (!first) throw badRequest('This file is empty.')
    const header = looksLikeHeader(kind, first.cells)
    if (header && count === 1) throw badRequest('This file has headings but no rows.')
    const place = await venueBySlug(db, venue.slug)
    const columns = header ? guessColumns(kind, first.cells) : {}
    const plan: ImportPlan = {
      header,
      columns,
      dates: guessDateOrder(datesIn(rows, columns), place?.country ?? 'US'),
      evidence: null,
      besides: header ? guessBesides(kind, first.cells, columns) : {},
      ...(header && { headings: first.cells.map((cell) => cell.trim().slice(0, 60)) }),
      orders: [...orders].map((seen) => [...seen]),
      filled: filled.map((rowsWith, i) => rowsWith - (header && first.cells[i]?.trim() ? 1 : 0)),
    }
    const rowCount = count - (header ? 1 : 0)
    const made = { kind, fileName: shortName(fileName), fileBytes, rowCount, separator, upload, plan, madeBy }
    return await insertImport(db, venue.id, made, clock())
  } catch (error) {
    await deleteParts(db, venue.id, upload).catch(() => undefined)
    throw error instanceof CsvFault ? badRequest(error.message) : error
  }
}

/** Gathers what arrives into parts of one size. */
const partsOfStream = async function* (file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = []
  let size = 0
  for await (const piece of file) {
    gathered.push(piece)
    size += piece.length
    if (size < partBytes) continue
    yield Buffer.concat(gathered)
    gathered = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(gathered)
}

/** Counts the rows of a file and keeps the first ones. */
const makeLook = () => {
  const text = textReader()
  const rows: CsvRow[] = []
  let count = 0
  /** How many rows have something in each column. */
  const filled: number[] = []
  /** In which orders the dates of each column are written, where only one is possible. */
  const orders: Set<DateOrder>[] = []
  let separator: Separator | undefined
  let reader: CsvReader | undefined
  const take = (found: readonly CsvRow[]): void => {
    count += found.length
    for (const { cells } of found)
      for (const [i, cell] of cells.entries()) {
        filled[i] = (filled[i] ?? 0) + (/[^\s-]/.test(cell) ? 1 : 0)
        orders[i] ??= new Set()
        const order = orderIn(cell)
        if (order) orders[i].add(order)
      }
    if (rows.length < rowsLookedAt) rows.push(...found.slice(0, rowsLookedAt - rows.length))
  }
  const read = (piece: string): void => {
    separator ??= guessSeparator(piece.slice(0, 64 * 1024))
    reader ??= csvReader(separator)
    take(reader.push(piece))
  }
  return {
    push: (part: Buffer): void => read(text.push(part)),
    end: () => {
      read(text.end())
      take(reader?.end() ?? [])
      return { rows, count, separator: separator ?? ',', filled, orders }
    },
  }
}

const datesIn = (rows: readonly CsvRow[], columns: ImportPlan['columns']): string[] => {
  const dated = datedFields.flatMap((field) => columns[field] ?? [])
  return rows.flatMap(({ cells }) => dated.map((column) => cells[column] ?? ''))
}

/** The name as the list of imports shows it, without characters that do not fit a line. */
const shortName = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
    .trim()
    .slice(-120) || 'file.csv'
