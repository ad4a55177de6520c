import type { Work } from '../../../context.ts'
import { processorOf } from '../../../core/money/account-store.ts'
import { type ProcessorWork, forEachDue } from '../../../core/money/each-due.ts'
import type { Venue } from '../../../core/venue/venue.ts'
import {
  type GuaranteeRow,
  cardDeleted,
  cardsDue,
  holdGuarantee,
  lookAtGuarantee,
} from './guarantee-store.ts'
import { showGuarantee } from './show-guarantee.ts'

/** A card that could not be deleted is tried again after so long. */
export const retryMinutes = 15

/** Deletes cards whose day has come, or whose booking needs none any more; tried until they are gone. */
export const deleteCards = (parts: ProcessorWork, signal: AbortSignal): Promise<void> =>
  forEachDue(parts, signal, {
    queue: cardsDue,
    act: async (venue, due) => {
      const { db, clock, log } = parts
      const processor = await processorOf(parts, venue, due.account_id, 'job')
      const deleted = await processor.deleteCustomer(due.customer_ref ?? '')
      if (deleted.kind === 'done' || deleted.kind === 'gone') return noteDeleted(parts, venue, due)
      log.warn({ venue: venue.slug, answer: deleted.kind }, 'a card could not be deleted')
      return lookAtGuarantee(db, venue.id, due.id, clock().add({ minutes: retryMinutes }))
    },
    mistake: 'a card could not be deleted',
  })

const noteDeleted = ({ db, clock }: ProcessorWork, venue: Venue, due: GuaranteeRow): Promise<void> =>
  db.transaction(async (queries) => {
    const work: Work = { db: queries.within(venue.id), venue, now: clock }
    const row = await holdGuarantee(work.db, venue.id, due.id)
    await cardDeleted(work.db, venue.id, due, clock())
    await showGuarantee(work, row?.reservation_id ?? null)
  })
