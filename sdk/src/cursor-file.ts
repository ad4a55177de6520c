import { open, readFile, rename, rm } from 'node:fs/promises'
import type { CursorStore } from './cursor-store.ts'

/**
 * Keeps a cursor in a file, which is always complete: a new cursor replaces the old one atomically.
 *
 * @example
 * for await (const change of venue.changes({ store: fileCursor('changes.cursor') })) console.log(change.kind, change.id)
 */
export const fileCursor = (path: string): CursorStore => ({
  load: async () => {
    try {
      return (await readFile(path, 'utf8')).trim() || undefined
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return undefined
      throw error
    }
  },
  save: async (cursor) => {
    if (cursor === undefined) return rm(path, { force: true })
    const file = await open(`${path}.new`, 'w')
    try {
      await file.writeFile(`${cursor}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    return rename(`${path}.new`, path)
  },
})
