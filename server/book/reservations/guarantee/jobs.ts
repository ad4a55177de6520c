import type { Context, Work } from '../../../context.ts'
import { accountById, keyOf } from '../../../core/money/account-store.ts'
import type { Processor } from '../../../core/money/processor.ts'
import { forEachVenue } from '../../../core/venue/each-venue.ts'
import type { Venue } from '../../../core/venue/venue.ts'
import { codeOf } from '../../../platform/kernel/code-of.ts'
import {
  type GuaranteeRow,
  cardDeleted,
  holdGuarantee,
  lookAtCardLater,
  takeCard,
  venuesWithCards,
} from './guarantee-store.ts'
import { showGuarantee } from './show-guarantee.ts'

type Parts = Pick<Context, 'db' | 'clock' | 'secrets' | 'hold' | 'processors' | 'log'>

const mostInRound = 50
const retryMinutes = 15

/** Deletes cards whose day has come, or whose booking needs none any more; tried until they are gone. */
export const deleteCards = async (parts: Parts, signal: AbortSignal): Promise<void> => {
  const { db, clock, hold, log } = parts
  if (hold.isOn()) return
  await forEachVenue({ db, log }, await venuesWithCards(db, clock()), async (venue) => {
    for (let round = 0; round < mostInRound && !signal.aborted; round++) {
      const due = await takeCard(db, venue.id, clock())
      if (!due) return
      try {
        const processor = await processorOf(parts, venue, due.account_id)
        const deleted = await processor.deleteCustomer(due.customer_ref ?? '')
        if (deleted.kind === 'done' || deleted.kind === 'gone') await noteDeleted(parts, venue, due)
        else {
          log.warn({ venue: venue.slug, answer: deleted.kind }, 'a card could not be deleted')
          await lookAtCardLater(db, venue.id, due.id, clock().add({ minutes: retryMinutes }))
        }
      } catch (error) {
        // Its lease ends.
        log.warn({ venue: venue.slug, code: codeOf(error) ?? 'unknown' }, 'a card could not be deleted')
      }
    }
  })
}

const noteDeleted = ({ db, clock }: Parts, venue: Venue, { id }: GuaranteeRow): Promise<void> =>
  db.transaction(async (queries) => {
    const work: Work = { db: queries.within(venue.id), venue, now: clock }
    const row = await holdGuarantee(work.db, venue.id, id)
    await cardDeleted(work.db, venue.id, id, clock())
    await showGuarantee(work, row?.reservation_id ?? null)
  })

const processorOf = async (
  { db, secrets, processors }: Parts,
  venue: Venue,
  account: string,
): Promise<Processor> => {
  const row = await accountById(db, venue.id, account)
  if (!row) throw new Error('a guarantee without its account')
  return processors.of(keyOf(secrets, venue.id, row), 'job')
}
