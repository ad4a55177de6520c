import type { Work } from '../../../context.ts'
import { moneyOf } from '../../../platform/kernel/money.ts'
import type { BookRow } from '../../day/book-row.ts'
import type { ConfirmedReason, StaffReason } from '../staff-reasons.ts'
import { lessLate } from './follow-edit.ts'
import { guaranteeOf } from './guarantee-store.ts'

/**
 * Past the limit nothing comes back by itself for guests who do not come: staff choose. Nothing where there is nothing to
 * choose, as before the limit or where the sum is for the whole party.
 */
export const fewerLate = async (
  { db, venue }: Work,
  { id, party_size: from }: Pick<BookRow, 'id' | 'party_size'>,
  to: number | null,
  askedAt: Temporal.Instant,
): Promise<readonly StaffReason[]> => {
  if (from === null || to === null || to >= from) return []
  const row = await guaranteeOf(db, venue.id, id)
  const cents = row ? lessLate(row, { from, to, askedAt }) : 0
  if (!row || cents === 0) return []
  const money = moneyOf(cents, row.currency)
  const fewer = from - to === 1 ? '1 guest fewer' : `${from - to} guests fewer`
  const isCard = row.kind === 'card'
  return [
    {
      reason: 'fewer-late',
      sentence: isCard
        ? `Canceling is no longer free, so the card may still be charged for all who were agreed on. For ${fewer} you can lower that by ${money}.`
        : `Canceling is no longer free, so you keep what was paid. For ${fewer} you can refund ${money}.`,
      figure: null,
      answers: [
        { reason: 'keep-agreed', label: isCard ? 'Leave it as agreed' : 'Keep it' },
        { reason: 'give-back', label: isCard ? `Lower it by ${money}` : `Refund ${money}` },
      ],
    },
  ]
}

/** Whether staff chose to give it back. */
export const givesBackIn = (confirmed: readonly ConfirmedReason[] = []): boolean =>
  confirmed.includes('give-back')
