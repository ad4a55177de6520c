import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { RecordKind } from '@venue-data/sdk'
import { type Difference, type RevisedCopy, verify } from '@venue-data/sdk/verify'
import { type Run, has, textOf } from '../command.ts'
import { accessOf, clientFor, retriesOf } from '../connect.ts'
import { exitCodes } from '../exit-codes.ts'
import { LocalError, UsageError } from '../failures.ts'
import { type ExportFolder, openFolder, originOf } from '../export/folder.ts'
import type { Arrived } from '../export/merge.ts'
import { table } from '../print/table.ts'

/** Brings an export up to date, proves that it has every record at its newest revision, and repairs what it does not. */
export const verifyFolder: Run = async (world, line) => {
  const given = textOf(line, 'folder')
  if (!given) throw new UsageError('Which one? Give --folder FOLDER.')
  const path = resolve(given)
  const access = await accessOf(world, line)
  const venue = clientFor(world, access, retriesOf(line))
  const noExport = new LocalError(
    `${path} has no finished export. Run \`venue-data export --to ${given}\` first.`,
  )
  // Opening would make the folder.
  if (!(await stat(path).catch(() => undefined))) throw noExport
  const folder = await openFolder(path, originOf(access.url, await venue.me()), { isDamaged: true })
  if (folder.cursor() === undefined) throw noExport
  const { into, store, finish } = copyIn(folder)
  const { compared, differences } = await verify(venue, { into, store, signal: world.signal })
  await finish()
  if (has(line, 'json')) world.out.write(`${JSON.stringify({ folder: path, compared, differences })}\n`)
  else world.out.write(told(compared, differences, (rows) => table(rows, world.out)))
  return differences.length === 0 ? exitCodes.ok : exitCodes.refused
}

const told = (
  compared: number,
  differences: readonly Difference[],
  tableOf: (rows: Record<string, string | number>[]) => string,
): string => {
  const count = `${compared.toLocaleString('en-US')} records compared`
  if (differences.length === 0) return `${count}: the folder has every one at its newest revision.\n`
  const rows = differences.map(({ kind, id, was }) => ({ kind, id, was }))
  return `${tableOf(rows)}${count}; what is listed was wrong in the folder, and is right now.\n`
}

/** An export's folder as a copy: what comes is added as a page when its cursor is stored. */
const copyIn = (folder: ExportFolder) => {
  let page: (Arrived & { readonly kind: string })[] = []
  let stored: string | undefined
  let isAddedTo = false
  const add = async (cursor: string): Promise<void> => {
    await folder.add(page, cursor)
    page = []
    isAddedTo = true
  }
  /** Writes the files from what was added; without any, those that are there stay. */
  const finish = async (): Promise<void> => {
    const cursor = folder.cursor()
    if (page.length > 0 && cursor !== undefined) await add(cursor)
    if (isAddedTo) await folder.finish()
    isAddedTo = false
  }
  const into: RevisedCopy = {
    upsert: ({ kind, id, data }) => void page.push({ kind, id, data: data as unknown as Arrived['data'] }),
    delete: ({ kind, id }) => void page.push({ kind, id, data: null }),
    async *records() {
      // Started over: everything comes, into new files, and the earlier ones stay until these are complete.
      if (folder.cursor() === undefined) return
      await finish()
      for await (const [kind, { id, revision }] of folder.records()) {
        yield { kind: kind as RecordKind, id: id as number, revision: revision as number }
      }
    },
  }
  const store = {
    load: async () => stored ?? folder.cursor(),
    save: async (cursor: string | undefined) => {
      stored = cursor
      // The cursor comes with the kinds of which everything was copied.
      const next = cursor?.split(' ').at(-1)
      if (next === undefined) {
        page = []
        isAddedTo = false
        await folder.reset()
      } else await add(next)
    },
  }
  return { into, store, finish }
}
