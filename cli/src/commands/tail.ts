import type { Feed, VenueData } from '@venue-data/sdk'
import { type Line, type Run, has, textOf } from '../command.ts'
import { connect } from '../connect.ts'
import { exitCodes } from '../exit-codes.ts'
import { UsageError } from '../failures.ts'
import { queryOf } from '../flags.ts'
import { feeds } from '../generated/actions.ts'
import { paint } from '../print/paint.ts'
import { happenedLine } from '../print/happened.ts'
import type { World } from '../world.ts'

/** Shows what arrives, until it is interrupted. */
export const tail: Run = async (world, line) => {
  const most = numberOf(line, 'stop-after')
  const feed = feedOf(await connect(world, line), line, world)
  let count = 0
  let isReady = false
  try {
    for await (const { items } of feed.pages()) {
      for (const item of items) {
        world.out.write(has(line, 'json') ? `${JSON.stringify(item)}\n` : happenedLine(item, world.out))
        if (++count === most) return exitCodes.ok
      }
      if (!isReady)
        world.err.write(
          paint(
            world.err,
            'dim',
            `Waiting for ${has(line, 'events') ? 'events' : 'changes'}. Press Ctrl-C to stop.\n`,
          ),
        )
      isReady = true
    }
  } catch (error) {
    // It runs until it is interrupted, so that is not a failure.
    if (!world.signal.aborted) throw error
  }
  return exitCodes.ok
}

const feedOf = (venue: VenueData, line: Line, { signal }: World): Feed<object> => {
  const name = has(line, 'events') ? 'events' : 'changes'
  const other = feeds[name === 'events' ? 'changes' : 'events'].words
  const { words } = feeds[name]
  const strange = Object.keys(queryOf(other, line)).find((word) => !words.some((one) => one.name === word))
  if (strange) throw new UsageError(`--${strange} goes ${name === 'events' ? 'without' : 'with'} --events.`)
  const { after, ...query } = queryOf(words, line)
  if (after !== undefined && has(line, 'from-start'))
    throw new UsageError('--after and --from-start do not go together.')
  // With a start in the past, events are read from the oldest kept.
  const isPast = has(line, 'from-start') || query['since'] !== undefined
  return venue[name]({ ...query, after: after ?? (isPast ? undefined : 'latest'), signal })
}

/** @throws UsageError when it is not a number of at least 1 */
const numberOf = (line: Line, flag: string): number | undefined => {
  const text = textOf(line, flag)
  if (text !== undefined && !/^[1-9]\d*$/.test(text))
    throw new UsageError(`--${flag} must be a whole number from 1.`)
  return text === undefined ? undefined : Number(text)
}
