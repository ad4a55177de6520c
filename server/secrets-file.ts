import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { type KeyRing, readKeyRing } from './kernel/secrets.ts'

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
  await mkdir(dataDir, { recursive: true })
  try {
    // Fails when it is there: two processes starting at once must not each make their own.
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(`first:${random(32).toString('base64')}\n`)
    await file.sync()
    await file.close()
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error
  }
  return readKeyRing((await readFile(path, 'utf8')).trim())
}
