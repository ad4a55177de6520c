import { createReadStream } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { csvRow, csvStart } from './csv.ts'

export type Fields = Readonly<Record<string, unknown>>

/** A change as stored until an export is complete; without data, the record is gone. */
export type Arrived = { readonly id: number; readonly data: Fields | null }

/** The files of one kind of records. */
export type Files = {
  /** The earlier export; absent: none that is still valid. */
  readonly base: string | undefined
  /** Whether lines of the earlier export that cannot be read are passed over. */
  readonly isDamaged?: boolean
  /** The changes since then, one line each. */
  readonly part: string
  readonly ndjson: string
  readonly csv: string
}

/** Writes a kind's files from its earlier ones and the changes since; returns how many records there are. */
export const merge = async (files: Files): Promise<number> => {
  const { latest, columns } = await survey(files)
  const [ndjson, csv] = await Promise.all([create(files.ndjson), create(files.csv)])
  let count = 0
  try {
    await csv.write(csvStart + csvRow([...columns]))
    for await (const record of recordsOf(files, latest)) {
      count++
      await ndjson.write(`${JSON.stringify(record)}\n`)
      await csv.write(csvRow([...columns].map((name) => record[name])))
    }
  } finally {
    await Promise.all([ndjson.close(), csv.close()])
  }
  // The earlier files stay complete until the new ones are.
  await rename(`${files.ndjson}.new`, files.ndjson)
  await rename(`${files.csv}.new`, files.csv)
  return count
}

/** The last line of each record, and all fields found. */
const survey = async ({ base, isDamaged, part }: Files) => {
  const latest = new Map<number, number>()
  const columns = new Set<string>()
  const note = (record: Fields): void => {
    for (const name of Object.keys(record)) columns.add(name)
  }
  for await (const [record] of linesOf<Fields>(base, isDamaged)) note(record)
  for await (const [{ id, data }, line] of linesOf<Arrived>(part)) {
    latest.set(id, line)
    if (data) note(data)
  }
  return { latest, columns }
}

const recordsOf = async function* (
  { base, isDamaged, part }: Files,
  latest: ReadonlyMap<number, number>,
): AsyncGenerator<Fields> {
  for await (const [record] of linesOf<Fields>(base, isDamaged)) {
    if (!latest.has(record['id'] as number)) yield record
  }
  for await (const [{ id, data }, line] of linesOf<Arrived>(part)) {
    if (data !== null && latest.get(id) === line) yield data
  }
}

/** The contents of each line of a JSON file, and its number. */
export const linesOf = async function* <Value>(
  path: string | undefined,
  isDamaged = false,
): AsyncGenerator<[value: Value, line: number]> {
  if (path === undefined || !(await stat(path).catch(() => undefined))) return
  let line = 0
  let rest = ''
  // `node:readline` would also break lines at U+2028, which JSON may contain unescaped.
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const texts = (rest + chunk).split('\n')
    rest = texts.pop() ?? ''
    for (const text of texts) {
      const value = isDamaged ? readable(text) : JSON.parse(text)
      if (value !== undefined) yield [value as Value, line]
      line++
    }
  }
}

const bufferedCharacters = 1 << 16

/** A new file next to another, written in large chunks. */
const create = async (path: string) => {
  const file = await open(`${path}.new`, 'w', 0o600)
  let buffered = ''
  const flush = async (): Promise<void> => {
    const text = buffered
    buffered = ''
    await file.writeFile(text)
  }
  return {
    write: async (text: string): Promise<void> => {
      buffered += text
      if (buffered.length >= bufferedCharacters) await flush()
    },
    close: async (): Promise<void> => {
      try {
        await flush()
        await file.sync()
      } finally {
        await file.close()
      }
    },
  }
}

const readable = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
