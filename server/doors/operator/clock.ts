import { Refusal } from '../../platform/kernel/refusal.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { advanceClock, mostAdvanceDays } from '../../integrations/practice/advance.ts'
import { momentNow, onPracticeInstance } from '../../integrations/practice/instance.ts'
import { command, duration, needed } from './command.ts'
import { sheet } from './print.ts'

const advance = command({
  words: 'clock advance',
  about:
    "Moves a running practice instance's clock forward, never back, and waits until everything due in that time has happened.",
  flags: { by: needed(duration('6h')) },
  run: async ({ db }, { by }) => {
    if (by > mostAdvanceDays * dayMs)
      throw new Refusal(400, `The clock can be moved by at most ${mostAdvanceDays} days at once.`)
    return shown(await advanceClock(db, by))
  },
})

const show = command({
  words: 'clock show',
  about: "Prints a practice instance's clock.",
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
