import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { codeOf } from './platform/kernel/code-of.ts'
import { type KeyRing, readKeyRing } from './platform/kernel/secrets.ts'

/**
 * The key ring: the setting, or on the embedded default the one in DATA_DIR, made on the first start. Losing
 * that file ends every API key, so it belongs into the backup of the folder.
 */
export const loadSecrets = async (
  { secrets, dataDir }: Pick<Config, 'secrets' | 'dataDir'>,
  random: (size: number) => Buffer,
): Promise<KeyRing> => {
  if (secrets !== undefined) return readKeyRing(secrets)
  const path = join(dataDir, 'secrets')
  const kept = await readIfThere(path)
  if (kept !== undefined) return readKeyRing(kept)
  await mkdir(dataDir, { recursive: true })
  await makeWhole(path, `first:${random(32).toString('base64')}\n`, random(8).toString('hex'))
  return readKeyRing((await readFile(path, 'utf8')).trim())
}

const readIfThere = async (path: string): Promise<string | undefined> => {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Makes the file with all of its text or not at all, even if killed in between; if another process was faster,
 * its file stays. A link, unlike a renaming, never replaces.
 */
const makeWhole = async (path: string, text: string, unique: string): Promise<void> => {
  const unfinished = `${path}.new-${unique}`
  const file = await open(unfinished, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
    await file.close()
    await link(unfinished, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await rm(unfinished, { force: true })
  }
}
