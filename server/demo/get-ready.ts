import type { Context } from '../context.ts'
import { codeOf } from '../platform/kernel/code-of.ts'
import { firstSnapshot } from '../integrations/practice/reset.ts'
import { allVenues } from '../core/venue/venues.ts'
import { linesOfStart } from './first-start.ts'
import { makeFixedKeys } from './fixed-keys.ts'

/**
 * What a start does once the service listens, `begin`: it makes the demo venue where that is to be, and on a practice instance
 * the keys of PRACTICE_KEYS and the first snapshot of it; it gives the lines to say, and announces what takes long. `isReady`: whether all that is done, so that the first
 * request finds it; an instance that is to have a demo and could not get one is not ready.
 */
export const getReady = (
  context: Context,
): {
  readonly begin: (announce?: (line: string) => void) => Promise<readonly string[]>
  readonly isReady: () => Promise<boolean>
} => {
  const { config, db } = context
  const needsDemo = config.practice && config.demo && config.databaseUrl === undefined
  let isOver = false
  let isThere = false
  return {
    begin: async (announce) => {
      try {
        const lines = await linesOfStart(context, announce && { announce })
        return config.practice ? [...lines, ...(await preparePractice(context))] : lines
      } finally {
        isOver = true
      }
    },
    isReady: async () => isOver && (!needsDemo || (isThere ||= (await allVenues(db)).length > 0)),
  }
}

const preparePractice = async (context: Context): Promise<readonly string[]> => {
  const { log, config } = context
  try {
    const keys = await makeFixedKeys(context)
    if (keys !== undefined) await firstSnapshot(context)
    if (config.practiceKeys.length === 0) return []
    return [
      keys === undefined
        ? 'The keys of PRACTICE_KEYS are for the demo venue, which is not there.'
        : `The demo venue also has the keys of PRACTICE_KEYS (${keys}).`,
    ]
  } catch (error) {
    log.error(
      { code: codeOf(error) ?? (error as Error).message },
      'the practice instance could not be prepared',
    )
    return ['The keys of PRACTICE_KEYS or the snapshot could not be made; the log says why.']
  }
}
