import { type Line, textOf } from '../command.ts'
import { isSecret, makeSecret } from '../deliver/sign.ts'
import { UsageError } from '../failures.ts'
import type { World } from '../world.ts'
import { readPrivate, writePrivate } from './private-file.ts'

const file = 'listen-secret'

/**
 * The secret that `listen` and `trigger` sign with: created once and kept, so that you configure your receiver only
 * once.
 *
 * @throws UsageError when the secret in the flags is not valid
 */
export const listenSecret = async ({ settings, randomBytes }: World, line: Line): Promise<string> => {
  const given = textOf(line, 'secret')
  if (given !== undefined && !isSecret(given))
    throw new UsageError('--secret must be whsec_ and 44 letters and digits.')
  if (given !== undefined) return given
  const kept = (await readPrivate(settings, file))?.trim()
  if (kept !== undefined && isSecret(kept)) return kept
  const made = makeSecret(randomBytes)
  await writePrivate(settings, file, `${made}\n`)
  return made
}
