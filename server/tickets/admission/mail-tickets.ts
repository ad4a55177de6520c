import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { queueGuestMail } from '../../mail/guest-mail-queue.ts'
import { notFound, refuse } from '../../platform/kernel/refusal.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { type SoldOrderRow, soldOrder } from '../order-reads.ts'
import { validTickets } from '../states.ts'
import { markTicketsResent, newOrderLink } from './own-order.ts'

/*
 * The mail with an order's tickets. It goes by itself for what the venue sells at its own doors; an order that software
 * made is never mailed by itself, as the software has its own way to its buyers. Staff may send it for any order.
 */

type Staff = Actor & { readonly kind: 'staff' }

export const mayMailTickets = (order: SoldOrderRow): boolean =>
  order.buyer_email !== null && validTickets(order) > 0

/**
 * Mails a buyer their tickets, with the transaction. Nothing to an order without an address or without tickets, nor once
 * the evening is over: what is written down afterwards is for the books.
 */
export const mailTickets = async (
  work: Pick<Work, 'db' | 'venue'>,
  order: SoldOrderRow,
  now: Temporal.Instant,
): Promise<void> => {
  const { date: today } = wallTimeOf(now, work.venue.timezone)
  if (addDays(order.event_date, 1) >= today) await queueTickets(work, order, now)
}

const queueTickets = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  order: SoldOrderRow,
  now: Temporal.Instant,
  byStaff = false,
): Promise<void> => {
  if (mayMailTickets(order))
    await queueGuestMail(db, venue.id, { kind: 'tickets', record: order.id, byStaff }, now)
}

/** What the buyer asks for on their page: the mail once more, every ten minutes at most. */
export const mailTicketsAgain = async (work: Work, order: SoldOrderRow): Promise<void> => {
  const now = work.now()
  if (mayMailTickets(order) && (await markTicketsResent(work.db, work.venue.id, order.id, now)))
    await queueTickets(work, order, now)
}

/** Emails the tickets of any order, whoever sold it. */
export const sendTickets = async (work: Work, staff: Staff, id: number): Promise<void> => {
  const order = await orderFor(work, id)
  if (!mayMailTickets(order))
    throw refuse('not-in-state', 'Only an order with tickets and an email address can be sent.')
  const now = work.now()
  await queueTickets(work, order, now, true)
  await recordActivity(work, staff, { action: 'mailLink', record: of(id), before: {}, after: {} }, now)
}

/** Ends the link there is: it opens nothing from now on. The next one goes to the buyer; returns whether it could. */
export const renewOrderLink = async (work: Work, staff: Staff, id: number): Promise<boolean> => {
  const order = await orderFor(work, id)
  const now = work.now()
  await newOrderLink(work.db, work.venue.id, id)
  await queueTickets(work, order, now, true)
  await recordActivity(work, staff, { action: 'renewLink', record: of(id), before: {}, after: {} }, now)
  return mayMailTickets(order)
}

const of = (id: number) => ({ kind: 'ticket_order', id }) as const

const orderFor = async ({ db, venue }: Work, id: number): Promise<SoldOrderRow> => {
  const order = await soldOrder(db, venue.id, id)
  if (!order) throw notFound('order')
  return order
}
