import type { Work } from '../../../context.ts'
import type { Moment } from '../../../platform/kernel/time/moment.ts'
import type { BookRow } from '../../day/book-row.ts'
import type { ConfirmedReason, StaffReason } from '../staff-reasons.ts'
import { freeAfter } from './follow-edit.ts'
import { guaranteeOf } from './guarantee-store.ts'

/**
 * Staff say whose wish another time is where that decides until when canceling is free: a guest who phones to be moved past
 * the limit, and then cancels, gets no further than on their own page. Nothing where it is the same either way.
 */
export const whoAsked = async (
  { db, venue }: Work,
  { id, starts_at: from }: Pick<BookRow, 'id' | 'starts_at'>,
  to: Moment | null,
  askedAt: Temporal.Instant,
): Promise<readonly StaffReason[]> => {
  if (from === null || to === null || from === to) return []
  const row = await guaranteeOf(db, venue.id, id)
  if (!row || row.status === 'released') return []
  const moved = { askedAt, from, to }
  const [guest, us] = (['guest', 'venue'] as const).map((by) => freeAfter(row, { ...moved, by }))
  return guest && us && guest.equals(us) ? [] : [question]
}

const question: StaffReason = {
  reason: 'who-asked',
  sentence:
    'A card or a deposit is behind this booking. Who asked for the other time decides until when its guest can cancel free of charge.',
  figure: null,
  answers: [
    { reason: 'guest-asked', label: 'The guest asked' },
    { reason: 'venue-asked', label: 'We moved it' },
  ],
}

/** What staff answered; undefined: it is theirs, or was not asked. */
export const askedByIn = (confirmed: readonly ConfirmedReason[] = []): 'guest' | undefined =>
  confirmed.includes('guest-asked') ? 'guest' : undefined
