import { Refusal } from '../kernel/refusal.ts'
import { toMoment } from '../kernel/moment.ts'
import { advanceClock, mostAdvanceDays } from '../practice/advance.ts'
import { momentNow, onPracticeInstance } from '../practice/instance.ts'
import { command, duration, needed } from './command.ts'
import { sheet } from './print.ts'

const advance = command({
  words: 'clock advance',
  about:
    'Moves the clock of a running practice instance forward, never back, and waits until everything due meanwhile has happened.',
  flags: { by: needed(duration('6h')) },
  run: async ({ db }, { by }) => {
    if (by > mostAdvanceDays * dayMs)
      throw new Refusal(400, `The clock is moved by at most ${mostAdvanceDays} days at once.`)
    return shown(await advanceClock(db, by))
  },
})

const show = command({
  words: 'clock show',
  about: 'Prints the moment of the clock of a practice instance.',
  flags: {},
  run: async ({ db, clock }) => {
    await onPracticeInstance(db)
    return shown(await momentNow(db, clock))
  },
})

export const clockCommands = [advance, show]

const dayMs = 86_400_000

const shown = (moment: Temporal.Instant) => {
  const now = { now: toMoment(moment) }
  return { json: now, text: sheet(now) }
}
