import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../config.ts'
import { codeOf } from '../failures.ts'

type Place = Pick<Settings, 'folder'>

/** A file of the program's own; undefined: it is not there. */
export const readPrivate = async ({ folder }: Place, name: string): Promise<string | undefined> => {
  try {
    return await readFile(join(folder, name), 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a file that nobody else can read, not even for the moment in which it is made. */
export const writePrivate = async ({ folder }: Place, name: string, text: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, name)
  await rm(`${path}.new`, { force: true })
  const file = await open(`${path}.new`, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  // Regardless of the umask of the process.
  await chmod(`${path}.new`, 0o600)
  await rename(`${path}.new`, path)
}
