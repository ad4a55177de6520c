import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from '../embedded/cluster.ts'

/**
 * Writes a file that nobody else may read (0600), whole or not at all: under a temporary name next to it, flushed to disk,
 * then renamed over any earlier file. Returns its size in bytes. A process that is killed halfway leaves the unfinished
 * file, whose name says so.
 * @param write fills the file of that name, which exists, empty and private
 */
export const writePrivateFile = async (
  path: string,
  write: (unfinished: string) => Promise<void>,
): Promise<number> => {
  const unfinished = `${path}.unfinished-${randomBytes(4).toString('hex')}`
  await (await open(unfinished, 'wx', 0o600)).close()
  const remove = (): void => rmSync(unfinished, { force: true })
  // Including when the operator interrupts the command.
  process.once('exit', remove)
  try {
    await write(unfinished)
    const file = await open(unfinished, 'r+')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
    await syncFolder(dirname(path))
    return (await stat(path)).size
  } catch (error) {
    remove()
    throw error
  } finally {
    process.removeListener('exit', remove)
  }
}
