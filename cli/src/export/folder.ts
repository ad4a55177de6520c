import { appendFile, mkdir, readFile, readdir, rm, stat, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LocalError, codeOf } from '../failures.ts'
import { writePrivate } from '../keep/private-file.ts'
import { type Arrived, type Fields, linesOf, merge } from './merge.ts'

/*
 * A folder that an export is written to. `export.json` records the progress. Arriving records are appended to one
 * `.part` per kind, and once all have arrived, these become the `.ndjson` and `.csv`. The program may stop at any
 * moment: anything appended after `export.json` was written is cut off again, and merging twice gives the same result
 * as merging once.
 */

/** The venue the records belong to, and what the key may see. */
export type Origin = { readonly url: string; readonly venue: string; readonly scopes: readonly string[] }

/** Where an export of this key comes from: the scopes that decide which records, and which of their fields, it sees. */
export const originOf = (
  url: string,
  {
    venue,
    key,
  }: { readonly venue: { readonly slug: string }; readonly key: { readonly scopes: readonly string[] } },
): Origin => ({
  ...{ url, venue: venue.slug },
  scopes: key.scopes.filter((scope) => scope.endsWith(':read') || scope === 'contacts:hidden').toSorted(),
})

type State = Origin & {
  /** The cursor up to which the parts are complete. */
  readonly cursor?: string | undefined
  /** How many bytes of each part are valid. */
  readonly parts: Readonly<Record<string, number>>
  /** Whether the parts are added to an earlier export's files. */
  readonly isUpdate: boolean
}

export type ExportFolder = {
  readonly cursor: () => string | undefined
  /** Adds a page of changes and its cursor. */
  readonly add: (page: readonly (Arrived & { readonly kind: string })[], next: string) => Promise<void>
  /** Starts over, since the cursor is too old. The earlier export stays until the new one is complete. */
  readonly reset: () => Promise<void>
  /** Every record of the files, with its kind. */
  readonly records: () => AsyncGenerator<[kind: string, record: Fields]>
  /** Writes the files; returns how many records of each kind they have. */
  readonly finish: () => Promise<Record<string, number>>
}

const stateFile = 'export.json'

/**
 * Opens a folder for a new export or one to continue.
 *
 * @param isDamaged whether lines of its files that cannot be read are passed over, as missing
 * @throws LocalError when it contains something else, or is no folder and cannot become one
 */
export const openFolder = async (
  folder: string,
  origin: Origin,
  { isDamaged = false }: { readonly isDamaged?: boolean } = {},
): Promise<ExportFolder> => {
  await makeFolder(folder)
  const fresh: State = { ...origin, parts: {}, isUpdate: false }
  let state = await readState(folder, origin, fresh)
  const at = (name: string): string => join(folder, name)
  const save = async (next: State): Promise<void> => {
    await writePrivate({ folder }, stateFile, `${JSON.stringify(next)}\n`)
    state = next
  }
  await save(state)
  await dropUncounted(folder, state.parts)

  return {
    cursor: () => state.cursor,
    add: async (page, next) => {
      const parts: Record<string, number> = { ...state.parts }
      for (const [kind, text] of textsOf(page)) {
        await append(at(`${kind}.part`), text)
        parts[kind] = (parts[kind] ?? 0) + Buffer.byteLength(text)
      }
      await save({ ...state, cursor: next, parts })
    },
    reset: async () => {
      await save(fresh)
      await dropUncounted(folder, {})
    },
    async *records() {
      for (const kind of await kindsIn(folder)) {
        for await (const [record] of linesOf<Fields>(at(`${kind}.ndjson`), isDamaged)) yield [kind, record]
      }
    },
    finish: async () => {
      const { isUpdate, parts } = state
      const known = await kindsIn(folder)
      const counts: Record<string, number> = {}
      const kinds = new Set([...(isUpdate ? known : []), ...Object.keys(parts)])
      for (const kind of [...kinds].toSorted()) {
        const ndjson = at(`${kind}.ndjson`)
        const base = isUpdate ? ndjson : undefined
        counts[kind] = await merge({
          base,
          isDamaged,
          part: at(`${kind}.part`),
          ndjson,
          csv: at(`${kind}.csv`),
        })
      }
      for (const kind of known)
        if (!(kind in counts)) await removeAll(folder, [`${kind}.ndjson`, `${kind}.csv`])
      await save({ ...state, parts: {}, isUpdate: true })
      await dropUncounted(folder, {})
      return counts
    },
  }
}

/** The kinds that have a file. */
const kindsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).flatMap((name) =>
    name.endsWith('.ndjson') ? [name.slice(0, -'.ndjson'.length)] : [],
  )

/** Makes a folder and those above it, one at a time: where none can be made, Node's own `recursive` may try forever. */
const makeFolder = async (folder: string): Promise<void> => {
  const above = dirname(folder)
  const make = () => mkdir(folder, { mode: 0o700 })
  const made = make().catch(async (error: unknown) => {
    if (codeOf(error) !== 'ENOENT' || above === folder) throw error
    await makeFolder(above)
    return make()
  })
  await made.catch(async (error: unknown) => {
    if (error instanceof LocalError) throw error
    const there = await stat(folder).catch(() => undefined)
    if (there?.isDirectory()) return
    throw new LocalError(
      there
        ? `${folder} is a file. Name a folder.`
        : `The folder ${folder} cannot be made (${codeOf(error)}). Name another one.`,
    )
  })
}

const readState = async (folder: string, origin: Origin, fresh: State): Promise<State> => {
  const names = await readdir(folder)
  if (names.length === 0) return fresh
  if (!names.includes(stateFile))
    throw new LocalError(`${folder} is not empty and holds no earlier export. Name another folder.`)
  const state = JSON.parse(await readFile(join(folder, stateFile), 'utf8')) as State
  if (state.url !== origin.url || state.venue !== origin.venue)
    throw new LocalError(`${folder} has an export of ${state.venue} at ${state.url}. Name another folder.`)
  if (state.scopes.join() !== origin.scopes.join())
    throw new LocalError(
      `${folder} has an export made with a key that may read other records. Name another folder.`,
    )
  return state
}

/** Cuts off or removes what was appended but not recorded. */
const dropUncounted = async (folder: string, parts: State['parts']): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.part')) continue
    const bytes = parts[name.slice(0, -'.part'.length)]
    if (bytes === undefined) await rm(join(folder, name))
    else await truncate(join(folder, name), bytes)
  }
}

const removeAll = async (folder: string, names: readonly string[]): Promise<void> => {
  for (const name of names) await rm(join(folder, name), { force: true })
}

/** The lines a page adds to each kind's part. */
const textsOf = (page: readonly (Arrived & { readonly kind: string })[]): Map<string, string> => {
  const texts = new Map<string, string>()
  for (const { kind, id, data } of page) {
    texts.set(kind, `${texts.get(kind) ?? ''}${JSON.stringify({ id, data })}\n`)
  }
  return texts
}

/** Appends to a file, and returns once it is on disk. */
const append = async (path: string, text: string): Promise<void> => {
  await appendFile(path, text, { mode: 0o600, flush: true })
}
