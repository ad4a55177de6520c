import type { Moment } from '../kernel/time/moment.ts'
import { checkMark, releaseMark } from './database-mark.ts'
import type { Database } from './pool.ts'

/**
 * Whether anything may be sent in the background: webhooks, hooks, campaigns. On a restored copy it may
 * not, until the operator runs `resume sending`. The senders call `isOn` as their last check; it reads from memory.
 */
export type SendingHold = {
  readonly isOn: () => boolean
  /** Reads the database's mark again and, on a copy, puts sending on hold; returns since when, or null if it is not on hold. */
  readonly look: () => Promise<Moment | null>
  /** Ends the hold for all processes, which see it within about a second; returns since when it was on, or null. */
  readonly release: () => Promise<Moment | null>
  /** Keeps checking until closed: every second while the hold is on, else once a minute. */
  readonly watch: () => void
  readonly close: () => void
}

const lookMs = { on: 1_000, off: 60_000 } as const

/**
 * @param folder names the embedded database's folder; '' for an external database
 * @param onHeld called when a check finds the hold on, while this process thought it was off
 */
export const makeSendingHold = (
  { db, clock }: { readonly db: Database; readonly clock: () => Temporal.Instant },
  folder: string,
  onHeld: () => void = () => undefined,
): SendingHold => {
  let heldSince: Moment | null = null
  let timer: NodeJS.Timeout | undefined

  const look = async (): Promise<Moment | null> => {
    const before = heldSince
    heldSince = await checkMark(db, folder, clock())
    if (before === null && heldSince !== null) onHeld()
    return heldSince
  }
  const watch = (): void => {
    timer = setTimeout(
      () => {
        // While the database is away nothing is sent either; the last known state applies until it answers.
        void look()
          .catch(() => undefined)
          .then(() => timer && watch())
      },
      heldSince === null ? lookMs.off : lookMs.on,
    ).unref()
  }

  return {
    isOn: () => heldSince !== null,
    look,
    release: async () => {
      const since = await releaseMark(db, folder, clock())
      heldSince = null
      return since
    },
    watch,
    close: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
