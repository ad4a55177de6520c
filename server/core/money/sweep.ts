import { codeOf } from '../../platform/kernel/code-of.ts'
import { forEachVenue } from '../venue/each-venue.ts'
import { forgetCalls, hurryCalled, venuesWithCalls } from './call-store.ts'
import { forgetForms, takeCheckout, venuesWithCheckouts } from './checkout-store.ts'
import { type Looking, look } from './look.ts'

/** How many of one venue are looked at in a round: the next round is a second later. */
const mostInRound = 50
/** How many of them at a time: one that is not answered for 20 seconds does not keep who has paid waiting. */
const atOnce = 5
const keptDays = 30

/**
 * Looks at every checkout that is due, row by row under a lease, so that any number of workers can. Nothing depends on
 * it in time: places are free by the clock of who counts them.
 */
export const lookAtCheckouts = async (parts: Looking, signal: AbortSignal): Promise<void> => {
  const { db, clock, hold, log } = parts
  if (hold.isOn()) return
  const called = await venuesWithCalls(db)
  await forEachVenue({ db, log }, called, async (venue) => {
    await db.transaction((queries) => hurryCalled(queries.within(venue.id), venue.id, clock()))
  })
  await forEachVenue({ db, log }, await venuesWithCheckouts(db, clock()), async (venue) => {
    const next = async (): Promise<void> => {
      for (let round = 0; round < mostInRound / atOnce && !signal.aborted; round++) {
        const id = await takeCheckout(db, venue.id, clock())
        if (id === undefined) return
        try {
          await look(parts, venue, id, 'job')
        } catch (error) {
          // One that fails does not keep the others waiting; its lease ends.
          log.warn(
            { venue: venue.slug, code: codeOf(error) ?? 'unknown' },
            'a checkout could not be looked at',
          )
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, next))
  })
}

/** Forgets what buyers typed who did not buy, and old calls of the processor. */
export const forgetOldCheckouts = async ({ db, clock }: Pick<Looking, 'db' | 'clock'>): Promise<void> => {
  const before = clock().subtract({ hours: keptDays * 24 })
  await forgetForms(db, before)
  await forgetCalls(db, before)
}
