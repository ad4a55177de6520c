import type { Actor } from '../core/activity/actor.ts'
import type { Work } from '../context.ts'
import { refuse } from '../platform/kernel/refusal.ts'
import { type SeenVersion, asSeen } from '../platform/kernel/running/seen-version.ts'
import { statusInWords, writeMoved } from './order-moves.ts'
import { isMadeByKey } from './order.ts'
import { type SoldOrderRow, soldOrder, soldOrderForUpdate } from './order-reads.ts'
import { type Sale, type Sold, sellTickets, soldAs, soldBefore } from './sell-tickets.ts'

/*
 * What integrators do with orders. They hold seats and give them back; whether the money came is for staff to say, and a
 * refund is asked for (refund-requests.ts).
 */

type Key = Actor & { readonly kind: 'key' }

export type OrderAsked = Pick<Sale, 'occurrenceId' | 'seats' | 'buyer' | 'promoCode'> & {
  readonly reference: string
}

/**
 * Orders seats, whose money is received elsewhere. A reference sent again for the same seats returns its order,
 * whatever state that is in; for anything else it is refused.
 */
export const orderByKey = async (work: Work, actor: Key, asked: OrderAsked): Promise<Sold> => {
  const before = await soldBefore(work, asked)
  if (before) return soldAs(before, true)
  return sellTickets(work, actor, { ...asked, method: 'external', channel: 'public' })
}

/** Gives the seats of an unpaid order back; one that is cancelled already stays as it is. */
export const cancelOrderByKey = async (
  work: Work,
  actor: Key,
  { id, seenVersion }: { readonly id: number; readonly seenVersion: SeenVersion },
): Promise<SoldOrderRow> => {
  const { db, venue } = work
  const row = asSeen('ticket order', await soldOrderForUpdate(db, venue.id, id), seenVersion)
  if (row.status === 'cancelled') return row
  if (!isMadeByKey(row)) {
    throw refuse('not-in-state', 'This order was not made by API, so only staff can cancel it.')
  }
  if (row.status !== 'paid_unconfirmed') {
    throw refuse('not-in-state', `This order is ${statusInWords(row.status)}; ask for a refund instead.`)
  }
  await writeMoved(work, actor, 'cancel', row, {}, {})
  return (await soldOrder(db, venue.id, id)) as SoldOrderRow
}
