import { badRequest } from '../../kernel/refusal.ts'
import { DamagedBackup, type Frame, framesOfFile } from './frames.ts'
import { type Counts, type Header, readHeader, rowsIn } from './header.ts'

/**
 * Reads a backup from first byte to last and returns what is in it. Refuses one that was cut off or altered, so that none
 * of it is ever loaded.
 */
export const inspectBackup = async (path: string): Promise<Counts & { readonly header: Header }> => {
  try {
    const frames = framesOfFile(path)
    const header = readHeader((await frames.next()).value as Frame | undefined)
    const counts = { tables: 0, rows: 0 }
    let ofTable = 0
    for await (const { kind, body } of frames) {
      if (kind === 'table') {
        if (readName(body) !== header.tables[counts.tables]?.name)
          throw new DamagedBackup('a table is not in its place')
        ofTable = 0
      }
      if (kind === 'rows') ofTable += rowsIn(body)
      if (kind === 'tableEnd') {
        if (readRows(body) !== ofTable) throw new DamagedBackup('a table has not as many rows as it says')
        counts.tables++
        counts.rows += ofTable
      }
    }
    if (counts.tables !== header.tables.length) throw new DamagedBackup('a table is missing')
    return { ...counts, header }
  } catch (error) {
    // Altered bytes may not be JSON, or not be a header: they are parsed before the checksum is known.
    const isDamaged =
      error instanceof DamagedBackup || error instanceof SyntaxError || error instanceof TypeError
    if (!isDamaged) throw error
    const why = error instanceof DamagedBackup ? error.message : 'its bytes were altered'
    throw badRequest(`The backup ${path} cannot be used (${why}). Nothing was changed.`)
  }
}

/** The rows of each table, in file order; each table must be read to its end before the next. */
export async function* tablesOfBackup(
  path: string,
): AsyncGenerator<{ readonly name: string; readonly rows: AsyncIterable<Buffer> }> {
  const frames = framesOfFile(path)
  for await (const { kind, body } of frames)
    if (kind === 'table') yield { name: readName(body), rows: rowsUntilEnd(frames) }
}

/** Pulled one at a time, since leaving a `for await` early would close the file. */
async function* rowsUntilEnd(frames: AsyncGenerator<Frame>): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await frames.next()
    if (done || value.kind !== 'rows') return
    yield value.body
  }
}

const readName = (body: Buffer): string => (JSON.parse(body.toString()) as { name: string }).name
const readRows = (body: Buffer): number => (JSON.parse(body.toString()) as { rows: number }).rows
