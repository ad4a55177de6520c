import type { Work } from '../../../context.ts'
import { moneyOf } from '../../../platform/kernel/money.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import type { Moment } from '../../../platform/kernel/time/moment.ts'
import type { BookRow } from '../../day/book-row.ts'
import type { ConfirmedReason, StaffReason } from '../staff-reasons.ts'
import { freeAfter } from './follow-edit.ts'
import { type GuaranteeRow, guaranteeOf } from './guarantee-store.ts'

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
  if (!guest || !us || guest.equals(us)) return []
  const isLate = Temporal.Instant.compare(askedAt, guest) >= 0
  const untilWhen = (moment: Temporal.Instant): string => momentInWords(moment, venue.timezone)
  const byGuest = isLate
    ? `If the guest asked, canceling is no longer free: ${staysOf(row)}.`
    : `If the guest asked, canceling is free until ${untilWhen(guest)}.`
  return [{ ...question, sentence: `${byGuest} If you moved it, canceling is free until ${untilWhen(us)}.` }]
}

/** What a booking costs whose guest cancels late. */
const staysOf = ({ kind, amount_cents, paid_cents, refunded_cents, currency }: GuaranteeRow): string =>
  kind === 'card'
    ? `the card may be charged up to ${moneyOf(amount_cents, currency)}, at the new time, too`
    : `${moneyOf(paid_cents - refunded_cents, currency)} stays with you, at the new time, too`

const question: Omit<StaffReason, 'sentence'> = {
  reason: 'who-asked',
  figure: null,
  answers: [
    { reason: 'guest-asked', label: 'The guest asked' },
    { reason: 'venue-asked', label: 'We moved it' },
  ],
}

/** What staff answered; undefined: it is theirs, or was not asked. */
export const askedByIn = (confirmed: readonly ConfirmedReason[] = []): 'guest' | undefined =>
  confirmed.includes('guest-asked') ? 'guest' : undefined
