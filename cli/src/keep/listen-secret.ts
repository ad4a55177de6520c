import { type Line, textOf } from '../command.ts'
import { isSecret, makeSecret } from '../deliver/sign.ts'
import { UsageError } from '../failures.ts'
import type { World } from '../world.ts'
import { readPrivate, writePrivate } from './private-file.ts'

const file = 'listen-secret'

/**
 * The secret that `listen` and `trigger` sign with: made once and kept, so that a receiver is told of it once.
 *
 * @throws UsageError when the one in the flags is none
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
