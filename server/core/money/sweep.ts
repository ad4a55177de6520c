import { forEachVenue } from '../venue/each-venue.ts'
import { forgetCalls, hurryCalled, venuesWithCalls } from './call-store.ts'
import { forEachDue } from './each-due.ts'
import { checkoutsDue, forgetForms } from './checkout-store.ts'
import { type Looking, look } from './look.ts'

const keptDays = 30

/** Looks at every checkout that is due. Nothing depends on it in time: places are free by the clock of who counts them. */
export const lookAtCheckouts = async (parts: Looking, signal: AbortSignal): Promise<void> => {
  const { db, clock, hold, log } = parts
  if (hold.isOn()) return
  const called = await venuesWithCalls(db)
  await forEachVenue({ db, log }, called, async (venue) => {
    await db.transaction((queries) => hurryCalled(queries.within(venue.id), venue.id, clock()))
  })
  await forEachDue(parts, signal, {
    queue: checkoutsDue,
    act: (venue, { id }) => look(parts, venue, id, 'job'),
    mistake: 'a checkout could not be looked at',
    atOnce: 5,
  })
}

/** Forgets what buyers typed who did not buy, and old calls of the processor. */
export const forgetOldCheckouts = async ({ db, clock }: Pick<Looking, 'db' | 'clock'>): Promise<void> => {
  const before = clock().subtract({ hours: keptDays * 24 })
  await forgetForms(db, before)
  await forgetCalls(db, before)
}
