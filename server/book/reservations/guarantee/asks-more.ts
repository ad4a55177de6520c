import type { Work } from '../../../context.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import type { BookRow } from '../../day/book-row.ts'
import type { When } from '../../day/when.ts'
import { termsNow } from './ask-table.ts'
import { type GuaranteeRow, guaranteeOf } from './guarantee-store.ts'

type Sum = { readonly kind: string; readonly cents: number }

/**
 * Whether the venue's page asks for more at another size or time than stands behind a booking, so that its guest does not
 * get there past what the page asks of everybody. What is asked of the place that it has already counts for nothing: a later
 * policy changes no booking.
 */
export const asksForMore = async (
  work: Work,
  country: string,
  row: BookRow,
  to: { readonly when: When; readonly partySize: number },
): Promise<boolean> => {
  const asked = (when: When, partySize: number): Promise<Sum | undefined> =>
    termsNow(work, country, { ...when, partySize }).then(
      (terms) => terms && { kind: terms.kind, cents: terms.amountCents },
    )
  const there = await asked(to.when, to.partySize)
  if (!there || isWithin(there, behind(await guaranteeOf(work.db, work.venue.id, row.id)))) return false
  if (row.date === null || row.time === null || row.starts_at === null) return true
  const here = { date: row.date, time: row.time, startsAt: toInstant(row.starts_at) }
  return !isWithin(there, await asked(here, row.party_size ?? 1))
}

/** A deposit is behind a booking as a card is. */
const isWithin = (asked: Sum, has: Sum | undefined): boolean =>
  has !== undefined && asked.cents <= has.cents && (asked.kind === 'card' || has.kind !== 'card')

/** Of a deposit what is still here, of a card what may be charged. */
const behind = (row: GuaranteeRow | undefined): Sum | undefined => {
  if (!row || (row.kind === 'card' && row.status !== 'held')) return undefined
  const { kind, amount_cents: agreed } = row
  return { kind, cents: kind === 'card' ? agreed : Math.min(agreed, row.paid_cents - row.refunded_cents) }
}
