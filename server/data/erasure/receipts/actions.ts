import type { ErasedIds } from '@venue-data/contract/erasure.ts'
import type { Work } from '../../../context.ts'
import { recordEvent } from '../../../core/events/record.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import type { Ids } from '../person.ts'
import { type ErasureRow, oneErasure } from './reads.ts'
import { insertConfirmation, insertErasure } from './writes.ts'

/*
 * Software with copies of a venue's records is notified of an erasure, by ids alone, and may confirm that its copies
 * are gone; the owner sees which software has.
 */

/** Stores and announces which records a person was erased from; does nothing if the list is empty. */
export const announceErasure = async (work: Work, ids: Ids, now: Temporal.Instant): Promise<void> => {
  const erased: ErasedIds = {
    guests: [...ids.guest],
    reservations: [...ids.reservation],
    leads: [...ids.lead],
    waitlist: [...ids.waitlist_entry],
    ticketOrders: [...ids.ticket_order],
    subscribers: [...ids.subscriber],
  }
  if (Object.values(erased).every((ofKind) => ofKind.length === 0)) return
  const erasure = await insertErasure(work.db, work.venue.id, erased, now)
  await recordEvent(work, 'person.erased', { erasure, ...erased }, now)
}

export const confirmErasure = async (
  work: Work,
  { erasure, ...said }: { readonly erasure: number; readonly key: number; readonly note: string | null },
): Promise<ErasureRow> => {
  const row = await oneErasure(work.db, work.venue.id, erasure)
  if (!row) throw notFound('erasure')
  await insertConfirmation(work.db, work.venue.id, { erasure, ...said }, work.now())
  return row
}
