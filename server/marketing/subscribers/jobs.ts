import type { Context } from '../../context.ts'
import { forEachVenue } from '../../core/venue/each-venue.ts'
import { endSignUp, remindSignUp, signUpLimits, signUpsMailedBefore } from './sign-up.ts'

/** Reminds who has not confirmed a sign-up for two days, and ends what nobody confirmed for thirty. */
export const followSignUps = async (context: Pick<Context, 'db' | 'clock' | 'log'>): Promise<void> => {
  const { db, clock } = context
  const now = clock()
  const toRemind = await signUpsMailedBefore(
    db,
    now.subtract({ hours: signUpLimits.remindHours }),
    'not reminded',
  )
  const toEnd = await signUpsMailedBefore(db, now.subtract({ hours: 24 * signUpLimits.endDays }), 'all')
  const ending = new Set(toEnd.map(({ venue_id, id }) => `${venue_id} ${id}`))
  const all = [
    ...toEnd.map((one) => ({ ...one, act: endSignUp })),
    ...toRemind
      .filter(({ venue_id, id }) => !ending.has(`${venue_id} ${id}`))
      .map((one) => ({ ...one, act: remindSignUp })),
  ]
  await forEachVenue(context, new Set(all.map(({ venue_id }) => venue_id)), async (venue) => {
    for (const { venue_id, id, act } of all)
      if (venue_id === venue.id)
        await db.transaction((queries) => act({ db: queries.within(venue.id), venue, now: clock }, id))
  })
}
